// SPDX-License-Identifier: Apache-2.0

/// The four characters of a code such as `kAudioUnitType_Output`, "auou".
public struct FourCharacterCode: Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt32

  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The code that `text` spells, padded with spaces; nil unless it is one to four ASCII characters.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return nil
    }
    rawValue = (0..<4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : 0x20) }
  }

  /// The four characters, or the number in hexadecimal when they cannot be printed.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
