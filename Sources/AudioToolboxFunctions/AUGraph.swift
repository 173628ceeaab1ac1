// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import ProcessingGraph

// The functions of AUGraph.h.

/// Runs `body` on the graph behind a handle; converts an error to a status, and records its
/// explanation.
func status(
  graph handle: AUGraph, in call: StaticString = #function,
  _ body: (ProcessingGraph) throws(AudioError) -> Void
) -> OSStatus {
  border {
    guard let graph = Handles.graphs.enter(handle) else {
      return Explanations.record(.stale("graph"), in: call)
    }
    defer { Handles.graphs.leave(handle) }
    return graph._withUnsafeGuaranteedRef { graph in
      status(in: call) { () throws(AudioError) in try body(graph) }
    }
  }
}

/// Runs `body` under the graph's lock, and writes its result to `destination`, which must not be
/// null.
func storeResult<Value>(
  _ handle: AUGraph, _ destination: UnsafeMutablePointer<Value>, _ argument: String,
  in call: StaticString = #function, _ body: (ProcessingGraph) throws(AudioError) -> Value
) -> OSStatus {
  status(graph: handle, in: call) { graph throws(AudioError) in
    guard !isNull(destination) else { throw .null(argument) }
    destination.pointee = try graph.control { () throws(AudioError) in try body(graph) }
  }
}

// MARK: Life

@c @implementation
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    guard !isNull(outGraph) else { throw .null("outGraph") }
    outGraph.pointee = nil
    outGraph.pointee = try ProcessingGraph.make().handle
  }
}

@c @implementation
public func DisposeAUGraph(_ inGraph: AUGraph) -> OSStatus {
  status { () throws(AudioError) in try ProcessingGraph.dispose(inGraph) }
}

@c @implementation
public func AUGraphOpen(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.open() }
}

@c @implementation
public func AUGraphClose(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.close() }
}

@c @implementation
public func AUGraphInitialize(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.initialize() }
}

@c @implementation
public func AUGraphUninitialize(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.uninitialize() }
}

@c @implementation
public func AUGraphStart(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.start() }
}

@c @implementation
public func AUGraphStop(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.stop() }
}

@c @implementation
public func AUGraphIsOpen(_ inGraph: AUGraph, _ outIsOpen: UnsafeMutablePointer<Bool>) -> OSStatus {
  storeResult(inGraph, outIsOpen, "outIsOpen") { graph throws(AudioError) in try graph.isOpen() }
}

@c @implementation
public func AUGraphIsInitialized(
  _ inGraph: AUGraph, _ outIsInitialized: UnsafeMutablePointer<Bool>
) -> OSStatus {
  storeResult(inGraph, outIsInitialized, "outIsInitialized") { graph throws(AudioError) in
    try graph.isInitialized()
  }
}

@c @implementation
public func AUGraphIsRunning(_ inGraph: AUGraph, _ outIsRunning: UnsafeMutablePointer<Bool>)
  -> OSStatus
{
  storeResult(inGraph, outIsRunning, "outIsRunning") { graph throws(AudioError) in
    try graph.isPlaying()
  }
}

// MARK: Nodes

@c @implementation
public func AUGraphAddNode(
  _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>,
  _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  // An open graph creates the unit immediately, and does not hold its lock meanwhile.
  status(graph: inGraph) { graph throws(AudioError) in
    guard !isNull(outNode) else { throw .null("outNode") }
    guard !isNull(inDescription) else { throw .null("inDescription") }
    outNode.pointee = try graph.addNode(inDescription.pointee)
  }
}

@c @implementation
public func AUGraphRemoveNode(_ inGraph: AUGraph, _ inNode: AUNode) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.removeNode(inNode) }
}

@c @implementation
public func AUGraphGetNodeCount(
  _ inGraph: AUGraph, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outNumberOfNodes, "outNumberOfNodes") { UInt32($0.nodes.count) }
}

@c @implementation
public func AUGraphGetIndNode(
  _ inGraph: AUGraph, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  storeResult(inGraph, outNode, "outNode") { graph throws(AudioError) in
    guard inIndex < graph.nodes.count else {
      throw .nodeNotFound.because("index \(inIndex); the graph has \(graph.nodes.count) nodes")
    }
    return graph.nodes[Int(inIndex)].number
  }
}

@c @implementation
public func AUGraphNodeInfo(
  _ inGraph: AUGraph, _ inNode: AUNode,
  _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    outAudioUnit?.pointee = nil
    try graph.control { () throws(AudioError) in
      let node = try graph.node(inNode)
      outDescription?.pointee = node.description
      outAudioUnit?.pointee = node.unit?.handle
    }
  }
}

@c @implementation
public func AUGraphNewNodeSubGraph(_ inGraph: AUGraph, _ outNode: UnsafeMutablePointer<AUNode>)
  -> OSStatus
{
  storeResult(inGraph, outNode, "outNode") { graph throws(AudioError) in try graph.addSubgraph() }
}

@c @implementation
public func AUGraphGetNodeInfoSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outSubGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  storeResult(inGraph, outSubGraph, "outSubGraph") { graph throws(AudioError) in
    let node = try graph.node(inNode)
    guard let subgraph = node.subgraph else {
      throw .nodeNotFound.because("\(node.title) is not a sub-graph")
    }
    return subgraph.handle
  }
}

