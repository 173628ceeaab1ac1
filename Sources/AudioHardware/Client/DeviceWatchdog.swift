// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
import Synchronization

/// Keeps clients running when their devices fail. One thread checks all of them twice a second, ten
/// times a second while one is interrupted or has had no cycle since the last check, and whenever a
/// stream or a back end reports something:
///
/// - A stream that was lost, or that has no cycle for longer than its limit, is reopened: first
///   immediately, then at each check.
/// - A client that follows the default device moves when that changes. A client with a selected
///   device waits for it.
/// - A client that plays continues without an input, and gets one as soon as there is one.
///
/// Slow work runs on each client's own thread. A stop never waits for it, and a server that hangs
/// delays only the clients that play to it.
final class DeviceWatchdog: Sendable {
  static let shared = DeviceWatchdog()

  /// A client, for the watchdog.
  protocol Watched: AnyObject, Sendable {
    /// [watchdog] Has a lost stream replaced. Whether cycles run as they should. Nil if nothing is
    /// to be checked.
    func check(_ now: UInt64, wasSuspended: Bool) -> Bool?

    /// [watchdog] Notes that devices were added or removed, or that a default changed.
    func devicesChanged()

    /// [watchdog] The back end whose devices matter, and the environment to reach it in.
    var observed: (backend: String, environment: DeviceEnvironment)? { get }
  }

  private struct Entry {
    weak var client: (any Watched)?
    /// Distinguishes the starts of the client.
    let number: Int
  }

  private struct State {
    var clients: [ObjectIdentifier: Entry] = [:]
    /// The observations of devices, by back end.
    var observations: [String: AnyObject] = [:]
    var lastCheck: UInt64 = 0
    var lastNumber = 0
  }

  /// Seconds between checks: while all clients play, and while one does not.
  private static let interval = (normal: 0.5, alert: 0.1)
  /// Seconds without a check after which the process must have been suspended.
  private static let suspensionLimit = 1.25
  // Never held while acquiring a client's lock.
  private let state: Lock = Lock()
  // Accessed only under `state`.
  private nonisolated(unsafe) let contents = UnsafeMutablePointer.cell(State())
  private let periodicCheck: PeriodicCheck

  private init() {
    periodicCheck = PeriodicCheck(name: "audio watchdog") { DeviceWatchdog.shared.check() }
    DeviceChanges.observe { change in
      if case .requests = change { DeviceWatchdog.shared.wake() }
    }
  }

  /// [control thread] Watches a client as long as it runs.
  func watch(_ client: any Watched) {
    state.withLock {
      contents.pointee.lastNumber += 1
      contents.pointee.clients[ObjectIdentifier(client)] = Entry(
        client: client, number: contents.pointee.lastNumber)
    }
    wake()
  }

  /// [any thread but a render thread] Checks all clients now.
  func wake() { periodicCheck.wake() }

  /// Observes devices, once for each back end in use. Whether it has begun to.
  private func observe(_ backend: String, in environment: DeviceEnvironment) -> Bool {
    guard state.withLock({ contents.pointee.observations[backend] == nil }),
      let token = Backends.observe(
        backend, in: environment,
        { [self] in
          let clients = state.withLock { contents.pointee.clients.values.compactMap { $0.client } }
          for client in clients { client.devicesChanged() }
          wake()
        })
    else { return false }
    state.withLock { contents.pointee.observations[backend] = token }
    return true
  }

  /// Checks all clients. Returns the seconds until the next check, nil if there is none.
  private func check() -> Double? {
    let now = rt_host_time()
    let (watched, wasSuspended) = state.withLock { () -> ([Entry], Bool) in
      let state = contents.pointee
      contents.pointee.lastCheck = now
      let pause = Double(now - min(now, state.lastCheck)) / 1_000_000_000
      return (Array(state.clients.values), pause > Self.suspensionLimit)
    }
    var hasProblem = false
    var hasEnded: Set<Int> = []
    for entry in watched {
      guard let client = entry.client,
        let isFine = client.check(now, wasSuspended: wasSuspended)
      else {
        hasEnded.insert(entry.number)
        continue
      }
      hasProblem = hasProblem || !isFine
      if let (backend, environment) = client.observed, observe(backend, in: environment) {
        // They may have changed since the client was started.
        client.devicesChanged()
        hasProblem = true
      }
    }
    // Released outside the lock, because that may wait for a thread that is about to report.
    var observations: [String: AnyObject] = [:]
    defer { observations = [:] }
    return state.withLock {
      // A client that was restarted meanwhile has another number.
      contents.pointee.clients = contents.pointee.clients.filter { !hasEnded.contains($1.number) }
      guard contents.pointee.clients.isEmpty else {
        return hasProblem ? Self.interval.alert : Self.interval.normal
      }
      swap(&observations, &contents.pointee.observations)
      return nil
    }
  }
}
