// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime

/// Keeps devices running whatever happens to their streams: checks all of them twice a second, and
/// ten times while one has no stream.
final class IOWatchdog: Sendable {
  /// An object that it checks.
  protocol Watched: AnyObject, Sendable {
    /// [watchdog] Makes sure that it runs; nil when there is nothing to check, else whether all is
    /// well.
    func check(_ now: UInt64) -> Bool?
  }

  static let shared = IOWatchdog()

  /// Seconds between two checks.
  private static let interval = (normal: 0.5, alert: 0.1)
  private let devices = Guarded<[any Watched]>([])
  private let periodicCheck: PeriodicCheck

  private init() {
    periodicCheck = PeriodicCheck(name: "audio IO watchdog") { IOWatchdog.shared.check() }
    DeviceChanges.observe { change in
      if case .requests = change { IOWatchdog.shared.wake() }
    }
  }

  /// [control thread] Checks a device as long as functions run on it.
  func watch(_ io: any Watched) {
    devices.withLock { devices in
      if !devices.contains(where: { $0 === io }) { devices.append(io) }
    }
    wake()
  }

  /// [any thread but a render thread] Has all checked now.
  func wake() { periodicCheck.wake() }

  private func check() -> Double? {
    let now = rt_host_time()
    var hasProblem = false
    let ended = devices.withLock { $0.copied() }.filter { io in
      guard let isRunning = io.check(now) else { return true }
      hasProblem = hasProblem || !isRunning
      return false
    }
    let isOver = devices.withLock { devices in
      devices.removeAll { io in ended.contains { $0 === io } }
      return devices.isEmpty
    }
    return isOver ? nil : hasProblem ? Self.interval.alert : Self.interval.normal
  }
}
