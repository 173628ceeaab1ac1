// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Four characters that identify a chunk or a format in a file.
package struct ChunkCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The first character in the highest byte.
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The code of a string literal.
  package init(stringLiteral text: StaticString) {
    rawValue = text.withUTF8Buffer { bytes in
      (0..<4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : 0x20) }
    }
  }

  /// The four characters; a question mark replaces each unprintable one.
  package var description: String {
    let characters = (0..<4).map { position in
      let byte = UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * position))
      return (32...126).contains(byte) ? Character(UnicodeScalar(byte)) : "?"
    }
    return String(characters)
  }

  /// The four characters in quotes; as hexadecimal bytes when some are unprintable: bytes 47 0f 00
  /// 1b.
  package var spelled: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    guard !bytes.allSatisfy({ (32...126).contains($0) }) else { return quoted }
    return "bytes "
      + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  /// As in messages: 'data'.
  package var quoted: String { "'\(description)'" }
}
