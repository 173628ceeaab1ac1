// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// Admits one render at a time to a unit or a stream, and shows control threads whether one is
/// inside.
package struct RenderGate: ~Copyable, Sendable {
  /// The thread that renders; zero when none does.
  @usableFromInline package let owner = Atomic<UInt64>(0)
  /// How many renders have ended.
  @usableFromInline package let rounds = Atomic<UInt64>(0)

  package init() {}

  /// [render thread] False when the unit is being rendered already: by another thread, or by this
  /// one through a cycle of connections. Never waits.
  @_noLocks
  package borrowing func tryEnter() -> Bool { tryEnter(as: rt_thread_id()) }

  /// [render thread] As above, with the number of this thread as the argument. Other modules can
  /// inline it, unlike a function that calls a C function.
  @_noLocks @inlinable @inline(__always)
  package borrowing func tryEnter(as thread: UInt64) -> Bool {
    let (isOpen, other) = owner.compareExchange(
      expected: 0, desired: thread, ordering: .sequentiallyConsistent)
    // `||` would make a closure of the rest, which keeps all of this from being inlined.
    if isOpen { return true }
    return takeOver(from: other, as: thread)
  }

  /// Enters in place of a thread that did not survive a fork. Inlined, it would bring a call of C into `tryEnter`.
  @_noLocks @usableFromInline @inline(never)
  borrowing func takeOver(from other: UInt64, as thread: UInt64) -> Bool {
    guard rt_is_lost(other) else { return false }
    return owner.compareExchange(
      expected: other, desired: thread, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// [render thread] Opens the gate. No atomic exchange is needed, because only the thread inside
  /// counts.
  @_noLocks @inlinable @inline(__always)
  package borrowing func leave() {
    rounds.store(rounds.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    owner.store(0, ordering: .releasing)
  }

  /// [any thread] Whether no thread is inside.
  package var isIdle: Bool {
    @_noLocks @inlinable get {
      let owner = owner.load(ordering: .sequentiallyConsistent)
      if owner == 0 { return true }
      return isLost(owner)
    }
  }

  @_noLocks @usableFromInline @inline(never)
  borrowing func isLost(_ owner: UInt64) -> Bool { rt_is_lost(owner) }

  /// [any thread] Whether this thread is inside.
  package var isHeldByThisThread: Bool {
    @_noLocks get { owner.load(ordering: .relaxed) == rt_thread_id() }
  }

  /// [any thread] How many renders have ended: the argument for `isPast`.
  package var round: UInt64 { rounds.load(ordering: .sequentiallyConsistent) }

  /// [any thread] Whether the render that was running at `round`, if any, has ended.
  package borrowing func isPast(_ round: UInt64) -> Bool { isIdle || self.round != round }

  /// [control thread] Waits until the current render, if any, has ended. Another may have begun
  /// since; it sees everything that was stored before this call.
  package borrowing func waitUntilIdle() {
    let round = round
    waitPolling(every: 50) { !isPast(round) }
  }

  /// [control thread] Waits for the gate and keeps renders out while `body` runs; they return
  /// `kAudioUnitErr_CannotDoInCurrentContext`.
  package borrowing func close<Result, Failure>(_ body: () throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    waitPolling(every: 50) { !tryEnter() }
    defer { leave() }
    return try body()
  }
}
