// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox

/// Four letters that name a type, a subtype or a manufacturer.
struct FourCharacterCode: Hashable, Sendable, Codable, CustomStringConvertible {
  let value: OSType

  init(_ value: OSType) { self.value = value }

  /// Reads one to four letters; shorter ones are filled up with spaces, as in 'def '.
  init?(_ text: String) {
    let letters = Array(text.utf8)
    guard (1...4).contains(letters.count), letters.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return nil }
    let padded = letters + Array(repeating: 0x20, count: 4 - letters.count)
    value = padded.reduce(0) { $0 << 8 | OSType($1) }
  }

  init(from decoder: any Decoder) throws {
    value = try Self(decoder.singleValueContainer().decode(String.self))?.value ?? 0
  }

  /// Writes the letters.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// The letters, or the number when they are none.
  var description: String {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    guard letters.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      return "0x" + String(value, radix: 16)
    }
    return String(decoding: letters, as: UTF8.self)
  }
}

extension ValueReader where Value == FourCharacterCode {
  /// Four letters; quotes around them are allowed.
  static var fourCharacterCode: Self {
    Self(expected: "up to four letters, such as auou or 'def '") { text in
      let isQuoted = text.count > 2 && text.hasPrefix("'") && text.hasSuffix("'")
      return FourCharacterCode(isQuoted ? String(text.dropFirst().dropLast()) : text)
    }
  }
}
