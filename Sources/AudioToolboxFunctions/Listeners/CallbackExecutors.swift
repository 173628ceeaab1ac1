// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
import CoreAudio

extension RunLoopExecutor: CallbackExecutor {}

/// Calls a program's callbacks on a dispatch queue.
final class DispatchQueueExecutor: CallbackExecutor {
  private let queue: BlockQueue

  /// Takes over a retained queue, and releases it in `deinit`.
  init(_ queue: BlockQueue) { self.queue = queue }

  deinit { queue.release() }

  /// [any thread but a render thread] Runs `job` later on the queue, after all earlier jobs.
  func perform(_ job: @escaping @Sendable () -> Void) { queue.async(job) }

  /// [control thread] Waits until all jobs so far are done. Called on the queue itself, it does not
  /// wait, because those jobs follow the calling one.
  func waitForJobs(until deadline: UInt64) {
    guard !queue.isCurrent else { return }
    let isDone = WakeUp()
    queue.async { isDone.raise() }
    isDone.wait(until: deadline)
  }

  /// [control thread] Does nothing: `ProgramCalls` skips the calls of later jobs.
  func stop() {}
}
