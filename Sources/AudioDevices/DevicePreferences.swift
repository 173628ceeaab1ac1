// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The program's preferences for devices that are opened from now on: what an audio session
/// requests. A preference out of range is met as closely as possible.
public final class DevicePreferences: Sendable {
  /// Nil is no preference.
  public struct Values: Equatable, Sendable {
    /// Frames per second.
    public var sampleRate: Double?
    /// Frames of a cycle.
    public var cycleFrames: Int?
    /// Channels of devices without hardware.
    public var channelCount: Int?
    /// The uids of the input and output devices to use instead of the default ones; while such a
    /// device is absent, the default one is used.
    public var inputUID: String?
    public var outputUID: String?
    /// The purpose of streams, for sound servers: PipeWire's and PulseAudio's `media.role`.
    public var role: String?

    /// No preference.
    public init() {}
  }

  /// The preferences of the process.
  public static let process = DevicePreferences()

  /// Replaces the preferences of the process for the current task; for tests, which run side by
  /// side.
  @TaskLocal public static var current = process

  private let values = Guarded(Values())

  /// Without any.
  public init() {}

  /// [any thread] All of them as they are now.
  public var all: Values { values.withLock { $0 } }

  /// [any thread] Changes some.
  public func set(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

  /// The environment, with preferences filled in where it sets nothing.
  func applied(to environment: DeviceEnvironment) -> DeviceEnvironment {
    let values = all
    var environment = environment
    if let rate = values.sampleRate, rate.isFinite {
      environment.sampleRate = rate.rounded().clamped(to: environment.sampleRates)
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

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
