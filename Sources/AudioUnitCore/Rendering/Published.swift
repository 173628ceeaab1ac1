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
  private var owned: any Publishable
  private var retired: [any Publishable] = []

  init(_ value: any Publishable) {
    current = Atomic(UInt(bitPattern: value.address))
    owned = value
  }

  deinit {
    for value in retired { value.deallocate() }
    owned.deallocate()
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
  mutating func publish(_ value: any Publishable, isQuiet: () -> Bool) {
    retired.append(owned)
    owned = value
    current.store(UInt(bitPattern: value.address), ordering: .sequentiallyConsistent)
    guard isQuiet() else { return }
    for value in retired { value.deallocate() }
    retired.removeAll()
  }

  /// How many replaced values wait for a reader to end.
  var retiredCount: Int { retired.count }
}
