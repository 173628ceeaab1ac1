// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// The render half of an I/O unit, from its start to its stop: a device's cycles go in, slices of at
/// most the maximum come out.
///
/// Only the thread of the device is inside, and it holds the unit's gate meanwhile.
struct IOEngine: ~Copyable {
  /// Everything that is fixed while the unit runs.
  struct Setup {
    var playback: StreamFormat?
    var capture: StreamFormat?
    var device: Device
    var outputMap: [Int32]?
    var inputMap: [Int32]?
    var maximumFrames: Int
    var quality: SampleRateConverter.Quality
    var inputCallback: AURenderCallbackStruct
    /// Whether sample times count from the start or are the device's.
    var startsAtZero: Bool
  }

  private let side: UnsafeMutablePointer<RenderSide>
  private let volume: ParameterStore
  private let automation: UnsafeMutablePointer<Automation>
  /// In memory of their own; there is one for each direction that runs.
  private let playback: UnsafeMutablePointer<PullConverter>?
  private let capture: UnsafeMutablePointer<CaptureConverter>?
  private let playbackRate: Double
  private let captureRate: Double
  private let deviceRate: Double
  private let inputCallback: AURenderCallbackStruct
  /// The most device frames that one slice may have.
  private let sliceFrames: Int
  private let maximumFrames: Int
  private let startsAtZero: Bool
  private let sharesRate: Bool
  private let deviceBuffer: BusBuffer
  private let deviceInput: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let deviceInputCount: Int
  /// Frames that the program was asked for, and gave, since the start.
  private var playedFrames = 0.0
  private var capturedFrames = 0.0
  /// The thread that is inside a cycle; zero when none is.
  private var owner: UInt64 = 0

  /// [control thread] Lays out everything that the cycles will need.
  init(_ setup: Setup, _ side: UnsafeMutablePointer<RenderSide>, volume: ParameterStore) {
    self.side = side
    self.volume = volume
    automation = .allocate(capacity: 1)
    automation.initialize(to: Automation(side.pointee.events))
    deviceRate = setup.device.sampleRate
    playbackRate = setup.playback?.sampleRate ?? deviceRate
    captureRate = setup.capture?.sampleRate ?? deviceRate
    inputCallback = setup.inputCallback
    maximumFrames = setup.maximumFrames
    startsAtZero = setup.startsAtZero
    sharesRate = playbackRate == captureRate
    // A slice on the program's side has never more than the maximum: a frame or two of room are
    // left for the rounding of rates.
    let ratio = max(playbackRate, captureRate) / deviceRate
    let frames =
      ratio == 1
      ? setup.maximumFrames
      : max(1, min(Int((Double(setup.maximumFrames) - 2) / ratio), setup.maximumFrames * 8))
    sliceFrames = frames
    let outputs = setup.device.outputChannelCount
    playback = setup.playback.map { format in
      let converter = UnsafeMutablePointer<PullConverter>.allocate(capacity: 1)
      converter.initialize(
        to: PullConverter(
          from: format, to: setup.device.sampleRate, channelCount: outputs, map: setup.outputMap,
          maximumSourceFrames: setup.maximumFrames, maximumFrames: frames, quality: setup.quality))
      return converter
    }
    capture = setup.capture.map { format in
      let converter = UnsafeMutablePointer<CaptureConverter>.allocate(capacity: 1)
      converter.initialize(
        to: CaptureConverter(
          from: setup.device.sampleRate, channelCount: setup.device.inputChannelCount, to: format,
          map: setup.inputMap, maximumFrames: frames, quality: setup.quality))
      return converter
    }
    deviceBuffer = BusBuffer(
      StreamFormat(sampleRate: deviceRate, channelCount: max(outputs, 1)), maximumFrames: 0)
    deviceInputCount = setup.device.inputChannelCount
    deviceInput = .allocate(capacity: max(deviceInputCount, 1))
    // What was scheduled before the start is out of date.
    automation.pointee.reset()
  }

  deinit {
    playback?.deinitialize(count: 1).deallocate()
    capture?.deinitialize(count: 1).deallocate()
    automation.deinitialize(count: 1).deallocate()
    deviceBuffer.deallocate()
    deviceInput.deallocate()
  }

  /// Seconds that converting rates adds on the way to the device.
  var playbackLatency: Double { playback?.pointee.latency ?? 0 }

  // MARK: Cycles

  /// [render thread] One cycle of the device.
  @_noLocks
  mutating func render(_ cycle: DeviceCycle) {
    guard side.pointee.gate.tryEnter() else { return silence(cycle) }
    defer { side.pointee.gate.leave() }
    guard side.pointee.isReadyToRender else { return silence(cycle) }
    let start = rt_host_time()
    owner = rt_thread_id()
    if side.pointee.takeReset() {
      playback?.pointee.reset()
      capture?.pointee.reset()
    }
    let plan = side.pointee.currentPlan
    var frame = 0
    while frame < cycle.frameCount {
      let frames = min(sliceFrames, cycle.frameCount - frame)
      slice(cycle, plan, frame, frames)
      frame += frames
    }
    owner = 0
    side.pointee.load.add(
      nanoseconds: rt_host_time() - start, frameCount: cycle.frameCount, sampleRate: deviceRate)
  }

