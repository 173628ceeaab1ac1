// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Plays a sine through the output unit, in the style of such classes for Apple's systems.
final class ToneGenerator {
  private var toneUnit: AudioUnit?
  private let sampleRate = 48_000.0
  private let amplitude: Float = 0.25
  private var theta: Double = 0
  private let frequency: Double

  init(frequency: Double) {
    self.frequency = frequency
  }

  deinit {
    stop()
  }

  func play() {
    guard toneUnit == nil, let unit = makeUnit() else { return }
    toneUnit = unit
    check(AudioOutputUnitStart(unit), "start")
  }

  func stop() {
    guard let unit = toneUnit else { return }
    check(AudioOutputUnitStop(unit), "stop")
    check(AudioUnitUninitialize(unit), "uninitialize")
    check(AudioComponentInstanceDispose(unit), "dispose")
    toneUnit = nil
  }

  private func makeUnit() -> AudioUnit? {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output,
      componentSubType: kAudioUnitSubType_RemoteIO,
      componentManufacturer: kAudioUnitManufacturer_Apple,
      componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return nil }
    var instance: AudioComponentInstance?
    check(AudioComponentInstanceNew(component, &instance), "new")
    guard let unit = instance else { return nil }

    check(AudioUnitInitialize(unit), "initialize")
    var input = AURenderCallbackStruct(
      inputProc: renderTone, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
        UInt32(MemoryLayout.size(ofValue: input))), "callback")
    var format = AudioStreamBasicDescription(
      mSampleRate: sampleRate,
      mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4,
      mFramesPerPacket: 1,
      mBytesPerFrame: 4,
      mChannelsPerFrame: 1,
      mBitsPerChannel: 32,
      mReserved: 0)
    check(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
        UInt32(MemoryLayout.size(ofValue: format))), "format")
    return unit
  }

  private func check(_ status: OSStatus, _ call: String) {
    if status != noErr { fatalError("\(call): \(status)") }
  }

  fileprivate func render(_ buffers: UnsafeMutableAudioBufferListPointer, frames: UInt32) {
    let step = 2 * Double.pi * frequency / sampleRate
    for buffer in buffers {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<Int(frames) {
        samples[frame] = amplitude * Float(sin(theta))
        theta += step
        if theta > 2 * Double.pi { theta -= 2 * Double.pi }
      }
    }
  }
}

private func renderTone(
  refCon: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frames: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return noErr }
  Unmanaged<ToneGenerator>.fromOpaque(refCon).takeUnretainedValue()
    .render(buffers, frames: frames)
  return noErr
}
