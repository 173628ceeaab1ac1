// SPDX-License-Identifier: Apache-2.0

/// The nodes that are attached to an engine.
struct NodeSet {
  private var nodes: [ObjectIdentifier: any GraphNode] = [:]

  /// All of them, in no order.
  var all: [any GraphNode] { Array(nodes.values) }

  var isEmpty: Bool { nodes.isEmpty }

  func contains(_ node: any GraphNode) -> Bool { nodes[ObjectIdentifier(node)] != nil }

  mutating func insert(_ node: any GraphNode) { nodes[ObjectIdentifier(node)] = node }

  mutating func remove(_ node: any GraphNode) { nodes[ObjectIdentifier(node)] = nil }
}
