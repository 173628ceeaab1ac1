// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Testing

@testable import ProcessingGraph

@Suite("Units of a graph")
struct UnitRecordsTests {
  @Test("are disposed of once, after their nodes have left the topology")
  func removal() throws {
    let (units, topology) = (UnitRecords(), Topology())
    for _ in 0..<3 {
      let node = Node(topology.nodes.nextNumber, AudioComponentDescription())
      topology.nodes.append(node)
      units.add(node)
    }
    let node = try topology.nodes.numbered(2)
    topology.remove(node)
    #expect(units.takeRemovedNodes(Snapshot(topology), topology).map(\.number) == [2])
    #expect(units.takeRemovedNodes(Snapshot(topology), topology).isEmpty)
  }

  @Test("keep a node that is newer than the snapshot")
  func newer() throws {
    let (units, topology) = (UnitRecords(), Topology())
    let snapshot = Snapshot(topology)
    let node = Node(topology.nodes.nextNumber, AudioComponentDescription())
    topology.nodes.append(node)
    units.add(node)
    #expect(units.takeRemovedNodes(snapshot, topology).isEmpty)
    topology.remove(node)
    #expect(units.takeRemovedNodes(Snapshot(topology), topology).map(\.number) == [1])
  }
}
