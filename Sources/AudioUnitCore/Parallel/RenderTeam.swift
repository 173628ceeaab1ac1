// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// Threads that help a render thread with the branches of a graph.
///
/// A thread that renders a unit with several input branches offers them in a pool and begins to
/// render them immediately. Helpers that are awake claim some; sleeping helpers are woken, but the
/// render thread does not wait for them. At the end it waits at most for branches that helpers have
/// begun, and meanwhile runs tasks that other branches offer.
package final class RenderTeam: @unchecked Sendable {
  /// The pool that all threads of the team share.
  let pool: UnsafeMutablePointer<RenderTaskPool>
  private var threads: [WorkerThread] = []

  /// Whether the render thread keeps small branches for itself.
  package let keepsSmallBranches: Bool

  /// [control thread] Starts `helpers` threads. They request real-time priority if the render
  /// thread has it, and run with ordinary priority if that is refused. With `keepsSmallBranches`,
  /// branches that took less time in the previous render than waking a helper do not use helpers.
  package init(helpers: Int, keepsSmallBranches: Bool) throws(AudioError) {
    self.keepsSmallBranches = keepsSmallBranches
    pool = .cell(RenderTaskPool(minimumWork: keepsSmallBranches ? 100_000 : 0))
    for number in 0..<helpers {
      do throws(AudioError) { threads.append(try Self.start(pool, number)) } catch {
        stop()
        throw error
      }
    }
  }

  deinit {
    stop()
    pool.endCell()
  }

  /// The number of helper threads.
  package var helperCount: Int { threads.count }

  /// [control thread] Ends the threads, after the branches that they have begun. The render thread
  /// continues alone.
  package func stop() {
    pool.pointee.end()
    for thread in threads { thread.stop() }
    threads = []
  }

  private static func start(_ pool: UnsafeMutablePointer<RenderTaskPool>, _ number: Int)
    throws(AudioError) -> WorkerThread
  {
    do throws(AudioError) {
      nonisolated(unsafe) let pool = pool
      let thread = WorkerThread(name: "audio-helper") { _ in pool.pointee.runHelper() }
      try thread.start()
      return thread
    } catch {
      throw error.of("helper \(number + 1) of the render thread cannot be started")
    }
  }
}
