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
  public static func current() throws(AudioError) -> any DeviceBackend {
    if let name = try DeviceEnvironment.current().device { return try named(name.backend) }
    for slot in all where slot.type.isChosenByDefault && slot.type.name != NullBackend.name {
      // Skips a server that has ended since, or that has no device.
      if let devices = try? slot.devices(), !devices.isEmpty, let backend = try? slot.backend() {
        return backend
      }
    }
    return try named(NullBackend.name)
  }

  /// [control thread] The back end with a name, such as the one in a device's uid.
  public static func named(_ name: String) throws(AudioError) -> any DeviceBackend {
    guard let slot = slot(name) else {
      let names = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .failedInitialization.because("there is no device \"\(name)\"; there are \(names)")
    }
    return try slot.backend()
  }

  /// [control thread] Every back end with its devices, or the reason why it has none.
  public static func survey() -> [BackendSurvey] { all.map(survey) }

  /// [control thread] One back end with its devices, or the reason why it has none. Nil if no back
  /// end has that name.
  public static func survey(of name: String) -> BackendSurvey? { slot(name).map(survey) }

  private static func survey(_ slot: BackendSlot) -> BackendSurvey {
    do throws(AudioError) {
      return BackendSurvey(
        backend: slot.type.name, devices: try slot.devices(), reason: nil, answers: true)
    } catch {
      return BackendSurvey(
        backend: slot.type.name, devices: [], reason: error.explanation,
        answers: slot.answersWithoutDevices())
    }
  }

  /// [control thread] Calls `observer` on the back ends' own threads after a device of any of them
  /// was added or removed or a default changed, until the result is released.
  public static func observe(_ observer: @escaping @Sendable () -> Void) -> [AnyObject] {
    names.compactMap { observe($0, observer) }
  }

  /// [control thread] As above for one back end. Nil if no back end has that name.
  public static func observe(
    _ name: String, _ observer: @escaping @Sendable () -> Void
  ) -> AnyObject? { slot(name)?.observe(observer) }

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
