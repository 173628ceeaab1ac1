// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc

// Changes of the units take turns. A plug-in's functions belong to the program: the graph's lock is
// free while one is called, and the thread that changes units keeps its turn. Other threads can
// then query and edit the description; their edits are applied at the end of the turn.
extension ProcessingGraph {
  /// How long a change waits for its turn, in nanoseconds: a running plug-in call may be waiting
  /// for this change.
  static let patience: UInt64 = 1_000_000_000

  /// [any thread] Runs `body`, which changes units, in a turn of its own. It fails on a render
  /// thread that would have to wait, and elsewhere when the turn does not come within the time in
  /// `waits`.
  func change<Result>(
    waits patience: UInt64 = patience, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let root = root
    return try root.control { () throws(AudioError) in
      try root.waitForTurn(patience)
      root.changer = rt_thread_id()
      defer { root.endTurn() }
      return try body()
    }
  }

  /// [under the lock, outermost graph] Whether a thread, perhaps this one further up the stack, is
  /// changing units.
  var isChanging: Bool { changer != 0 }

  private func waitForTurn(_ patience: UInt64) throws(AudioError) {
    let start = rt_host_time()
    while isChanging {
      guard rt_current().pointee.depth == 0, changer != rt_thread_id(),
        rt_host_time() - start < patience
      else {
        throw .cannotDoInCurrentContext.because(
          "another change of the graph is calling a plug-in or stopping its output unit, and has not "
            + "ended yet")
      }
      Lock.whileLent { _ = usleep(1_000) }
    }
  }

  /// [under the lock, outermost graph] Ends the turn, and applies what others edited meanwhile.
  private func endTurn() {
    while followsAgain {
      followsAgain = false
      if stage == .initialized { isEdited = true } else { follow() }
    }
    changer = 0
  }

  /// [under the lock] To be called after an edit of the description: uninitialised units follow at
  /// once, or at the end of the turn under way.
  func noteEdit(_ follow: () -> Void) {
    let root = root
    root.editCount += 1
    guard root.stage < .initialized else { return root.isEdited = true }
    guard !root.isChanging else { return root.followsAgain = true }
    root.changer = rt_thread_id()
    follow()
    root.endTurn()
  }
}
