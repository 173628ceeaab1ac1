// SPDX-License-Identifier: Apache-2.0

/// The nodes that are attached to an engine.
struct NodeSet {
  private var nodes: [ObjectIdentifier: any GraphNode] = [:]

  /// All of them, in no order.
  var all: [any GraphNode] { Array(nodes.values) }

  var isEmpty: Bool { nodes.isEmpty }

  /// Whether a node is attached.
  func contains(_ node: any GraphNode) -> Bool { nodes[ObjectIdentifier(node)] != nil }

  /// Adds a node.
  mutating func insert(_ node: any GraphNode) { nodes[ObjectIdentifier(node)] = node }

  mutating func remove(_ node: any GraphNode) { nodes[ObjectIdentifier(node)] = nil }

  // MARK: Mixing

  /// Tells the nodes which inputs of mixers they reach.
  func setMixingTargets(_ table: ConnectionTable) {
    // An effect has no values: those of its source pass through it.
    for node in nodes.values {
      node.mixing.setTargets(node.hasMixing ? table.mixers(after: node) : [])
    }
  }

  /// Gives the inputs of mixers the values of the nodes that are about to reach them.
  func applyMixing(_ table: ConnectionTable) {
    for node in nodes.values where node.hasMixing {
      node.mixing.apply(to: table.mixers(after: node))
    }
  }
}
