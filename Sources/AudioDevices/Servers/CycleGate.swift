// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc
import Synchronization

/// A gate between the thread of a server's library and a stream: once it is closed, no cycle runs
/// any more, whatever the library does and however long the server takes to answer.
///
/// A value stored inside its owner, so that passing it counts no references.
struct CycleGate: ~Copyable, Sendable {
  private enum State {
    static var closed: UInt64 { @_noLocks get { 0 } }
    static var open: UInt64 { @_noLocks get { 1 } }
    // Any other value: the number of the thread whose cycle is inside.
  }

  private let state = Atomic(State.closed)
  private let isClosing = Atomic(false)

  /// Whether the caller runs inside a cycle of this stream. [any thread]
  var isHeldByCurrentThread: Bool { state.load(ordering: .acquiring) == rt_thread_id() }

  /// [control thread] Lets cycles in.
  func open() {
    isClosing.store(false, ordering: .sequentiallyConsistent)
    _ = state.compareExchange(
      expected: State.closed, desired: State.open, ordering: .acquiringAndReleasing)
  }

  /// [render thread] Whether a cycle may begin; `leave` follows when it may.
  @_noLocks
  func enter() -> Bool {
    guard !isClosing.load(ordering: .sequentiallyConsistent) else { return false }
    return state.compareExchange(
      expected: State.open, desired: rt_thread_id(), ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// [render thread] The cycle is over.
  @_noLocks
  func leave() {
    state.store(
      isClosing.load(ordering: .sequentiallyConsistent) ? State.closed : State.open,
      ordering: .releasing)
  }

  /// [any thread] Lets no more cycles in and waits until none is inside; called inside a cycle it
  /// returns at once, and that cycle is the last.
  func close() {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    while !isHeldByCurrentThread {
      let (isDone, current) = state.compareExchange(
        expected: State.open, desired: State.closed, ordering: .acquiringAndReleasing)
      if isDone || current == State.closed { return }
      usleep(100)  // a cycle is inside, and takes a fraction of its period
    }
  }
}
