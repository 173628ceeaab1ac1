// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Processes a slice of the input, in place, on the audio thread. `memory` is the effect's state.
typealias Process =
  @convention(c) (
    _ memory: UnsafeMutableRawPointer, _ samples: UnsafeMutablePointer<Float>, _ count: Int
  ) -> Void

/// An I/O unit whose render callback pulls the input and applies an effect.
final class InputEffect {
  private let io: AudioUnit
  private let state: UnsafeMutablePointer<State>
  /// Frees the effect's memory.
  private let release: () -> Void

  /// The state of the render callback, in manually allocated memory, because the audio thread must
  /// not use reference-counted objects.
  fileprivate struct State {
    let io: AudioUnit
    var memory: UnsafeMutableRawPointer
    var process: Process
  }

  /// Makes the unit; `effect` makes the effect for its sample rate.
  init(
    _ effect: (Double) -> (UnsafeMutableRawPointer, Process, release: () -> Void),
    sampleRate: Double
  ) throws {
    io = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
    let format = floatFormat(sampleRate: sampleRate, channels: 1)
    try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)
    try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format)
    let (memory, process, release) = effect(sampleRate)
    self.release = release
    state = .allocate(capacity: 1)
    state.initialize(to: State(io: io, memory: memory, process: process))
    try setProperty(
      io, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
      AURenderCallbackStruct(inputProc: renderInput, inputProcRefCon: state))
    try check(AudioUnitInitialize(io))
  }

  deinit {
    AudioUnitUninitialize(io)
    AudioComponentInstanceDispose(io)
    state.deallocate()
    release()
  }

  func start() throws { try check(AudioOutputUnitStart(io)) }

  func stop() throws { try check(AudioOutputUnitStop(io)) }
}

/// Called on the audio thread: pulls the input of this cycle and processes it.
private func renderInput(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: InputEffect.State.self)
  guard let data else { return noErr }
  let status = AudioUnitRender(state.pointee.io, flags, time, 1, frameCount, data)
  guard status == noErr else { return status }
  let buffers = UnsafeMutableAudioBufferListPointer(data)
  guard let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self) else { return noErr }
  state.pointee.process(state.pointee.memory, samples, Int(frameCount))
  return noErr
}
