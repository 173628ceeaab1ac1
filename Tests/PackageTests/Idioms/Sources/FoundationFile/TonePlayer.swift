// SPDX-License-Identifier: Apache-2.0
// The import in one file makes the names visible in the others, too.
@_exported import AudioToolbox

let kAudioFormatUnsupportedDataFormatError: OSStatus = 0x666D_743F  // 'fmt?'

final class TonePlayer {
  private var unit: AudioComponentInstance?
  private var phase: Float = 0
  private let increment: Float

  init(frequency: Float) { increment = 2 * .pi * frequency / 48_000 }

  func start() -> OSStatus {
    var description = AudioComponentDescription(
      componentType: OSType(kAudioUnitType_Output),
      componentSubType: OSType(kAudioUnitSubType_RemoteIO),
      componentManufacturer: OSType(kAudioUnitManufacturer_Apple), componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return -1 }
    AudioComponentInstanceNew(component, &unit)
    guard let unit = unit else { return -1 }
    var format = AudioStreamBasicDescription()
    format.mSampleRate = 48_000
    format.mFormatID = kAudioFormatLinearPCM
    format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    format.mBytesPerPacket = 4
    format.mFramesPerPacket = 1
    format.mBytesPerFrame = 4
    format.mChannelsPerFrame = 1
    format.mBitsPerChannel = 32
    var status = AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.stride))
    guard status == noErr else { return status }
    var callback = AURenderCallbackStruct(
      inputProc: renderTone,
      inputProcRefCon: UnsafeMutableRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    status = AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, 0, &callback,
      UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    guard status == noErr else { return status }
    status = AudioUnitInitialize(unit)
    return status == noErr ? AudioOutputUnitStart(unit) : status
  }

  func stop() {
    guard let unit = unit else { return }
    AudioOutputUnitStop(unit)
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    self.unit = nil
  }

  fileprivate func fill(_ samples: UnsafeMutablePointer<Float>, _ count: UInt32) {
    for index in 0..<Int(count) {
      samples[index] = 0.5 * sinf(phase)
      phase += increment
      if phase > 2 * .pi { phase -= 2 * .pi }
    }
  }
}

private func renderTone(
  _ inRefCon: UnsafeMutableRawPointer,
  _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inBusNumber: UInt32, _ inNumberFrames: UInt32,
  _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let player = Unmanaged<TonePlayer>.fromOpaque(inRefCon).takeUnretainedValue()
  if let memory = ioData?.pointee.mBuffers.mData {
    player.fill(memory.assumingMemoryBound(to: Float.self), inNumberFrames)
  }
  return noErr
}
