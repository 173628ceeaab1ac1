// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioHardware
import AudioSupport
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// What the device's thread uses of an I/O unit, for one format of the device. It splits the cycles
/// of a device into parts of at most the unit's maximum.
///
/// Only the device's thread enters it, holding the unit's gate. During a part a callback of the
/// host may read the input. Hence nothing here is mutated; the state is in separate memory.
final class IOEngine: CycleEngine, @unchecked Sendable {
  /// Everything that is fixed while the unit runs.
  struct Setup {
    var playback: StreamFormat?
    var capture: StreamFormat?
    var outputMap: [Int32]?
    /// The channels of the program's output; nil for the usual ones.
    var outputLayout: ChannelLayout?
    var inputMap: [Int32]?
    /// Whether the program renders into memory of the unit.
    var allocatesPlayback: Bool
    var maximumFrames: Int
    var quality: SampleRateConverter.Quality
    var inputCallback: AURenderCallbackStruct
    /// Whether sample times count from the start or continue with the device's clock.
    var startsAtZero: Bool
    /// The settings of voice processing, if the unit has it.
    var voice: VoiceProcessing?
  }

  /// The state that continues in the next engine.
  private struct State {
    /// The sample times of the next frames that the program supplies and receives.
    var playbackTime = 0.0
    var captureTime = 0.0
    var hasBegun = false
    /// The level gain at the end of the previous part.
    var levelGain: Float = 1
  }

  /// The latency in seconds that rate conversion adds to the output.
  let playbackLatency: Double
  /// The latency in seconds that voice processing adds to the input.
  var voiceLatency: Double { voice?.pointee.latency ?? 0 }
  private let side: UnsafeMutablePointer<RenderSide>
  private let memory = OwnedMemory()
  private let volume: ParameterStore
  /// The volume that the program set for the device.
  private let level: DeviceLevel
  private let automation: UnsafeMutablePointer<Automation>
  /// The converters, one for each running direction.
  private let playback: UnsafeMutablePointer<PullConverter>?
  private let capture: UnsafeMutablePointer<CaptureConverter>?
  /// The voice processing, if the unit has it, and otherwise the gain while other units process
  /// voice.
  private let voice: UnsafeMutablePointer<VoiceStage>?
  private let ducking: VoiceDucking?
  private let playbackRate: Double
  private let captureRate: Double
  private let deviceRate: Double
  private let inputCallback: AURenderCallbackStruct
  /// The maximum number of device frames per part.
  private let partFrames: Int
  private let startsAtZero: Bool
  /// Whether a block of input has as many frames as the output of the same part.
  private let pairsBlocks: Bool
  private let outputChannelCount: Int
  private let inputChannelCount: Int
  private let deviceBuffer: BusBuffer
  private let deviceInput: UnsafeMutablePointer<UnsafePointer<Float>>
  /// The channels of a silent input, only if it takes the place of the device's.
  private let silence: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  private let state: UnsafeMutablePointer<State>
  /// Whether the run has ended.
  private let isEnding: UnsafeMutablePointer<Bool>
  /// The unit's engine of the current cycle.
  private let current: UnsafeMutablePointer<Unmanaged<IOEngine>?>
  /// The arguments of the host's callbacks. The memory stays valid while the unit runs.
  private let time: UnsafeMutablePointer<AudioTimeStamp>
  private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>

