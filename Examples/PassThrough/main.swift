// SPDX-License-Identifier: Apache-2.0
// Plays the input: PassThrough [SECONDS]
//
// An I/O unit whose input element feeds its own output element. It needs no callback: the unit
// pulls from itself, with a delay of one device cycle.
import AVFoundation
import ExampleSupport

run("PassThrough [SECONDS]") { arguments in
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)
  // The session first: its rate is that of the hardware, so that nothing is converted.
  let rate = try activateSession(.playAndRecord, cycle: 0.005)
  let io = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)

  // Input is off by default.
  try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))

  // The same format for both sides of the connection, at the granted rate.
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
