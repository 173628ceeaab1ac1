// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A sine through the RemoteIO unit: made once, started and stopped as often as wanted.
final class ToneGenerator {
  private static let sampleRate = 44_100.0

  private let unit: AudioUnit
  private let state: UnsafeMutablePointer<State>

  /// What the render callback reads and moves on. Only that callback touches it between a start and
  /// the stop that follows.
  fileprivate struct State {
    let frequency: Double
    let amplitude: Float
    /// In radians, below a whole turn.
    var theta = 0.0
  }

  /// A failed call: which one, and what it gave.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let status: OSStatus

    var description: String { "\(call) failed with \(status)" }
  }

  /// Makes the unit ready: an instance, initialised, then its callback, then its format.
  init(frequency: Double, amplitude: Float = 0.25) throws {
    unit = try Self.makeUnit()
    state = .allocate(capacity: 1)
    state.initialize(to: State(frequency: frequency, amplitude: amplitude))
    try Self.check(AudioUnitInitialize(unit), "AudioUnitInitialize")
    var callback = AURenderCallbackStruct(inputProc: renderTone, inputProcRefCon: state)
    try set(kAudioUnitProperty_SetRenderCallback, &callback)
    var format = AudioStreamBasicDescription(
      mSampleRate: Self.sampleRate, mFormatID: kAudioFormatLinearPCM,
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
  func start() throws {
    state.pointee.theta = 0
    try Self.check(AudioOutputUnitStart(unit), "AudioOutputUnitStart")
    print("start")
  }

  /// Falls silent; the callback has returned for the last time.
  func stop() throws {
    try Self.check(AudioOutputUnitStop(unit), "AudioOutputUnitStop")
    print("stop")
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ value: inout Value
  ) throws {
    let status = AudioUnitSetProperty(
      unit, property, kAudioUnitScope_Input, 0, &value, UInt32(MemoryLayout<Value>.size))
    try Self.check(status, "AudioUnitSetProperty")
  }

  private static func makeUnit() throws -> AudioUnit {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Output
    description.componentSubType = kAudioUnitSubType_RemoteIO
    description.componentManufacturer = kAudioUnitManufacturer_Apple
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw Failure(call: "AudioComponentFindNext", status: kAudio_ParamError)
    }
    var instance: AudioUnit?
    try check(AudioComponentInstanceNew(component, &instance), "AudioComponentInstanceNew")
    guard let instance else {
      throw Failure(call: "AudioComponentInstanceNew", status: kAudio_ParamError)
    }
    return instance
  }

  private static func check(_ status: OSStatus, _ call: String) throws {
    if status != noErr { throw Failure(call: call, status: status) }
  }
}

/// Called on the audio thread for the next frames. It is a function of its own, outside of every
/// actor: a closure that belonged to the main actor would stop the program there.
private func renderTone(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: ToneGenerator.State.self)
  let step = 2 * Double.pi * state.pointee.frequency / 44_100
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] = state.pointee.amplitude * Float(sin(state.pointee.theta))
    state.pointee.theta += step
    if state.pointee.theta >= 2 * .pi { state.pointee.theta -= 2 * .pi }
  }
  return noErr
}
