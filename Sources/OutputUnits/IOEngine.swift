// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// The render side of an I/O unit, from its start to its stop. It splits the cycles of a device
/// into slices of at most the unit's maximum.
///
/// Only the device's thread enters it, holding the unit's gate. During a slice a callback of the
/// host may read the input. Hence nothing here is mutated; the state is in separate memory.
struct IOEngine: ~Copyable {
  /// Everything that is fixed while the unit runs.
  struct Setup {
    var playback: StreamFormat?
    var capture: StreamFormat?
    var outputMap: [Int32]?
    var inputMap: [Int32]?
    /// Whether the program renders into memory of the unit.
    var allocatesPlayback: Bool
    var maximumFrames: Int
    var quality: SampleRateConverter.Quality
    var inputCallback: AURenderCallbackStruct
    /// Whether sample times count from the start or continue with the device's clock.
    var startsAtZero: Bool
    /// Whether silence takes the place of the device's input.
    var silencesInput: Bool
    /// The settings of voice processing, if the unit has it.
    var voice: VoiceProcessing?
  }

  private struct State {
    /// The sample times of the next frames that the program supplies and receives.
    var playbackTime = 0.0
    var captureTime = 0.0
    var hasBegun = false
    var isEnding = false
    /// The level gain at the end of the previous slice.
    var levelGain: Float = 1
  }

  /// A part of a device cycle, no longer than a slice.
  private struct CyclePart {
    var cycle: DeviceCycle
    var frame: Int
    var frameCount: Int
    var hostTime: UInt64
    /// When it would have been due if the device had split the cycle.
    var callTime: UInt64
  }

  /// The latency in seconds that rate conversion adds to the output.
  let playbackLatency: Double
  /// [any thread] The latency in seconds that a bridge between two clocks adds to the input.
  var bridgeLatency: Double { bridge?.pointee.addedLatency ?? 0 }
  /// [any thread] `bridgeLatency` plus the latency of voice processing.
  var captureLatency: Double { bridgeLatency + (voice?.pointee.latency ?? 0) }
  private let side: UnsafeMutablePointer<RenderSide>
  private let memory = OwnedMemory()
  private let volume: ParameterStore
  /// The volume that the program set for the device.
  private let level: DeviceLevel
  private let automation: UnsafeMutablePointer<Automation>
  /// The converters, one for each running direction.
  private let playback: UnsafeMutablePointer<PullConverter>?
  private let capture: UnsafeMutablePointer<CaptureConverter>?
  /// The bridge, only if the device captures and plays on different clocks.
  private let bridge: UnsafeMutablePointer<ClockBridge>?
  /// The voice processing, if the unit has it, and otherwise the gain while other units process
  /// voice.
  private let voice: UnsafeMutablePointer<VoiceStage>?
  private let ducking: VoiceDucking?
  private let playbackRate: Double
  private let captureRate: Double
  private let deviceRate: Double
  private let inputCallback: AURenderCallbackStruct
  /// The maximum number of device frames per slice.
  private let sliceFrames: Int
  private let startsAtZero: Bool
  /// Whether a block of input has as many frames as the output of the same slice.
  private let pairsBlocks: Bool
  private let outputChannelCount: Int
  private let inputChannelCount: Int
  private let deviceBuffer: BusBuffer
  private let deviceInput: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The channels of a silent input, only if it takes the place of the device's.
  private let silence: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  private let state: UnsafeMutablePointer<State>
  /// The arguments of the host's callbacks. The memory stays valid while the unit runs.
  private let time: UnsafeMutablePointer<AudioTimeStamp>
  private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>

