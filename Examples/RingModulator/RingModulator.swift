// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// An I/O unit whose render callback pulls the input and multiplies it with a sine.
final class RingModulator {
  private let io: AudioUnit
  private let state: UnsafeMutablePointer<State>

  /// The state of the render callback.
  fileprivate struct State {
    let io: AudioUnit
    /// Radians per frame.
    var step = 0.0
    var theta = 0.0
  }

  /// Multiplies with a sine of `frequency` Hz.
  init(frequency: Double, sampleRate: Double) throws {
    io = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    state = .allocate(capacity: 1)
    state.initialize(to: State(io: io))
    try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
    let format = floatFormat(sampleRate: sampleRate, channels: 1)
    try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)
    try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format)
    state.pointee.step = 2 * .pi * frequency / sampleRate
    try setProperty(
      io, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
      AURenderCallbackStruct(inputProc: modulate, inputProcRefCon: state))
    try check(AudioUnitInitialize(io))
  }

  deinit {
    AudioUnitUninitialize(io)
    AudioComponentInstanceDispose(io)
    state.deallocate()
  }

  func start() throws { try check(AudioOutputUnitStart(io)) }

  func stop() throws { try check(AudioOutputUnitStop(io)) }
}

/// Called on the audio thread: pulls the input of this cycle and multiplies it, in place.
private func modulate(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: RingModulator.State.self)
  guard let data else { return noErr }
  let status = AudioUnitRender(state.pointee.io, flags, time, 1, frameCount, data)
  guard status == noErr else { return status }
  let buffers = UnsafeMutableAudioBufferListPointer(data)
  guard let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self) else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] *= Float(sin(state.pointee.theta))
    state.pointee.theta += state.pointee.step
    if state.pointee.theta >= 2 * .pi { state.pointee.theta -= 2 * .pi }
  }
  return noErr
}
