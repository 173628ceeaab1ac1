// SPDX-License-Identifier: Apache-2.0

/// The connections and callbacks of a graph's nodes, in the order in which they were made, indexed
/// by both ends.
public struct InteractionList: RandomAccessCollection {
  /// A bus of a node.
  private struct Place: Hashable {
    let node: Int32
    let bus: UInt32
  }

  private var list: [Interaction] = []
  /// Interactions by the input that is fed, and by the output that feeds it.
  private var byInput: [Place: Interaction] = [:]
  private var byOutput: [Place: Interaction] = [:]

  /// The position of the first interaction.
  public var startIndex: Int { 0 }
  /// The position after the last interaction.
  public var endIndex: Int { list.count }
  /// The interaction at a position.
  public subscript(index: Int) -> Interaction { list[index] }

  /// The source of an input.
  func feeding(_ node: Int32, _ bus: UInt32) -> Interaction? {
    byInput[Place(node: node, bus: bus)]
  }

  /// The interaction that an output feeds.
  func coming(from node: Int32, _ bus: UInt32) -> Interaction? {
    byOutput[Place(node: node, bus: bus)]
  }

  /// Adds an interaction; it replaces the one that feeds that input, if any.
  mutating func put(_ interaction: Interaction) {
    let place = Place(node: interaction.node, bus: interaction.bus)
    if let old = byInput.updateValue(interaction, forKey: place) {
      forgetOutput(old)
      if let index = index(feeding: place) { list[index] = interaction }
    } else {
      list.append(interaction)
    }
    if case .connection(let node, let bus) = interaction.source {
      byOutput[Place(node: node, bus: bus)] = interaction
    }
  }

  /// Removes the source of an input.
  mutating func remove(feeding node: Int32, _ bus: UInt32) {
    let place = Place(node: node, bus: bus)
    guard let old = byInput.removeValue(forKey: place) else { return }
    forgetOutput(old)
    if let index = index(feeding: place) { list.remove(at: index) }
  }

  /// Removes all interactions of a node.
  mutating func removeAll(of node: Int32) {
    for interaction in list where interaction.concerns(node) {
      byInput[Place(node: interaction.node, bus: interaction.bus)] = nil
      forgetOutput(interaction)
    }
    list.removeAll { $0.concerns(node) }
  }

  /// Removes all interactions.
  mutating func removeAll() { self = InteractionList() }

  private func index(feeding place: Place) -> Int? {
    list.firstIndex { $0.node == place.node && $0.bus == place.bus }
  }

  private mutating func forgetOutput(_ interaction: Interaction) {
    guard case .connection(let node, let bus) = interaction.source else { return }
    byOutput[Place(node: node, bus: bus)] = nil
  }
}