  /// [control thread] Allocates everything that the cycles of `device` need.
  init(
    _ setup: Setup, _ device: Device, _ side: UnsafeMutablePointer<RenderSide>,
    volume: ParameterStore
  ) {
    self.side = side
    self.volume = volume
    level = DeviceLevel.of(device.outputUID)
    let memory = memory
    automation = memory.cell(Automation(side.pointee.events, in: memory))
    deviceRate = device.sampleRate
    playbackRate = setup.playback?.sampleRate ?? deviceRate
    captureRate = setup.capture?.sampleRate ?? deviceRate
    inputCallback = setup.inputCallback
    startsAtZero = setup.startsAtZero
    pairsBlocks = setup.playback != nil && playbackRate == captureRate
    outputChannelCount = device.outputChannelCount
    let inputs = setup.silencesInput ? max(device.inputChannelCount, 1) : device.inputChannelCount
    inputChannelCount = inputs
    let frames = Self.sliceFrames(
      setup.maximumFrames, ratio: max(playbackRate, captureRate) / deviceRate)
    sliceFrames = frames
    playback = setup.playback.map { format in
      memory.cell(
        PullConverter(
          .init(
            source: format, sampleRate: device.sampleRate,
            channelCount: device.outputChannelCount, map: setup.outputMap,
            allocates: setup.allocatesPlayback, maximumPullFrames: setup.maximumFrames,
            maximumFrames: frames, quality: setup.quality)))
    }
    playbackLatency = playback?.pointee.latency ?? 0
    capture = setup.capture.map { format in
      memory.cell(
        CaptureConverter(
          from: device.sampleRate, channelCount: inputs, to: format,
          map: setup.inputMap, maximumFrames: frames, quality: setup.quality))
    }
    bridge =
      setup.playback != nil && setup.capture != nil && !device.hasOneClock && !setup.silencesInput
      ? memory.cell(
        ClockBridge(
          sampleRate: device.sampleRate, channelCount: device.inputChannelCount,
          maximumFrames: frames, quality: setup.quality)) : nil
    ducking = setup.voice == nil ? VoiceDucking.of(device.outputUID) : nil
    if let processing = setup.voice, setup.capture != nil {
      voice = memory.cell(
        VoiceStage(
          sampleRate: device.sampleRate, maximumFrames: frames, reach: processing.reach,
          control: processing.control))
    } else {
      voice = nil
    }
    deviceBuffer = BusBuffer(
      StreamFormat(sampleRate: deviceRate, channelCount: max(outputChannelCount, 1)),
      maximumFrames: 0)
    deviceInput = memory.room(inputs, for: UnsafePointer<Float>.self)
    silence =
      setup.silencesInput
      ? memory.array(
        [UnsafeMutablePointer<Float>](repeating: memory.array(frames, of: 0), count: inputs)) : nil
    state = memory.cell(State(levelGain: level.gain))
    time = memory.cell(AudioTimeStamp())
    flags = memory.cell([])
  }

  deinit {
    memory.deallocate()
    deviceBuffer.deallocate()
  }

  /// The number of device frames whose share on the program's side, with a frame or two for
  /// rounding, does not exceed the maximum.
  private static func sliceFrames(_ maximumFrames: Int, ratio: Double) -> Int {
    guard ratio != 1 else { return maximumFrames }
    let frames = max(1, Int(saturating: (Double(maximumFrames) - 2) / ratio))
    // At low program rates that is a large number, so memory is allocated for at most eight maxima.
    return min(frames, 8 * maximumFrames)
  }

  /// [render thread] Continues with the program's time and the volume ramps of another engine.
  @_noLocks
  borrowing func resume(from other: borrowing IOEngine) {
    state.pointee = other.state.pointee
    automation.pointee.resume(
      from: other.automation.pointee, ratio: deviceRate / other.deviceRate)
  }

  /// [render thread, or while no cycle runs] Ends the run. The rest of the cycle is silent, and
  /// changes scheduled for it have no effect.
  borrowing func end() {
    state.pointee.isEnding = true
    automation.pointee.reset()
  }

  // MARK: Cycles

  /// [render thread] Whether a cycle has the channel counts for which memory was allocated.
  @_noLocks
  borrowing func fits(_ cycle: DeviceCycle) -> Bool {
    (cycle.output == nil || cycle.outputChannelCount == outputChannelCount)
      && (cycle.input == nil || cycle.inputChannelCount == inputChannelCount)
  }

