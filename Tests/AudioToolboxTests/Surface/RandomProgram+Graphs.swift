// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

// Graphs, their nodes and their state.
extension RandomProgram {
  static let graphCalls: [Call] = [
    ("NewAUGraph", { $0.makeGraph() }),
    ("DisposeAUGraph", { $0.disposeGraph() }),
    ("AUGraphOpen", { _ = AUGraphOpen($0.graph) }),
    ("AUGraphClose", { _ = AUGraphClose($0.graph) }),
    ("AUGraphInitialize", { _ = AUGraphInitialize($0.graph) }),
    ("AUGraphInitialize", { _ = AUGraphInitialize($0.graph) }),
    ("AUGraphUninitialize", { _ = AUGraphUninitialize($0.graph) }),
    ("AUGraphStart", { _ = AUGraphStart($0.graph) }),
    ("AUGraphStop", { _ = AUGraphStop($0.graph) }),
    ("AUGraphUpdate", { program in program.flag { AUGraphUpdate(program.graph, $0) } }),
    ("AUGraphUpdate", { _ = AUGraphUpdate($0.graph, nil) }),
    ("AUGraphIsOpen", { program in program.flag { AUGraphIsOpen(program.graph, $0) } }),
    (
      "AUGraphIsInitialized",
      { program in program.flag { AUGraphIsInitialized(program.graph, $0) } }
    ),
    ("AUGraphIsRunning", { program in program.flag { AUGraphIsRunning(program.graph, $0) } }),
    ("AUGraphAddNode", { $0.addNode() }),
    ("AUGraphRemoveNode", { _ = AUGraphRemoveNode($0.graph, $0.node) }),
    (
      "AUGraphNewNodeSubGraph",
      { program in program.number { AUGraphNewNodeSubGraph(program.graph, $0) } }
    ),
    (
      "AUGraphIsNodeSubGraph",
      { program in program.flag { AUGraphIsNodeSubGraph(program.graph, program.node, $0) } }
    ),
    (
      "AUGraphGetNodeInfoSubGraph",
      {
        var subgraph: AUGraph?
        _ = AUGraphGetNodeInfoSubGraph($0.graph, $0.node, &subgraph)
      }
    ),
    (
      "AUGraphGetNodeCount",
      { program in program.number { AUGraphGetNodeCount(program.graph, $0) } }
    ),
    (
      "AUGraphGetIndNode",
      { program in
        program.number { AUGraphGetIndNode(program.graph, UInt32(program.next() % 9), $0) }
      }
    ),
    (
      "AUGraphNodeInfo",
      {
        var (description, unit) = (AudioComponentDescription(), AudioUnit?.none)
        _ = AUGraphNodeInfo($0.graph, $0.node, &description, &unit)
      }
    ),
    ("AUGraphConnectNodeInput", { $0.connect() }),
    ("AUGraphConnectNodeInput", { $0.connect() }),
    ("AUGraphSetNodeInputCallback", { $0.feed() }),
    (
      "AUGraphDisconnectNodeInput",
      { _ = AUGraphDisconnectNodeInput($0.graph, $0.node, $0.element) }
    ),
    ("AUGraphClearConnections", { _ = AUGraphClearConnections($0.graph) }),
    ("AUGraphGetNumberOfInteractions", { $0.readInteractions() }),
    (
      "AUGraphAddRenderNotify",
      { _ = AUGraphAddRenderNotify($0.graph, $0.maybeNull(render), $0.context) }
    ),
    (
      "AUGraphRemoveRenderNotify",
      { _ = AUGraphRemoveRenderNotify($0.graph, $0.maybeNull(render), $0.context) }
    ),
    ("AUGraphGetCPULoad", { $0.readLoads() }),
    (
      "AUGraphSetRenderThreads",
      { _ = AUGraphSetRenderThreads($0.graph, $0.pick([0, 1, 2, 3, 65, .max])) }
    ),
    (
      "AUGraphSetLatencyCompensation",
      { _ = AUGraphSetLatencyCompensation($0.graph, $0.isOne(in: 2)) }
    ),
    (
      "AUGraphSetEditFades",
      {
        guard let fades = AUGraphEditFades(rawValue: $0.pick([0, 1, 2, 3, .max])) else { return }
        _ = AUGraphSetEditFades($0.graph, fades)
      }
    ),
    ("AUGraphCopyDescription", { $0.describe() }),
    ("AUGraphNewFromDescription", { $0.makeFromDescription() }),
  ]

  private func flag(_ call: (UnsafeMutablePointer<Bool>) -> OSStatus) {
    var flag = false
    _ = call(&flag)
  }

