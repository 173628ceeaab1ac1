// SPDX-License-Identifier: Apache-2.0

/// What a format may have, whether it comes from a program, a file or a device.
public enum FormatLimits {
  /// The most channels of a format, and of a layout that is mixed.
  public static let channelCount = 1_024
  /// Sample rates are below this number of frames per second.
  public static let sampleRate = 3e6
  /// The most frames of a compressed packet.
  public static let packetFrames = 1 << 20

  /// [any thread] Whether streams have such a sample rate.
  public static func contains(sampleRate: Double) -> Bool {
    // NaN fails both comparisons.
    sampleRate > 0 && sampleRate < Self.sampleRate
  }
}
