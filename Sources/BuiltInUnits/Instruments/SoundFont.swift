// SPDX-License-Identifier: Apache-2.0

/// Writes the chunks of SoundFonts.
enum SoundFont {
  /// A file of version 2.04 with 24-bit samples; its tables are the chunks of the list `pdta`.
  static func file(
    _ name: String, _ samples: SamplePool, _ tables: [(String, [UInt8])]
  ) -> [UInt8] {
    var body: [UInt8] = Array("sfbk".utf8)
    body += list(
      "INFO",
      [("ifil", words([2, 4])), ("isng", Array("EMU8000\0".utf8)), ("INAM", text(name))])
    body += list("sdta", [("smpl", samples.high), ("sm24", samples.low)])
    body += list("pdta", tables)
    return chunk("RIFF", body)
  }

  /// A text as twenty bytes.
  static func text(_ text: String) -> [UInt8] {
    let part = Array(text.utf8.prefix(19))
    return part + [UInt8](repeating: 0, count: 20 - part.count)
  }

  /// Numbers of 16 bits.
  static func words(_ values: [UInt16]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// Numbers of 32 bits.
  static func numbers(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + numbers([body.count]) + body + (body.count % 2 == 0 ? [] : [0])
  }

  private static func list(_ name: String, _ parts: [(String, [UInt8])]) -> [UInt8] {
    chunk("LIST", Array(name.utf8) + parts.flatMap { chunk($0.0, $0.1) })
  }
}
