// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime

/// Keeps devices running whatever happens to their streams: checks all of them twice a second, and
/// ten times while one has no stream.
final class IOKeeper: Sendable {
  /// An object that it checks.
  protocol Kept: AnyObject, Sendable {
    /// [keeper] Makes sure that it runs; nil when there is nothing to check, else whether all is
    /// well.
    func check(_ now: UInt64) -> Bool?
  }

  static let shared = IOKeeper()

  /// Seconds between two checks.
  private static let interval = (calm: 0.5, uneasy: 0.1)
  private let devices = Guarded<[any Kept]>([])
  private let caretaker: Caretaker

  private init() {
    caretaker = Caretaker(name: "audio IO keeper") { IOKeeper.shared.check() }
    DeviceChanges.observe { change in
      if case .wishes = change { IOKeeper.shared.wake() }
    }
  }

  /// [control thread] Checks a device as long as functions run on it.
  func keep(_ io: any Kept) {
    devices.withLock { devices in
      if !devices.contains(where: { $0 === io }) { devices.append(io) }
    }
    wake()
  }

  /// [any thread but a render thread] Has all checked now.
  func wake() { caretaker.wake() }

  private func check() -> Double? {
    let now = rt_host_time()
    var isUneasy = false
    let ended = devices.withLock { $0.copied() }.filter { io in
      guard let isWell = io.check(now) else { return true }
      isUneasy = isUneasy || !isWell
      return false
    }
    let isOver = devices.withLock { devices in
      devices.removeAll { io in ended.contains { $0 === io } }
      return devices.isEmpty
    }
    return isOver ? nil : isUneasy ? Self.interval.uneasy : Self.interval.calm
  }
}
