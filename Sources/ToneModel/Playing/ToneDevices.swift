// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import Foundation

/// The devices that a tone can be played to, as they come and go.
public final class ToneDevices {
  /// One of them.
  public struct Choice: Equatable, Sendable {
    /// What names it in `AUDIOTOOLBOX_DEVICE`.
    public let uid: String
    /// What people call it.
    public let name: String
  }

  /// Those that are there now, the default first; those that need a name of a file are left out.
  public private(set) var all: [Choice] = []

  /// What the environment said before anything was chosen.
  private static let original = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"]

  /// What the back ends call on; they are watched as long as these live.
  private var observers: [AnyObject] = []

  /// [control thread] Looks what there is, and calls `onChange`, on any thread, when that changes.
  public init(onChange: @escaping @Sendable () -> Void) {
    _ = Self.original
    for survey in Backends.survey() where survey.reason == nil {
      if let backend = try? Backends.named(survey.backend),
        let observer = backend.observeDevices(onChange)
      {
        observers.append(observer)
      }
    }
    refresh()
  }

  /// [control thread] Looks again.
  public func refresh() {
    all = Backends.survey().filter { $0.backend != "file" }.flatMap { survey in
      survey.devices.filter { $0.outputChannelCount > 0 }.map {
        Choice(uid: $0.uid, name: "\($0.name) (\(survey.backend))")
      }
    }
  }

  /// [control thread] What people call a device.
  static func name(of id: AudioObjectID) -> String {
    // A file is known by its path.
    let wanted = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"] ?? ""
    if wanted.hasPrefix("file") { return wanted }
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioObjectPropertyName, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    var name: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: name))
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &name) == noErr, let name else {
      return wanted.isEmpty ? "the default device" : wanted
    }
    return String(describing: name.takeRetainedValue())
  }

  /// [control thread] Has devices that are opened from now on asked for a rate and a cycle.
  static func prefer(_ wishes: ToneDeviceWishes) {
    DevicePreferences.current.set {
      $0.sampleRate = wishes.sampleRate
      $0.cycleFrames = wishes.cycleFrames
    }
  }

  /// [control thread] Lets units that are made from now on play to a device; nil: to the default one,
  /// or what the environment said.
  static func choose(_ uid: String?) {
    let original = Self.original
    if let wanted = uid ?? original {
      setenv("AUDIOTOOLBOX_DEVICE", wanted, 1)
    } else {
      unsetenv("AUDIOTOOLBOX_DEVICE")
    }
  }
}
