// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A model of the main actor, as user interfaces have them, whose C callbacks are closures in its
// methods: a render callback, and a render notification.
// Plays 300 Hz at 0.25.
// Prints notified true

import AudioToolbox
import Foundation

/// What the callbacks change: it is nobody's actor.
final class ToneState: @unchecked Sendable {
  var phase = 0.0
  var notifications = 0
}

@MainActor
final class ToneModel {
  private let state = ToneState()
  private var unit: AudioUnit!

  init() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &description)!, &unit)
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size))
    let context = Unmanaged.passUnretained(state).toOpaque()
    var callback = AURenderCallbackStruct(
      inputProc: { context, _, _, _, frames, list in
        let state = Unmanaged<ToneState>.fromOpaque(context).takeUnretainedValue()
        let samples = list!.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) {
          samples[frame] = Float(0.25 * sin(state.phase))
          state.phase += 2 * .pi * 300 / 48_000
        }
        return noErr
      }, inputProcRefCon: context)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
      UInt32(MemoryLayout<AURenderCallbackStruct>.size))
    AudioUnitAddRenderNotify(
      unit,
      { context, _, _, _, _, _ in
        Unmanaged<ToneState>.fromOpaque(context).takeUnretainedValue().notifications += 1
        return noErr
      }, context)
  }

  func play(seconds: Double) {
    AudioUnitInitialize(unit)
    AudioOutputUnitStart(unit)
    Thread.sleep(forTimeInterval: seconds)
    AudioOutputUnitStop(unit)
    AudioComponentInstanceDispose(unit)
    print("notified", state.notifications > 0)
  }
}

MainActor.assumeIsolated { ToneModel().play(seconds: 1) }
