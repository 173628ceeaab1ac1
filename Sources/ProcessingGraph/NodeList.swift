// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The nodes of a graph, in the order in which they were added: sorted by number.
public struct NodeList: RandomAccessCollection {
  private var list: [Node] = []
  /// The number of the next node; numbers are not used again.
  private(set) var nextNumber: Int32 = 1
  /// The node that pulls the others, if there is one.
  public private(set) var head: Node?

  /// The position of the first node.
  public var startIndex: Int { 0 }
  /// The position after the last node.
  public var endIndex: Int { list.count }
  /// The node at a position.
  public subscript(index: Int) -> Node { list[index] }

  /// The node with a number.
  func numbered(_ number: Int32) throws(AudioError) -> Node {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < list.count, list[low].number == number else {
      throw .nodeNotFound.because("the graph has no node \(number)")
    }
    return list[low]
  }

  /// Adds a node, whose number is `nextNumber`. An output node becomes the head.
  mutating func append(_ node: Node) {
    list.append(node)
    nextNumber = node.number + 1
    if node.isOutput { head = node }
  }

  /// Removes a node.
  mutating func remove(_ node: Node) {
    list.removeAll { $0 === node }
    if head === node { head = nil }
  }

  /// Returns to an earlier list, except that nodes added since remain, if there is one head.
  mutating func revert(to earlier: NodeList) {
    let before = Set(earlier.list.map(ObjectIdentifier.init))
    let added = list.filter {
      !before.contains(ObjectIdentifier($0)) && !($0.isOutput && earlier.head != nil)
    }
    list = (earlier.list + added).sorted { $0.number < $1.number }
    head = list.first(where: \.isOutput)
  }
}
