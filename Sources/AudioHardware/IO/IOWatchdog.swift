// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime

/// Keeps devices running when their streams fail. Checks all of them twice a second, and ten times
/// a second while one has no stream.
final class IOWatchdog: Sendable {
  /// An object that the watchdog checks.
  protocol Watched: AnyObject, Sendable {
    /// [watchdog] Restarts the object if necessary. Returns nil if there is nothing to check,
    /// otherwise whether it runs.
    func check(_ now: UInt64) -> Bool?
  }

  static let shared = IOWatchdog()

  /// Seconds between checks: normally, and while one does not run.
  private static let interval = (normal: 0.5, alert: 0.1)
  private let devices = Guarded<[any Watched]>([])
  private let periodicCheck: PeriodicCheck

  private init() {
    periodicCheck = PeriodicCheck(name: "audio IO watch") { IOWatchdog.shared.check() }
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

  /// [any thread but a render thread] Checks all devices now.
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
