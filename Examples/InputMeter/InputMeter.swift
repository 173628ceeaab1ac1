// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport
import Synchronization

/// An I/O unit that only captures: its output is off, and a callback is called when frames arrive.
final class InputMeter {
  private let io: AudioUnit
  private let state: UnsafeMutablePointer<State>

  /// The state of the input callback. The program's thread also accesses the peak.
  fileprivate struct State: ~Copyable {
    let io: AudioUnit
    /// The largest sample since it was last read, as the bits of a `Float`, which for positive
    /// numbers have the same order as the numbers.
    let peak = Atomic<UInt32>(0)
  }

  init(sampleRate: Double) throws {
    io = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    state = .allocate(capacity: 1)
    state.initialize(to: State(io: io))
    try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
    try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0))
    try setProperty(
      io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1,
      floatFormat(sampleRate: sampleRate, channels: 1))
    try setProperty(
      io, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0,
      AURenderCallbackStruct(inputProc: inputArrived, inputProcRefCon: state))
    try check(AudioUnitInitialize(io))
  }

  deinit {
    AudioUnitUninitialize(io)
    AudioComponentInstanceDispose(io)
    state.deinitialize(count: 1).deallocate()
  }

  func start() throws { try check(AudioOutputUnitStart(io)) }

  func stop() throws { try check(AudioOutputUnitStop(io)) }

  /// The largest sample since the last call, linear.
  func readAndResetPeak() -> Float {
    Float(bitPattern: state.pointee.peak.exchange(0, ordering: .relaxed))
  }
}

/// Called on the audio thread when frames have arrived: reads them, and stores their peak.
private func inputArrived(
  state: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = state.assumingMemoryBound(to: InputMeter.State.self)
  // For a buffer without memory the unit provides its own, which is large enough for any device.
  var list = AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: frameCount * 4, mData: nil))
  let status = AudioUnitRender(state.pointee.io, flags, time, bus, frameCount, &list)
  guard status == noErr else { return status }
  var peak: Float = 0
  for sample in UnsafeBufferPointer<Float>(list.mBuffers) { peak = max(peak, abs(sample)) }
  state.pointee.peak.max(peak.bitPattern, ordering: .relaxed)
  return noErr
}
