// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the next render of a unit has to do in addition to its usual work: one word, normally zero.
///
/// Whoever has something for the render thread stores it where it belongs and raises its kind
/// afterwards. The render thread lowers the kind first and looks then. So nothing is lost, and one
/// load tells that there is nothing. A pointer to memory at the beginning of the unit's `RenderSide`.
package struct PendingWork: BitwiseCopyable, @unchecked Sendable {
  /// One or more bits of the word.
  package struct Kinds: BitwiseCopyable {
    fileprivate let bits: UInt32

    /// The unit is not initialised, and renders nothing.
    static var notReady: Self { @_noLocks get { Self(bits: 1 << 0) } }
    /// Signal history must be cleared.
    static var reset: Self { @_noLocks get { Self(bits: 1 << 1) } }
    /// A graph has prepared other sources.
    static var swap: Self { @_noLocks get { Self(bits: 1 << 2) } }
    /// There are render notifications to call; stays as long as there are.
    static var notifies: Self { @_noLocks get { Self(bits: 1 << 3) } }
    /// Parameter changes are queued.
    static var events: Self { @_noLocks get { Self(bits: 1 << 4) } }
    /// Parameters have been set.
    static var values: Self { @_noLocks get { Self(bits: 1 << 5) } }
    /// The unit feeds more than one input; stays as long as it does.
    static var shared: Self { @_noLocks get { Self(bits: 1 << 6) } }

    /// The samples of the last slice may be gone if they are in memory of others.
    static var stale: Self { @_noLocks get { Self(bits: 1 << 7) } }
    /// A slice was requested twice: the unit has a reader in addition to its connections. Stays
    /// while it is initialised.
    static var repeated: Self { @_noLocks get { Self(bits: 1 << 8) } }

    /// The unit has more than one reader.
    static var manyReaders: Self {
      @_noLocks get { Self(bits: shared.bits | repeated.bits) }
    }
    /// Everything that the guard around a render handles.
    static var guardWork: Self {
      @_noLocks get {
        Self(bits: notReady.bits | reset.bits | swap.bits | notifies.bits)
      }
    }
    /// Everything that makes a slice differ from the previous one.
    static var anyChange: Self {
      @_noLocks get { Self(bits: guardWork.bits | events.bits | values.bits | stale.bits) }
    }

    /// [any thread] Whether one of the kinds is among these.
    @_noLocks @inline(__always)
    func has(_ kinds: Self) -> Bool { bits & kinds.bits != 0 }
  }

  private let word: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] For a unit that is not initialised, in its owner's memory.
  init(at word: UnsafeMutablePointer<Atomic<UInt32>>) {
    word.initialize(to: Atomic(Kinds.notReady.bits))
    self.word = word
  }

  /// [any thread] Raises or lowers kinds that stay.
  func set(_ kinds: Kinds, _ isPending: Bool) {
    if isPending { raise(kinds) } else { lower(kinds) }
  }

  /// [any thread] Makes the next render check. The data has been stored before.
  @_noLocks
  func raise(_ kinds: Kinds) {
    word.pointee.bitwiseOr(kinds.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] Clears all kinds.
  @_noLocks
  func lower(_ kinds: Kinds) {
    word.pointee.bitwiseAnd(~kinds.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] What is pending.
  var kinds: Kinds {
    @_noLocks @inline(__always)
    get { Kinds(bits: word.pointee.load(ordering: .sequentiallyConsistent)) }
  }

  /// [any thread] Whether one of the kinds is pending.
  @_noLocks @inline(__always)
  func has(_ wanted: Kinds) -> Bool { kinds.has(wanted) }

  /// [render thread] Lowers the kinds; whether one of them was pending.
  @_noLocks @inline(__always)
  func consume(_ wanted: Kinds) -> Bool {
    guard has(wanted) else { return false }
    lower(wanted)
    return true
  }
}
