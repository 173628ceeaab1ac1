// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The number in the header of a frame of FLAC (RFC 9639, section 9.1.5).
enum FLACFrameNumber {
  /// The position of the number, behind the synchronisation code and the description of the frame.
  private static let position = 4

  /// Changes the number of a whole frame, and the two checksums that depend on it.
  static func set(_ number: Int, in frame: inout [UInt8]) {
    let made = coded(number)
    guard frame.count > 2 + position else { return }
    let lead = frame[position]
    let oldCount = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
    let end = position + oldCount + extraBytes(frame)
    guard end < frame.count - 2 else { return }
    frame.replaceSubrange(position..<position + oldCount, with: made)
    let check = end + made.count - oldCount
    frame[check] = headerCheck(frame[..<check])
    let sum = frameCheck(frame[..<(frame.count - 2)])
    frame[frame.count - 2] = UInt8(truncatingIfNeeded: sum >> 8)
    frame[frame.count - 1] = UInt8(truncatingIfNeeded: sum)
  }

  /// A number in one to seven bytes, as in UTF-8.
  private static func coded(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(truncatingIfNeeded: number)] }
    // Each byte behind the first has six bits; the first has one bit less for each of them.
    var count = 2
    while count < 7, number >> (5 * count + 1) > 0 { count += 1 }
    let mark = UInt8(truncatingIfNeeded: 0xFF << (8 - count))
    let rest = (1..<count).reversed().map { index in
      UInt8(truncatingIfNeeded: number >> (6 * (index - 1)) & 0x3F | 0x80)
    }
    return [mark | UInt8(truncatingIfNeeded: number >> (6 * (count - 1)))] + rest
  }

  /// Bytes between the number and the checksum of the header: a length and a rate without a code.
  private static func extraBytes(_ frame: [UInt8]) -> Int {
    let (size, rate) = (frame[2] >> 4, frame[2] & 15)
    return (size == 6 ? 1 : size == 7 ? 2 : 0) + (rate == 12 ? 1 : rate > 12 ? 2 : 0)
  }

  /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
  private static func headerCheck(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(UInt8(0)) { check, byte in
      (0..<8).reduce(check ^ byte) { word, _ in word & 0x80 != 0 ? word << 1 ^ 7 : word << 1 }
    }
  }

  /// CRC-16 with the polynomial x^16 + x^15 + x^2 + 1.
  private static func frameCheck(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var check: UInt16 = 0
    table.withUnsafeBufferPointer { table in
      for byte in bytes { check = check << 8 ^ table[Int(check >> 8) ^ Int(byte)] }
    }
    return check
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(clamping: index) << 8) { word, _ in
      word & 0x8000 != 0 ? word << 1 ^ 0x8005 : word << 1
    }
  }
}
