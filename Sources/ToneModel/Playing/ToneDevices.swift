// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import Foundation

/// The available output devices, kept up to date.
public final class ToneDevices {
  /// A device.
  public struct Choice: Equatable, Sendable {
    /// Its name in `AUDIOTOOLBOX_DEVICE`.
    public let uid: String
    /// Its name for display.
    public let name: String
  }

  /// The currently available devices, the default first, without those that need a file name.
  public private(set) var all: [Choice] = []

  /// The value of the environment variable before any choice.
  private static let original = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"]

  /// The observers of the back ends, which last as long as this object.
  private var observers: [AnyObject] = []

  /// [control thread] Reads the list of devices, and calls `onChange`, on any thread, when it
  /// changes.
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

  /// [control thread] Reads the list again.
  public func refresh() {
    all = Backends.survey().filter { $0.backend != "file" }.flatMap { survey in
      survey.devices.filter { $0.outputChannelCount > 0 }.map {
        Choice(uid: $0.uid, name: "\($0.name) (\(survey.backend))")
      }
    }
  }

  /// [control thread] The display name of a device.
  static func name(of id: AudioObjectID) -> String {
    // A file device is named by its path.
    let requested = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"] ?? ""
    if requested.hasPrefix("file") { return requested }
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioObjectPropertyName, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    var name: Unmanaged<CFString>?
    var size = UInt32(clamping: MemoryLayout.size(ofValue: name))
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &name) == noErr, let name else {
      return requested.isEmpty ? "the default device" : requested
    }
    return String(describing: name.takeRetainedValue())
  }

  /// [control thread] Sets the rate and the cycle to request from devices opened later.
  static func prefer(_ preferences: ToneDevicePreferences) {
    DeviceContext.current.preferences.set {
      $0.sampleRate = preferences.sampleRate
      $0.cycleFrames = preferences.cycleFrames
    }
  }

  /// [control thread] Sets the device for units made later; nil: the default device, or that of the
  /// environment.
  static func choose(_ uid: String?) {
    let original = Self.original
    if let requested = uid ?? original {
      setenv("AUDIOTOOLBOX_DEVICE", requested, 1)
    } else {
      unsetenv("AUDIOTOOLBOX_DEVICE")
    }
  }
}
