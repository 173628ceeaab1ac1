// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// What a WAV file holds.
public struct WaveFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Double
  public var channelCount: Int
  public var encoding: WaveEncoding

  public init(sampleRate: Double, channelCount: Int, encoding: WaveEncoding = .float32) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.encoding = encoding
  }

  /// Bytes of one frame.
  public var frameByteCount: Int { channelCount * encoding.byteCount }
}

/// How one sample is written in a WAV file.
public enum WaveEncoding: Equatable, Sendable {
  case unsigned8, integer16, integer24, integer32, float32, float64

  /// Bytes of one sample.
  public var byteCount: Int {
    switch self {
    case .unsigned8: 1
    case .integer16: 2
    case .integer24: 3
    case .integer32, .float32: 4
    case .float64: 8
    }
  }

  /// The same for what converts samples; WAV files are little-endian.
  var sampleFormat: SampleFormat {
    switch self {
    case .unsigned8: SampleFormat(.unsignedInteger, bits: 8)
    case .integer16: .int16
    case .integer24: .int24
    case .integer32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// The numbers that say in a `fmt ` chunk how samples are written.
enum WaveTag {
  static let integer: UInt16 = 1
  static let float: UInt16 = 3
  static let extensible: UInt16 = 0xFFFE

  /// What follows the tag in the sixteen bytes that name an extensible format.
  static let identifierTail: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  /// What a tag stands for, where people know it.
  static func name(_ tag: UInt16) -> String {
    switch tag {
    case 2: "Microsoft ADPCM"
    case 6: "A-law"
    case 7: "mu-law"
    case 0x11: "IMA ADPCM"
    case 0x31: "GSM 6.10"
    case 0x50, 0x55: "MPEG"
    default: "unknown"
    }
  }
}
