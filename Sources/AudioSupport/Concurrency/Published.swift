// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something immutable in memory of its own that can be published.
package protocol Publishable {
  var address: UnsafeMutableRawPointer { get }
  /// [control thread] Frees the memory; no reader holds it.
  func deallocate()
}

/// What the control side replaces while render threads read it.
///
/// A replaced value is kept until no reader can still hold it.
package struct Published: ~Copyable {
  private struct Owned {
    /// The last is the one that is current.
    var values: [any Publishable]
    /// How many values wait to be published by `replace`.
    var preparations = 0
  }

  @usableFromInline package let current: Atomic<UInt>
  /// The control side's, in memory of its own: whoever changes it must not seem to change what
  /// readers read.
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

  /// [any thread] Where the value that was published last is. A reader tells by its unit's gate, or by
  /// its use of the unit's handle, how long it holds it.
  @_noLocks @inlinable
  package borrowing func load() -> UnsafeMutableRawPointer {
    let bits = current.load(ordering: .sequentiallyConsistent)
    // Never zero: it is some value's address.
    return UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// [control thread, under the owner's lock] Publishes `value`; `isQuiet` is asked afterwards
  /// whether no reader is under way, so that what was replaced can go.
  package borrowing func publish(_ value: any Publishable, isQuiet: () -> Bool) {
    owned.pointee.values.append(value)
    current.store(UInt(bitPattern: value.address), ordering: .sequentiallyConsistent)
    collect(isQuiet)
  }

  /// [control thread, under the owner's lock] Takes over `value` for `replace` to publish, later and
  /// perhaps by a render thread; answers what that is to put it in the place of. Until `settle` is
  /// called nothing is freed, so that no address means two values.
  package borrowing func prepare(_ value: any Publishable) -> UInt {
    let last = newest
    owned.pointee.values.append(value)
    owned.pointee.preparations += 1
    return last
  }

  /// [any thread] Publishes what `prepare` took over, unless that is done already or something newer
  /// stands there.
  @_noLocks @inlinable
  package borrowing func replace(_ old: UInt, by new: UInt) {
    _ = current.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent)
  }

  /// [control thread, under the owner's lock] Ends what `prepare` began: nobody will call `replace`
  /// with it any more.
  package borrowing func settle(isQuiet: () -> Bool) {
    owned.pointee.preparations -= 1
    collect(isQuiet)
  }

  private var newest: UInt { owned.pointee.values.last.map { UInt(bitPattern: $0.address) } ?? 0 }

  private borrowing func collect(_ isQuiet: () -> Bool) {
    guard owned.pointee.preparations == 0, isQuiet() else { return }
    for value in owned.pointee.values.dropLast() { value.deallocate() }
    owned.pointee.values.removeFirst(owned.pointee.values.count - 1)
  }

  /// How many replaced values wait for a reader to end.
  package var retiredCount: Int { owned.pointee.values.count - 1 }
}
