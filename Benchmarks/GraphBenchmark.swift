// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What a unit in a graph costs for a slice of 64 frames, its own work included: multichannel mixers
/// with one stereo input at unity gain, one after the other or side by side.
enum GraphBenchmark {
  private static let frames: UInt32 = 64

  static func run() {
    Report.title("graphs of unity-gain mixer units, stereo, 64 frames (ns per unit and slice)")
    for count in [100, 1_000] {
      Report.own("chain of \(count) units", chain(count) / Double(count), "ns", target: 15)
    }
    for count in [100, 1_000] {
      Report.own("fan of \(count) units into one", fan(count) / Double(count), "ns")
    }
    Report.title("edits of a running graph (ns)")
    Report.own("a callback exchanged in a graph of 100 units, AUGraphUpdate", edit(100), "ns")
  }

  private static let silence: AURenderCallback = { _, _, _, _, _, _ in noErr }

  private static func chain(_ count: Int) -> Double {
    let graph = BenchedGraph()
    var last = graph.output
    for _ in 0..<count {
      let mixer = graph.addMixer(inputs: 1)
      graph.connect(mixer, to: last, 0)
      last = mixer
    }
    graph.feed(last, 0, silence)
    graph.initialize()
    return Stopwatch.nanoseconds { graph.render(frames) }
  }

  private static func fan(_ count: Int) -> Double {
    let graph = BenchedGraph()
    let sum = graph.addMixer(inputs: min(count, 1_024))
    graph.connect(sum, to: graph.output, 0)
    for branch in 0..<count {
      let mixer = graph.addMixer(inputs: 1)
      graph.connect(mixer, to: sum, UInt32(branch))
      graph.feed(mixer, 0, silence)
    }
    graph.initialize()
    return Stopwatch.nanoseconds { graph.render(frames) }
  }

  private static func edit(_ count: Int) -> Double {
    let graph = BenchedGraph()
    let sum = graph.addMixer(inputs: count)
    graph.connect(sum, to: graph.output, 0)
    for branch in 0..<count { graph.feed(sum, UInt32(branch), silence) }
    graph.initialize()
    var isOther = false
    return Stopwatch.nanoseconds {
      isOther.toggle()
      graph.feed(sum, 3, isOther ? { _, _, _, _, _, _ in noErr } : silence)
      graph.update()
    }
  }
}

/// A graph with a generic output, and what benchmarks do with it.
private final class BenchedGraph {
  private let graph: AUGraph
  let output: AUNode
  private var head: AudioUnit?
  private var time = AudioTimeStamp()
  private let list = AudioBufferList.allocate(maximumBuffers: 2)

  init() {
    var made: AUGraph?
    guard NewAUGraph(&made) == noErr, let made else { fatalError("no graph") }
    graph = made
    output = Self.add(graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    Self.check(AUGraphOpen(graph))
    time.mFlags = .sampleTimeValid
  }

  deinit {
    DisposeAUGraph(graph)
    free(list.unsafeMutablePointer)
  }

  private static func check(_ status: OSStatus) {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    fatalError(reason.map { String(describing: $0) } ?? "status \(status)")
  }

  private static func add(_ graph: AUGraph, _ type: OSType, _ subType: OSType) -> AUNode {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var node = AUNode()
    check(AUGraphAddNode(graph, &description, &node))
    return node
  }

  private func unit(_ node: AUNode) -> AudioUnit {
    var unit: AudioUnit?
    Self.check(AUGraphNodeInfo(graph, node, nil, &unit))
    guard let unit else { fatalError("no unit") }
    return unit
  }

  func addMixer(inputs: Int) -> AUNode {
    let node = Self.add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    var count = UInt32(inputs)
    Self.check(
      AudioUnitSetProperty(
        unit(node), kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4))
    return node
  }

  func connect(_ source: AUNode, to node: AUNode, _ input: UInt32) {
    Self.check(AUGraphConnectNodeInput(graph, source, 0, node, input))
  }

  func feed(_ node: AUNode, _ input: UInt32, _ callback: @escaping AURenderCallback) {
    var structure = AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil)
    Self.check(AUGraphSetNodeInputCallback(graph, node, input, &structure))
  }

  func initialize() {
    Self.check(AUGraphInitialize(graph))
    head = unit(output)
  }

  func update() { Self.check(AUGraphUpdate(graph, nil)) }

  /// Renders the next frames.
  func render(_ frames: UInt32) {
    guard let head else { return }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4 * frames, mData: nil)
    }
    Self.check(AudioUnitRender(head, nil, &time, 0, frames, list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }
}
