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

  private struct State {
    var snapshots: [String: Snapshot] = [:]
    /// Counts the changes, so that a list that was queried before one is not kept.
    var revision = 0
  }

  private static let state = Guarded(State())
  /// Nanoseconds for which a snapshot is valid.
  private static let lifetime: UInt64 = 250_000_000

  /// All devices.
  static func all() -> [Device] {
    _ = AggregateBackend.registered
    return Backends.names.flatMap { devices(of: $0) }
  }

  /// All devices of one back end, in the environment of the program.
  static func devices(of backend: String) -> [Device] {
    guard let environment = try? DeviceEnvironment.current() else { return [] }
    return devices(of: backend, in: environment)
  }

  /// All devices of one back end.
  static func devices(of backend: String, in environment: DeviceEnvironment) -> [Device] {
    _ = AggregateBackend.registered
    let (recent, revision) = state.withLock { ($0.snapshots[backend], $0.revision) }
    if let recent, recent.environment == environment, rt_host_time() < recent.hostTime + lifetime {
      return recent.devices.map(DeviceRequests.applied(to:))
    }
    guard let survey = Backends.survey(of: backend, in: environment) else { return [] }
    let devices = survey.devices
    ServerPresence.update(backend, answers: survey.answers)
    let snapshot = Snapshot(environment: environment, hostTime: rt_host_time(), devices: devices)
    state.withLock { if $0.revision == revision { $0.snapshots[backend] = snapshot } }
    return devices.map(DeviceRequests.applied(to:))
  }

  /// Discards the snapshots, so that devices are listed again.
  static func invalidate() {
    state.withLock { state in
      state.snapshots = [:]
      state.revision += 1
    }
  }
}
