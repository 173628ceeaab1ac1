// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The cycles of one run, which a server's thread calls and which are passed to the client.
///
/// The library gets an unretained pointer to this object. The creator of the run keeps it until the
/// library makes no more calls.
final class ServerCycles: Sendable {
  let gate = CycleGate()
  private let call: CycleCall
  private let handler: CycleHandler
  private let startHostTime: UInt64
  private let frames = Atomic(0)
  private let lastHostTime = Atomic<UInt64>(0)
  private let cycles = Atomic(0)
  private let xruns = Atomic(0)

  /// [control thread] Cycles for a handler. Those before the start time (host time; nil: none) are
  /// silent.
  init(to handler: CycleHandler, startHostTime: UInt64?) {
    self.handler = handler
    self.startHostTime = startHostTime ?? 0
    call = CycleCall(to: handler)
  }

  /// [any thread] Whether a cycle has run.
  var hasBegun: Bool { cycles.load(ordering: .relaxed) > 0 }

  /// [any thread] The number of late or skipped cycles.
  var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// [any thread] Counts one gap between two cycles.
  @_noLocks
  func countXrun() { xruns.wrappingAdd(1, ordering: .relaxed) }

  /// [render thread] Has the client render one cycle, or silences it if that is impossible. Sets the
  /// sample time. A cycle that ends after `deadline` (host time; 0: never) counts as late.
  ///
  /// Servers estimate the times of their cycles, and after a late one may estimate anew from an
  /// earlier time. The unit's host time waits until the server's has caught up.
  @_noLocks
  func run(_ cycle: DeviceCycle, deadline: UInt64) {
    guard gate.enter() else { return cycle.silenceOutput(from: 0) }
    cycles.wrappingAdd(1, ordering: .relaxed)
    if cycle.hostTime >= startHostTime {
      var cycle = cycle
      cycle.sampleTime = Double(frames.load(ordering: .relaxed))
      let last = lastHostTime.load(ordering: .relaxed)
      // A server that was wrong by more than a second corrects itself; 0 means an unknown time.
      if cycle.hostTime > 0, cycle.hostTime <= last, last &- cycle.hostTime < 1_000_000_000 {
        cycle.hostTime = last &+ 1
      }
      lastHostTime.store(cycle.hostTime, ordering: .relaxed)
      frames.wrappingAdd(cycle.frameCount, ordering: .relaxed)
      call(cycle)
      if deadline > 0, rt_host_time() > deadline { countXrun() }
    } else {
      cycle.silenceOutput(from: 0)
    }
    gate.leave()
  }
}
