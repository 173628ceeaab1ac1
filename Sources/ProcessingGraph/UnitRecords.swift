// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore

/// The units of a graph and its sub-graphs: which exist, which are connected, and which the graph
/// has initialised.
final class UnitRecords {
  /// Every node whose unit or sub-graph exists, even if it is removed but not yet disposed of.
  private var nodes: [Node] = []
  /// The units that the graph has initialised, sources first; and all connected units.
  private(set) var initialized: [UnitInstance] = []
  private var connected: Set<ObjectIdentifier> = []

  /// Whether the last update found the unit connected.
  func isConnected(_ unit: UnitInstance) -> Bool { connected.contains(ObjectIdentifier(unit)) }

  /// Adds a new node.
  func add(_ node: Node) { nodes.append(node) }

  /// Forgets the nodes that are no longer in the graph, and returns them. `snapshot` may be older
  /// than the topology.
  func takeRemovedNodes(_ snapshot: Snapshot, _ topology: Topology) -> [Node] {
    let now = snapshot.nodes
    // Nodes that were added since stay too, although the snapshot does not contain them.
    let known = Set(now.map(ObjectIdentifier.init))
    let remaining = known.union(topology.allNodes.map(ObjectIdentifier.init))
    let removed = nodes.filter { !remaining.contains(ObjectIdentifier($0)) }
    let added = nodes.filter {
      remaining.contains(ObjectIdentifier($0)) && !known.contains(ObjectIdentifier($0))
    }
    nodes = now + added
    return removed
  }

  /// Sets the connected units, and returns the initialised units that no longer are.
  func connect(_ units: Set<ObjectIdentifier>) -> [UnitInstance] {
    let leaving = connected.subtracting(units)
    connected = units
    return initialized.filter { leaving.contains(ObjectIdentifier($0)) }
  }

  /// Sets the units that the graph has initialised, sources first.
  func setInitialized(_ units: [UnitInstance]) { initialized = units }

  /// Forgets that units are connected and initialised; returns those to uninitialise, the head
  /// first, so that nothing pulls the others.
  func disconnect() -> [UnitInstance] {
    defer { (initialized, connected) = ([], []) }
    return initialized.reversed()
  }
}
