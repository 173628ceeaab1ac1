// SPDX-License-Identifier: Apache-2.0
// Filters a tone with a unit of its own, in a graph and in an engine: FilterUnit [CUTOFF]
import AVFoundation
import ExampleSupport

/// The saw through the effect of a component, in a graph.
func render(_ codes: AudioComponentDescription, cutoff: Float, frames: UInt32) throws -> [Float] {
  let graph = try makeGraph()
  defer { DisposeAUGraph(graph) }
  var (node, codes) = (AUNode(), codes)
  try check(AUGraphAddNode(graph, &codes, &node))
  let output = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
  try check(AUGraphConnectNodeInput(graph, node, 0, output, 0))
  try check(AUGraphOpen(graph))
  let effect = try unit(graph, node)
  var callback = AURenderCallbackStruct(
    inputProc: saw, inputProcRefCon: UnsafeMutableRawPointer(effect))
  try check(AUGraphSetNodeInputCallback(graph, node, 0, &callback))
  // Both units call the cutoff parameter 0.
  try check(AudioUnitSetParameter(effect, 0, kAudioUnitScope_Global, 0, cutoff, 0))
  try check(AUGraphInitialize(graph))
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  var (stamp, samples) = (AudioTimeStamp(), [Float]())
  stamp.mFlags = .sampleTimeValid
  while samples.count < Int(frames) {
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    try check(
      AudioUnitRender(try unit(graph, output), nil, &stamp, 0, 512, list.unsafeMutablePointer))
    samples += UnsafeBufferPointer<Float>(list[0])
    stamp.mSampleTime += 512
  }
  return samples
}

run("FilterUnit [CUTOFF]") { arguments in
  let cutoff = Float(try arguments.number("CUTOFF", in: 20...20_000, default: 1_000))
  // From here on the unit is a component like any other.
  AUAudioUnit.registerSubclass(
    LowPass.self, as: LowPass.codes, name: "Examples: Low Pass", version: 0x0001_0000)

  let own = try render(LowPass.codes, cutoff: cutoff, frames: 44_100)
  let builtIn = try render(
    description(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter), cutoff: cutoff,
    frames: 44_100)
  let difference = zip(own, builtIn).map { abs($0 - $1) }.max() ?? 0
  print("In a graph it differs from AULowpass by at most \(difference).")

  let engine = AVAudioEngine()
  let format = try some(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
  let source = AVAudioSourceNode(format: format) { _, time, frames, list in
    fillWithSaw(list, from: time.pointee.mSampleTime, frames)
    return noErr
  }
  nonisolated(unsafe) var made: AVAudioUnit?
  let ready = DispatchSemaphore(value: 0)
  AVAudioUnit.instantiate(with: LowPass.codes) { unit, _ in
    made = unit
    ready.signal()
  }
  ready.wait()
  let effect = try some(made)
  engine.attach(source)
  engine.attach(effect)
  engine.connect(source, to: effect, format: format)
  engine.connect(effect, to: engine.mainMixerNode, format: format)
  effect.auAudioUnit.parameterTree?.parameter(withAddress: LowPass.cutoff)?.value = cutoff
  try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
  try engine.start()
  let buffer = try some(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
  _ = try engine.renderOffline(512, to: buffer)
  let samples = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 512)
  print("In an engine it is \(samples.elementsEqual(own.prefix(512)) ? "the same" : "different").")
  engine.stop()
}
