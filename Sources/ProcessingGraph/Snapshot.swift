// SPDX-License-Identifier: Apache-2.0

/// The topology of a graph and its sub-graphs at one time.
struct Snapshot {
  private struct Part {
    let topology: Topology
    let nodes: NodeList
    let interactions: InteractionList
  }

  private var parts: [Part] = []

  /// [under the lock] The current topology.
  init(_ topology: Topology) { add(topology) }

  private mutating func add(_ topology: Topology) {
    parts.append(
      Part(topology: topology, nodes: topology.nodes, interactions: topology.interactions))
    for node in topology.nodes { node.subgraph.map { add($0) } }
  }

  /// Every node, including those of sub-graphs.
  var nodes: [Node] { parts.flatMap(\.nodes) }

  /// [under the lock] Makes it the current topology again, except that nodes added since remain.
  func restore() {
    for part in parts { part.topology.revert(to: part.nodes, part.interactions) }
  }
}
