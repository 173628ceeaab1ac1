// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
import ProcessingGraph

// The deprecated functions of AUGraph.h, which later ones have replaced.

@c @implementation
public func AUGraphNewNode(
  _ inGraph: AUGraph, _ inDescription: UnsafePointer<AudioComponentDescription>,
  _ inClassDataSize: UInt32, _ inClassData: UnsafeRawPointer?,
  _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  storeResult(inGraph, outNode, "outNode") { graph throws(AudioError) in
    guard !isNull(inDescription) else { throw .null("inDescription") }
    guard inClassDataSize == 0 else {
      throw .invalidArgument.because(
        "inClassDataSize is \(inClassDataSize); set kAudioUnitProperty_ClassInfo of the unit instead"
      )
    }
    return try graph.addNode(inDescription.pointee)
  }
}

@c @implementation
public func AUGraphGetNodeInfo(
  _ inGraph: AUGraph, _ inNode: AUNode,
  _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outClassDataSize: UnsafeMutablePointer<UInt32>?,
  _ outClassData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  outClassDataSize?.pointee = 0
  outClassData?.pointee = nil
  return AUGraphNodeInfo(inGraph, inNode, outDescription, outAudioUnit)
}

@c @implementation
public func AUGraphGetNumberOfConnections(
  _ inGraph: AUGraph, _ outNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outNumConnections, "outNumConnections") {
    UInt32($0.interactions.compactMap(\.connection).count)
  }
}

@c @implementation
public func AUGraphGetConnectionInfo(
  _ inGraph: AUGraph, _ inConnectionIndex: UInt32, _ outSourceNode: UnsafeMutablePointer<AUNode>,
  _ outSourceOutputNumber: UnsafeMutablePointer<UInt32>,
  _ outDestNode: UnsafeMutablePointer<AUNode>,
  _ outDestInputNumber: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(graph: inGraph) { graph throws(AudioError) in
    guard !isNull(outSourceNode) else { throw .null("outSourceNode") }
    guard !isNull(outSourceOutputNumber) else { throw .null("outSourceOutputNumber") }
    guard !isNull(outDestNode) else { throw .null("outDestNode") }
    guard !isNull(outDestInputNumber) else { throw .null("outDestInputNumber") }
    try graph.control { () throws(AudioError) in
      let connections = graph.interactions.compactMap(\.connection)
      guard inConnectionIndex < connections.count else {
        throw .nodeNotFound.because(
          "index \(inConnectionIndex); the graph has \(connections.count) connections")
      }
      let connection = connections[Int(inConnectionIndex)]
      outSourceNode.pointee = connection.sourceNode
      outSourceOutputNumber.pointee = connection.sourceOutputNumber
      outDestNode.pointee = connection.destNode
      outDestInputNumber.pointee = connection.destInputNumber
    }
  }
}

@c @implementation
public func AUGraphCountNodeConnections(
  _ inGraph: AUGraph, _ inNode: AUNode, _ outNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, outNumConnections, "outNumConnections") { graph throws(AudioError) in
    UInt32(try graph.interactions(of: inNode).compactMap(\.connection).count)
  }
}

@c @implementation
public func AUGraphGetNodeConnections(
  _ inGraph: AUGraph, _ inNode: AUNode,
  _ outConnections: UnsafeMutablePointer<AudioUnitNodeConnection>,
  _ ioNumConnections: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inGraph, ioNumConnections, "ioNumConnections") { graph throws(AudioError) in
    let found = try graph.interactions(of: inNode).compactMap(\.connection)
      .prefix(Int(ioNumConnections.pointee))
    guard found.isEmpty || !isNull(outConnections) else { throw .null("outConnections") }
    for (index, connection) in found.enumerated() { outConnections[index] = connection }
    return UInt32(found.count)
  }
}
