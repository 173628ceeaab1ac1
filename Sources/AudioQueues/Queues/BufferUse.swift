// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// Which threads use the enqueued buffers of a queue. The queue's `lock` guards it.
///
/// One thread at a time decodes or encodes. Another one may halt it, for example to return all
/// buffers: it waits until the first one has ended its work, and no thread begins any meanwhile.
struct BufferUse {
  /// The thread that decodes or encodes; 0 for none.
  private var user: UInt64 = 0
  /// The thread that has halted the others, or is waiting for that; 0 for none.
  private var halter: UInt64 = 0
  /// Whether the halting thread returns buffers, so that none may be enqueued.
  private(set) var returnsBuffers = false

  /// Whether a thread decodes or encodes.
  var isBusy: Bool { user != 0 }
  /// Whether no thread may begin to.
  var isHalted: Bool { halter != 0 }
  /// Whether this thread has halted the others.
  var isHaltedByThisThread: Bool { halter == rt_thread_id() }
  /// Whether this thread uses the buffers in either way.
  var isOfThisThread: Bool { user == rt_thread_id() || halter == rt_thread_id() }

  /// Begins work of this thread, or of another one.
  mutating func begin(_ thread: UInt64 = rt_thread_id()) { user = thread }
  mutating func end() { user = 0 }

  /// Halts the other threads.
  mutating func halt() { halter = rt_thread_id() }
  mutating func resume() { halter = 0 }

  /// Begins and ends the return of all buffers.
  mutating func beginReturn() { returnsBuffers = true }
  mutating func endReturn() { returnsBuffers = false }
}
