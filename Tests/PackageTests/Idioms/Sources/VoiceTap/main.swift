// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A microphone monitor: capture and playback on one unit, and the captured buffers passed to a
// closure, as in voice programs.
// Captures 400 Hz at 0.5.
// Plays 400 Hz at 0.5.
// Prints loudest 0\.[45]

import AudioUnit
import CoreAudio
import Foundation

final class VoiceUnit {
  typealias Tap = (UnsafeMutableAudioBufferListPointer, AudioTimeStamp) -> Void

  private(set) var unit: AudioUnit!
  var tap: Tap?

  init() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    let component = AudioComponentFindNext(nil, &description)!
    precondition(AudioComponentInstanceNew(component, &unit) == noErr)
    var one: UInt32 = 1
    let size = UInt32(MemoryLayout.size(ofValue: one))
    set(
      AudioUnitSetProperty(
        unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, size))
    var mono = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    let formatSize = UInt32(MemoryLayout.size(ofValue: mono))
    for (scope, bus) in [(kAudioUnitScope_Output, 1), (kAudioUnitScope_Input, 0)] {
      set(
        AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, scope, AudioUnitElement(bus), &mono, formatSize))
    }
    var callback = AURenderCallbackStruct(
      inputProc: { context, flags, stamp, _, frames, list in
        let voice = Unmanaged<VoiceUnit>.fromOpaque(context).takeUnretainedValue()
        let status = AudioUnitRender(voice.unit, flags, stamp, 1, frames, list!)
        if status == noErr, let buffers = UnsafeMutableAudioBufferListPointer(list) {
          voice.tap?(buffers, stamp.pointee)
        }
        return status
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    set(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback))))
  }

  deinit { AudioComponentInstanceDispose(unit) }

  private func set(_ status: OSStatus) { precondition(status == noErr, "\(status)") }

  func run(for seconds: TimeInterval) {
    set(AudioUnitInitialize(unit))
    set(AudioOutputUnitStart(unit))
    Thread.sleep(forTimeInterval: seconds)
    set(AudioOutputUnitStop(unit))
    set(AudioUnitUninitialize(unit))
  }
}

let voice = VoiceUnit()
var loudest: Float = 0
voice.tap = { buffers, _ in
  for buffer in buffers {
    let samples = UnsafeMutableBufferPointer<Float>(buffer)
    loudest = samples.reduce(loudest) { max($0, abs($1)) }
  }
}
voice.run(for: 0.4)
print("loudest \(loudest)")
