// SPDX-License-Identifier: Apache-2.0
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
