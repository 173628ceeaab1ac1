// SPDX-License-Identifier: Apache-2.0
// Renders a chord to a WAV file, faster than real time: OfflineRender FILE [SECONDS]
//
// A graph that ends in a generic output unit plays to no device: the program pulls that unit
// itself, as fast as possible, and uses the samples.
import AVFoundation
import ExampleSupport

run("OfflineRender FILE [SECONDS]") { arguments in
  let file = try arguments.text("FILE")
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 2)
  let rate = 48_000.0
  let frequencies = [220.0, 277.183, 329.628]

  let graph = try makeGraph()
  let outputNode = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
  let mixerNode = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
  try check(AUGraphOpen(graph))
  let output = try unit(graph, outputNode)
  let mixer = try unit(graph, mixerNode)

  // The tone of each bus of the mixer: its callback gets a pointer to it.
  let sines = UnsafeMutableBufferPointer<Sine>.allocate(capacity: frequencies.count)
  defer { sines.deallocate() }
  _ = sines.initialize(from: frequencies.map { Sine(turnsPerFrame: $0 / rate) })

  try setProperty(
    mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(sines.count))
  for bus in sines.indices {
    try setProperty(
      mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(bus),
      floatFormat(sampleRate: rate, channels: 1))
    var callback = AURenderCallbackStruct(
      inputProc: renderSine, inputProcRefCon: sines.baseAddress?.advanced(by: bus))
    try check(AUGraphSetNodeInputCallback(graph, mixerNode, UInt32(bus), &callback))
    try check(
      AudioUnitSetParameter(
        mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, UInt32(bus), 0.25, 0))
  }
  try setProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, rate)
  try check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0))
  try setProperty(
    output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
    floatFormat(sampleRate: rate, channels: 2))
  try check(AUGraphInitialize(graph))
  try check(AUGraphStart(graph))

  let frameCount = Int(seconds * rate)
  let recording = try WaveFile(file, sampleRate: UInt32(rate), frameCount: frameCount)
  try render(output, frameCount: frameCount) { left, right in try recording.append(left, right) }
  try recording.finish()

  try check(AUGraphStop(graph))
  try check(DisposeAUGraph(graph))
  show("\(frameCount) frames")
}
