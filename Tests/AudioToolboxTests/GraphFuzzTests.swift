// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Testing

/// Random calls of the AUGraph functions, with nodes, buses and handles that no correct program
/// would pass.
///
/// A valid graph must report consistent data, render no NaN and be disposable; a disposed graph
/// must refuse every call. `make fuzz` runs more rounds; a failure names its round.
@Suite("Fuzz: random calls of graphs")
struct GraphFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150

  @Test("leave every graph consistent, and a new graph working")
  func calls() throws {
    for round in 0..<max(20, Self.rounds / 3) {
      let caller = RandomGraphCaller(round: UInt64(round))
      bounded("round \(round) of graphs") {
        for _ in 0..<120 { caller.call() }
        caller.finish()
      }
      #expect(caller.complaints.isEmpty, "round \(round): \(caller.complaints)")
      if !caller.complaints.isEmpty { return }
    }
    let fresh = RandomGraphCaller(round: 0)
    #expect(fresh.plays())
    fresh.finish()
  }
}

/// Calls graph functions with random arguments; the same round makes the same calls.
private final class RandomGraphCaller {
  private(set) var complaints: [String] = []
  private var random: UInt64
  /// Valid handles, handles of sub-graphs (valid or not), and disposed ones.
  private var graphs: [AUGraph] = []
  private var subgraphs: [AUGraph] = []
  private var disposed: [AUGraph] = []

  init(round: UInt64) {
    random = (round + 1) &* 0x9e37_79b9_7f4a_7c15
    make()
    make()
  }

  private func make() {
    var graph: AUGraph?
    guard NewAUGraph(&graph) == noErr, let graph else { return complain("no graph") }
    graphs.append(graph)
    // Usually one that can play.
    guard next() % 4 > 0 else { return }
    AUGraphOpen(graph)
    var (output, mixer) = (AUNode(), AUNode())
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_GenericOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    AUGraphAddNode(graph, &description, &output)
    description.componentType = kAudioUnitType_Mixer
    description.componentSubType = kAudioUnitSubType_MultiChannelMixer
    AUGraphAddNode(graph, &description, &mixer)
    AUGraphConnectNodeInput(graph, mixer, 0, output, 0)
    AUGraphInitialize(graph)
    AUGraphStart(graph)
  }

  /// Disposes of everything.
  func finish() {
    while !graphs.isEmpty { dispose() }
    for graph in disposed + subgraphs {
      var count: UInt32 = 0
      if AUGraphGetNodeCount(graph, &count) == noErr {
        complain("a disposed graph has a node count")
      }
      if AUGraphUpdate(graph, nil) == noErr { complain("a disposed graph is updated") }
      if DisposeAUGraph(graph) == noErr { complain("disposed of twice") }
    }
  }

  private func dispose() {
    let graph = graphs.remove(at: Int(next() % UInt64(graphs.count)))
    let status = DisposeAUGraph(graph)
    if status != noErr { complain("dispose \(status)") }
    disposed.append(graph)
  }

  private func complain(_ text: String) { complaints.append(text) }

  // MARK: Choices

