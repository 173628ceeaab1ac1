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
    ([0x7F, 0xFE, 0x80, 0x01], "a DTS stream"), ([0xFE, 0x7F, 0x01, 0x80], "a DTS stream"),
    ([0x1F, 0xFF, 0xE8, 0x00], "a DTS stream"), ([0xFF, 0x1F, 0x00, 0xE8], "a DTS stream"),
    (Array("Creative Voice File".utf8), "a VOC file"), (Array("FLV".utf8), "a Flash video"),
    (Array("SQLite".utf8), "a database"),
  ]

  /// The name of a stream without a signature, whose packets begin with a mark of few bits.
  private static func streamName(_ start: ByteFields) -> String? {
    // Packets of 188 bytes, in some files behind a time of four bytes.
    for (first, size) in [(0, 188), (4, 192)]
    where start.count > first + size && start.uint8(first) == 0x47
      && start.uint8(first + size) == 0x47 && start.uint8(first + 3) & 0x30 != 0
      && !isText(start)
    {
      return "an MPEG transport stream"
    }
    return start.count > 2 && start.uint16(0) & 0xFFE0 == 0x56E0 ? "an AAC stream in LATM" : nil
  }

  private static func isText(_ start: ByteFields) -> Bool {
    start.bytes.prefix(16).allSatisfy { $0 >= 0x20 && $0 < 0x7F || (9...13).contains($0) }
  }

  /// How many bytes tell the kinds apart.
  static let reach = 262

  /// What a file is that begins with these bytes, with its article; nil when that is unknown.
  static func name(_ start: ByteFields) -> String? {
    if let found = signatures.first(where: { start.bytes.starts(with: $0.bytes) }) {
      return found.name
    }
    // The name of the first file precedes the signature, and may be all that looks like a text.
    if start.text(257, 5) == "ustar" { return "a tar archive" }
    if let stream = streamName(start) { return stream }
    return isText(start) && start.count > 0 ? "a text" : nil
  }
}
