// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// One run of a stream, from a start to the next stop. The library of a server calls its cycles.
protocol ServerRun: AnyObject, Sendable {
  /// The cycles for the client.
  var cycles: ServerCycles { get }
  var events: EventSender { get }

  /// [any thread] Missed deadlines as the server counts them. Nil if it does not report them.
  var serverXrunCount: Int? { get }

  /// [any thread] Releases everything. Called when no cycle or event can follow.
  func end()
}

/// The runs of a server's stream, one at a time, and the counts of earlier runs.
final class ServerRuns<Run: ServerRun>: Sendable {
  private let run = Guarded<Run?>(nil)
  /// Allows one start at a time.
  private let starting = Guarded(())
  private let earlierXruns = Guarded((ours: 0, server: Int?.none))

  private var current: Run? { run.withLock { $0 } }

  /// [any thread] Runs `body` with the run, which cannot end meanwhile. Nil without a run.
  func query<Result>(_ body: (Run) -> Result?) -> Result? { run.withLock { $0.flatMap(body) } }

  /// [control thread] Runs `body`, which starts a run, unless there is one.
  func start(_ body: () throws(AudioError) -> Void) throws(AudioError) {
    if let run = current, run.cycles.gate.isHeldByCurrentThread {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      if current == nil { try body() }
    }
  }

  /// [control thread, inside `start`] Opens the gate of a run and calls `body` to start its cycles.
  /// If that throws, the run ends.
  func begin(_ new: Run, _ body: () throws(AudioError) -> Void) throws(AudioError) {
    run.withLock { $0 = new }
    new.cycles.gate.open()
    do throws(AudioError) { try body() } catch {
      stop()
      throw error
    }
  }

  /// [any thread] Ends the run as `DeviceStream.stop` requires.
  func stop() {
    guard let run = current else { return }
    run.cycles.gate.close()
    if run.cycles.gate.isHeldByCurrentThread || run.events.isSendingOnCurrentThread { return }
    run.events.close()
    let isOurs = self.run.withLock { current in
      guard current === run else { return false }
      current = nil
      return true
    }
    guard isOurs else { return }
    earlierXruns.withLock {
      $0.ours += run.cycles.xrunCount
      if let count = run.serverXrunCount { $0.server = ($0.server ?? 0) + count }
    }
    run.end()
  }

  /// [any thread] The number of late or skipped cycles in all runs.
  var xrunCount: Int {
    (query { $0.cycles.xrunCount } ?? 0) + earlierXruns.withLock { $0.ours }
  }

  /// [any thread] The server's count over all runs. Nil until it has reported one.
  var serverXrunCount: Int? {
    let now = query { $0.serverXrunCount }
    let earlier = earlierXruns.withLock { $0.server }
    return now.map { $0 + (earlier ?? 0) } ?? earlier
  }
}
