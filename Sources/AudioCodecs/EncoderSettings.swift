// SPDX-License-Identifier: Apache-2.0

/// The settings of an encoder in addition to the format.
public struct EncoderSettings: Sendable {
  /// Bits per second; 0 for the default.
  public var bitRate = 0
  /// Bits of the samples in a lossless format.
  public var bits = 16
  /// How much work the encoder does, 0 to 127.
  public var quality = 64
  /// The bit rate mode, `kAudioCodecBitRateControlMode_`; nil for the default.
  public var rateMode: UInt32?
  /// The quality of a variable bit rate, 0 to 127.
  public var variableQuality = 64
  /// Whether the encoder uses its shortest delay.
  public var isShortDelay = false
  /// On how many threads packets may be encoded, where that changes no byte of them: FLAC and Apple
  /// Lossless.
  public var threads = 1

  /// The encoder's defaults.
  public init() {}
}
