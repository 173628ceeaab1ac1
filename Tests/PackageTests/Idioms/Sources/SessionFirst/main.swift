// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// The audio session comes first, as books teach it: the preferred rate, the category, the
// activation, the granted rate, a shorter cycle; then a RemoteIO unit. Here the environment sets
// the rate.
// Plays 440 Hz at 0.25.
// Prints granted 48000, cycle of 256 frames, slices of 256
// Prints busy 560030580

import AVFoundation
import Foundation

final class ToneHost {
  var graphSampleRate = 44_100.0
  var ioBufferDuration = 0.005
  var ioUnit: AudioUnit!
  var theta = 0.0
  var slice: UInt32 = 0

  func configureSession() throws {
    let mySession = AVAudioSession.sharedInstance()
    try mySession.setPreferredSampleRate(graphSampleRate)
    try mySession.setCategory(AVAudioSession.Category.playAndRecord)
    try mySession.setActive(true)
    graphSampleRate = mySession.sampleRate
    try mySession.setPreferredIOBufferDuration(ioBufferDuration)
  }

  func start() {
    var ioUnitDesc = AudioComponentDescription()
    ioUnitDesc.componentType = kAudioUnitType_Output
    ioUnitDesc.componentSubType = kAudioUnitSubType_RemoteIO
    ioUnitDesc.componentManufacturer = kAudioUnitManufacturer_Apple
    let component = AudioComponentFindNext(nil, &ioUnitDesc)
    AudioComponentInstanceNew(component!, &ioUnit)
    var format = AudioStreamBasicDescription(
      mSampleRate: graphSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    AudioUnitSetProperty(
      ioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      UInt32(MemoryLayout.size(ofValue: format)))
    var callbackStruct = AURenderCallbackStruct(
      inputProc: { (inRefCon, _, _, _, inNumberFrames, ioData) -> OSStatus in
        let host = Unmanaged<ToneHost>.fromOpaque(inRefCon).takeUnretainedValue()
        let buffer = ioData!.pointee.mBuffers.mData!.assumingMemoryBound(to: Float.self)
        host.slice = inNumberFrames
        for frame in 0..<Int(inNumberFrames) {
          buffer[frame] = Float(sin(host.theta) * 0.25)
          host.theta += 2.0 * .pi * 440 / host.graphSampleRate
          if host.theta > 2.0 * .pi { host.theta -= 2.0 * .pi }
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    AudioUnitSetProperty(
      ioUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callbackStruct,
      UInt32(MemoryLayout.size(ofValue: callbackStruct)))
    AudioUnitInitialize(ioUnit)
    AudioOutputUnitStart(ioUnit)
  }

  func stop() {
    AudioOutputUnitStop(ioUnit)
    AudioUnitUninitialize(ioUnit)
    AudioComponentInstanceDispose(ioUnit)
  }
}

let host = ToneHost()
try host.configureSession()
host.start()
Thread.sleep(forTimeInterval: 0.4)
let session = AVAudioSession.sharedInstance()
precondition(session === AVAudioSession.sharedInstance())
let cycle = Int((session.ioBufferDuration * session.sampleRate).rounded())
print("granted \(Int(session.sampleRate)), cycle of \(cycle) frames, slices of \(host.slice)")
do {
  try session.setActive(false, options: .notifyOthersOnDeactivation)
} catch let error as NSError {
  print("busy \(error.code)")
}
host.stop()
try session.setActive(false)
