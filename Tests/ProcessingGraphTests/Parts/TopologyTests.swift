// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import ProcessingGraph

@Suite("Topology of a graph")
struct TopologyTests {
  /// A topology with this many nodes, which have no units; their numbers begin with 1.
  private func topology(_ count: Int) -> Topology {
    let topology = Topology()
    for _ in 0..<count {
      topology.nodes.append(Node(topology.nodes.nextNumber, AudioComponentDescription()))
    }
    return topology
  }

  @Test("feeds an input from one output, and an output to one input")
  func single() throws {
    let topology = topology(3)
    try topology.connect(1, 0, to: 2, 0, place: nil)
    func status(_ source: Int32, _ destination: Int32) -> OSStatus? {
      #expect(throws: AudioError.self) {
        try topology.connect(source, 0, to: destination, 0, place: nil)
      }?.status
    }
    #expect(status(3, 2) == kAUGraphErr_InvalidConnection)
    #expect(status(1, 3) == kAUGraphErr_InvalidConnection)
    #expect(status(3, 3) == kAUGraphErr_InvalidConnection)
    #expect(status(3, 4) == kAUGraphErr_NodeNotFound)
    #expect(topology.interactions.count == 1)
  }

  @Test("removes a node together with its connections")
  func removal() throws {
    let topology = topology(3)
    try topology.connect(1, 0, to: 2, 0, place: nil)
    try topology.connect(2, 0, to: 3, 0, place: nil)
    topology.remove(try topology.nodes.numbered(2))
    #expect(topology.nodes.map(\.number) == [1, 3])
    #expect(topology.interactions.isEmpty)
  }

  @Test("is restored by a snapshot, in sub-graphs too")
  func snapshot() throws {
    let (outer, inner) = (Topology(), topology(2))
    outer.nodes.append(Node(outer.nodes.nextNumber, AudioComponentDescription(), subgraph: inner))
    try inner.connect(1, 0, to: 2, 0, place: nil)
    let snapshot = Snapshot(outer)
    #expect(snapshot.nodes.count == 3)
    inner.remove(try inner.nodes.numbered(1))
    outer.remove(try outer.nodes.numbered(1))
    #expect(Snapshot(outer).nodes.isEmpty)
    snapshot.restore()
    #expect(outer.allNodes.count == 3)
    #expect(inner.interactions.count == 1)
  }
}