  private func number<Number: FixedWidthInteger>(
    _ call: (UnsafeMutablePointer<Number>) -> OSStatus
  ) {
    var number: Number = 1
    _ = call(&number)
  }

  private func makeGraph() {
    guard graphs.count < 4 else { return disposeGraph() }
    var graph: AUGraph?
    guard NewAUGraph(&graph) == noErr, let graph else { return complain("no graph") }
    graphs.append(graph)
    guard !isOne(in: 4) else { return }
    // Usually one that can play.
    var node = AUNode()
    for (type, subType) in [
      (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput),
      (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
      (kAudioUnitType_Effect, kAudioUnitSubType_Delay),
    ] {
      var description = AudioComponentDescription(
        componentType: type, componentSubType: subType,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      _ = AUGraphAddNode(graph, &description, &node)
    }
    _ = AUGraphOpen(graph)
    _ = AUGraphConnectNodeInput(graph, 2, 0, 1, 0)
    _ = AUGraphConnectNodeInput(graph, 3, 0, 2, 0)
  }

  private func disposeGraph() {
    guard !graphs.isEmpty else { return }
    let graph = graphs.remove(at: Int(next() % UInt64(graphs.count)))
    if DisposeAUGraph(graph) != noErr { complain("dispose of a graph was refused") }
    if DisposeAUGraph(graph) == noErr { complain("a graph was disposed of twice") }
    disposedGraphs.append(graph)
  }

  private func addNode() {
    // No device: its thread would run concurrently.
    let kind = pick(BuiltIn.rendering)
    var description = AudioComponentDescription(
      componentType: isOne(in: 12) ? .max : kind.type, componentSubType: kind.subType,
      componentManufacturer: kind.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    var node = AUNode()
    let graph = graph
    var count: UInt32 = 0
    guard AUGraphGetNodeCount(graph, &count) == noErr, count < 12 else { return }
    _ = AUGraphAddNode(graph, &description, maybeNull(pointer(&node)))
  }

  private func pointer<Value>(_ value: UnsafeMutablePointer<Value>) -> UnsafeMutablePointer<Value> {
    value
  }

  private func connect() { _ = AUGraphConnectNodeInput(graph, node, element, node, element) }

  private func feed() {
    var callback = AURenderCallbackStruct(
      inputProc: isOne(in: 4) ? nil : Self.render, inputProcRefCon: context)
    _ = AUGraphSetNodeInputCallback(graph, node, element, &callback)
  }

  private func readInteractions() {
    let graph = graph
    var count: UInt32 = 0
    _ = AUGraphGetNumberOfInteractions(graph, &count)
    var interactions = [AUNodeInteraction](repeating: .init(), count: 8)
    _ = AUGraphGetInteractionInfo(graph, pick([0, 1, 7, .max]), &interactions[0])
    _ = AUGraphCountNodeInteractions(graph, node, &count)
    count = UInt32(next() % 9)
    let offered = count
    _ = AUGraphGetNodeInteractions(graph, node, &count, &interactions)
    if count > offered { complain("\(count) interactions where there was room for \(offered)") }
  }

  private func readLoads() {
    var (load, seconds) = (Float32(0), Float64(0))
    _ = AUGraphGetCPULoad(graph, &load)
    _ = AUGraphGetMaxCPULoad(graph, &load)
    _ = AUGraphGetLatency(graph, &seconds)
    var fades = AUGraphEditFades.never
    _ = AUGraphGetEditFades(graph, &fades)
    if !load.isFinite || !seconds.isFinite { complain("load \(load), latency \(seconds)") }
  }

  private func describe() {
    var text: UnsafeRawPointer?
    guard _AUGraphCopyDescription(graph, &text) == noErr else { return }
    guard let text else { return complain("no description") }
    let description = Unmanaged<NSString>.fromOpaque(text).takeRetainedValue()
    var copy: AUGraph?
    if AUGraphNewFromDescription(description, &copy) == noErr, let copy { DisposeAUGraph(copy) }
  }

  private func makeFromDescription() {
    let texts = [
      "", "{", "[]", "{}", "{\"nodes\": 1}", "{\"nodes\": {\"a\": {\"unit\": \"aufx lpas appl\"}}}",
      String(repeating: "[", count: 5_000),
    ]
    let text = pick(texts) as NSString
    var graph: AUGraph?
    let address: UnsafeRawPointer =
      isOne(in: 2) ? fromBits(object) : UnsafeRawPointer(Unmanaged.passUnretained(text).toOpaque())
    withExtendedLifetime(text) {
      if _AUGraphNewFromDescription(address, &graph) == noErr, let graph { DisposeAUGraph(graph) }
    }
  }
}
