// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A sine through the RemoteIO unit: made once, started and stopped any number of times.
///
/// It is independent of the other examples, so that it can be copied into a program.
final class ToneGenerator {
  private let unit: AudioUnit
  private let state: UnsafeMutablePointer<State>

  /// The state of the render callback. Only the callback uses it between a start and the next stop.
  fileprivate struct State {
    /// Radians per frame.
    let step: Double
    let amplitude: Float
    /// In radians, below 2π.
    var theta = 0.0
  }

  /// A failed call: its name, its status, and the reason.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Sets up the unit: makes an instance, initialises it, then sets its callback and its format.
  ///
  /// The rate is that of the device, as the audio session grants it: then nothing is converted.
  init(frequency: Double, sampleRate: Double, amplitude: Float = 0.25) throws {
    unit = try Self.makeUnit()
    state = .allocate(capacity: 1)
    state.initialize(to: State(step: 2 * .pi * frequency / sampleRate, amplitude: amplitude))
    try Self.check(AudioUnitInitialize(unit))
    var callback = AURenderCallbackStruct(inputProc: renderTone, inputProcRefCon: state)
    try set(kAudioUnitProperty_SetRenderCallback, &callback)
    var format = AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    try set(kAudioUnitProperty_StreamFormat, &format)
  }

  deinit {
    AudioOutputUnitStop(unit)
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    state.deallocate()
  }

  /// Plays, from the beginning of a wave.
  func start() throws { try Self.check(AudioOutputUnitStart(unit)) }

  /// Stops. The callback does not run any more, so its state may be changed.
  func stop() throws {
    try Self.check(AudioOutputUnitStop(unit))
    state.pointee.theta = 0
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ value: inout Value
  ) throws {
    let status = AudioUnitSetProperty(
      unit, property, kAudioUnitScope_Input, 0, &value, UInt32(MemoryLayout<Value>.size))
    try Self.check(status)
  }

  private static func makeUnit() throws -> AudioUnit {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Output
    description.componentSubType = kAudioUnitSubType_RemoteIO
    description.componentManufacturer = kAudioUnitManufacturer_Apple
    var unit: AudioUnit?
    if let component = AudioComponentFindNext(nil, &description) {
      try check(AudioComponentInstanceNew(component, &unit))
    }
    guard let unit else { throw Failure(description: "There is no RemoteIO unit.") }
    return unit
  }

  private static func check(_ status: OSStatus) throws {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyLastExplanation() ?? AUDiagnosticsCopyDescription(status)
    throw Failure(description: String(describing: reason.takeRetainedValue()))
  }
}

/// Called on the audio thread for the next frames. It is a global function, outside every actor,
/// because the audio thread belongs to none.
private func renderTone(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: ToneGenerator.State.self)
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] = state.pointee.amplitude * Float(sin(state.pointee.theta))
    state.pointee.theta += state.pointee.step
    if state.pointee.theta >= 2 * .pi { state.pointee.theta -= 2 * .pi }
  }
  return noErr
}
