// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

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

  private struct Weak: Sendable { weak var observation: BackendObservation? }

  private let observations = Guarded<[Weak]>([])
  /// Whether it is observed but could not be used when it was last asked.
  private let isAbsent = Atomic(false)
  /// Whether somebody has had an answer since then. Who has seen its devices has to be told when they
  /// are gone.
  private let hasReturned = Atomic(false)
  /// How often it still has to be asked, because something has changed.
  private let pendingQuestions = Atomic(0)

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
      if isAbsent.load(ordering: .relaxed) { returned() }
      return devices
    } catch {
      let isTimeout = Double(rt_host_time() - begin) * 1e-9 > Self.timeout
      timeoutError.withLock { $0 = isTimeout ? error : nil }
      throw error
    }
  }

  // MARK: Observing

  /// [control thread] Calls `observer` after a device was added or removed, or the server has come or
  /// gone, until the token is released. Waits a second at most for a server that does not answer.
  func observe(
    in environment: DeviceEnvironment, _ observer: @escaping @Sendable () -> Void
  ) -> AnyObject {
    let observation = BackendObservation(environment, observer)
    guard !rt_is_forked() else { return observation }
    observations.withLock { $0.append(Weak(observation: observation)) }
    worker.finish(within: Self.timeout) { [self] in askForObservers() }
    return observation
  }

  /// [any thread but a render thread] Asks the server in the background, if it is observed and was
  /// absent or has reported a change. False if there is nothing to ask.
  func ask() -> Bool {
    let pending = pendingQuestions.load(ordering: .relaxed)
    guard isAbsent.load(ordering: .relaxed) || pending > 0 else { return false }
    if worker.isIdle {
      if pending > 0 { pendingQuestions.wrappingSubtract(1, ordering: .relaxed) }
      worker.perform { [self] in askForObservers() }
    }
    return true
  }

  /// [any thread but a render thread] Something has changed, so the server may be about to end. It may
  /// answer until it has, so it is asked more than once.
  private func changed() {
    guard pendingQuestions.exchange(3, ordering: .relaxed) == 0 else { return }
    Backends.askServers()
  }

  /// [any thread but a render thread] An absent server has answered.
  private func returned() {
    hasReturned.store(true, ordering: .relaxed)
    changed()
  }

  /// [worker] Finds out whether the back end can be used, and lets its observers know if that has
  /// changed.
  private func askForObservers() {
    let observations = observations.withLock { list in
      list.removeAll { $0.observation == nil }
      return list.compactMap(\.observation)
    }
    // Without observers, nobody is interested in it.
    guard let environment = observations.first?.environment else {
      return isAbsent.store(false, ordering: .relaxed)
    }
    let backend = try? backend(in: environment)
    let answers = backend != nil && (try? query(environment)) != nil
    if let backend, answers {
      for observation in observations where !observation.hasBegun {
        observation.begin(backend) { [weak self] in self?.changed() }
        // The server may end before the back end watches it.
        changed()
      }
    }
    let hasReturned = hasReturned.exchange(false, ordering: .relaxed)
    guard isAbsent.exchange(!answers, ordering: .relaxed) == answers || hasReturned else { return }
    changed()
    // Who has seen devices that are gone again has to be told, too.
    for observation in observations where observation.hasBegun || hasReturned {
      observation.observer()
    }
  }
}

/// Who observes the devices of a back end, as long as it exists.
private final class BackendObservation: Sendable {
  private struct Token: @unchecked Sendable { var object: AnyObject? }

  let environment: DeviceEnvironment
  let observer: @Sendable () -> Void
  /// What the back end has provided. Nil before it could be used.
  private let token = Guarded<Token?>(nil)

  init(_ environment: DeviceEnvironment, _ observer: @escaping @Sendable () -> Void) {
    (self.environment, self.observer) = (environment, observer)
  }

  var hasBegun: Bool { token.withLock { $0 != nil } }

  /// [worker] Begins.
  func begin(_ backend: any DeviceBackend, _ changed: @escaping @Sendable () -> Void) {
    let observer = observer
    let object = backend.observeDevices {
      changed()
      observer()
    }
    token.withLock { $0 = Token(object: object) }
  }
}
