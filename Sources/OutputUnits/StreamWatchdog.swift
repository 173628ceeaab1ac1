// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioDevices
import AudioUnitCore
import CRealTime
import SignalProcessing
import Synchronization

/// Keeps running output units playing when their devices fail. One thread checks all of them twice
/// a second, ten times a second while one is interrupted or has had no cycle since the last check,
/// and whenever a stream or a back end reports something:
///
/// - A stream that was lost, or that has no cycle for longer than its limit, is reopened: first
///   immediately, then at each check.
/// - A unit that follows the default device moves when that changes. A unit with a selected device
///   waits for it.
///
/// Slow work runs on each unit's own thread, outside the units' locks. A stop never waits for it,
/// and a server that hangs delays only the units that play to it.
final class StreamWatchdog: Sendable {
  static let shared = StreamWatchdog()

  private struct WatchedUnit {
    weak var unit: OutputUnit?
    /// The number of cycles at the last check, and the host time since which there were no more.
    var cycles = -1
    var since: UInt64 = 0
    weak var handler: IOHandler?
    /// Distinguishes the starts of the unit.
    var number = 0
    /// Whether the default device may have changed since the last check.
    var checksDefault = false
  }

  private struct State {
    var units: [ObjectIdentifier: WatchedUnit] = [:]
    /// The observations of devices, by back end.
    var observations: [String: AnyObject] = [:]
    var lastCheck: UInt64 = 0
    var lastNumber = 0
  }

  /// Seconds between checks: while all units play, and while one does not.
  private static let interval = (normal: 0.5, alert: 0.1)
  /// Seconds without a check after which the process must have been suspended.
  private static let suspensionLimit = 1.25
  // Never held while acquiring a unit's lock, because a start holds that lock when it calls this.
  private let state: Lock = Lock()
  // Accessed only under `state`.
  private nonisolated(unsafe) let contents = UnsafeMutablePointer.cell(State())
  private let periodicCheck: PeriodicCheck

  private init() {
    periodicCheck = PeriodicCheck(name: "audio watchdog") { StreamWatchdog.shared.check() }
  }

  /// [control thread] Watches a unit as long as it runs.
  func watch(_ unit: OutputUnit) {
    state.withLock {
      contents.pointee.lastNumber += 1
      contents.pointee.units[ObjectIdentifier(unit)] = WatchedUnit(
        unit: unit, number: contents.pointee.lastNumber)
    }
    wake()
  }

  /// [any thread but a render thread] Checks all units now.
  func wake() { periodicCheck.wake() }

  /// Observes devices, once for each back end in use.
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

  /// Checks all units. Returns the seconds until the next check, nil if there is none.
  private func check() -> Double? {
    let now = rt_host_time()
    let (watched, wasSuspended) = state.withLock { () -> ([WatchedUnit], Bool) in
      let state = contents.pointee
      contents.pointee.lastCheck = now
      // While the process was suspended no stream had a cycle. That is not an interruption.
      let pause = Double(now - min(now, state.lastCheck)) / 1_000_000_000
      return (Array(state.units.values), pause > Self.suspensionLimit)
    }
    var hasProblem = false
    var hasEnded: Set<Int> = []
    for watched in watched {
      // The unit may be starting or stopping and waiting for a server. It is checked afterwards.
      guard let unit = watched.unit, unit.lock.tryLock() else {
        if watched.unit == nil { hasEnded.insert(watched.number) }
        hasProblem = true
        continue
      }
      let run = unit.run
      // Devices report the delay only some cycles after the start, and it may change.
      run.map(unit.reportDelay)
      unit.lock.unlock()
      guard let run else {
        hasEnded.insert(watched.number)
        continue
      }
      observe(run.device.backend)
      let pause = pause(of: unit, run, now, wasSuspended: wasSuspended)
      hasProblem = hasProblem || pause > 0 || run.interruption != nil
      let stall = pause > run.stream.stallLimit ?? .infinity ? pause : nil
      guard watched.checksDefault || unit.needsRecovery(run, stall: stall) else { continue }
      hasProblem = true
      if unit.scheduleRecovery(run, stall: stall, checksDefault: watched.checksDefault) {
        clearDefaultCheck(of: watched)
      }
    }
    // Released outside the lock, because that may wait for a thread that is about to report.
    var observations: [String: AnyObject] = [:]
    defer { observations = [:] }
    return state.withLock {
      // A unit that was restarted meanwhile has another number.
      contents.pointee.units = contents.pointee.units.filter { !hasEnded.contains($1.number) }
      guard contents.pointee.units.isEmpty else {
        return hasProblem ? Self.interval.alert : Self.interval.normal
      }
      swap(&observations, &contents.pointee.observations)
      return nil
    }
  }

  /// Notes that the default device was checked after the last reported change.
  private func clearDefaultCheck(of watched: WatchedUnit) {
    guard watched.checksDefault else { return }
    state.withLock {
      for (unit, now) in contents.pointee.units where now.number == watched.number {
        contents.pointee.units[unit]?.checksDefault = false
      }
    }
  }

  /// The seconds for which a stream has had no cycle, as far as the checks show.
  private func pause(
    of unit: OutputUnit, _ run: OutputRun, _ now: UInt64, wasSuspended: Bool
  ) -> Double {
    guard run.stream.stallLimit != nil, run.interruption == nil else { return 0 }
    let (cycles, isRendering) = run.handler.progress
    return state.withLock {
      guard var watched = contents.pointee.units[ObjectIdentifier(unit)] else { return 0 }
      defer { contents.pointee.units[ObjectIdentifier(unit)] = watched }
      if watched.handler !== run.handler || watched.cycles != cycles || isRendering || wasSuspended
      {
        watched.handler = run.handler
        watched.cycles = cycles
        watched.since = max(now, run.beginsAt ?? 0)
      }
      return now > watched.since ? Double(now - watched.since) / 1_000_000_000 : 0
    }
  }
}
