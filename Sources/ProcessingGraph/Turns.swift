// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The lock of a graph and its sub-graphs, and the turns of the threads that change units.
///
/// The functions of a plug-in belong to the program, so the lock is released while one of them is
/// called, but the calling thread keeps its turn. Meanwhile other threads can query and edit the
/// topology; the turn's end applies their edits.
final class Turns: @unchecked Sendable {
  /// The maximum time that a change waits for its turn, in nanoseconds: a running plug-in call may
  /// be waiting for this change.
  static let timeout: UInt64 = 1_000_000_000

  let lock = Lock(canYield: true)
  /// Applies edits that other threads made during a turn.
  var applyEdits: () -> Void = {}
  /// The thread that is changing units in its turn; 0: none.
  private var thread: UInt64 = 0
  /// The count of all edits, and whether the topology was edited during the current turn.
  private(set) var editCount = 0
  private(set) var hasNewEdits = false

  /// [any thread] Runs `body` under the lock. A render thread gets an error if it would have to
  /// wait.
  func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result {
    if rt_current().pointee.depth > 0 {
      guard lock.tryLock() else { throw .cannotDoInCurrentContext }
    } else {
      lock.lock()
    }
    defer { lock.unlock() }
    return try body()
  }

  /// [any thread] Runs `body`, which changes units, in a turn of its own. Fails on a render thread
  /// that would have to wait, and on other threads if the turn does not come in time (`timeout`).
  func change<Result>(
    waits timeout: UInt64 = timeout, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    try control { () throws(AudioError) in
      try wait(timeout)
      thread = rt_thread_id()
      defer { end() }
      return try body()
    }
  }

  /// [under the lock] Whether a thread is changing units: another one, or this one further up the
  /// call stack.
  var isTaken: Bool { thread != 0 }

  private func wait(_ timeout: UInt64) throws(AudioError) {
    let mayWait = rt_current().pointee.depth == 0
    let end = timeout == .max ? timeout : rt_host_time() + timeout
    waitPolling(every: 1_000, until: end, releasing: Lock.whileYielded) {
      isTaken && mayWait && thread != rt_thread_id()
    }
    guard !isTaken else {
      throw .cannotDoInCurrentContext.because(
        "another change of the graph is calling a plug-in or stopping its output unit, and has not "
          + "ended yet")
    }
  }

  /// [under the lock] Ends the turn, after applying the edits of other threads.
  private func end() {
    while hasNewEdits {
      hasNewEdits = false
      applyEdits()
    }
    thread = 0
  }

  // MARK: Edits

  /// [under the lock] Counts an edit of the topology.
  func countEdit() { editCount += 1 }

  /// [under the lock, after an edit] Runs `update` in a turn; if another turn has not ended, its end
  /// applies the edit.
  func applyEdit(_ update: () -> Void) {
    guard !isTaken else { return hasNewEdits = true }
    thread = rt_thread_id()
    update()
    end()
  }

  /// [in a turn] Returns whether there was no edit after edit `count`; then all are applied.
  func acceptEdits(upTo count: Int) -> Bool {
    guard editCount == count else { return false }
    hasNewEdits = false
    return true
  }
}
