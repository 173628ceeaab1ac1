// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The check sum at the end of a FLAC frame: CRC-16 with the polynomial x^16 + x^15 + x^2 + 1. It is 0
/// over a whole frame, the check sum included.
package struct FLACCheckSum {
  package private(set) var value: UInt16 = 0

  package init() {}

  /// Adds bytes, eight at a time: every frame is checked when a file is opened.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = value
    Self.tables.withUnsafeBufferPointer { tables in
      func term(_ table: Int, _ byte: UInt8) -> UInt16 { tables[table << 8 | Int(byte)] }
      var position = 0
      while position + 8 <= bytes.count {
        let (high, low) = (
          bytes[position] ^ UInt8(truncatingIfNeeded: sum >> 8),
          bytes[position + 1] ^ UInt8(truncatingIfNeeded: sum)
        )
        sum = term(7, high) ^ term(6, low)
        for index in 2..<8 { sum ^= term(7 - index, bytes[position + index]) }
        position += 8
      }
      while position < bytes.count {
        sum = sum << 8 ^ term(0, UInt8(truncatingIfNeeded: sum >> 8) ^ bytes[position])
        position += 1
      }
    }
    value = sum
  }

  /// The check sum of bytes.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var sum = Self()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.value
  }

  /// The check sums of each byte, followed by none to seven zeros.
  private static let tables: [UInt16] = {
    var tables = (0..<256).map { index in
      (0..<8).reduce(UInt16(clamping: index) << 8) { word, _ in
        word & 0x8000 != 0 ? word << 1 ^ 0x8005 : word << 1
      }
    }
    for index in 256..<2_048 {
      let before = tables[index - 256]
      tables.append(before << 8 ^ tables[Int(before >> 8)])
    }
    return tables
  }()
}
