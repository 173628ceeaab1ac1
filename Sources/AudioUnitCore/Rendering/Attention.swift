// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What the next render of a unit has to see to besides its usual work: one word, zero as a rule.
///
/// Whoever has something for the render thread stores it where it belongs and raises its reason
/// afterwards; the render thread takes the reason back first and then looks. So nothing is lost, and
/// where there is nothing, one load tells. A pointer to memory that the unit's `RenderSide` begins with.
package struct Attention: BitwiseCopyable, @unchecked Sendable {
  /// One or more bits of the word.
  package struct Reasons: BitwiseCopyable {
    fileprivate let bits: UInt32

    /// It is not initialised, and renders nothing.
    static var notReady: Self { @_noLocks get { Self(bits: 1) } }
    /// It is to forget its past.
    static var reset: Self { @_noLocks get { Self(bits: 2) } }
    /// A graph has offered other sources.
    static var offer: Self { @_noLocks get { Self(bits: 4) } }
    /// Somebody is told of its renders; stays as long as that is so.
    static var notifies: Self { @_noLocks get { Self(bits: 8) } }
    /// Whatever concerns the guard around a render.
    static var guarded: Self { @_noLocks get { Self(bits: 15) } }
    /// Parameter changes are queued.
    static var events: Self { @_noLocks get { Self(bits: 16) } }
    /// Parameters have been set.
    static var values: Self { @_noLocks get { Self(bits: 32) } }
    /// What makes a slice other than the one before it.
    static var news: Self { @_noLocks get { Self(bits: 63 | 128) } }
    /// It feeds more than one input; stays as long as that is so.
    static var shared: Self { @_noLocks get { Self(bits: 64) } }
    /// The samples of its last slice may be gone, where they lie in memory of others.
    static var stale: Self { @_noLocks get { Self(bits: 128) } }
    /// Somebody asked twice for a slice: it has a reader besides its connections. Stays while it is
    /// initialised.
    static var repeated: Self { @_noLocks get { Self(bits: 256) } }
    /// More than one reads what it renders.
    static var manyReaders: Self { @_noLocks get { Self(bits: 64 | 256) } }

    /// [any thread] Whether one of the reasons is among these.
    @_noLocks @inline(__always)
    func has(_ reasons: Self) -> Bool { bits & reasons.bits != 0 }
  }

  private let word: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] For a unit that is not initialised, in memory of its owner's.
  init(at word: UnsafeMutablePointer<Atomic<UInt32>>) {
    word.initialize(to: Atomic(Reasons.notReady.bits))
    self.word = word
  }

  /// [any thread] Raises or lowers reasons that stay.
  func set(_ reasons: Reasons, _ isThere: Bool) {
    if isThere { raise(reasons) } else { lower(reasons) }
  }

  /// [any thread] Has the next render look. What it is to find has been stored.
  @_noLocks
  func raise(_ reasons: Reasons) {
    word.pointee.bitwiseOr(reasons.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] There is nothing to look at any more.
  @_noLocks
  func lower(_ reasons: Reasons) {
    word.pointee.bitwiseAnd(~reasons.bits, ordering: .sequentiallyConsistent)
  }

  /// [any thread] The reasons that are there.
  var reasons: Reasons {
    @_noLocks @inline(__always)
    get { Reasons(bits: word.pointee.load(ordering: .sequentiallyConsistent)) }
  }

  /// [any thread] Whether one of the reasons is there.
  @_noLocks @inline(__always)
  func has(_ wanted: Reasons) -> Bool { reasons.has(wanted) }

  /// [render thread] Takes the reasons back; whether one of them was there.
  @_noLocks @inline(__always)
  func take(_ wanted: Reasons) -> Bool {
    guard has(wanted) else { return false }
    lower(wanted)
    return true
  }
}
