// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The header of a FLAC frame (RFC 9639).
struct FLACFrame {
  let isVariable: Bool
  /// The number of the frame, or of its first sample when frames differ in length.
  let number: Int
  let frames: Int
  /// Bytes of the header.
  let headerBytes: Int
  /// How the channels are stored: below 8, one less than their number; else two, one of which is a
  /// difference.
  let channelCode: Int
  /// Bits of a sample; nil when only the STREAMINFO block has them.
  let depth: Int?

  init?(_ fields: ByteFields) {
    guard fields.count >= 6 else { return nil }
    isVariable = fields.uint8(1) & 1 != 0
    let sizeCode = Int(fields.uint8(2) >> 4)
    let rateCode = Int(fields.uint8(2) & 15)
    guard sizeCode != 0, rateCode != 15, fields.uint8(3) & 1 == 0, fields.uint8(3) >> 4 < 11
    else { return nil }
    // A number of one to seven bytes, as in UTF-8.
    let lead = fields.uint8(4)
    let length = max(1, (~lead).leadingZeroBitCount)
    guard length != 1 || lead < 0x80, length <= 7 else { return nil }
    var value = lead < 0x80 ? Int(lead) : Int(lead) & (0x7F >> length)
    var position = 5
    for _ in 1..<max(1, lead < 0x80 ? 1 : length) {
      guard fields.uint8(position) & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int(fields.uint8(position) & 0x3F)
      position += 1
    }
    number = value
    switch sizeCode {
    case 1: frames = 192
    case 2...5: frames = 576 << (sizeCode - 2)
    case 6:
      frames = Int(fields.uint8(position)) + 1
      position += 1
    case 7:
      frames = Int(fields.uint16(position)) + 1
      position += 2
    default: frames = 256 << (sizeCode - 8)
    }
    if rateCode == 12 { position += 1 } else if rateCode > 12 { position += 2 }
    guard position < fields.count else { return nil }
    // CRC-8 with the polynomial x^8 + x^2 + x + 1.
    var check: UInt8 = 0
    for byte in fields.bytes[..<position] {
      check ^= byte
      for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 7 : check << 1 }
    }
    guard check == fields.uint8(position) else { return nil }
    headerBytes = position + 1
    channelCode = Int(fields.uint8(3) >> 4)
    let depths = [nil, 8, 12, nil, 16, 20, 24, 32]
    depth = depths[Int(fields.uint8(3) >> 1 & 7)]
  }

  /// A whole frame of silence: each channel is a constant of 0. Rate and depth are those of STREAMINFO.
  static func silent(
    _ frames: Int, number: Int, isVariable: Bool, channels: Int, depth: Int
  ) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.append([
      0xFF, isVariable ? 0xF9 : 0xF8, 0x70, UInt8(truncatingIfNeeded: channels - 1) << 4,
    ])
    builder.append([0])
    builder.number(UInt16(clamping: frames - 1))
    // One check sum of the header and two of the frame, which follow from the number.
    builder.zeros(1 + (channels * (8 + depth) + 7) / 8 + 2)
    var frame = builder.bytes
    FLACFrameNumber.set(number, in: &frame)
    return frame
  }
}
