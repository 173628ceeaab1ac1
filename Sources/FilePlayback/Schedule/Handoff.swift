// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A lock-free list of items for any number of producers and consumers.
///
/// Each item begins with its link: the address of another item, or zero.
struct Handoff: ~Copyable {
  private let newest = Atomic<UInt>(0)

  /// [any thread] Adds an item.
  @_noLocks
  borrowing func push(_ item: UnsafeMutableRawPointer) {
    var seen = newest.load(ordering: .relaxed)
    while true {
      item.storeBytes(of: seen, as: UInt.self)
      let (isLeft, now) = newest.compareExchange(
        expected: seen, desired: UInt(bitPattern: item), ordering: .releasing)
      if isLeft { return }
      seen = now
    }
  }

  /// Whether there are no items.
  var isEmpty: Bool { @_noLocks get { newest.load(ordering: .relaxed) == 0 } }

  /// [any thread] Removes all items; returns the oldest, which links to the others.
  @_noLocks
  borrowing func popAll() -> UnsafeMutableRawPointer? {
    guard !isEmpty else { return nil }
    var rest = UnsafeMutableRawPointer(bitPattern: newest.exchange(0, ordering: .acquiring))
    var oldest: UInt = 0
    while let item = rest {
      rest = UnsafeMutableRawPointer(bitPattern: item.load(as: UInt.self))
      item.storeBytes(of: oldest, as: UInt.self)
      oldest = UInt(bitPattern: item)
    }
    return UnsafeMutableRawPointer(bitPattern: oldest)
  }
}
