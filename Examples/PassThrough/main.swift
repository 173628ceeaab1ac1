// SPDX-License-Identifier: Apache-2.0
// What the input hears is played: PassThrough [SECONDS]
//
// An I/O unit whose input element feeds its own output element. No callback is needed: the unit
// pulls from itself, one cycle of the device late.
import AVFoundation
import ExampleSupport

run("PassThrough [SECONDS]") { arguments in
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)
  let io = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)

  // Input is off until it is asked for.
  try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))

  // One format for both sides of the connection: that of the hardware's rate.
  let rate = try streamFormat(io, kAudioUnitScope_Input, 1).mSampleRate
  let format = floatFormat(sampleRate: rate, channels: 2)
  try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)
  try setProperty(
    io, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
    AudioUnitConnection(sourceAudioUnit: io, sourceOutputNumber: 1, destInputNumber: 0))

  try check(AudioUnitInitialize(io))
  try check(AudioOutputUnitStart(io))
  wait(seconds: seconds)
  try check(AudioOutputUnitStop(io))
  try check(AudioUnitUninitialize(io))
  try check(AudioComponentInstanceDispose(io))
}
