// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText

extension FourCharacterCode: Codable {
  /// Reads the letters.
  public init(from decoder: any Decoder) throws {
    self = try Self(decoder.singleValueContainer().decode(String.self)) ?? Self(0)
  }

  /// Writes the letters.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ValueReader where Value == FourCharacterCode {
  /// Four letters; quotes around them are allowed.
  static var fourCharacterCode: Self {
    Self(expected: "up to four letters, such as auou or 'def '", limits: ", such as auou or 'def '")
    { text in
      let isQuoted = text.count > 2 && text.hasPrefix("'") && text.hasSuffix("'")
      return FourCharacterCode(isQuoted ? String(text.dropFirst().dropLast()) : text)
    }
  }
}
