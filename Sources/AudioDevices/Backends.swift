// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import Glibc
import Synchronization

/// The back ends there are, and the choice of one.
public enum Backends {
  /// In order of preference; the last one always works.
  static let all: [any (DeviceBackend & SendableMetatype).Type] = [
    JACKBackend.self, PipeWireBackend.self, PulseBackend.self, ALSABackend.self, FileBackend.self,
    NullBackend.self,
  ]

  private static let made = Guarded<[String: any DeviceBackend]>([:])
  private static let hasWarned = Atomic(false)

  /// [control thread] The back end that `AUDIOTOOLBOX_DEVICE` names, else the first that can be used.
  ///
  /// - Throws: When the variable names no back end, or one that cannot be used here, and why.
  public static func current() throws(AudioError) -> any DeviceBackend {
    if let name = try DeviceEnvironment.current().device { return try named(name.backend) }
    for type in all where type.isChosenUnasked && type.name != NullBackend.name {
      // A server that has died since, or that has no device, is passed over.
      if let backend = try? make(type), let devices = try? backend.devices(), !devices.isEmpty {
        return backend
      }
    }
    return try make(NullBackend.self)
  }

  /// [control thread] The back end of a name, such as that of a device's uid.
  public static func named(_ name: String) throws(AudioError) -> any DeviceBackend {
    guard let type = all.first(where: { $0.name == name }) else {
      let names = all.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw .failedInitialization.because("there is no device \"\(name)\"; there are \(names)")
    }
    return try make(type)
  }

  /// [control thread] Every back end with its devices, or the reason why it has none.
  public static func survey() -> [BackendSurvey] {
    all.map { type in
      do throws(AudioError) {
        return BackendSurvey(backend: type.name, devices: try make(type).devices(), reason: nil)
      } catch {
        return BackendSurvey(backend: type.name, devices: [], reason: error.explanation)
      }
    }
  }

  /// [control thread] Calls `observer` on threads of the back ends' own after a device of any of them
  /// arrived or left or a default moved, until what is returned is released.
  public static func observe(_ observer: @escaping @Sendable () -> Void) -> [AnyObject] {
    all.compactMap { type in (try? make(type))?.observeDevices(observer) }
  }

  private static func make(
    _ type: any (DeviceBackend & SendableMetatype).Type
  ) throws(AudioError) -> any DeviceBackend {
    try made.withLock { made throws(AudioError) in
      if let backend = made[type.name] { return backend }
      let backend = try type.init()
      made[type.name] = backend
      return backend
    }
  }

  /// [control thread] Says on standard error, once per process, that nothing will be heard: for whoever
  /// begins to play to `null` without having named it.
  public static func warnOfSilence() {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    let line =
      "AudioToolbox: no sound device can be used, so nothing will be heard (device \"null\"); "
      + "AUDIOTOOLBOX_DEVICE=file:OUT.wav records to a file\n"
    _ = line.utf8CString.withUnsafeBufferPointer {
      write(STDERR_FILENO, $0.baseAddress, $0.count - 1)
    }
  }
}

/// What one back end has to offer now.
public struct BackendSurvey: Equatable, Sendable {
  /// Its name.
  public var backend: String
  public var devices: [Device]
  /// Why it has no devices; nil when it could be asked.
  public var reason: String?
}
