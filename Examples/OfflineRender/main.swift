// SPDX-License-Identifier: Apache-2.0
// A chord into a WAV file, faster than it sounds: OfflineRender FILE [SECONDS]
//
// A graph that ends in a generic output unit plays nowhere: the program calls that unit's render
// function itself, as fast as it likes, and does with the samples what it wants.
import AVFoundation
import ExampleSupport

guard CommandLine.arguments.count > 1 else {
  print("OfflineRender FILE [SECONDS]")
  exit(64)
}
let seconds = numbersOfCommandLine.first ?? 2
let rate = 48_000.0
let frequencies = [220.0, 277.183, 329.628]

let graph = try makeGraph()
let outputNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
let mixerNode = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
try check(AUGraphOpen(graph), "AUGraphOpen")
let output = try unit(graph, outputNode)
let mixer = try unit(graph, mixerNode)

try setProperty(
  mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(frequencies.count))
for (bus, frequency) in frequencies.enumerated() {
  try setProperty(
    mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(bus),
    floatFormat(sampleRate: rate, channels: 1))
  // The frequency goes to the callback as its reference: a number that needs no memory.
  var callback = AURenderCallbackStruct(
    inputProc: renderSine,
    inputProcRefCon: UnsafeMutableRawPointer(bitPattern: UInt(frequency * 1_000)))
  try check(
    AUGraphSetNodeInputCallback(graph, mixerNode, UInt32(bus), &callback),
    "AUGraphSetNodeInputCallback")
  try check(
    AudioUnitSetParameter(
      mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, UInt32(bus), 0.25, 0),
    "AudioUnitSetParameter")
}
try setProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, rate)
try check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0), "AUGraphConnectNodeInput")
try setProperty(
  output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
  floatFormat(sampleRate: rate, channels: 2))
try check(AUGraphInitialize(graph), "AUGraphInitialize")
try check(AUGraphStart(graph), "AUGraphStart")

let channels = try render(output, frameCount: Int(seconds * rate))
try writeWave(channels, sampleRate: UInt32(rate), to: CommandLine.arguments[1])

try check(AUGraphStop(graph), "AUGraphStop")
try check(DisposeAUGraph(graph), "DisposeAUGraph")
print("\(channels[0].count) frames")