  @_noLocks
  private mutating func slice(
    _ cycle: DeviceCycle, _ plan: RenderPlan, _ frame: Int, _ frames: Int
  ) {
    let hostTime =
      cycle.hostTime + UInt64(Double(frame) / (deviceRate * cycle.rateScalar) * 1_000_000_000)
    let deviceTime = cycle.sampleTime + Double(frame)
    let wanted = playback?.pointee.sourceFrames(for: frames) ?? 0
    if let input = cycle.input {
      for channel in 0..<min(deviceInputCount, cycle.inputChannelCount) {
        deviceInput[channel] = input[channel] + frame
      }
      takeInput(frames, wanted, hostTime, deviceTime, cycle.rateScalar)
    }
    if let output = cycle.output {
      giveOutput(plan, output, frame, frames, wanted, hostTime, deviceTime, cycle.rateScalar)
    }
  }

  @_noLocks
  private mutating func takeInput(
    _ frames: Int, _ wanted: Int, _ hostTime: UInt64, _ deviceTime: Double, _ rateScalar: Double
  ) {
    guard let capture else { return }
    let block = capture.pointee.take(
      deviceInput, frames: frames, wanted: playback != nil && sharesRate ? wanted : nil)
    if let function = inputCallback.inputProc, block > 0 {
      var time = stamp(
        startsAtZero ? capturedFrames : deviceTime * captureRate / deviceRate, hostTime, rateScalar)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      let status = callInput(
        function, inputCallback.inputProcRefCon, &flags, &time, UInt32(block))
      if status != noErr { side.pointee.note(status) }
    }
    capturedFrames += Double(block)
  }

  @_noLocks
  private mutating func giveOutput(
    _ plan: RenderPlan, _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ frame: Int,
    _ frames: Int, _ wanted: Int, _ hostTime: UInt64, _ deviceTime: Double, _ rateScalar: Double
  ) {
    deviceBuffer.point(at: output, offset: frame, frames)
    guard playback != nil else { return deviceBuffer.clear(frames) }
    var time = stamp(
      startsAtZero ? playedFrames : deviceTime * playbackRate / deviceRate, hostTime, rateScalar)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    let call = withUnsafeMutablePointer(to: &flags) { flags in
      withUnsafePointer(to: &time) {
        RenderCall(flags, $0, bus: 0, frameCount: UInt32(frames))
      }
    }
    plan.notifyBefore(call, deviceBuffer.list)
    let status = fill(plan, call, wanted, frames)
    if status == noErr {
      side.pointee.noteTime(time.mSampleTime)
    } else {
      deviceBuffer.clear(frames)
      side.pointee.note(status)
    }
    plan.notifyAfter(call, deviceBuffer.list, status)
    playedFrames += Double(wanted)
  }

  @_noLocks
  private mutating func fill(_ plan: RenderPlan, _ call: RenderCall, _ wanted: Int, _ frames: Int)
    -> OSStatus
  {
    guard let playback else { return kAudioUnitErr_NoConnection }
    if wanted > 0 {
      let status = plan.pull(
        0, call.flags, call.time, wanted, into: playback.pointee.source, allocates: true)
      // Nothing is connected (yet): silence, and no error.
      if status == kAudioUnitErr_NoConnection, !plan.hasSource(0) {
        deviceBuffer.clear(frames)
        return noErr
      }
      guard status == noErr else { return status }
    }
    playback.pointee.convert(wanted, to: deviceBuffer.channels, frames: frames)
    applyVolume(frames)
    return noErr
  }

  /// Scales by the volume parameter; at one, the samples stay as they are to the bit.
  @_noLocks
  private mutating func applyVolume(_ frames: Int) {
    automation.pointee.collect()
    var frame = 0
    while frame < frames {
      let length = automation.pointee.isIdle ? frames - frame : automation.pointee.advance(to: frame, end: frames)
      volume.freeze()
      let gain = volume.frozenValue(0)
      let step = volume.frozenStep(0)
      if gain != 1 || step != 0 {
        for channel in 0..<deviceBuffer.channelCount {
          let samples = deviceBuffer.channels[channel] + frame
          for index in 0..<length { samples[index] *= gain + step * Float(index) }
        }
      }
      automation.pointee.finish(length)
      frame += length
    }
    automation.pointee.finishRender(frames)
  }

  @_noLocks
  private func stamp(_ sampleTime: Double, _ hostTime: UInt64, _ rateScalar: Double)
    -> AudioTimeStamp
  {
    var time = AudioTimeStamp()
    time.mSampleTime = sampleTime
    time.mHostTime = hostTime
    time.mRateScalar = rateScalar
    time.mFlags = AudioTimeStampFlags(rawValue: 7)  // sample time, host time and rate scalar
    return time
  }

  /// The unit cannot be rendered now: the device plays silence.
  @_noLocks
  private func silence(_ cycle: DeviceCycle) {
    guard let output = cycle.output else { return }
    for channel in 0..<cycle.outputChannelCount {
      Samples.clear(output[channel], count: cycle.frameCount)
    }
  }

  // MARK: Reading the input

  /// [render thread, inside a cycle] What `AudioUnitRender` of bus 1 gives: the input of this slice.
  @_noLocks
  borrowing func read(_ frames: Int, into data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard owner != 0, owner == rt_thread_id() else { return kAudioUnitErr_CannotDoInCurrentContext }
    guard let capture else { return kAudioUnitErr_InvalidElement }
    return capture.pointee.read(frames, into: data)
  }
}
