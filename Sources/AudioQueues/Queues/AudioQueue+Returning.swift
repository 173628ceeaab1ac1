// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
import CRealTime

// Calls that return all buffers.
extension AudioQueue {
  /// How long such a call waits for the program's functions, in nanoseconds: one of them may wait
  /// for a lock that the caller holds.
  private static let returnPatience: UInt64 = 1_000_000_000

  /// [control thread] Runs `body`, which returns buffers, on the queue behind a handle. It ends
  /// when the program's functions have received them, so that a recorder has all its sound in its
  /// file when it closes that. Inside such a function it does not wait.
  package static func useReturningBuffers(
    _ handle: AudioQueueRef, _ body: (AudioQueue) throws(AudioError) -> Void
  ) throws(AudioError) {
    var place: (any CallbackPlace)?
    try use(handle) { queue throws(AudioError) in
      try body(queue)
      place = queue.place
    }
    // The queue is no longer in use: callbacks may dispose of it.
    let thread = rt_current().pointee
    guard thread.uses == 0, thread.depth == 0 else { return }
    place?.settle(until: rt_host_time() + returnPatience)
  }
}
