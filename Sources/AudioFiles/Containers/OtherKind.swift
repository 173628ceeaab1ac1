// SPDX-License-Identifier: Apache-2.0

/// Kinds of files that are no sound files of a known kind, so that an error can name what was found.
enum OtherKind {
  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"), ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
    (Array("GIF8".utf8), "a GIF picture"), (Array("BM".utf8), "a BMP picture"),
    (Array("%PDF".utf8), "a PDF document"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
    ([0xFD, 0x37, 0x7A, 0x58], "an xz archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a zstd archive"),
    (Array("BZh".utf8), "a bzip2 archive"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    (Array("MZ".utf8), "a program"), (Array("#!AMR".utf8), "an AMR recording"),
    (Array("#!".utf8), "a script"), (Array("MThd".utf8), "a MIDI file"),
    (Array("wvpk".utf8), "a WavPack file"), (Array("MAC ".utf8), "a Monkey's Audio file"),
    (Array("MPCK".utf8), "a Musepack file"), (Array("TTA1".utf8), "a True Audio file"),
    ([0x30, 0x26, 0xB2, 0x75], "a Windows Media file"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska file"),
    ([0, 0, 1, 0xBA], "an MPEG programme stream"), ([0x0B, 0x77], "an AC-3 stream"),
    (Array("FLV".utf8), "a Flash video"), (Array("SQLite".utf8), "a database"),
  ]

  /// How many bytes tell the kinds apart.
  static let reach = 262

  /// What a file is that begins with these bytes, with its article; nil when that is unknown.
  static func name(_ start: ByteFields) -> String? {
    if let found = signatures.first(where: { start.bytes.starts(with: $0.bytes) }) {
      return found.name
    }
    // The name of the first file precedes the signature, and may be all that looks like a text.
    if start.text(257, 5) == "ustar" { return "a tar archive" }
    let isText = start.bytes.prefix(16).allSatisfy {
      $0 >= 0x20 && $0 < 0x7F || (9...13).contains($0)
    }
    return isText && start.count > 0 ? "a text" : nil
  }
}
