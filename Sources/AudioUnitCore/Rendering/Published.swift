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
struct Published: ~Copyable {
  private let current: Atomic<UInt>
  /// The control side's, in memory of its own: whoever changes it must not seem to change what
  /// readers read. The last is the one that is current.
  private let owned: UnsafeMutablePointer<[any Publishable]>
  /// How many values wait to be published by `replace`.
  private let preparations: UnsafeMutablePointer<Int>

  init(_ value: any Publishable) {
    current = Atomic(UInt(bitPattern: value.address))
    owned = .allocate(capacity: 1)
    owned.initialize(to: [value])
    preparations = .allocate(capacity: 1)
    preparations.initialize(to: 0)
  }

  deinit {
    for value in owned.pointee { value.deallocate() }
    owned.deinitialize(count: 1).deallocate()
    preparations.deallocate()
  }

  /// [any thread] Where the value that was published last is. A reader tells by its unit's gate, or by
  /// its use of the unit's handle, how long it holds it.
  @_noLocks
  borrowing func load() -> UnsafeMutableRawPointer {
    let bits = current.load(ordering: .sequentiallyConsistent)
    // Never zero: it is some value's address.
    return UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// [control thread, under the owner's lock] Publishes `value`; `isQuiet` is asked afterwards
  /// whether no reader is under way, so that what was replaced can go.
  borrowing func publish(_ value: any Publishable, isQuiet: () -> Bool) {
    owned.pointee.append(value)
    current.store(UInt(bitPattern: value.address), ordering: .sequentiallyConsistent)
    collect(isQuiet)
  }

  /// [control thread, under the owner's lock] Takes over `value` for `replace` to publish, later and
  /// perhaps by a render thread; answers what that is to put it in the place of. Until `settle` is
  /// called nothing is freed, so that no address means two values.
  borrowing func prepare(_ value: any Publishable) -> UInt {
    let last = newest
    owned.pointee.append(value)
    preparations.pointee += 1
    return last
  }

  /// [any thread] Publishes what `prepare` took over, unless that is done already or something newer
  /// stands there.
  @_noLocks
  borrowing func replace(_ old: UInt, by new: UInt) {
    _ = current.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent)
  }

  /// [control thread, under the owner's lock] Ends what `prepare` began: nobody will call `replace`
  /// with it any more.
  borrowing func settle(isQuiet: () -> Bool) {
    preparations.pointee -= 1
    collect(isQuiet)
  }

  private var newest: UInt { owned.pointee.last.map { UInt(bitPattern: $0.address) } ?? 0 }

  private borrowing func collect(_ isQuiet: () -> Bool) {
    guard preparations.pointee == 0, isQuiet() else { return }
    for value in owned.pointee.dropLast() { value.deallocate() }
    owned.pointee.removeFirst(owned.pointee.count - 1)
  }

  /// How many replaced values wait for a reader to end.
  var retiredCount: Int { owned.pointee.count - 1 }
}
