// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// One back end of the process, made when it is first needed.
///
/// Whoever asks for devices waits for a server as long as its back end does. When that was in vain the
/// next ones do not wait again: they get the same answer at once, and the server is asked in the
/// background until it answers.
final class BackendSlot: Sendable {
  let type: any (DeviceBackend & SendableMetatype).Type
  private let made = Guarded<(any DeviceBackend)?>(nil)
  /// Why the server was asked in vain, for a long time; nil after it has answered.
  private let silence = Guarded<AudioError?>(nil)
  private let worker: SerialWorker

  /// Seconds from which on a failure is taken for a server that does not answer.
  private static let longTime = 1.0

  init(_ type: any (DeviceBackend & SendableMetatype).Type) {
    self.type = type
    worker = SerialWorker(name: "audio ask \(type.name)")
  }

  /// [control thread] The back end; tried anew while it cannot be used.
  func backend() throws(AudioError) -> any DeviceBackend {
    try made.withLock { made throws(AudioError) in
      if let made { return made }
      let backend = try type.init()
      made = backend
      return backend
    }
  }

  /// [control thread] What it has now.
  func devices() throws(AudioError) -> [Device] {
    guard let error = silence.withLock({ $0 }) else { return try ask() }
    if worker.isIdle {
      let environment = DeviceEnvironment.override
      worker.perform { [self] in
        DeviceEnvironment.$override.withValue(environment) { _ = try? ask() }
      }
    }
    throw error
  }

  private func ask() throws(AudioError) -> [Device] {
    let begin = rt_host_time()
    do throws(AudioError) {
      let devices = try backend().devices()
      silence.withLock { $0 = nil }
      return devices
    } catch {
      let isSilent = Double(rt_host_time() - begin) * 1e-9 > Self.longTime
      silence.withLock { $0 = isSilent ? error : nil }
      throw error
    }
  }

  /// [control thread] Calls `observer` after a device arrived or left, until the token is released. A
  /// server that does not answer is not waited for: it is observed when it does.
  func observe(_ observer: @escaping @Sendable () -> Void) -> AnyObject {
    let observation = BackendObservation()
    worker.finish(seconds: Self.longTime) { [self] in
      guard let token = try? backend().observeDevices(observer) else { return }
      observation.keep(token)
    }
    return observation
  }
}

/// Keeps a back end telling of devices, from when it can.
private final class BackendObservation: Sendable {
  private struct Token: @unchecked Sendable { var object: AnyObject }

  private let token = Guarded<Token?>(nil)

  func keep(_ object: AnyObject) { token.withLock { $0 = Token(object: object) } }
}
