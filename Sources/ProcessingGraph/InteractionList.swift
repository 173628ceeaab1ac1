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
  /// By the input that is fed, and by the output that feeds it.
  private var byInput: [Place: Interaction] = [:]
  private var byOutput: [Place: Interaction] = [:]

  /// The place of the first.
  public var startIndex: Int { 0 }
  /// The place after the last.
  public var endIndex: Int { list.count }
  /// By its place.
  public subscript(index: Int) -> Interaction { list[index] }

  /// What feeds an input.
  func feeding(_ node: Int32, _ bus: UInt32) -> Interaction? {
    byInput[Place(node: node, bus: bus)]
  }

  /// What an output feeds.
  func coming(from node: Int32, _ bus: UInt32) -> Interaction? {
    byOutput[Place(node: node, bus: bus)]
  }

  /// Adds an interaction, or puts it in the place of what feeds that input.
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

  /// Takes away what feeds an input.
  mutating func remove(feeding node: Int32, _ bus: UInt32) {
    let place = Place(node: node, bus: bus)
    guard let old = byInput.removeValue(forKey: place) else { return }
    forgetOutput(old)
    if let index = index(feeding: place) { list.remove(at: index) }
  }

  /// Takes away everything that a node takes part in.
  mutating func removeAll(of node: Int32) {
    for interaction in list where interaction.concerns(node) {
      byInput[Place(node: interaction.node, bus: interaction.bus)] = nil
      forgetOutput(interaction)
    }
    list.removeAll { $0.concerns(node) }
  }

  /// Takes away everything.
  mutating func removeAll() { self = InteractionList() }

  private func index(feeding place: Place) -> Int? {
    list.firstIndex { $0.node == place.node && $0.bus == place.bus }
  }

  private mutating func forgetOutput(_ interaction: Interaction) {
    guard case .connection(let node, let bus) = interaction.source else { return }
    byOutput[Place(node: node, bus: bus)] = nil
  }
}
