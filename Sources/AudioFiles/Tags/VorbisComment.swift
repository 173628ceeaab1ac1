// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// Texts in FLAC and Ogg (xiph.org/vorbis/doc/v-comment.html): NAME=text, UTF-8; and pictures.
enum VorbisComment {
  private static let keys = [
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "COMMENT": "comments",
    "DESCRIPTION": "comments", "GENRE": "genre", "COPYRIGHT": "copyright",
    "ENCODER": "encoding application", "TRACKNUMBER": "track number", "COMPOSER": "composer",
    "ISRC": "ISRC", "SUBTITLE": "subtitle", "LYRICIST": "lyricist", "DATE": "recorded date",
    "YEAR": "year", "BPM": "tempo", "KEY": "key signature",
  ]
  private static let names = [
    "title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "comments": "COMMENT",
    "genre": "GENRE", "copyright": "COPYRIGHT", "encoding application": "ENCODER",
    "track number": "TRACKNUMBER", "composer": "COMPOSER", "ISRC": "ISRC", "subtitle": "SUBTITLE",
    "lyricist": "LYRICIST", "recorded date": "DATE", "year": "YEAR", "tempo": "BPM",
    "key signature": "KEY",
  ]
  private static let pictureName = "METADATA_BLOCK_PICTURE"

  /// The vendor string, and all entries: names and texts.
  static func entries(_ bytes: [UInt8]) -> (vendor: [UInt8], entries: [(String, String)]) {
    let fields = ByteFields(bytes, isBigEndian: false)
    let vendorSize = min(Int(fields.uint32(0)), max(0, fields.count - 4))
    var position = 4 + vendorSize
    let vendor = position <= fields.count ? Array(bytes[4..<position]) : []
    var entries: [(String, String)] = []
    let count = Int(fields.uint32(position))
    position += 4
    for _ in 0..<count {
      guard position + 4 <= fields.count else { break }
      let size = Int(fields.uint32(position))
      guard position + 4 + size <= fields.count else { break }
      let text = ByteFields.text(bytes[position + 4..<position + 4 + size])
      position += 4 + size
      guard let equals = text.firstIndex(of: "=") else { continue }
      entries.append((text[..<equals].uppercased(), String(text[text.index(after: equals)...])))
    }
    return (vendor, entries)
  }

  /// The same without any entry: only the vendor string.
  static func withoutTexts(_ bytes: [UInt8]) -> [UInt8] {
    let vendor = entries(bytes).vendor
    var builder = ByteBuilder(isBigEndian: false)
    builder.number(UInt32(clamping: vendor.count))
    builder.append(vendor)
    builder.number(UInt32(0))
    return builder.bytes
  }

  /// The texts, under the keys of the info dictionary.
  static func info(_ bytes: [UInt8]) -> [String: String] {
    var info: [String: String] = [:]
    for (name, text) in entries(bytes).entries {
      guard let key = keys[name], info[key] == nil else { continue }
      info[key] = text
    }
    return info
  }

  /// A picture that is embedded in the texts.
  static func embeddedPicture(_ bytes: [UInt8]) -> [UInt8]? {
    let text = entries(bytes).entries.first { $0.0 == pictureName }?.1
    return text.flatMap { Base64.decode($0) }.flatMap { picture($0) }
  }

  /// Texts of an info dictionary in the file's form; keeps old texts under other names.
  static func make(_ info: [String: String], picture: [UInt8]? = nil, from old: [UInt8]?) -> [UInt8]
  {
    let before = old.map { entries($0) }
    var texts = (before?.entries ?? []).filter { keys[$0.0] == nil }
    if let picture {
      texts.removeAll { $0.0 == pictureName }
      texts.append((pictureName, Base64.encode(block(picture: picture))))
    }
    for (key, text) in info.sorted(by: { $0.key < $1.key }) {
      if let name = names[key] { texts.append((name, text)) }
    }
    return bytes(before?.vendor, texts)
  }

  /// The comment with other entries under some names; keeps everything else.
  static func replacing(
    _ texts: [(String, String)], in old: [UInt8]?, _ isReplaced: (String) -> Bool
  ) -> [UInt8] {
    let before = old.map { entries($0) }
    return bytes(before?.vendor, (before?.entries ?? []).filter { !isReplaced($0.0) } + texts)
  }

  private static func bytes(_ vendor: [UInt8]?, _ texts: [(String, String)]) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: false)
    let vendor = vendor ?? Array("swift-audiotoolbox".utf8)
    builder.number(UInt32(clamping: vendor.count))
    builder.append(vendor)
    builder.number(UInt32(clamping: texts.count))
    for (name, text) in texts {
      let bytes = Array("\(name)=\(text)".utf8)
      builder.number(UInt32(clamping: bytes.count))
      builder.append(bytes)
    }
    return builder.bytes
  }

  // MARK: Pictures

  /// The picture in a FLAC block.
  static func picture(_ block: [UInt8]) -> [UInt8]? {
    let fields = ByteFields(block, isBigEndian: true)
    var position = 8 + min(Int(fields.uint32(4)), fields.count)
    position += 4 + min(Int(fields.uint32(position)), fields.count) + 16
    let size = Int(fields.uint32(position))
    guard position + 4 + size <= fields.count else { return nil }
    return Array(fields.bytes[position + 4..<position + 4 + size])
  }

  /// A FLAC block with a picture: the front cover, without its dimensions.
  static func block(picture: [UInt8]) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.number(UInt32(3))
    let mime = Array((picture.starts(with: [0x89, 0x50]) ? "image/png" : "image/jpeg").utf8)
    builder.number(UInt32(clamping: mime.count))
    builder.append(mime)
    builder.zeros(4 + 16)
    builder.number(UInt32(clamping: picture.count))
    builder.append(picture)
    return builder.bytes
  }
}

/// Base64 (RFC 4648).
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes as text.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
      for position in 0..<4 {
        text.append(
          position <= count ? letters[word >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; nil when it has invalid characters.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    for letter in text.utf8 where letter != UInt8(ascii: "=") {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      word = (word << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
