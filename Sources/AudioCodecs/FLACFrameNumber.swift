// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The number in the header of a frame of FLAC (RFC 9639, section 9.1.5).
package enum FLACFrameNumber {
  /// The position of the number, behind the synchronisation code and the description of the frame.
  private static let position = 4

  /// Changes the number of a whole frame, and the two checksums that depend on it.
  package static func set(_ number: Int, in frame: inout [UInt8]) {
    let made = coded(number)
    guard frame.count > 2 + position else { return }
    let lead = frame[position]
    let oldCount = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
    let end = position + oldCount + extraBytes(frame)
    guard end < frame.count - 2 else { return }
    frame.replaceSubrange(position..<position + oldCount, with: made)
    let check = end + made.count - oldCount
    frame[check] = headerCheck(frame[..<check])
    let sum = FLACCheckSum.of(frame[..<(frame.count - 2)])
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
}
