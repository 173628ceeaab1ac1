// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The program's preferences for devices that are opened from now on: what an audio session asks
/// for. A preference out of range is met as nearly as it can be.
public final class DevicePreferences: Sendable {
  /// Nil is no preference.
  public struct Values: Equatable, Sendable {
    /// Frames per second.
    public var sampleRate: Double?
    /// Frames of a cycle.
    public var cycleFrames: Int?
    /// Channels of devices that have no hardware behind them.
    public var channelCount: Int?
    /// The device that is captured from, and the one that is played to, in the place of the default
    /// ones, by their uids; while it is not there, the default one is used.
    public var inputUID: String?
    public var outputUID: String?
    /// The purpose of streams, for sound servers: PipeWire's and PulseAudio's `media.role`.
    public var role: String?

    /// No preference.
    public init() {}
  }

  /// Those of the process.
  public static let process = DevicePreferences()

  /// Takes the place of the process's for what the current task does; for tests, which run side by
  /// side.
  @TaskLocal public static var current = process

  private let values = Guarded(Values())

  /// Without any.
  public init() {}

  /// [any thread] All of them as they are now.
  public var all: Values { values.withLock { $0 } }

  /// [any thread] Changes some.
  public func set(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }

  /// An environment with the preferences in it, where it leaves these open.
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