  /// [render thread] Renders one cycle of the device.
  @_noLocks
  borrowing func render(_ cycle: DeviceCycle) {
    let (start, firstTick) = (rt_host_time(), rt_ticks())
    if let bridge, cycle.output == nil {
      // The cycles of the other clock read it.
      if let input = cycle.input {
        bridge.pointee.push(input, frames: cycle.frameCount, hostTime: start)
      }
      return
    }
    if side.pointee.consumeReset() {
      playback?.pointee.reset()
      capture?.pointee.reset()
      bridge?.pointee.reset()
      voice?.pointee.reset()
    }
    if !state.pointee.hasBegun { begin(cycle) }
    side.pointee.applyPendingSwap()
    let plan = side.pointee.plan
    var frame = 0
    while frame < cycle.frameCount, !state.pointee.isEnding {
      let frames = min(sliceFrames, cycle.frameCount - frame)
      let seconds = Double(frame) / (deviceRate * cycle.rateScalar)
      renderSlice(
        CyclePart(
          cycle: cycle, frame: frame, frameCount: frames,
          hostTime: cycle.hostTime &+ Elementary.nanoseconds(seconds),
          callTime: start &+ Elementary.nanoseconds(seconds)), plan)
      frame += frames
    }
    cycle.silenceOutput(from: frame)
    side.pointee.load.add(
      since: firstTick, frameCount: cycle.frameCount, sampleRate: deviceRate)
  }

  /// Sets the first sample time: zero, or the host's clock in frames.
  @_noLocks
  private borrowing func begin(_ cycle: DeviceCycle) {
    state.pointee.hasBegun = true
    guard !startsAtZero else { return }
    let seconds = Double(cycle.hostTime) / 1_000_000_000
    state.pointee.playbackTime = wholeFrames(seconds * playbackRate)
    state.pointee.captureTime = wholeFrames(seconds * captureRate)
  }

  @_noLocks
  private borrowing func renderSlice(_ part: CyclePart, _ plan: RenderPlan) {
    let sourceFrames = playback?.pointee.sourceFrames(for: part.frameCount) ?? 0
    if let bridge {
      let input = bridge.pointee.pull(part.frameCount, hostTime: part.callTime)
      processInput(input, from: 0, part, sourceFrames)
    } else if let silence {
      processInput(UnsafePointer(silence), from: 0, part, sourceFrames)
    } else if let input = part.cycle.input {
      processInput(input, from: part.frame, part, sourceFrames)
    }
    if let output = part.cycle.output { renderOutput(plan, output, part, sourceFrames) }
  }

  @_noLocks
  private borrowing func processInput(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from frame: Int, _ part: CyclePart,
    _ sourceFrames: Int
  ) {
    guard let capture else { return }
    for channel in 0..<inputChannelCount {
      deviceInput[channel] = UnsafePointer(input[channel] + frame)
    }
    voice?.pointee.process(deviceInput, count: inputChannelCount, frames: part.frameCount)
    let block = capture.pointee.capture(
      deviceInput, frames: part.frameCount, requested: pairsBlocks ? sourceFrames : nil)
    if let function = inputCallback.inputProc, block > 0 {
      let call = call(1, block, at: state.pointee.captureTime, part)
      let status = callInput(function, inputCallback.inputProcRefCon, call)
      if status != noErr { side.pointee.recordError(status) }
    }
    state.pointee.captureTime += Double(block)
  }

