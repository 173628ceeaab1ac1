// SPDX-License-Identifier: Apache-2.0

/// The connections and callbacks of a graph's nodes, in the order in which they were made, indexed
/// by both ends.
public struct InteractionList: RandomAccessCollection {
  /// A bus of a node.
  private struct NodeBus: Hashable {
    let node: Int32
    let bus: UInt32
  }

  private var list: [Interaction] = []
  /// Interactions by input, and by output.
  private var byInput: [NodeBus: Interaction] = [:]
  private var byOutput: [NodeBus: Interaction] = [:]

  /// The position of the first interaction.
  public var startIndex: Int { 0 }
  /// The position after the last interaction.
  public var endIndex: Int { list.count }
  /// The interaction at a position.
  public subscript(index: Int) -> Interaction { list[index] }

  /// The source of an input.
  func feeding(_ node: Int32, _ bus: UInt32) -> Interaction? {
    byInput[NodeBus(node: node, bus: bus)]
  }

  /// The interaction of which an output is the source.
  func fed(from node: Int32, _ bus: UInt32) -> Interaction? {
    byOutput[NodeBus(node: node, bus: bus)]
  }

  /// Adds an interaction, which replaces the previous source of its input, if any.
  mutating func set(_ interaction: Interaction) {
    let input = NodeBus(node: interaction.node, bus: interaction.bus)
    if let old = byInput.updateValue(interaction, forKey: input) {
      removeOutput(old)
      if let index = index(feeding: input) { list[index] = interaction }
    } else {
      list.append(interaction)
    }
    if case .connection(let node, let bus) = interaction.source {
      byOutput[NodeBus(node: node, bus: bus)] = interaction
    }
  }

  /// Removes the source of an input.
  mutating func remove(feeding node: Int32, _ bus: UInt32) {
    let input = NodeBus(node: node, bus: bus)
    guard let old = byInput.removeValue(forKey: input) else { return }
    removeOutput(old)
    if let index = index(feeding: input) { list.remove(at: index) }
  }

  /// Removes all interactions of a node.
  mutating func removeAll(of node: Int32) {
    for interaction in list where interaction.concerns(node) {
      byInput[NodeBus(node: interaction.node, bus: interaction.bus)] = nil
      removeOutput(interaction)
    }
    list.removeAll { $0.concerns(node) }
  }

  /// Removes all interactions.
  mutating func removeAll() { self = InteractionList() }

  private func index(feeding input: NodeBus) -> Int? {
    list.firstIndex { $0.node == input.node && $0.bus == input.bus }
  }

  private mutating func removeOutput(_ interaction: Interaction) {
    guard case .connection(let node, let bus) = interaction.source else { return }
    byOutput[NodeBus(node: node, bus: bus)] = nil
  }
}
