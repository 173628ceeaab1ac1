// SPDX-License-Identifier: Apache-2.0

/// The rate and cycle to request when a device is opened. A sound server may grant others, and for
/// devices without hardware the environment variables take precedence.
public struct ToneDevicePreferences: Equatable, Codable, Sendable {
  /// Frames per second; nil: the device's own.
  public var sampleRate: Double?
  /// Frames per cycle; nil: the default.
  public var cycleFrames: Int?

  /// The possible rates, in Hz.
  public static let sampleRates = 1_000.0...768_000.0
  /// The possible cycles, in frames.
  public static let cycles = 16...65_536
  /// The values that views offer.
  public static let usualSampleRates = [44_100.0, 48_000, 88_200, 96_000, 176_400, 192_000]
  public static let usualCycles = [32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192]

  /// Values outside the ranges are clamped.
  public init(sampleRate: Double? = nil, cycleFrames: Int? = nil) {
    self.sampleRate = sampleRate.map { min(max($0, 1_000), 768_000) }
    self.cycleFrames = cycleFrames.map { min(max($0, 16), 65_536) }
  }
}
