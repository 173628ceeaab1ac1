// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// A gate between the thread of a server's library and a stream. After it is closed no cycle runs,
/// whatever the library does and however long the server takes to answer.
///
/// A value inside its owner, so that passing through it counts no references.
struct CycleGate: ~Copyable, Sendable {
  private let gate = RenderGate()
  private let isOpen = Atomic(false)

  /// [any thread] Whether the caller runs inside a cycle of this stream.
  var isHeldByCurrentThread: Bool { gate.isHeldByThisThread }

  /// [control thread] Opens the gate for cycles.
  func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// [render thread] Whether a cycle may begin. If so, `leave` must follow.
  @_noLocks
  func enter() -> Bool {
    guard isOpen.load(ordering: .sequentiallyConsistent), gate.tryEnter() else { return false }
    // `close` may have found nobody inside before this thread entered.
    if isOpen.load(ordering: .sequentiallyConsistent) { return true }
    gate.leave()
    return false
  }

  /// [render thread] Ends the cycle.
  @_noLocks
  func leave() { gate.leave() }

  /// [any thread] Closes the gate and waits until no cycle is inside. Called inside a cycle it
  /// returns immediately, and that cycle is the last.
  func close() {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    if !isHeldByCurrentThread { gate.waitUntilIdle() }
  }
}
