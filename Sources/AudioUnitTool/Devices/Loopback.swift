// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import SignalProcessing
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A duplex unit that plays bursts of noise and records what comes back.
///
/// Each cycle captures as many frames as it plays: a burst that is found `n` frames after it was
/// played has a round trip of `n` frames.
final class Loopback {
  private let unit: AudioUnit
  private let state: UnsafeMutablePointer<LoopbackState>
  private let sampleRate: Double
  private let rounds: Int

  /// Frames of a burst. Far fewer are enough if the noise is much louder than the rest.
  private static let burstFrames = 2_048
  /// The most frames per render call.
  private static let maximumFrames: UInt32 = 8_192

  /// Makes the unit without starting it.
  init(amplitude: Float, rounds: Int) throws(Failure) {
    let unit = try Self.makeUnit()
    do throws(Failure) {
      var isOn: UInt32 = 1
      try Self.set(
        unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn,
        "Can't capture")
      let format = unit.streamDescription(kAudioUnitScope_Output, 0)
      guard let format else { throw Failure("Can't read the device's format") }
      sampleRate = format.mSampleRate
      try Self.setFormat(unit, sampleRate)
      var frames = Self.maximumFrames
      try Self.set(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames,
        "Can't render \(frames) frames at once")
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
    self.unit = unit
    self.rounds = rounds
    state = .cell(
      LoopbackState(
        unit, amplitude: amplitude, burstFrames: Self.burstFrames, rounds: rounds,
        spacing: Int(saturating: sampleRate), maximumFrames: Int(Self.maximumFrames)))
  }

  deinit {
    AudioOutputUnitStop(unit)
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    state.pointee.deallocate()
    state.endCell()
  }

  /// Plays all bursts and finds them in the recording.
  func measure() throws -> LoopbackReport {
    var callback = AURenderCallbackStruct(inputProc: playAndCapture, inputProcRefCon: state)
    try Self.set(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
      "Can't set the callback")
    try Failure.check(AudioUnitInitialize(unit), "Can't open the device")
    try Failure.check(AudioOutputUnitStart(unit), "Can't start the device")
    let signals = Signals(Signals.ending)
    var remainingSeconds = 4.0
    var last = 0
    while !state.pointee.isOver, remainingSeconds > 0 {
      usleep(10_000)
      let now = state.pointee.frameCount
      remainingSeconds = now == last && !isInterrupted ? remainingSeconds - 0.01 : 4
      last = now
      if let signal = signals.next() { Signals.endProcess(by: signal) }
    }
    let claims = (latency(kAudioUnitScope_Output, 0), latency(kAudioUnitScope_Input, 1))
    AudioOutputUnitStop(unit)
    guard state.pointee.isOver else {
      throw Failure("the device stopped requesting samples after \(last) frames")
    }
    if state.pointee.status != noErr {
      try Failure.check(state.pointee.status, "Can't read the input")
    }
    return LoopbackReport(
      device: deviceName, sampleRate: sampleRate,
      roundTripFrames: state.pointee.delays(),
      rounds: rounds, claimedOutputLatency: claims.0, claimedInputLatency: claims.1,
      cycleFrames: state.pointee.cycleFrames)
  }

  private var deviceName: String {
    unit.text(kAudioUnitProperty_ElementName, kAudioUnitScope_Output)
      ?? ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"] ?? "the default device"
  }

  /// Whether the unit is waiting for its device.
  private var isInterrupted: Bool {
    unit.text(kAUDiagnosticsProperty_Interruption) != nil
  }

  private func latency(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Double {
    unit.value(kAudioUnitProperty_PresentationLatency, scope, element, over: 0.0) ?? 0
  }

  private static func makeUnit() throws(Failure) -> AudioUnit {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_RemoteIO,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw Failure("Can't find RemoteIO")
    }
    var unit: AudioUnit?
    try Failure.check(AudioComponentInstanceNew(component, &unit), "Can't make RemoteIO")
    guard let unit else { throw Failure("Can't make RemoteIO") }
    return unit
  }

  /// Sets one channel each way, for the first two channels of the device.
  private static func setFormat(_ unit: AudioUnit, _ sampleRate: Double) throws(Failure) {
    var format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    try set(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      "Can't play one channel")
    try set(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format,
      "Can't capture one channel")
  }

  private static func set<Value: BitwiseCopyable>(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement, _ value: inout Value, _ step: String
  ) throws(Failure) {
    try Failure.check(
      AudioUnitSetProperty(
        unit, id, scope, element, &value, UInt32(clamping: MemoryLayout<Value>.size)),
      step)
  }
}

/// [render thread] Captures and plays one cycle.
private func playAndCapture(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: LoopbackState.self)
  guard let data else { return noErr }
  return state.pointee.render(time, frameCount, data)
}