  @_noLocks
  private borrowing func renderOutput(
    _ plan: RenderPlan, _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ part: CyclePart,
    _ sourceFrames: Int
  ) {
    guard let playback else { return part.cycle.silenceOutput(from: part.frame) }
    deviceBuffer.point(at: output, offset: part.frame, part.frameCount)
    let time = state.pointee.playbackTime
    let call = call(0, part.frameCount, at: time, part)
    side.pointee.notifyTable.before(call, deviceBuffer.list)
    var status = noErr
    if playback.pointee.passesThrough {
      status = playback.pointee.fill(
        deviceBuffer, at: output, offset: part.frame, plan, call.flags, call.time,
        frames: part.frameCount)
      if status != noErr { deviceBuffer.clear(part.frameCount) }
    } else {
      if sourceFrames > 0 {
        status = playback.pointee.pull(plan, call.flags, call.time, frames: sourceFrames)
      }
      // After a failure time continues, and the converter's history fades out.
      if status != noErr { playback.pointee.consumeSilence(sourceFrames) }
      playback.pointee.convert(sourceFrames, to: deviceBuffer.channels, frames: part.frameCount)
    }
    if status == noErr {
      side.pointee.recordTime(time)
    } else if status != kAudioUnitErr_NoConnection || plan.hasSource(0) {
      side.pointee.recordError(status)
    } else {
      // Nothing is connected (yet), which is silence and not an error.
      status = noErr
    }
    applyVolume(part.frameCount)
    voice?.pointee.play(
      UnsafePointer(deviceBuffer.channels), count: deviceBuffer.channelCount,
      frames: part.frameCount)
    side.pointee.notifyTable.after(call, deviceBuffer.list, status)
    state.pointee.playbackTime += Double(sourceFrames)
  }

  /// Fills the arguments of a callback.
  @_noLocks
  private borrowing func call(
    _ bus: UInt32, _ frameCount: Int, at sampleTime: Double, _ part: CyclePart
  ) -> RenderCall {
    flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
    time.pointee.mSampleTime = sampleTime
    time.pointee.mHostTime = part.hostTime
    time.pointee.mRateScalar = part.cycle.rateScalar
    time.pointee.mFlags = AudioTimeStampFlags(
      rawValue: AudioTimeStampFlags.sampleHostTimeValid.rawValue
        | AudioTimeStampFlags.rateScalarValid.rawValue)
    return RenderCall(
      flags, UnsafePointer(time), bus: bus, frameCount: UInt32(truncatingIfNeeded: frameCount))
  }

  /// Applies the volume parameter. At one, the samples stay unchanged to the bit.
  @_noLocks
  private borrowing func applyVolume(_ frames: Int) {
    let slot = 0  // the unit's only parameter
    automation.pointee.collect()
    var frame = 0
    while frame < frames {
      let length =
        automation.pointee.isIdle
        ? frames - frame : automation.pointee.advance(to: frame, end: frames)
      volume.freeze()
      let (gain, step) = (volume.frozenValue(slot), volume.frozenStep(slot))
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
    applyLevel(frames)
  }

  /// Applies the level of the device, ramping linearly from the previous slice to this one.
  @_noLocks
  private borrowing func applyLevel(_ frames: Int) {
    let (start, end) = (state.pointee.levelGain, level.gain * (ducking?.gain ?? 1))
    guard start != 1 || end != 1, frames > 0 else { return }
    state.pointee.levelGain = end
    let step = (end - start) / Float(frames)
    for channel in 0..<deviceBuffer.channelCount {
      let samples = deviceBuffer.channels[channel]
      for index in 0..<frames { samples[index] *= start + step * Float(index + 1) }
    }
  }

  // MARK: Reading the input

  /// [render thread, inside a cycle] Implements `AudioUnitRender` of bus 1: reads the input of this
  /// slice.
  @_noLocks
  borrowing func read(_ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard let capture else { return kAudioUnitErr_InvalidElement }
    return capture.pointee.read(frames, into: list)
  }
}

/// A time without its fraction. From 2^53 on it has none. (`rounded` is a call of libm, which
/// `@_noLocks` cannot check.)
@_noLocks
private func wholeFrames(_ time: Double) -> Double {
  time.magnitude < 0x1p53 ? Double(Elementary.whole(time)) : time
}
