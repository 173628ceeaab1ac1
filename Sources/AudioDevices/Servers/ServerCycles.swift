// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The cycles of one run, called by a server's thread, which passes them to the unit.
///
/// The library gets an unretained pointer to it; the run's creator keeps it until the library can
/// call no more.
final class ServerCycles: Sendable {
  let gate = CycleGate()
  private let call: CycleCall
  private let handler: CycleHandler
  private let startHostTime: UInt64
  private let frames = Atomic(0)
  private let cycles = Atomic(0)
  private let xruns = Atomic(0)

  /// [control thread] Cycles for a handler; those before a start time (host time; nil: none) stay
  /// silent.
  init(to handler: CycleHandler, startHostTime: UInt64?) {
    self.handler = handler
    self.startHostTime = startHostTime ?? 0
    call = CycleCall(to: handler)
  }

  /// [any thread] Whether a cycle has come yet.
  var hasBegun: Bool { cycles.load(ordering: .relaxed) > 0 }

  /// [any thread] Cycles that were late or left out.
  var xrunCount: Int { xruns.load(ordering: .relaxed) }

  /// [any thread] Counts the cycles missed between two cycles.
  @_noLocks
  func countXrun() { xruns.wrappingAdd(1, ordering: .relaxed) }

  /// [render thread] Lets the unit render one cycle, silent when it cannot. Its sample time is set
  /// here. After `deadline` (host time; 0: never) it counts as late.
  @_noLocks
  func run(_ cycle: DeviceCycle, deadline: UInt64) {
    guard gate.enter() else { return cycle.silenceOutput(from: 0) }
    cycles.wrappingAdd(1, ordering: .relaxed)
    if cycle.hostTime >= startHostTime {
      var cycle = cycle
      cycle.sampleTime = Double(frames.load(ordering: .relaxed))
      frames.wrappingAdd(cycle.frameCount, ordering: .relaxed)
      call(cycle)
      if deadline > 0, rt_host_time() > deadline { countXrun() }
    } else {
      cycle.silenceOutput(from: 0)
    }
    gate.leave()
  }
}
