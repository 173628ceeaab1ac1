// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import Glibc
import Synchronization

/// All back ends, and the choice of one.
public enum Backends {
  /// In order of preference. The last one always works.
  private static let builtIn: [BackendSlot] = [
    BackendSlot(JACKBackend.self), BackendSlot(PipeWireBackend.self),
    BackendSlot(PulseBackend.self), BackendSlot(ALSABackend.self), BackendSlot(FileBackend.self),
    BackendSlot(NullBackend.self),
  ]

  private static let added = Guarded<[BackendSlot]>([])
  private static var all: [BackendSlot] { builtIn + added.withLock { $0.copied() } }

  /// [control thread] Adds a back end that is built on others, after those that reach real devices.
  public static func add(_ type: any (DeviceBackend & SendableMetatype).Type) {
    added.withLock { $0.append(BackendSlot(type)) }
  }

  /// Their names, in order of preference.
  public static var names: [String] { all.map { $0.type.name } }

  private static let hasWarned = Atomic(false)

  /// [control thread] The back end that `AUDIOTOOLBOX_DEVICE` names, otherwise the first usable
  /// one.
  ///
  /// - Throws: The reason if the variable names an unknown back end or one that cannot be used.
  public static func current(in environment: DeviceEnvironment) throws(AudioError)
    -> any DeviceBackend
  {
    if let name = environment.device { return try named(name.backend, in: environment) }
    for slot in all where slot.type.isChosenByDefault && slot.type.name != NullBackend.name {
      // Skips a server that has ended since, or that has no device.
      if let devices = try? slot.devices(in: environment), !devices.isEmpty,
        let backend = try? slot.backend(in: environment)
      {
        return backend
      }
    }
    return try named(NullBackend.name, in: environment)
  }

  /// [control thread] The back end with a name, such as the one in a device's uid.
  public static func named(_ name: String, in environment: DeviceEnvironment) throws(AudioError)
    -> any DeviceBackend
  {
    guard let slot = slot(name) else {
      let names = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .failedInitialization.because("there is no device \"\(name)\"; there are \(names)")
    }
    return try slot.backend(in: environment)
  }

  /// [control thread] Every back end with its devices, or the reason why it has none.
  public static func survey(in environment: DeviceEnvironment) -> [BackendSurvey] {
    all.map { survey($0, environment) }
  }

  /// [control thread] One back end with its devices, or the reason why it has none. Nil if no back
  /// end has that name.
  public static func survey(of name: String, in environment: DeviceEnvironment) -> BackendSurvey? {
    slot(name).map { survey($0, environment) }
  }

  private static func survey(_ slot: BackendSlot, _ environment: DeviceEnvironment)
    -> BackendSurvey
  {
    do throws(AudioError) {
      return BackendSurvey(
        backend: slot.type.name, devices: try slot.devices(in: environment), reason: nil,
        answers: true)
    } catch {
      return BackendSurvey(
        backend: slot.type.name, devices: [], reason: error.explanation,
        answers: slot.answersWithoutDevices())
    }
  }

  /// [control thread] Calls `observer` on the back ends' own threads after a device of any of them
  /// was added or removed or a default changed, until the result is released.
  public static func observe(
    in environment: DeviceEnvironment, _ observer: @escaping @Sendable () -> Void
  ) -> [AnyObject] {
    names.compactMap { observe($0, in: environment, observer) }
  }

  /// [control thread] As above for one back end. Nil if no back end has that name.
  public static func observe(
    _ name: String, in environment: DeviceEnvironment,
    _ observer: @escaping @Sendable () -> Void
  ) -> AnyObject? { slot(name)?.observe(in: environment, observer) }

  /// Asks servers that are absent, or have changed, every second while somebody observes them.
  private static let questions = PeriodicCheck(name: "audio ask") {
    // Each of them is asked.
    all.count { $0.ask() } > 0 ? 1 : nil
  }

  /// [any thread but a render thread] Asks those servers now.
  static func askServers() { questions.wake() }

  private static func slot(_ name: String) -> BackendSlot? { all.first { $0.type.name == name } }

  /// [control thread] Warns on standard error, once per process, that there will be no sound. For
  /// units that start to play to `null` although the user did not choose it.
  public static func warnOfSilence() {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    let line =
      "AudioToolbox: no sound device can be used, so there will be no sound (device \"null\"); "
      + "AUDIOTOOLBOX_DEVICE=file:OUT.wav records to a file\n"
    _ = line.utf8CString.withUnsafeBufferPointer {
      write(STDERR_FILENO, $0.baseAddress, $0.count - 1)
    }
  }
}

/// The current devices of one back end.
public struct BackendSurvey: Equatable, Sendable {
  /// The name of the back end.
  public var backend: String
  public var devices: [Device]
  /// Why it has no devices. Nil if it could be queried.
  public var reason: String?
  /// Whether its library or server answers, with or without devices.
  public var answers: Bool
}

// For calls of the program, in its environment.
extension Backends {
  /// [control thread] The back end that the program's environment selects.
  public static func current() throws(AudioError) -> any DeviceBackend {
    try current(in: .current())
  }

  /// [control thread] The back end with a name.
  public static func named(_ name: String) throws(AudioError) -> any DeviceBackend {
    try named(name, in: .current())
  }

  /// [control thread] Every back end with its devices, or the reason why it has none.
  public static func survey() -> [BackendSurvey] { names.compactMap(survey(of:)) }

  /// [control thread] One back end with its devices, or the reason why it has none.
  public static func survey(of name: String) -> BackendSurvey? {
    do throws(AudioError) {
      return survey(of: name, in: try .current())
    } catch {
      return slot(name) == nil
        ? nil
        : BackendSurvey(backend: name, devices: [], reason: error.explanation, answers: false)
    }
  }

  /// [control thread] Observes all back ends.
  public static func observe(_ observer: @escaping @Sendable () -> Void) -> [AnyObject] {
    observe(in: programEnvironment, observer)
  }

  /// [control thread] Observes one back end.
  public static func observe(
    _ name: String, _ observer: @escaping @Sendable () -> Void
  ) -> AnyObject? { observe(name, in: programEnvironment, observer) }

  /// Variables that are not valid do not matter for observing.
  private static var programEnvironment: DeviceEnvironment {
    (try? DeviceEnvironment.current()) ?? DeviceEnvironment()
  }
}

extension DeviceBackend {
  /// [control thread] The devices in the environment of the program.
  public func devices() throws(AudioError) -> [Device] { try devices(in: .current()) }

  /// [control thread] Creates a stream in the environment of the program.
  public func open(_ request: StreamRequest, _ handler: CycleHandler) throws(AudioError)
    -> any DeviceStream
  {
    try open(request, handler, in: .current())
  }
}