  private func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random &* 0x2545_f491_4f6c_dd1d >> 11
  }

  private func pick<Element>(_ all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

  /// Usually a valid handle.
  private func handle() -> AUGraph {
    switch next() % 24 {
    case 0 where !disposed.isEmpty: return pick(disposed)
    case 1: return AUGraph(bitPattern: UInt(next() | 1)) ?? graphs[0]
    case 2, 3, 4: return subgraphs.isEmpty ? pick(graphs) : pick(subgraphs)
    default: return pick(graphs)
    }
  }

  /// Usually an existing node.
  private func node(_ graph: AUGraph) -> AUNode {
    var count: UInt32 = 0
    guard next() % 10 > 0, AUGraphGetNodeCount(graph, &count) == noErr, count > 0 else {
      return pick([0, 1, 2, -1, .max, .min])
    }
    var node = AUNode()
    AUGraphGetIndNode(graph, UInt32(next() % UInt64(count)), &node)
    return node
  }

  private func bus() -> UInt32 {
    pick([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 7, 1_000_000, .max])
  }

  private func unit(_ graph: AUGraph, _ node: AUNode) -> AudioUnit? {
    var unit: AudioUnit?
    return AUGraphNodeInfo(graph, node, nil, &unit) == noErr ? unit : nil
  }

  // MARK: Calls

  func call() {
    let graph = handle()
    switch next() % 24 {
    case 0: createOrDispose()
    case 1, 2, 3, 4: add(to: graph)
    case 5: AUGraphRemoveNode(graph, node(graph))
    case 6, 7, 8, 9, 10:
      AUGraphConnectNodeInput(graph, node(graph), bus(), node(graph), bus())
    case 11, 12: feed(graph)
    case 13: AUGraphDisconnectNodeInput(graph, node(graph), bus())
    case 14 where next() % 4 == 0: AUGraphClearConnections(graph)
    case 15: step(graph)
    case 16: listen(graph)
    case 17, 18: AUGraphUpdate(graph, nil)
    case 19: changeUnit(graph)
    default: render(graph)
    }
    inspect(at: graph)
  }

  private func createOrDispose() {
    if graphs.count < 3 { make() } else { dispose() }
  }

  private func add(to graph: AUGraph) {
    var (count, node) = (UInt32(0), AUNode(-77))
    guard AUGraphGetNodeCount(graph, &count) != noErr || count < 10 else { return }
    if next() % 8 == 0 {
      var subgraph: AUGraph?
      if AUGraphNewNodeSubGraph(graph, &node) == noErr {
        if AUGraphGetNodeInfoSubGraph(graph, node, &subgraph) == noErr, let subgraph {
          subgraphs.append(subgraph)
        } else {
          complain("a sub-graph without a graph")
        }
      }
      return
    }
    let kind = pick(BuiltIn.rendering)
    var description = AudioComponentDescription(
      componentType: kind.type, componentSubType: kind.subType,
      componentManufacturer: kind.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    if next() % 10 == 0 { description.componentSubType = UInt32(truncatingIfNeeded: next()) }
    AUGraphAddNode(graph, &description, &node)
  }

  private static let source: AURenderCallback = { _, _, _, _, frames, list in
    for buffer in UnsafeMutableAudioBufferListPointer(list).map(Array.init) ?? [] {
      buffer.mData?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(buffer.mDataByteSize))
    }
    return noErr
  }
  private static let notify: AURenderCallback = { _, _, _, _, _, _ in noErr }

  private func feed(_ graph: AUGraph) {
    var callback = AURenderCallbackStruct(
      inputProc: next() % 30 == 0 ? nil : Self.source, inputProcRefCon: nil)
    AUGraphSetNodeInputCallback(graph, node(graph), bus(), &callback)
  }

  private func step(_ graph: AUGraph) {
    switch next() % 12 {
    case 0: AUGraphClose(graph)
    case 1, 2: AUGraphOpen(graph)
    case 3, 4: AUGraphInitialize(graph)
    case 5: AUGraphUninitialize(graph)
    case 6, 7, 8, 9: AUGraphStart(graph)
    default: AUGraphStop(graph)
    }
  }

  private func listen(_ graph: AUGraph) {
    if next() % 2 == 0 {
      AUGraphAddRenderNotify(graph, Self.notify, nil)
    } else {
      AUGraphRemoveRenderNotify(graph, Self.notify, nil)
    }
  }

  /// Changes a unit of the graph directly, in allowed and forbidden ways.
  private func changeUnit(_ graph: AUGraph) {
    guard let unit = unit(graph, node(graph)) else { return }
    switch next() % 4 {
    case 0: AudioUnitInitialize(unit)
    case 1: AudioUnitUninitialize(unit)
    case 2:
      var count = pick([0, 1, 2, 16, .max] as [UInt32])
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4)
    default:
      var rate = pick([0, 8_000, 48_000, .nan] as [Float64])
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SampleRate, pick([0, 1, 2]), bus(), &rate, 8)
    }
  }

  private func render(_ graph: AUGraph) {
    if let unit = unit(graph, node(graph)) { _ = render(unit, pick([1, 64, 512, 1_024])) }
  }

  /// Renders into the unit's own memory; returns whether that succeeded.
  private func render(_ unit: AudioUnit, _ frames: UInt32) -> Bool {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: frames * 4, mData: nil)
    }
    var (stamp, flags) = (AudioTimeStamp(), AudioUnitRenderActionFlags())
    stamp.mFlags = .sampleTimeValid
    guard AudioUnitRender(unit, &flags, &stamp, 0, frames, list.unsafeMutablePointer) == noErr
    else { return false }
    for buffer in list where buffer.mData != nil {
      let samples = UnsafeMutableBufferPointer<Float>(buffer)
      if samples.contains(where: { $0.isNaN }) { complain("rendered NaN") }
    }
    return true
  }

  // MARK: Consistency

  /// Checks that the counts of nodes and interactions are right, and that interactions refer to
  /// existing nodes.
  private func inspect(at graph: AUGraph) {
    var count = UInt32(0)
    guard AUGraphGetNodeCount(graph, &count) == noErr else {
      if graphs.contains(graph) { complain("does not count its nodes") }
      return
    }
    var nodes: Set<AUNode> = []
    for index in 0..<count {
      var node = AUNode()
      if AUGraphGetIndNode(graph, index, &node) != noErr { complain("no node \(index)") }
      nodes.insert(node)
    }
    var beyond = AUNode()
    if nodes.count != Int(count) { complain("\(count) nodes, \(nodes.count) of them different") }
    if AUGraphGetIndNode(graph, count, &beyond) == noErr { complain("a node beyond the last") }
    if AUGraphGetNumberOfInteractions(graph, &count) != noErr { complain("no interactions") }
    for index in 0..<count {
      var interaction = AUNodeInteraction()
      if AUGraphGetInteractionInfo(graph, index, &interaction) != noErr {
        complain("no interaction \(index)")
      }
      let ends =
        interaction.nodeInteractionType == UInt32(kAUNodeInteraction_Connection)
        ? [
          interaction.nodeInteraction.connection.sourceNode,
          interaction.nodeInteraction.connection.destNode,
        ] : [interaction.nodeInteraction.inputCallback.destNode]
      if !nodes.isSuperset(of: ends) { complain("an interaction of \(ends), not in \(nodes)") }
    }
    var states = [false, false, false]
    AUGraphIsOpen(graph, &states[0])
    AUGraphIsInitialized(graph, &states[1])
    AUGraphIsRunning(graph, &states[2])
    if states[1] && !states[0] || states[2] && !states[1] { complain("states \(states)") }
  }

  /// Whether a graph of a mixer and an output renders from a callback.
  func plays() -> Bool {
    var made: AUGraph?
    guard NewAUGraph(&made) == noErr, let graph = made else { return false }
    graphs.append(graph)
    var (mixer, output) = (AUNode(), AUNode())
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Mixer, componentSubType: kAudioUnitSubType_MultiChannelMixer,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var callback = AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil)
    guard AUGraphAddNode(graph, &description, &mixer) == noErr else { return false }
    description.componentType = kAudioUnitType_Output
    description.componentSubType = kAudioUnitSubType_GenericOutput
    guard AUGraphAddNode(graph, &description, &output) == noErr, AUGraphOpen(graph) == noErr,
      AUGraphSetNodeInputCallback(graph, mixer, 0, &callback) == noErr,
      AUGraphConnectNodeInput(graph, mixer, 0, output, 0) == noErr,
      AUGraphInitialize(graph) == noErr, AUGraphStart(graph) == noErr,
      let unit = unit(graph, output)
    else { return false }
    return render(unit, 512)
  }
}
