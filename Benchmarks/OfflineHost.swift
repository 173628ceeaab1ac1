// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A host that repeatedly renders one mono unit.
final class OfflineHost {
  private var unit: AudioUnit?
  private var time = AudioTimeStamp()
  private let frames: Int
  private let memory: UnsafeMutablePointer<Float>

  /// Makes a unit by its codes; by default a generic output unit.
  init(
    _ type: OSType = kAudioUnitType_Output, _ subType: OSType = kAudioUnitSubType_GenericOutput,
    _ manufacturer: OSType = kAudioUnitManufacturer_Apple, frames: Int
  ) {
    self.frames = frames
    memory = .allocate(capacity: frames)
    memory.initialize(repeating: 0, count: frames)
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    check(AudioComponentInstanceNew(component, &unit))
    time.mFlags = .sampleTimeValid
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      var format = AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
        mBitsPerChannel: 32, mReserved: 0)
      set(kAudioUnitProperty_StreamFormat, scope, &format)
    }
    if type == kAudioUnitType_Generator, let unit { check(AudioUnitInitialize(unit)) }
  }

  deinit {
    if let unit { AudioComponentInstanceDispose(unit) }
    memory.deallocate()
  }

  /// Sets the callback of the input, and initialises the unit.
  func supply(_ callback: @escaping AURenderCallback) {
    var input = AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil)
    set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &input)
    if let unit { check(AudioUnitInitialize(unit)) }
  }

  /// Renders the next frames.
  func render() {
    guard let unit else { return }
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * 4),
        mData: UnsafeMutableRawPointer(memory)))
    check(AudioUnitRender(unit, nil, &time, 0, UInt32(frames), &list))
    time.mSampleTime += Double(frames)
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: inout Value
  ) {
    guard let unit else { return }
    let status = AudioUnitSetProperty(
      unit, property, scope, 0, &value, UInt32(MemoryLayout<Value>.size))
    // A generator has no input, so setting its format fails.
    if scope == kAudioUnitScope_Output { check(status) }
  }
}
