// SPDX-License-Identifier: Apache-2.0

/// Values in the order in which they were appended. Removing the first one takes the same time for
/// any number of values.
struct FirstInFirstOut<Element>: Sequence {
  /// Removed values leave `nil`, until half of the memory is unused.
  private var values: [Element?] = []
  private var start = 0

  init() {}

  init(_ values: some Sequence<Element>) { self.values = Array(values) }

  var count: Int { values.count - start }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : values[start] }

  /// Adds a value behind all others.
  mutating func append(_ value: Element) { values.append(value) }

  /// Removes and returns the first value; nil when there is none.
  @discardableResult
  mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let value = values[start].take()
    start += 1
    if start * 2 > values.count {
      values.removeFirst(start)
      start = 0
    }
    return value
  }

  /// Removes and returns all values.
  @discardableResult
  mutating func removeAll() -> [Element] {
    let all = Array(self)
    self = Self()
    return all
  }

  /// The values from the first on; none is removed.
  func makeIterator() -> AnyIterator<Element> {
    var index = start
    return AnyIterator {
      guard index < values.count else { return nil }
      index += 1
      return values[index - 1]
    }
  }
}
