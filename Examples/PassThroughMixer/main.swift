// SPDX-License-Identifier: Apache-2.0
// Plays the input through a mixer: PassThroughMixer [PAN] [VOLUME] [SECONDS]
//
// An I/O unit and a multichannel mixer in a graph, without a callback: input element, mixer, output
// element. PAN is from -1 (left) to 1 (right), VOLUME from 0 to 1.
import AVFoundation
import ExampleSupport

run("PassThroughMixer [PAN] [VOLUME] [SECONDS]") { arguments in
  let pan = Float(try arguments.number("PAN", in: -1...1, default: 0))
  let volume = Float(try arguments.number("VOLUME", in: 0...1, default: 1))
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)

  let rate = try activateSession(.playAndRecord, cycle: 0.005)
  let graph = try makeGraph()
  let ioNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
  let mixerNode = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
  try check(AUGraphOpen(graph))
  let io = try unit(graph, ioNode)
  let mixer = try unit(graph, mixerNode)

  // Input is off by default.
  try setProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
  let format = floatFormat(sampleRate: rate, channels: 2)
  try setProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)

  // For the mixer only the output rate is set: its input gets the format of the connection, and the
  // I/O unit that of the mixer.
  try setProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, rate)
  // A device may request more frames at once than the mixer's default.
  try setProperty(
    mixer, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
  try check(AUGraphConnectNodeInput(graph, ioNode, 1, mixerNode, 0))
  try check(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0))

  try check(AUGraphInitialize(graph))
  try check(
    AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, pan, 0))
  try check(
    AudioUnitSetParameter(
      mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, volume, 0))
  try check(AUGraphStart(graph))
  wait(seconds: seconds)
  try check(AUGraphStop(graph))
  try check(DisposeAUGraph(graph))
}
