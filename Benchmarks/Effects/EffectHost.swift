// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A host that feeds a stereo effect with noise and renders it over and over.
final class EffectHost {
  let unit: AudioUnit
  private let frames: Int
  private let noise: NoiseBuffer
  private let list = AudioBufferList.allocate(maximumBuffers: 2)
  private var time = AudioTimeStamp()

  init(_ subType: OSType, frames: Int) {
    self.frames = frames
    noise = NoiseBuffer(frames: frames)
    time.mFlags = .sampleTimeValid
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let instance
    else { fatalError("there is no effect \(subType)") }
    unit = instance
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      setProperty(
        kAudioUnitProperty_StreamFormat, scope,
        AudioStreamBasicDescription(
          mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
          mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
          mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
          mBitsPerChannel: 32, mReserved: 0))
    }
    let source = Unmanaged.passUnretained(noise).toOpaque()
    setProperty(
      kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input,
      AURenderCallbackStruct(inputProc: Self.feed, inputProcRefCon: source))
  }

  deinit {
    AudioComponentInstanceDispose(unit)
    free(list.unsafeMutablePointer)
  }

  /// Sets parameters of the global scope.
  func set(_ parameters: [AudioUnitParameterID: Float]) {
    for (id, value) in parameters {
      check(AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, value, 0))
    }
  }

  /// Sets a property of the first element.
  func setProperty<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
  ) {
    check(
      withUnsafeBytes(of: value) {
        AudioUnitSetProperty(unit, id, scope, 0, $0.baseAddress, UInt32($0.count))
      })
  }

  func initialize() { check(AudioUnitInitialize(unit)) }

  /// Renders the next frames into the unit's own memory.
  func render() {
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    check(AudioUnitRender(unit, nil, &time, 0, UInt32(frames), list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }

  private static let feed: AURenderCallback = { context, _, _, _, frames, list in
    Unmanaged<NoiseBuffer>.fromOpaque(context)._withUnsafeGuaranteedRef { noise in
      guard let list else { return -50 }
      for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
        if let data = buffer.mData { noise.copy(channel, to: data, Int(frames)) }
      }
      return noErr
    }
  }

  private func check(_ status: OSStatus) {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    fatalError(reason.map { String(describing: $0) } ?? "status \(status)")
  }
}
