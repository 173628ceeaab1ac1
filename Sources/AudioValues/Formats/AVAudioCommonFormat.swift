// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The samples of a format, if they are of a common kind: packed, in the byte order of the machine.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Other samples, or a compressed format.
  case otherFormat = 0
  /// Float, the format of units.
  case pcmFormatFloat32 = 1
  /// Double.
  case pcmFormatFloat64 = 2
  /// Integers of 16 bits.
  case pcmFormatInt16 = 3
  /// Integers of 32 bits.
  case pcmFormatInt32 = 4

  /// The kind of the samples of a linear format.
  init(_ format: StreamFormat) {
    let isPacked = format.bitsPerChannel == 8 * format.bytesPerSample
    let isNative =
      format.isBigEndian == (kAudioFormatFlagsNativeEndian == kAudioFormatFlagIsBigEndian)
    guard isPacked, isNative, format.isFloat || format.fractionBits == 0 else {
      self = .otherFormat
      return
    }
    switch (format.isFloat, format.isSignedInteger, format.bytesPerSample) {
    case (true, _, 4): self = .pcmFormatFloat32
    case (true, _, 8): self = .pcmFormatFloat64
    case (false, true, 2): self = .pcmFormatInt16
    case (false, true, 4): self = .pcmFormatInt32
    default: self = .otherFormat
    }
  }

  /// Bytes of a sample; nil for other formats.
  var sampleSize: UInt32? {
    switch self {
    case .otherFormat: nil
    case .pcmFormatInt16: 2
    case .pcmFormatFloat32, .pcmFormatInt32: 4
    case .pcmFormatFloat64: 8
    }
  }

  var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }

  /// The name of the samples, "Float32"; nil for other formats.
  var name: String? {
    sampleSize.map { (isFloat ? "Float" : "Int") + String(8 * $0) }
  }
}
