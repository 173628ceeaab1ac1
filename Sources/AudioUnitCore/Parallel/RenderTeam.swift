// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// Threads that help a render thread with the branches of a graph.
///
/// Whoever renders a unit whose inputs come by several branches puts them on a board and begins with
/// them at once. Helpers that are awake take some; those that sleep are woken, but nobody waits for
/// them. At the end there is at most a branch to wait for that a helper has begun, and meanwhile the
/// render thread takes what other branches have put on the board.
package final class RenderTeam: @unchecked Sendable {
  /// What all threads of the team see.
  let board: UnsafeMutablePointer<RenderBoard>
  private var threads: [pthread_t] = []

  /// Whether small branches are left to the render thread.
  package let isThrifty: Bool

  /// [control thread] Starts `helpers` threads. They ask for real-time priority when the thread that they
  /// help has it, and run as ordinary ones when that is refused. `isThrifty`: they are left alone where the branches that meet took less
  /// time in the slice before than it costs to wake somebody.
  package init(helpers: Int, isThrifty: Bool) throws(AudioError) {
    self.isThrifty = isThrifty
    board = .cell(RenderBoard(leastWork: isThrifty ? 100_000 : 0))
    for number in 0..<helpers {
      do throws(AudioError) { threads.append(try Self.start(board, number)) } catch {
        stop()
        throw error
      }
    }
  }

  deinit {
    stop()
    board.endCell()
  }

  /// How many threads help.
  package var helperCount: Int { threads.count }

  /// [control thread] Ends the threads, after the branches that they have begun. Whoever renders goes
  /// on alone.
  package func stop() {
    board.pointee.end()
    for thread in threads { pthread_join(thread, nil) }
    threads = []
  }

  private static func start(_ board: UnsafeMutablePointer<RenderBoard>, _ number: Int)
    throws(AudioError) -> pthread_t
  {
    do throws(AudioError) {
      return try startPlainThread(
        { context in
          rt_name_thread("audio-helper")
          context?.assumingMemoryBound(to: RenderBoard.self).pointee.help()
          return nil
        }, board)
    } catch {
      throw error.of("helper \(number + 1) of the render thread cannot be started")
    }
  }
}
