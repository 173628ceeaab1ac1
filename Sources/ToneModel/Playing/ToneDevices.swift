// SPDX-License-Identifier: Apache-2.0
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

    /// An output device as a back end describes it; nil for any other.
    fileprivate init?(_ device: [String: Any], of backEnd: String) {
      guard let uid = device[kAUDeviceUIDKey] as? String,
        let name = device[kAUDeviceNameKey] as? String,
        let channels = device[kAUDeviceOutputChannelsKey] as? Int, channels > 0
      else { return nil }
      self.uid = uid
      self.name = "\(name) (\(backEnd))"
    }
  }

  /// The currently available devices, the default first, without those that need a file name.
  public private(set) var all: [Choice] = []

  /// Whether nothing can be heard: there is neither a sound server nor a card, and nobody has chosen the
  /// silent device, or another one, by the environment.
  public var areSilent: Bool { !Self.isNamed && all.allSatisfy { $0.uid == "null" } }

  /// The value of the environment variable before any choice.
  private static let original = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_DEVICE"]

  /// Whether the environment names a device.
  public static var isNamed: Bool { !(original ?? "").isEmpty }

  /// What the library calls when devices change; it lasts as long as this object.
  private let observer: Observer

  /// [control thread] Reads the list of devices, and calls `onChange`, on any thread, when it
  /// changes.
  public init(onChange: @escaping @Sendable () -> Void) {
    _ = Self.original
    observer = Observer(onChange)
    AUDevicesAddListener(Self.call, Unmanaged.passUnretained(observer).toOpaque())
    refresh()
  }

  deinit { AUDevicesRemoveListener(Self.call, Unmanaged.passUnretained(observer).toOpaque()) }

  /// A function in memory, for the library.
  private final class Observer: Sendable {
    let onChange: @Sendable () -> Void

    init(_ onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }
  }

  private static let call: AUDevicesListenerProc = { data in
    guard let data else { return }
    Unmanaged<Observer>.fromOpaque(data).takeUnretainedValue().onChange()
  }

  /// [control thread] Reads the list again.
  public func refresh() {
    let backEnds = AUDevicesCopyBackEnds(nil).takeRetainedValue().compactMap {
      $0 as? [String: Any]
    }
    all = backEnds.flatMap { backEnd -> [Choice] in
      guard let name = backEnd[kAUBackEndNameKey] as? String, name != "file",
        let devices = backEnd[kAUBackEndDevicesKey] as? [[String: Any]]
      else { return [] }
      return devices.compactMap { Choice($0, of: name) }
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
    AUDevicesSetPreferences(
      preferences.sampleRate ?? 0, UInt32(clamping: preferences.cycleFrames ?? 0))
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