  /// [control thread] Allocates everything that the cycles of a stream need. `current` refers to
  /// the engine during its cycles.
  init(
    _ setup: Setup, _ connection: DeviceConnection, _ side: UnsafeMutablePointer<RenderSide>,
    current: UnsafeMutablePointer<Unmanaged<IOEngine>?>, volume: ParameterStore
  ) {
    let device = connection.device
    let silencesInput = setup.capture != nil && !connection.usesInput
    self.current = current
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
    let inputs = silencesInput ? max(device.inputChannelCount, 1) : device.inputChannelCount
    inputChannelCount = inputs
    let frames = IOEngine.partFrames(
      setup.maximumFrames, ratio: max(playbackRate, captureRate) / deviceRate)
    partFrames = frames
    playback = setup.playback.map { format in
      memory.cell(
        PullConverter(
          .init(
            source: format, sampleRate: device.sampleRate,
            channelCount: device.outputChannelCount, map: setup.outputMap,
            gains: Self.gains(setup, from: format.channelCount, to: device.outputChannelCount),
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
      silencesInput
      ? memory.array(
        [UnsafeMutablePointer<Float>](repeating: memory.array(frames, of: 0), count: inputs)) : nil
    state = memory.cell(State(levelGain: level.gain))
    time = memory.cell(AudioTimeStamp())
    flags = memory.cell([])
    isEnding = memory.cell(false)
    super.init(connection.shape)
  }

  deinit {
    memory.deallocate()
    deviceBuffer.deallocate()
  }

  /// How channels that the device lacks are mixed, if nothing assigns them.
  private static func gains(_ setup: Setup, from inputs: Int, to outputs: Int) -> [Float]? {
    guard setup.outputMap == nil, inputs > 2, outputs > 0, outputs < inputs else { return nil }
    return ChannelMix.gains(from: inputs, setup.outputLayout, to: outputs)
  }

  /// The number of device frames whose share at the program's rate, with a frame or two for
  /// rounding, does not exceed the maximum.
  private static func partFrames(_ maximumFrames: Int, ratio: Double) -> Int {
    guard ratio != 1 else { return maximumFrames }
    let frames = max(1, Int(saturating: (Double(maximumFrames) - 2) / ratio))
    // At low program rates that is a large number, so memory is allocated for at most eight maxima.
    return min(frames, 8 * maximumFrames)
  }

  /// [render thread] Continues with the program's time and the volume ramps of another engine.
  @_noLocks
  override func resume(from other: CycleEngine) {
    let other = Unmanaged<IOEngine>.fromOpaque(Unmanaged.passUnretained(other).toOpaque())
    let (state, automation, deviceRate) = (state, automation, deviceRate)
    other._withUnsafeGuaranteedRef {
      state.pointee = $0.state.pointee
      automation.pointee.resume(
        from: $0.automation.pointee, ratio: deviceRate / $0.deviceRate)
    }
  }

  /// [render thread, or while no cycle runs] Ends the run. The rest of the cycle is silent, and
  /// changes scheduled for it have no effect.
  override func end() {
    isEnding.pointee = true
    automation.pointee.reset()
  }

  // MARK: Cycles

  /// [render thread] Renders one cycle with exclusive use of the unit, or silence if that is
  /// impossible now.
  @_noLocks
  override func render(_ cycle: inout ClientCycle) {
    guard side.pointee.gate.tryEnter(as: rt_thread_id()) else { return cycle.silenceRest() }
    current.pointee = .passUnretained(self)
    defer {
      current.pointee = nil
      side.pointee.gate.leave()
    }
    guard side.pointee.isReadyToRender else { return cycle.silenceRest() }
    renderParts(&cycle)
  }

  @_noLocks
  private func renderParts(_ cycle: inout ClientCycle) {
    let firstTick = rt_ticks()
    if side.pointee.consumeReset() {
      playback?.pointee.reset()
      capture?.pointee.reset()
      cycle.resetBridge()
      voice?.pointee.reset()
    }
    if !state.pointee.hasBegun { begin(cycle.cycle) }
    side.pointee.applyPendingSwap()
    let sources = side.pointee.sourceTable
    while !isEnding.pointee {
      let part = cycle.next(upTo: partFrames)
      guard part.frameCount > 0 else { break }
      renderPart(part, cycle.cycle, sources)
    }
    cycle.silenceRest()
    side.pointee.load.add(
      since: firstTick, frameCount: cycle.cycle.frameCount, sampleRate: deviceRate)
  }

  /// Sets the first sample time: zero, or the host's clock in frames.
  @_noLocks
  private func begin(_ cycle: DeviceCycle) {
    state.pointee.hasBegun = true
    guard !startsAtZero else { return }
    let seconds = Double(cycle.hostTime) / 1_000_000_000
    state.pointee.playbackTime = wholeFrames(seconds * playbackRate)
    state.pointee.captureTime = wholeFrames(seconds * captureRate)
  }

  @_noLocks
  private func renderPart(_ part: CyclePart, _ cycle: DeviceCycle, _ sources: SourceTable) {
    let sourceFrames = playback?.pointee.sourceFrames(for: part.frameCount) ?? 0
    let rate = cycle.rateScalar
    if let silence {
      processInput(UnsafePointer(silence), from: 0, part, rate, sourceFrames)
    } else if let input = part.input {
      processInput(input, from: part.inputFrame, part, rate, sourceFrames)
    }
    guard let output = cycle.output else { return }
    if playback == nil {
      cycle.silenceOutput(from: part.frame)
    } else {
      renderOutput(sources, output, part, rate, sourceFrames)
    }
  }

  @_noLocks
  private func processInput(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from frame: Int, _ part: CyclePart,
    _ rateScalar: Double, _ sourceFrames: Int
  ) {
    guard let capture else { return }
    for channel in 0..<inputChannelCount {
      deviceInput[channel] = UnsafePointer(input[channel] + frame)
    }
    voice?.pointee.process(deviceInput, count: inputChannelCount, frames: part.frameCount)
    let block = capture.pointee.capture(
      deviceInput, frames: part.frameCount, requested: pairsBlocks ? sourceFrames : nil)
    if let function = inputCallback.inputProc, block > 0 {
      let call = call(1, block, at: state.pointee.captureTime, part, rateScalar)
      let status = callInput(function, inputCallback.inputProcRefCon, call)
      if status != noErr { side.pointee.recordError(status) }
    }
    state.pointee.captureTime += Double(block)
  }

  @_noLocks
  private func renderOutput(
    _ sources: SourceTable, _ output: UnsafePointer<UnsafeMutablePointer<Float>>, _ part: CyclePart,
    _ rateScalar: Double, _ sourceFrames: Int
  ) {
    guard let playback else { return }
    deviceBuffer.point(at: output, offset: part.frame, part.frameCount)
    let time = state.pointee.playbackTime
    let call = call(0, part.frameCount, at: time, part, rateScalar)
    side.pointee.notifyTable.before(call, deviceBuffer.list)
    var status = noErr
    if playback.pointee.passesThrough {
      status = playback.pointee.fill(
        deviceBuffer, at: output, offset: part.frame, sources, call.flags, call.time,
        frames: part.frameCount)
      if status != noErr { deviceBuffer.clear(part.frameCount) }
    } else {
      if sourceFrames > 0 {
        status = playback.pointee.pull(sources, call.flags, call.time, frames: sourceFrames)
      }
      // After a failure time continues, and the converter's history fades out.
      if status != noErr { playback.pointee.consumeSilence(sourceFrames) }
      playback.pointee.convert(sourceFrames, to: deviceBuffer.channels, frames: part.frameCount)
    }
    if status == noErr {
      side.pointee.recordTime(time)
    } else if status != kAudioUnitErr_NoConnection || sources.hasSource(0) {
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
  private func call(
    _ bus: UInt32, _ frameCount: Int, at sampleTime: Double, _ part: CyclePart,
    _ rateScalar: Double
  ) -> RenderCall {
    flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
    time.pointee.mSampleTime = sampleTime
    time.pointee.mHostTime = part.hostTime
    time.pointee.mRateScalar = rateScalar
    time.pointee.mFlags = AudioTimeStampFlags(
      rawValue: AudioTimeStampFlags.sampleHostTimeValid.rawValue
        | AudioTimeStampFlags.rateScalarValid.rawValue)
    return RenderCall(
      flags, UnsafePointer(time), bus: bus, frameCount: UInt32(truncatingIfNeeded: frameCount))
  }

  /// Applies the volume parameter. At one, the samples stay unchanged to the bit.
  @_noLocks
  private func applyVolume(_ frames: Int) {
    let slot = 0  // the unit's only parameter
    automation.pointee.collect()
    var frame = 0
    while frame < frames {
      let length =
        automation.pointee.isIdle
        ? frames - frame : automation.pointee.advance(to: frame, end: frames)
      volume.updateSliceValues()
      let (gain, step) = (volume.sliceValue(slot), volume.sliceStep(slot))
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

  /// Applies the level of the device, ramping linearly from the previous part to this one.
  @_noLocks
  private func applyLevel(_ frames: Int) {
    let (start, end) = (state.pointee.levelGain, level.gain * (ducking?.gain ?? 1))
    guard frames > 0 else { return }
    state.pointee.levelGain = end
    DeviceLevel.ramp(
      UnsafePointer(deviceBuffer.channels), count: deviceBuffer.channelCount, frames: frames,
      from: start, to: end)
  }

  // MARK: Reading the input

  /// [render thread, inside a cycle] Implements `AudioUnitRender` of bus 1: reads the input of this
  /// part.
  @_noLocks
  func read(_ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
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
