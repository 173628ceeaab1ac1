// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A host that repeatedly sends loud noise through one effect in stereo.
final class EffectHost {
  private var unit: AudioUnit?
  private var time = AudioTimeStamp()
  private let frames: Int
  private let list: UnsafeMutableAudioBufferListPointer
  private let noise: UnsafeMutablePointer<Float>

  init(_ subType: OSType, frames: Int, type: OSType = kAudioUnitType_Effect) {
    self.frames = frames
    list = AudioBufferList.allocate(maximumBuffers: 2)
    noise = .allocate(capacity: frames + 64)
    var state: UInt32 = 1
    for index in 0..<frames + 64 {
      state = state &* 1_664_525 &+ 1_013_904_223
      (noise + index).initialize(to: 2 * Float(Int32(bitPattern: state)) / Float(Int32.max))
    }
    time.mFlags = .sampleTimeValid
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    check(AudioComponentInstanceNew(component, &unit))
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      set(kAudioUnitProperty_StreamFormat, scope, &format)
    }
    var input = AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, data in
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return noErr }
        for (channel, buffer) in list.enumerated() {
          buffer.mData?.copyMemory(from: context + 128 * channel, byteCount: 4 * Int(frames))
        }
        return noErr
      }, inputProcRefCon: UnsafeMutableRawPointer(noise))
    set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &input)
    if let unit { check(AudioUnitInitialize(unit)) }
  }

  deinit {
    if let unit { AudioComponentInstanceDispose(unit) }
    free(list.unsafeMutablePointer)
    noise.deallocate()
  }

  /// Sets a parameter of the global scope.
  func set(_ parameter: AudioUnitParameterID, _ value: Float) {
    guard let unit else { return }
    check(AudioUnitSetParameter(unit, parameter, kAudioUnitScope_Global, 0, value, 0))
  }

  /// Renders the next frames.
  func render() {
    guard let unit else { return }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    check(AudioUnitRender(unit, nil, &time, 0, UInt32(frames), list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: inout Value
  ) {
    guard let unit else { return }
    check(
      AudioUnitSetProperty(unit, property, scope, 0, &value, UInt32(MemoryLayout<Value>.size)))
  }
}
