// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// A gate between the thread of a server's library and a stream. After it is closed no cycle runs,
/// whatever the library does and however long the server takes to answer.
///
/// A value inside its owner, so that passing through it counts no references.
struct CycleGate: ~Copyable, Sendable {
  private enum State {
    static var closed: UInt64 { @_noLocks get { 0 } }
    static var open: UInt64 { @_noLocks get { 1 } }
    // Any other value is the id of the thread whose cycle is inside.
  }

  private let state = Atomic(State.closed)
  private let isClosing = Atomic(false)

  /// [any thread] Whether the caller runs inside a cycle of this stream.
  var isHeldByCurrentThread: Bool { state.load(ordering: .acquiring) == rt_thread_id() }

  /// [control thread] Opens the gate for cycles.
  func open() {
    isClosing.store(false, ordering: .sequentiallyConsistent)
    _ = state.compareExchange(
      expected: State.closed, desired: State.open, ordering: .acquiringAndReleasing)
  }

  /// [render thread] Whether a cycle may begin. If so, `leave` must follow.
  @_noLocks
  func enter() -> Bool {
    guard !isClosing.load(ordering: .sequentiallyConsistent) else { return false }
    return state.compareExchange(
      expected: State.open, desired: rt_thread_id(), ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// [render thread] Ends the cycle.
  @_noLocks
  func leave() {
    state.store(
      isClosing.load(ordering: .sequentiallyConsistent) ? State.closed : State.open,
      ordering: .releasing)
  }

  /// [any thread] Closes the gate and waits until no cycle is inside. Called inside a cycle it
  /// returns immediately, and that cycle is the last.
  func close() {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    guard !isHeldByCurrentThread else { return }
    // A cycle that is inside needs a fraction of its period.
    waitPolling(every: 100) {
      let (isDone, current) = state.compareExchange(
        expected: State.open, desired: State.closed, ordering: .acquiringAndReleasing)
      return !isDone && current != State.closed
    }
  }
}
