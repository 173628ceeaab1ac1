// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// APE tags of versions 1 and 2 (wiki.hydrogenaud.io, "APEv2 specification"): texts and pictures
/// under names, behind the sound or in front of it.
enum APETag {
  static let marker = Array("APETAGEX".utf8)
  /// The bytes of its header, and of its footer.
  static let headerBytes = 32
  /// The largest plausible tag.
  private static let mostBytes = 1 << 28

  private static let keys = [
    "title": "title", "artist": "artist", "album": "album", "comment": "comments",
    "genre": "genre", "copyright": "copyright", "track": "track number", "composer": "composer",
    "isrc": "ISRC", "subtitle": "subtitle", "lyricist": "lyricist", "year": "year",
    "record date": "recorded date", "bpm": "tempo",
  ]

  /// The size of a whole tag, from its header; nil when the bytes are not one.
  static func byteCount(_ header: ByteFields) -> Int? {
    guard let values = Values(header), values.isHeader else { return nil }
    return headerBytes + values.size
  }

  /// The size of a whole tag, and whether it has a header, from its footer; nil when the bytes are
  /// not one.
  static func byteCount(footer: ByteFields) -> (count: Int, hasHeader: Bool)? {
    guard let values = Values(footer), !values.isHeader else { return nil }
    return (values.size + (values.hasHeader ? headerBytes : 0), values.hasHeader)
  }

  /// A header or a footer.
  private struct Values {
    /// Bytes of all items and the footer.
    let size: Int
    let hasHeader: Bool
    let isHeader: Bool

    init?(_ fields: ByteFields) {
      guard fields.count >= headerBytes, fields.bytes.starts(with: marker) else { return nil }
      let numbers = ByteFields(fields.bytes, isBigEndian: false)
      size = Int(numbers.uint32(12))
      let flags = numbers.uint32(20)
      // Version 1 has no header and no flags.
      let isFirst = numbers.uint32(8) < 2_000
      hasHeader = !isFirst && flags & 1 << 31 != 0
      isHeader = !isFirst && flags & 1 << 29 != 0
      guard size >= headerBytes, size <= mostBytes else { return nil }
    }
  }

  /// The items of a whole tag: names in lower case, and bytes.
  private static func items(_ tag: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let fields = ByteFields(tag, isBigEndian: false)
    var position = tag.starts(with: marker) ? headerBytes : 0
    let end = tag.count - headerBytes
    var items: [(String, [UInt8])] = []
    while position + 9 < end, items.count < 10_000 {
      let size = Int(fields.uint32(position))
      guard let zero = tag[(position + 8)..<end].firstIndex(of: 0) else { break }
      let start = zero + 1
      guard size <= end - start else { break }
      let name = ByteFields.text(tag[(position + 8)..<zero]).lowercased()
      items.append((name, Array(tag[start..<start + size])))
      position = start + size
    }
    return items
  }

  /// The texts of a tag, under the keys of the info dictionary.
  static func info(_ tag: [UInt8]) -> [String: String] {
    var info: [String: String] = [:]
    for (name, bytes) in items(tag) {
      guard let key = keys[name], info[key] == nil else { continue }
      let text = ByteFields.text(bytes.prefix { $0 != 0 })
      if !text.isEmpty { info[key] = text }
    }
    return info
  }

  /// The picture of a tag: a file name, a zero, then its bytes.
  static func picture(_ tag: [UInt8]) -> [UInt8]? {
    let covers = items(tag).filter { $0.name.hasPrefix("cover art") }
    let cover = covers.first { $0.name == "cover art (front)" } ?? covers.first
    guard let bytes = cover?.bytes, let zero = bytes.firstIndex(of: 0), zero + 1 < bytes.count
    else { return nil }
    return Array(bytes[(zero + 1)...])
  }
}
