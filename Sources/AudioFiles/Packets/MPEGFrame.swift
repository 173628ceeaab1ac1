// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The four-byte header of an MPEG audio frame (ISO 11172-3, 13818-3).
struct MPEGFrame: SyncedFrame {
  static let sync: (mask: UInt8, bits: UInt8) = (0xE0, 0xE0)
  static let shortestHeader = 4
  /// The packets contain the headers.
  var headerBytes: Int { 0 }

  let layer: Int
  let sampleRate: Int
  let bitRate: Int
  let channelCount: Int
  let byteCount: Int
  let frameCount: Int
  /// Bytes of side information in a frame of layer 3.
  let sideBytes: Int

  /// The sample rates of all versions.
  static let sampleRates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
  ]

  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Nil when the bytes are not a frame, or one with a free bit rate.
  init?(_ fields: ByteFields, at position: Int = 0) {
    let word = fields.uint32(position)
    guard fields.count >= position + 4, word >> 21 == 0x7FF else { return nil }
    let version = Int(word >> 19 & 3)
    let layerBits = Int(word >> 17 & 3)
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    guard version != 1, layerBits != 0, (1...14).contains(rateIndex), frequencyIndex != 3,
      word & 3 != 2
    else { return nil }
    layer = 4 - layerBits
    let isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][frequencyIndex] >> [2, 0, 1, 0][version]
    let row = isFirst ? layer - 1 : layer == 1 ? 3 : 4
    bitRate = Self.bitRates[row][rateIndex] * 1_000
    let padding = Int(word >> 9 & 1)
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
    switch layer {
    case 1:
      frameCount = 384
      byteCount = (12 * bitRate / sampleRate + padding) * 4
    case 2:
      frameCount = 1_152
      byteCount = 144 * bitRate / sampleRate + padding
    default:
      frameCount = isFirst ? 1_152 : 576
      byteCount = frameCount / 8 * bitRate / sampleRate + padding
    }
    sideBytes = isFirst ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
    guard byteCount > 4 else { return nil }
  }

  /// Throws if frames of a free bit rate begin at a position: such frames do not state their
  /// length, and three of them at equal distances are sure to be what they look like.
  static func refuseFreeFormat(_ window: ByteWindow, _ position: Int) throws(AudioError) {
    let first = try window.fields(position, shortestHeader).uint32(0)
    guard first >> 21 == 0x7FF, first >> 19 & 3 != 1, first >> 17 & 3 != 0, first >> 12 & 15 == 0,
      first >> 10 & 3 != 3
    else { return }
    var starts = [position]
    var next = position + shortestHeader
    while starts.count < 3,
      let found = try window.sync(
        from: &next, mask: 0xFF, UInt8(truncatingIfNeeded: first >> 16),
        limit: starts[starts.count - 1] + largestFreeFrame)
    {
      next = found + 1
      let header = try window.fields(found, shortestHeader).uint32(0)
      if (header ^ first) & 0xFFFF_FC00 == 0 { starts.append(found) }
    }
    guard starts.count == 3, abs(starts[2] - 2 * starts[1] + starts[0]) <= 4 else { return }
    throw .unsupportedFileType.because(
      "\(window.name): is MPEG audio of a free bit rate, for which there is no decoder")
  }

  /// Bytes of a frame at the highest free bit rate: 640 kbit/s at 8 kHz.
  private static let largestFreeFrame = 5_762

  /// Whether another frame belongs to the same stream.
  func matches(_ other: MPEGFrame) -> Bool {
    layer == other.layer && sampleRate == other.sampleRate && frameCount == other.frameCount
  }

  var formatID: AudioFormatID {
    [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][layer - 1]
  }
}

/// The seven-byte header of an AAC frame in ADTS (ISO 13818-7).
struct ADTSFrame: SyncedFrame {
  static let sync: (mask: UInt8, bits: UInt8) = (0xF6, 0xF0)
  static let shortestHeader = 7
  var frameCount: Int { 1_024 }

  let profile: Int
  let frequencyIndex: Int
  let channelCount: Int
  let headerBytes: Int
  let byteCount: Int

  static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// Nil when the bytes are not a frame.
  init?(_ fields: ByteFields, at position: Int = 0) {
    guard fields.count >= position + 7, fields.uint16(position) & 0xFFF6 == 0xFFF0 else {
      return nil
    }
    headerBytes = fields.uint8(position + 1) & 1 == 1 ? 7 : 9
    profile = Int(fields.uint8(position + 2) >> 6)
    frequencyIndex = Int(fields.uint8(position + 2) >> 2 & 15)
    let configuration =
      Int(fields.uint8(position + 2) & 1) << 2 | Int(fields.uint8(position + 3) >> 6)
    channelCount = configuration == 7 ? 8 : configuration
    byteCount =
      Int(fields.uint8(position + 3) & 3) << 11 | Int(fields.uint8(position + 4)) << 3
      | Int(fields.uint8(position + 5) >> 5)
    guard frequencyIndex < Self.sampleRates.count, byteCount > headerBytes else { return nil }
  }

  /// Whether another frame belongs to the same stream.
  func matches(_ other: ADTSFrame) -> Bool {
    profile == other.profile && frequencyIndex == other.frequencyIndex
      && channelCount == other.channelCount
  }

  var sampleRate: Int { Self.sampleRates[frequencyIndex] }

  /// The equivalent AudioSpecificConfig.
  var configuration: [UInt8] {
    let channels = channelCount == 8 ? 7 : channelCount
    let word = (profile + 1) << 11 | frequencyIndex << 7 | channels << 3
    return [UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word & 0xFF)]
  }
}
