// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// One back end of the process, created when it is first needed.
///
/// A query waits for a server as long as its back end does. After that has failed, later queries do
/// not wait again: they immediately get the same error, and the server is tried in the background
/// until it answers.
final class BackendSlot: Sendable {
  let type: any (DeviceBackend & SendableMetatype).Type
  private let made = Guarded<(any DeviceBackend)?>(nil)
  /// Why a query of the server timed out. Nil after it has answered.
  private let timeoutError = Guarded<AudioError?>(nil)
  private let worker: SerialWorker

  /// A query that fails after at least this many seconds counts as unanswered.
  private static let timeout = 1.0

  init(_ type: any (DeviceBackend & SendableMetatype).Type) {
    self.type = type
    worker = SerialWorker(name: "audio list \(type.name)")
  }

  /// [control thread] The back end. Each call tries again to create it until that succeeds.
  func backend(in environment: DeviceEnvironment) throws(AudioError) -> any DeviceBackend {
    // Its threads, and its connection to a server, belong to the process that made it.
    guard !rt_is_forked() else { throw .forked }
    return try made.withLock { made throws(AudioError) in
      if let made { return made }
      let backend = try type.init(in: environment)
      made = backend
      return backend
    }
  }

  /// [control thread] The current devices.
  func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    guard let error = timeoutError.withLock({ $0 }) else { return try query(environment) }
    if worker.isIdle {
      worker.perform { [self] in _ = try? query(environment) }
    }
    throw error
  }

  /// [control thread] Whether its server answers although `devices` has failed.
  func answersWithoutDevices() -> Bool {
    guard timeoutError.withLock({ $0 == nil }) else { return false }
    return made.withLock { $0 }?.answersWithoutDevices() ?? false
  }

  private func query(_ environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    let begin = rt_host_time()
    do throws(AudioError) {
      let devices = try backend(in: environment).devices(in: environment)
      timeoutError.withLock { $0 = nil }
      return devices
    } catch {
      let isTimeout = Double(rt_host_time() - begin) * 1e-9 > Self.timeout
      timeoutError.withLock { $0 = isTimeout ? error : nil }
      throw error
    }
  }

  /// [control thread] Calls `observer` after a device was added or removed, until the token is
  /// released. Waits a second at most for a server that does not answer: observation starts when it
  /// does.
  func observe(
    in environment: DeviceEnvironment, _ observer: @escaping @Sendable () -> Void
  ) -> AnyObject {
    let observation = BackendObservation()
    guard !rt_is_forked() else { return observation }
    worker.finish(within: Self.timeout) { [self] in
      guard let token = try? backend(in: environment).observeDevices(observer) else { return }
      observation.keep(token)
    }
    return observation
  }
}

/// Holds the token of an observation, once the back end has provided one.
private final class BackendObservation: Sendable {
  private struct Token: @unchecked Sendable { var object: AnyObject }

  private let token = Guarded<Token?>(nil)

  func keep(_ object: AnyObject) { token.withLock { $0 = Token(object: object) } }
}
