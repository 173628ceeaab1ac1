// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import CRealTime

// Calls that return all buffers, and wait until the program has received them.
extension AudioQueue {
  /// How long such a call waits for the program's callbacks, in nanoseconds since its beginning. It
  /// cannot wait longer: a callback may be waiting for a lock that the caller holds.
  private static let callbackTimeout: UInt64 = 400_000_000
  /// The time that callbacks have at least, in nanoseconds.
  private static let shortestWait: UInt64 = 200_000_000

  /// [control thread] Runs `body`, which returns buffers, on the queue behind a handle; then waits
  /// until the program's callbacks have received them. So a recorder has all its sound in its file
  /// before it closes the file. Called from such a callback, it does not wait.
  package static func useAwaitingCallbacks(
    _ handle: AudioQueueRef, _ body: (AudioQueue) throws(AudioError) -> Void
  ) throws(AudioError) {
    let deadline = rt_host_time() + callbackTimeout
    var executor: (any CallbackExecutor)?
    try use(handle) { queue throws(AudioError) in
      try body(queue)
      executor = queue.core.calls.executor
    }
    // The queue is no longer in use: callbacks may dispose of it.
    let thread = rt_current().pointee
    guard thread.uses == 0, thread.depth == 0 else { return }
    // The body may have waited for a slow device; the callbacks get their time even so.
    executor?.waitForJobs(until: max(deadline, rt_host_time() + shortestWait))
  }
}
