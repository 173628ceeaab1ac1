// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something immutable, in its own memory, that can be published.
package protocol Publishable {
  var address: UnsafeMutableRawPointer { get }
  /// [control thread] Frees the memory; no reader uses it any more.
  func deallocate()
}

/// A value that a control thread replaces while render threads read it.
///
/// A replaced value is kept until no reader can still use it. Its owner decides when: at moments
/// when no reader is active (`isQuiet`), or when the render that ran at the replacement has ended
/// (`RenderGate.isPast`).
package struct Published: ~Copyable {
  /// A replaced value, and the round of the readers' gate in which it was replaced.
  private struct Retired {
    let value: any Publishable
    let round: UInt64
  }

  private struct Owned {
    /// The current value, or one that waits to be published by `replace`.
    var newest: (any Publishable)?
    var retired: [Retired] = []
    /// How many values wait to be published by `replace`.
    var preparations = 0

    mutating func add(_ value: (any Publishable)?, at round: UInt64) {
      if let newest { retired.append(Retired(value: newest, round: round)) }
      newest = value
    }
  }

  @usableFromInline package let current: Atomic<UInt>
  /// The data of control threads, in separate memory, so that changing it does not count as
  /// changing the data of readers.
  private let owned: UnsafeMutablePointer<Owned>

  /// [control thread] Publishes `value`, or nothing yet.
  package init(_ value: (any Publishable)? = nil) {
    current = Atomic(Self.bits(value))
    owned = .allocate(capacity: 1)
    owned.initialize(to: Owned(newest: value))
  }

  deinit {
    for retired in owned.pointee.retired { retired.value.deallocate() }
    owned.pointee.newest?.deallocate()
    owned.deinitialize(count: 1).deallocate()
  }

  private static func bits(_ value: (any Publishable)?) -> UInt {
    value.map { UInt(bitPattern: $0.address) } ?? 0
  }

  // MARK: Readers

  /// [any thread] The address of the current value. A reader may use the value while it is inside
  /// its unit's gate, or while it has counted a use of the unit's handle. Only for owners that
  /// always publish a value.
  @_noLocks @inlinable
  package borrowing func load() -> UnsafeMutableRawPointer {
    let bits = current.load(ordering: .sequentiallyConsistent)
    // Never zero: it is some value's address.
    return UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// [any thread] The address of the current value, nil if there is none; otherwise as `load`.
  @_noLocks @inlinable
  package borrowing func loadIfAny() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: current.load(ordering: .sequentiallyConsistent))
  }

  // MARK: Control threads

  /// [control thread, under the owner's lock] Publishes `value`. Afterwards `isQuiet` reports
  /// whether no reader is active; if so, the replaced values are freed.
  package borrowing func publish(_ value: any Publishable, isQuiet: () -> Bool) {
    current.store(Self.bits(value), ordering: .sequentiallyConsistent)
    owned.pointee.add(value, at: 0)
    freeRetired(isQuiet)
  }

  /// [control thread, under the owner's lock] Publishes `value`, or nothing from now on. The replaced
  /// value is kept until `takeUnused`, with the round of the readers' gate afterwards.
  package borrowing func publish(_ value: (any Publishable)?, in round: () -> UInt64) {
    current.store(Self.bits(value), ordering: .sequentiallyConsistent)
    owned.pointee.add(value, at: round())
  }

  /// [control thread, under the owner's lock] Removes and returns the replaced values that no reader
  /// uses any more, by address and round. The caller frees them, after it has released its locks if
  /// that may call the program.
  package borrowing func takeUnused(
    where isUnused: (_ address: UnsafeMutableRawPointer, _ round: UInt64) -> Bool
  ) -> [any Publishable] {
    guard owned.pointee.preparations == 0 else { return [] }
    let end = owned.pointee.retired.partition { isUnused($0.value.address, $0.round) }
    let unused = owned.pointee.retired[end...].map(\.value)
    owned.pointee.retired.removeSubrange(end...)
    return unused
  }

  /// [control thread, under the owner's lock] Frees all replaced values if no reader is active.
  package borrowing func freeRetired(_ isQuiet: () -> Bool) {
    guard owned.pointee.preparations == 0, !owned.pointee.retired.isEmpty, isQuiet() else {
      return
    }
    for value in takeUnused(where: { _, _ in true }) { value.deallocate() }
  }

  /// How many replaced values wait for a reader to finish.
  package var retiredCount: Int { owned.pointee.retired.count }

  // MARK: Together with other values

  /// [control thread, under the owner's lock] Stores `value`, which `replace` publishes later,
  /// perhaps on a render thread. Returns the address of the value that it will replace. Nothing is
  /// freed until `finishPreparation`, so that no two values have the same address.
  package borrowing func prepare(_ value: any Publishable) -> UInt {
    let last = Self.bits(owned.pointee.newest)
    owned.pointee.add(value, at: 0)
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
    freeRetired(isQuiet)
  }
}