@c @implementation
public func AUGraphIsNodeSubGraph(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outFlag: UnsafeMutablePointer<Bool>
) -> OSStatus {
  storeResult(inGraph, outFlag, "outFlag") { graph throws(AudioError) in
    try graph.node(inNode).subgraph != nil
  }
}

// MARK: Interactions

@c @implementation
public func AUGraphConnectNodeInput(
  _ inGraph: AUGraph, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32,
  _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    try graph.connect(inSourceNode, inSourceOutputNumber, to: inDestNode, inDestInputNumber)
  }
}

@c @implementation
public func AUGraphSetNodeInputCallback(
  _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
  _ inInputCallback: UnsafePointer<AURenderCallbackStruct>
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard !isNull(inInputCallback) else { throw .null("inInputCallback") }
    try graph.setCallback(inInputCallback.pointee, inDestNode, inDestInputNumber)
  }
}

@c @implementation
public func AUGraphDisconnectNodeInput(
  _ inGraph: AUGraph, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    try graph.disconnect(inDestNode, inDestInputNumber)
  }
}

@c @implementation
public func AUGraphClearConnections(_ inGraph: AUGraph) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in try graph.clearConnections() }
}

@c @implementation
public func AUGraphGetNumberOfInteractions(
  _ inGraph: AUGraph, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outNumInteractions, "outNumInteractions") { UInt32($0.interactions.count) }
}

@c @implementation
public func AUGraphGetInteractionInfo(
  _ inGraph: AUGraph, _ inInteractionIndex: UInt32,
  _ outInteraction: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  storeResult(inGraph, outInteraction, "outInteraction") { graph throws(AudioError) in
    guard inInteractionIndex < graph.interactions.count else {
      throw .nodeNotFound.because(
        "index \(inInteractionIndex); the graph has \(graph.interactions.count) interactions")
    }
    return graph.interactions[Int(inInteractionIndex)].info
  }
}

@c @implementation
public func AUGraphCountNodeInteractions(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outNumInteractions, "outNumInteractions") { graph throws(AudioError) in
    UInt32(try graph.interactions(of: inNode).count)
  }
}

@c @implementation
public func AUGraphGetNodeInteractions(
  _ inGraph: AUGraph, _ inNode: AUNode, _ ioNumInteractions: UnsafeMutablePointer<UInt32>,
  _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  storeResult(inGraph, ioNumInteractions, "ioNumInteractions") { graph throws(AudioError) in
    let found = try graph.interactions(of: inNode).prefix(Int(ioNumInteractions.pointee))
    guard found.isEmpty || !isNull(outInteractions) else { throw .null("outInteractions") }
    for (index, interaction) in found.enumerated() { outInteractions[index] = interaction.info }
    return UInt32(found.count)
  }
}

@c @implementation
public func AUGraphUpdate(_ inGraph: AUGraph, _ outIsUpdated: UnsafeMutablePointer<Bool>?)
  -> OSStatus
{
  outIsUpdated?.pointee = false
  return status(graph: inGraph) { graph throws(AudioError) in
    let isDone = try graph.update(waits: outIsUpdated == nil)
    outIsUpdated?.pointee = isDone
  }
}

// MARK: Rendering

@c @implementation
public func AUGraphGetCPULoad(
  _ inGraph: AUGraph, _ outAverageCPULoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  storeResult(inGraph, outAverageCPULoad, "outAverageCPULoad") { graph throws(AudioError) in
    Float32(try graph.load())
  }
}

@c @implementation
public func AUGraphGetMaxCPULoad(
  _ inGraph: AUGraph, _ outMaxLoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  storeResult(inGraph, outMaxLoad, "outMaxLoad") { graph throws(AudioError) in
    Float32(try graph.maximumLoadSinceLastCall())
  }
}

@c @implementation
public func AUGraphAddRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback,
  _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard !isNull(function: inCallback) else { throw .null("inCallback") }
    try graph.addRenderNotify(RenderCallback(inCallback, inRefCon))
  }
}

@c @implementation
public func AUGraphRemoveRenderNotify(
  _ inGraph: AUGraph, _ inCallback: @escaping AURenderCallback,
  _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard !isNull(function: inCallback) else { throw .null("inCallback") }
    try graph.removeRenderNotify(RenderCallback(inCallback, inRefCon))
  }
}

extension Interaction {
  /// The C structure; nil for a callback.
  var connection: AUNodeConnection? {
    guard case .connection(let source, let output) = source else { return nil }
    return AUNodeConnection(
      sourceNode: source, sourceOutputNumber: output, destNode: node, destInputNumber: bus)
  }

  /// The C structure.
  fileprivate var info: AUNodeInteraction {
    var info = AUNodeInteraction()
    switch source {
    case .connection:
      info.nodeInteractionType = kAUNodeInteraction_Connection
      if let connection { info.nodeInteraction.connection = connection }
    case .callback(let callback):
      info.nodeInteractionType = kAUNodeInteraction_InputCallback
      info.nodeInteraction.inputCallback = AUNodeRenderCallback(
        destNode: node, destInputNumber: bus, cback: callback)
    }
    return info
  }
}
