// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioDevices
import AudioUnitCore
import CRealTime
import SignalProcessing
import Synchronization

/// Keeps running output units playing, whatever happens to their devices. One thread checks all of
/// them, twice a second, ten times while one is interrupted or has had no cycle since the last
/// check, and whenever a stream or a back end reports something:
///
/// - a stream that was lost, or has no cycle for longer than its limit, is reopened, at first
///   at once and then again and again;
/// - a unit that follows the default device moves when that does; one whose device was chosen
///   waits for that device.
///
/// Slow work runs on each unit's own thread, outside the units' locks: a stop never waits for it,
/// and a server that hangs delays only the units that play to it.
final class StreamKeeper: Sendable {
  static let shared = StreamKeeper()

  private struct Kept {
    weak var unit: OutputUnit?
    /// The number of cycles at the last check, and the host time since when there are no more.
    var cycles = -1
    var since: UInt64 = 0
    weak var handler: IOHandler?
    /// Distinguishes one start of the unit from the next.
    var number = 0
    /// Whether the default device may have changed since the last check.
    var checksDefault = false
  }

  private struct State {
    var units: [ObjectIdentifier: Kept] = [:]
    /// The observations of devices, by back end.
    var observations: [String: AnyObject] = [:]
    var lastCheck: UInt64 = 0
    var lastNumber = 0
  }

  /// Seconds between two checks: while all play, and while one does not.
  private static let interval = (calm: 0.5, uneasy: 0.1)
  /// Seconds without a check after which the process must have been suspended.
  private static let absence = 1.25
  // Never held while a unit's lock is acquired: a start holds the unit's lock when it calls this.
  private let state: Lock = Lock()
  // Touched under `state` only.
  private nonisolated(unsafe) let contents = UnsafeMutablePointer.cell(State())
  private let caretaker: Caretaker

  private init() {
    caretaker = Caretaker(name: "audio keeper") { StreamKeeper.shared.check() }
  }

  /// [control thread] Watches a unit as long as it runs.
  func keep(_ unit: OutputUnit) {
    state.withLock {
      contents.pointee.lastNumber += 1
      contents.pointee.units[ObjectIdentifier(unit)] = Kept(
        unit: unit, number: contents.pointee.lastNumber)
    }
    wake()
  }

  /// [any thread but a render thread] Checks all units now.
  func wake() { caretaker.wake() }

  /// Observes devices: once for each back end in use.
  private func observe(_ backend: String) {
    guard state.withLock({ contents.pointee.observations[backend] == nil }),
      let token = Backends.observe(
        backend,
        { [self] in
          state.withLock {
            for unit in contents.pointee.units.keys {
              contents.pointee.units[unit]?.checksDefault = true
            }
          }
          wake()
        })
    else { return }
    state.withLock { contents.pointee.observations[backend] = token }
  }

  /// Checks every unit; returns the seconds until the next check, nil if there is none.
  private func check() -> Double? {
    let now = rt_host_time()
    let (kept, wasAway) = state.withLock { () -> ([Kept], Bool) in
      let state = contents.pointee
      contents.pointee.lastCheck = now
      // The process was suspended, so no stream has had a cycle; this is not an interruption.
      let pause = Double(now - min(now, state.lastCheck)) / 1_000_000_000
      return (Array(state.units.values), pause > Self.absence)
    }
    var isUneasy = false
    var hasEnded: Set<Int> = []
    for kept in kept {
      // A start or stop of the unit may be waiting for a server: it is checked afterwards.
      guard let unit = kept.unit, unit.lock.tryLock() else {
        if kept.unit == nil { hasEnded.insert(kept.number) }
        isUneasy = true
        continue
      }
      let run = unit.run
      // Devices know the delay only some cycles after the start, and it may change.
      run.map(unit.reportDelay)
      unit.lock.unlock()
      guard let run else {
        hasEnded.insert(kept.number)
        continue
      }
      observe(run.device.backend)
      let pause = pause(of: unit, run, now, forgives: wasAway)
      isUneasy = isUneasy || pause > 0 || run.interruption != nil
      let stall = pause > run.stream.stallLimit ?? .infinity ? pause : nil
      guard kept.checksDefault || unit.isInNeed(run, stall: stall) else { continue }
      isUneasy = true
      if unit.maintain(run, stall: stall, checksDefault: kept.checksDefault) {
        forgetChanges(of: kept)
      }
    }
    // Ending them may wait for a thread that is about to report: not under the lock.
    var observations: [String: AnyObject] = [:]
    defer { observations = [:] }
    return state.withLock {
      // If the unit was started again meanwhile, it has another number.
      contents.pointee.units = contents.pointee.units.filter { !hasEnded.contains($1.number) }
      guard contents.pointee.units.isEmpty else {
        return isUneasy ? Self.interval.uneasy : Self.interval.calm
      }
      swap(&observations, &contents.pointee.observations)
      return nil
    }
  }

  /// The default device has been checked since the last change that was reported.
  private func forgetChanges(of kept: Kept) {
    guard kept.checksDefault else { return }
    state.withLock {
      for (unit, now) in contents.pointee.units where now.number == kept.number {
        contents.pointee.units[unit]?.checksDefault = false
      }
    }
  }

  /// Seconds for which a stream has had no cycle, as far as the checks show.
  private func pause(
    of unit: OutputUnit, _ run: OutputRun, _ now: UInt64, forgives: Bool
  ) -> Double {
    guard run.stream.stallLimit != nil, run.interruption == nil else { return 0 }
    let (cycles, isInside) = run.handler.progress
    return state.withLock {
      guard var kept = contents.pointee.units[ObjectIdentifier(unit)] else { return 0 }
      defer { contents.pointee.units[ObjectIdentifier(unit)] = kept }
      if kept.handler !== run.handler || kept.cycles != cycles || isInside || forgives {
        kept.handler = run.handler
        kept.cycles = cycles
        kept.since = max(now, run.beginsAt ?? 0)
      }
      return now > kept.since ? Double(now - kept.since) / 1_000_000_000 : 0
    }
  }
}
