// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A host that feeds an effect noise on two channels, over and over.
final class StereoEffectHost {
  private var unit: AudioUnit?
  private var time = AudioTimeStamp()
  private let frames: Int
  private let noise: UnsafeMutablePointer<Float>
  private let list: UnsafeMutableAudioBufferListPointer

  /// An effect by its subtype, initialised, at 48 kHz.
  init(
    _ subType: OSType, manufacturer: OSType = kAudioUnitManufacturer_Apple, frames: Int
  ) {
    self.frames = frames
    noise = .allocate(capacity: frames)
    var seed = UInt64(1)
    for frame in 0..<frames {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise[frame] = Float(Int32(truncatingIfNeeded: seed >> 32)) * 0x1p-34
    }
    list = AudioBufferList.allocate(maximumBuffers: 2)
    time.mFlags = .sampleTimeValid
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subType,
      componentManufacturer: manufacturer, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    check(AudioComponentInstanceNew(component, &unit))
    guard let unit else { return }
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    let size = UInt32(MemoryLayout.size(ofValue: format))
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      check(
        AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, size))
    }
    var callback = AURenderCallbackStruct(
      inputProc: { context, _, _, _, frameCount, data in
        guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return noErr }
        for buffer in buffers {
          buffer.mData?.copyMemory(from: context, byteCount: 4 * Int(frameCount))
        }
        return noErr
      }, inputProcRefCon: noise)
    check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback))))
    check(AudioUnitInitialize(unit))
  }

  deinit {
    if let unit { AudioComponentInstanceDispose(unit) }
    noise.deallocate()
    free(list.unsafeMutablePointer)
  }

  /// Sets a parameter.
  func set(_ id: AudioUnitParameterID, _ value: Float) {
    guard let unit else { return }
    check(AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, value, 0))
  }

  /// Renders the next frames into the unit's own memory.
  func render() {
    guard let unit else { return }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    check(AudioUnitRender(unit, nil, &time, 0, UInt32(frames), list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }

  private func check(_ status: OSStatus) {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    fatalError(reason.map { String(describing: $0) } ?? "status \(status)")
  }
}
