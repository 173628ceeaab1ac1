// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The program's preferences for devices that are opened later, as an audio session requests them.
/// A preference that is out of range is clamped.
public final class DevicePreferences: Sendable {
  /// Nil values mean no preference.
  public struct Values: Equatable, Sendable {
    /// Frames per second.
    public var sampleRate: Double?
    /// The cycle size in frames.
    public var cycleFrames: Int?
    /// Channels of devices without hardware.
    public var channelCount: Int?
    /// The uids of the input and output devices to use instead of the default ones. While such a
    /// device is absent, the default one is used.
    public var inputUID: String?
    public var outputUID: String?
    /// The purpose of streams for sound servers: the `media.role` of PipeWire and PulseAudio.
    public var role: String?
    /// Whether units get silence instead of an input, because the program's category has none.
    public var silencesInput = false

    /// No preference.
    public init() {}
  }

  /// The preferences of the process.
  public static let process = DevicePreferences()

  private let values = Guarded(Values())

  /// No preferences.
  public init() {}

  /// [any thread] All current preferences.
  public var all: Values { values.withLock { $0 } }

  /// [any thread] Changes some preferences.
  public func set(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

  /// The environment with the preferences applied where no variable fixes a value.
  func applied(to environment: DeviceEnvironment) -> DeviceEnvironment {
    let values = all
    var environment = environment
    environment.preferences = self
    if let rate = values.sampleRate, rate.isFinite {
      environment.prefer(sampleRate: rate.rounded().clamped(to: environment.sampleRates))
    }
    if let frames = values.cycleFrames {
      environment.cycleFrames = frames.clamped(to: environment.cycleFramesRange)
    }
    if let count = values.channelCount {
      environment.channelCount = count.clamped(to: environment.channelCounts)
    }
    return environment
  }
}

extension DevicePreferences: Equatable {
  /// Whether they are the same object.
  public static func == (one: DevicePreferences, other: DevicePreferences) -> Bool { one === other }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
