// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something immutable, in its own memory, that can be published.
package protocol Publishable {
  var address: UnsafeMutableRawPointer { get }
  /// [control thread] Frees the memory; no reader uses it any more.
  func deallocate()
}

/// A value that the control side replaces while render threads read it.
///
/// A replaced value is kept until no reader can still use it.
package struct Published: ~Copyable {
  private struct Owned {
    /// The last is the current one.
    var values: [any Publishable]
    /// How many values wait to be published by `replace`.
    var preparations = 0
  }

  @usableFromInline package let current: Atomic<UInt>
  /// The control side's data, in separate memory, so that changing it does not count as changing
  /// the data of readers.
  private let owned: UnsafeMutablePointer<Owned>

  package init(_ value: any Publishable) {
    current = Atomic(UInt(bitPattern: value.address))
    owned = .allocate(capacity: 1)
    owned.initialize(to: Owned(values: [value]))
  }

  deinit {
    for value in owned.pointee.values { value.deallocate() }
    owned.deinitialize(count: 1).deallocate()
  }

  /// [any thread] The address of the current value. A reader may use the value while it is inside
  /// its unit's gate, or while it has counted a use of the unit's handle.
  @_noLocks @inlinable
  package borrowing func load() -> UnsafeMutableRawPointer {
    let bits = current.load(ordering: .sequentiallyConsistent)
    // Never zero: it is some value's address.
    return UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// [control thread, under the owner's lock] Publishes `value`. Afterwards `isQuiet` reports
  /// whether no reader is active; if so, the replaced value is freed.
  package borrowing func publish(_ value: any Publishable, isQuiet: () -> Bool) {
    owned.pointee.values.append(value)
    current.store(UInt(bitPattern: value.address), ordering: .sequentiallyConsistent)
    collect(isQuiet)
  }

  /// [control thread, under the owner's lock] Stores `value`, which `replace` publishes later,
  /// perhaps on a render thread. Returns the address of the value that it will replace. Nothing is
  /// freed until `finishPreparation`, so that no two values have the same address.
  package borrowing func prepare(_ value: any Publishable) -> UInt {
    let last = newest
    owned.pointee.values.append(value)
    owned.pointee.preparations += 1
    return last
  }

  /// [any thread] Publishes the value from `prepare`, unless it is already published or a newer one
  /// is.
  @_noLocks @inlinable
  package borrowing func replace(_ old: UInt, by new: UInt) {
    _ = current.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent)
  }

  /// [control thread, under the owner's lock] Finishes `prepare`, after the last call of `replace`
  /// with its value.
  package borrowing func finishPreparation(isQuiet: () -> Bool) {
    owned.pointee.preparations -= 1
    collect(isQuiet)
  }

  private var newest: UInt { owned.pointee.values.last.map { UInt(bitPattern: $0.address) } ?? 0 }

  private borrowing func collect(_ isQuiet: () -> Bool) {
    guard owned.pointee.preparations == 0, isQuiet() else { return }
    for value in owned.pointee.values.dropLast() { value.deallocate() }
    owned.pointee.values.removeFirst(owned.pointee.values.count - 1)
  }

  /// How many replaced values wait for a reader to finish.
  package var retiredCount: Int { owned.pointee.values.count - 1 }
}
