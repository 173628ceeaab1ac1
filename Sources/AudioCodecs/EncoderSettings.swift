// SPDX-License-Identifier: Apache-2.0

/// The settings of an encoder in addition to the format.
public struct EncoderSettings: Sendable {
  /// Bits per second; 0 for what is usual.
  public var bitRate = 0
  /// Those of the samples that are kept, where none are lost.
  public var bits = 16
  /// How much work it does, 0 to 127.
  public var quality = 64
  /// How it spends bits, `kAudioCodecBitRateControlMode_`; nil for what is usual.
  public var rateMode: UInt32?
  /// How much is kept where the rate is variable, 0 to 127.
  public var variableQuality = 64
  /// Whether it has the smallest delay that it can have.
  public var isShortDelay = false

  /// Leaves all to the encoder.
  public init() {}
}
