// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The texts of a WAV file: the list `INFO`.
enum WaveTexts {
  /// Names of texts in the file, and their keys in the info dictionary.
  private static let keys: [(ChunkCode, String)] = [
    ("INAM", "title"), ("IART", "artist"),
    ("IPRD", "album"), ("ICMT", "comments"),
    ("ICRD", "recorded date"), ("IGNR", "genre"),
    ("ICOP", "copyright"), ("ISFT", "encoding application"),
    ("ITRK", "track number"), ("IMUS", "composer"),
    ("ISRC", "ISRC"), ("ISBJ", "subtitle"),
    ("IWRI", "lyricist"), ("IYER", "year"),
    ("ITCH", "source encoder"), ("IBPM", "tempo"),
    ("IKEY", "key signature"),
  ]

  private static let list = ChunkCode("LIST")

  /// The index of the list of a kind among the chunks `LIST`; nil when there is none.
  static func listIndex(_ kind: ChunkCode, in file: ChunkedContainer) throws(AudioError) -> Int? {
    for (number, index) in file.indices(of: list).enumerated() {
      let start = try file.bytes(of: file.chunks[index], limit: 4)
      if ByteFields(start, isBigEndian: file.dialect.isBigEndian).code(0) == kind { return number }
    }
    return nil
  }

  /// The chunks in a list of a kind.
  static func parts(
    _ kind: ChunkCode, of file: ChunkedContainer
  ) throws(AudioError) -> [(code: ChunkCode, fields: ByteFields)] {
    guard let number = try listIndex(kind, in: file) else { return [] }
    let fields = ByteFields(
      try file.bytes(of: file.chunks[file.chunkIndex(list, number)]),
      isBigEndian: file.dialect.isBigEndian)
    var parts: [(ChunkCode, ByteFields)] = []
    var position = 4
    while position + 8 <= fields.count, parts.count < Limits.listParts {
      let size = Int(fields.uint32(position + 4))
      let end = min(fields.count, position + 8 + size)
      parts.append(
        (
          fields.code(position),
          ByteFields(Array(fields.bytes[position + 8..<end]), isBigEndian: file.dialect.isBigEndian)
        ))
      position = position + 8 + size + size % 2
    }
    return parts
  }

  /// Writes a list of chunks, or replaces the existing one of its kind; removes it when there are
  /// no chunks.
  static func write(
    _ kind: ChunkCode, _ parts: [(ChunkCode, [UInt8])], to file: ChunkedContainer
  ) throws(AudioError) {
    let number = try listIndex(kind, in: file)
    guard !parts.isEmpty else {
      if let number { try file.remove(at: file.chunkIndex(list, number)) }
      return
    }
    var builder = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
    builder.code(kind)
    // The parts of a list are those of WAV in Wave64 too.
    let dialect = file.dialect.isBigEndian ? ChunkDialect.rifx : .riff
    for (code, bytes) in parts { builder.append(dialect.chunk(code, bytes)) }
    try file.store(list, number ?? file.indices(of: list).count, builder.bytes)
  }

  static func read(_ file: ChunkedContainer) throws(AudioError) -> [String: String] {
    var info: [String: String] = [:]
    for part in try parts("INFO", of: file) {
      let text = part.fields.text(0, part.fields.count)
      guard let key = keys.first(where: { $0.0 == part.code })?.1, !text.isEmpty else { continue }
      info[key] = text
    }
    return info
  }

  static func write(_ info: [String: String], to file: ChunkedContainer) throws(AudioError) {
    let parts = keys.compactMap { code, key in
      info[key].map { (code, Array($0.utf8) + [0]) }
    }
    try write("INFO", parts, to: file)
  }
}
