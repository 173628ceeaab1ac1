// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The work of a unit's next render in addition to its usual work: one word, normally zero.
///
/// A thread with data for the render thread first stores the data and then raises its kind. The
/// render thread first lowers the kind and then reads the data. So nothing is lost, and one load
/// shows whether there is anything to do. A pointer to memory directly before the unit's
/// `RenderSide`.
package struct PendingWork: BitwiseCopyable, @unchecked Sendable {
  /// One or more bits of the word.
  package struct Kinds: BitwiseCopyable {
    fileprivate let bits: UInt32

    /// The unit is not initialised, so it does not render.
    static var notReady: Self { @_noLocks get { Self(bits: 1 << 0) } }
    /// Signal history must be cleared.
    static var reset: Self { @_noLocks get { Self(bits: 1 << 1) } }
    /// A graph has prepared new sources.
    static var swap: Self { @_noLocks get { Self(bits: 1 << 2) } }
    /// There are render notifications to call; remains set as long as there are.
    static var notifies: Self { @_noLocks get { Self(bits: 1 << 3) } }
    /// Parameter changes are queued.
    static var events: Self { @_noLocks get { Self(bits: 1 << 4) } }
    /// Parameters have been set.
    static var values: Self { @_noLocks get { Self(bits: 1 << 5) } }
    /// The unit feeds more than one input; remains set as long as it does.
    static var shared: Self { @_noLocks get { Self(bits: 1 << 6) } }

    /// The samples of the last render may be invalid if they are in the memory of another unit.
    static var stale: Self { @_noLocks get { Self(bits: 1 << 7) } }
    /// A render was requested twice: the unit has a reader in addition to its connections. Remains
    /// set while the unit is initialised.
    static var repeated: Self { @_noLocks get { Self(bits: 1 << 8) } }

    /// The kernel could not make what the render is for: the render fails.
    static var failure: Self { @_noLocks get { Self(bits: 1 << 9) } }

    /// The unit has more than one reader.
    static var manyReaders: Self {
      @_noLocks get { Self(bits: shared.bits | repeated.bits) }
    }
    /// The kinds that the guard around a render handles.
    static var guardWork: Self {
      @_noLocks get {
        Self(bits: notReady.bits | reset.bits | swap.bits | notifies.bits)
      }
    }
    /// The kinds that make a render differ from the previous one.
    static var anyChange: Self {
      @_noLocks get { Self(bits: guardWork.bits | events.bits | values.bits | stale.bits) }
    }

    /// [any thread] Whether one of the kinds is among these.
    @_noLocks @inline(__always)
    func has(_ kinds: Self) -> Bool { bits & kinds.bits != 0 }
  }

  private let word: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] The word of a unit that is not initialised, in the owner's memory.
  init(at word: UnsafeMutablePointer<Atomic<UInt32>>) {
    word.initialize(to: Atomic(Kinds.notReady.bits))
    self.word = word
  }

  /// [any thread] Raises or lowers kinds that remain set.
  func set(_ kinds: Kinds, _ isPending: Bool) {
    if isPending { raise(kinds) } else { lower(kinds) }
  }

  /// [any thread] Sets kinds for the next render, after their data was stored.
  @_noLocks
  func raise(_ kinds: Kinds) {
    word.pointee.bitwiseOr(kinds.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] Clears kinds.
  @_noLocks
  func lower(_ kinds: Kinds) {
    word.pointee.bitwiseAnd(~kinds.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] The pending kinds.
  var kinds: Kinds {
    @_noLocks @inline(__always)
    get { Kinds(bits: word.pointee.load(ordering: .sequentiallyConsistent)) }
  }

  /// [any thread] Whether one of the kinds is pending.
  @_noLocks @inline(__always)
  func has(_ some: Kinds) -> Bool { kinds.has(some) }

  /// [render thread] Lowers kinds; returns whether one of them was pending.
  @_noLocks @inline(__always)
  func consume(_ some: Kinds) -> Bool {
    guard has(some) else { return false }
    lower(some)
    return true
  }
}
