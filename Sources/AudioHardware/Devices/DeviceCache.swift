// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime

/// The devices that can be opened now, cached for a moment, because programs query one property
/// after the other and each answer may take the server some time. For control threads only.
enum DeviceCache {
  /// The devices of a back end at one time.
  private struct Snapshot {
    var environment: DeviceEnvironment
    var hostTime: UInt64
    var devices: [Device]
  }

  private static let snapshots = Guarded<[String: Snapshot]>([:])
  /// Nanoseconds for which a snapshot is valid.
  private static let lifetime: UInt64 = 250_000_000

  /// All devices.
  static func all() -> [Device] {
    _ = AggregateBackend.registered
    return Backends.names.flatMap(devices(of:))
  }

  /// All devices of one back end.
  static func devices(of backend: String) -> [Device] {
    _ = AggregateBackend.registered
    guard let environment = try? DeviceEnvironment.current() else { return [] }
    let recent = snapshots.withLock { $0[backend] }
    if let recent, recent.environment == environment, rt_host_time() < recent.hostTime + lifetime {
      return recent.devices.map(DeviceRequests.applied(to:))
    }
    guard let survey = Backends.survey(of: backend) else { return [] }
    let devices = survey.devices
    ServerPresence.update(backend, answers: survey.answers)
    snapshots.withLock {
      $0[backend] = Snapshot(
        environment: environment, hostTime: rt_host_time(), devices: devices)
    }
    return devices.map(DeviceRequests.applied(to:))
  }

  /// Discards the snapshots, so that devices are listed again.
  static func invalidate() { snapshots.withLock { $0 = [:] } }
}
