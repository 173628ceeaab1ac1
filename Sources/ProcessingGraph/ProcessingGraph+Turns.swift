// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc

// Threads that change units take turns. The functions of a plug-in belong to the program, so the
// graph's lock is released while one of them is called, but the calling thread keeps its turn.
// Meanwhile other threads can query and edit the description; the turn's end applies their edits.
extension ProcessingGraph {
  /// The maximum time that a change waits for its turn, in nanoseconds: a running plug-in call may
  /// be waiting for this change.
  static let turnTimeout: UInt64 = 1_000_000_000

  /// [any thread] Runs `body`, which changes units, in a turn of its own. Fails on a render thread
  /// that would have to wait, and on other threads if the turn does not come in time (`waits`).
  func change<Result>(
    waits turnTimeout: UInt64 = turnTimeout, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let root = root
    return try root.control { () throws(AudioError) in
      try root.waitForTurn(turnTimeout)
      root.changingThread = rt_thread_id()
      defer { root.endTurn() }
      return try body()
    }
  }

  /// [under the lock, outermost graph] Whether a thread is changing units: another one, or this one
  /// further up the call stack.
  var isChanging: Bool { changingThread != 0 }

  private func waitForTurn(_ turnTimeout: UInt64) throws(AudioError) {
    let start = rt_host_time()
    while isChanging {
      guard rt_current().pointee.depth == 0, changingThread != rt_thread_id(),
        rt_host_time() - start < turnTimeout
      else {
        throw .cannotDoInCurrentContext.because(
          "another change of the graph is calling a plug-in or stopping its output unit, and has not "
            + "ended yet")
      }
      Lock.whileLent { _ = usleep(1_000) }
    }
  }

  /// [under the lock, outermost graph] Ends the turn, after applying the edits of other threads.
  private func endTurn() {
    while wasEditedInTurn {
      wasEditedInTurn = false
      if stage == .initialized { isEdited = true } else { updateUnits() }
    }
    changingThread = 0
  }

  /// [under the lock] Must be called after an edit of the description. In an uninitialised graph,
  /// `updateUnits` runs immediately, or the units are updated at the end of the current turn.
  func recordEdit(_ updateUnits: () -> Void) {
    let root = root
    root.editCount += 1
    guard root.stage < .initialized else { return root.isEdited = true }
    guard !root.isChanging else { return root.wasEditedInTurn = true }
    root.changingThread = rt_thread_id()
    updateUnits()
    root.endTurn()
  }
}
