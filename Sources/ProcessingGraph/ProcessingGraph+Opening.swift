// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

// Units are made while the graph's lock is free: a plug-in that opens may query the graph on any
// thread.
extension ProcessingGraph {
  /// Units that were made for nodes but are not assigned to them yet.
  private typealias Made = [ObjectIdentifier: (node: Node, unit: UnitInstance)]

  /// [control thread] Makes the units, without initialising them.
  public func open() throws(AudioError) {
    try changeState { _ in }  // fails if the state cannot change now
    var made: Made = [:]
    do throws(AudioError) {
      var missing = try open(with: &made)
      while !missing.isEmpty {
        for node in missing { made[ObjectIdentifier(node)] = (node, try makeUnit(of: node)) }
        missing = try open(with: &made)
      }
    } catch {
      disposeUnits(made)
      throw error
    }
    // Nodes may have been removed meanwhile, or another thread may have opened the graph.
    disposeUnits(made)
  }

  /// Opens the graph if there is a unit for each node, and removes from `made` those that it uses.
  /// Returns the nodes for which a unit is missing; none if the graph is now open.
  private func open(with made: inout Made) throws(AudioError) -> [Node] {
    try change { () throws(AudioError) in
      guard stage == .created else { return [] }
      let nodes = Snapshot(self).nodes.filter { $0.subgraph == nil }
      let missing = nodes.filter { made[ObjectIdentifier($0)] == nil }
      guard missing.isEmpty else { return missing }
      for node in nodes { node.unit = made.removeValue(forKey: ObjectIdentifier(node))?.unit }
      stage = .open
      addAllNotifies()
      updateUnits()
      return []
    }
  }

  /// [any thread] Adds a node; in an open graph its unit is made immediately.
  ///
  /// `place` is the node's place in the text that describes the graph, if there is one.
  public func addNode(_ description: AudioComponentDescription, place: String? = nil)
    throws(AudioError) -> Int32
  {
    for code in [
      description.componentType, description.componentSubType, description.componentManufacturer,
    ] where code == 0 {
      throw .invalidArgument.because(
        "the description needs a type, a subtype and a manufacturer; one of them is 0")
    }
    var unit: UnitInstance?
    defer { if let handle = unit?.handle { try? UnitInstance.dispose(handle) } }
    while true {
      let (node, isAdded) = try addNode(description, place, &unit)
      guard !isAdded else { return node.number }
      unit = try makeUnit(of: node)
    }
  }

  /// Adds a node, in an open graph with `unit`. Without that unit it adds nothing, and `isAdded` is
  /// false.
  private func addNode(
    _ description: AudioComponentDescription, _ place: String?, _ unit: inout UnitInstance?
  ) throws(AudioError) -> (node: Node, isAdded: Bool) {
    // The node has no connections yet, so no unit has to change.
    try control { () throws(AudioError) in
      let node = Node(lastNumber + 1, description, place: place)
      if node.isOutput, let head {
        throw .outputNode.because(
          "\(head.title) is already the graph's output; a graph has only one")
      }
      if root.stage >= .open {
        guard let made = unit else { return (node, false) }
        node.unit = made
        unit = nil
      }
      lastNumber += 1
      nodes.append(node)
      root.members.append(node)
      root.editCount += 1
      root.isEdited = root.isEdited || root.stage == .initialized
      if node.isOutput {
        head = node
        addNotifies(to: node)
      }
      return (node, true)
    }
  }

  /// Makes a unit of a node's kind.
  private func makeUnit(of node: Node) throws(AudioError) -> UnitInstance {
    guard let component = ComponentRegistry.shared.next(after: nil, matching: node.description)
    else {
      throw .invalidComponent.because(
        "\(node.title): no component has these codes (`au list` shows all components)"
      ).at(node.place)
    }
    do throws(AudioError) { return try component.instantiate() } catch {
      throw error.of(node.title).at(node.place)
    }
  }

  private func disposeUnits(_ made: Made) {
    for (_, unit) in made.values {
      if let handle = unit.handle { try? UnitInstance.dispose(handle) }
    }
  }
}
