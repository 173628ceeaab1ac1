// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// ID3 tags of version 2 (id3.org/id3v2.3.0, id3v2.4.0-structure): texts and a picture.
enum ID3Tag {
  private static let keys: [String: String] = [
    "TIT2": "title", "TPE1": "artist", "TALB": "album", "COMM": "comments", "TCON": "genre",
    "TCOP": "copyright", "TSSE": "source encoder", "TENC": "encoding application",
    "TRCK": "track number", "TCOM": "composer", "TSRC": "ISRC", "TIT3": "subtitle",
    "TEXT": "lyricist", "TYER": "year", "TDRC": "recorded date", "TBPM": "tempo",
    "TKEY": "key signature",
    // Version 2.2 has names of three letters.
    "TT2": "title", "TP1": "artist", "TAL": "album", "COM": "comments", "TCO": "genre",
    "TCR": "copyright", "TSS": "source encoder", "TEN": "encoding application",
    "TRK": "track number", "TCM": "composer", "TRC": "ISRC", "TT3": "subtitle", "TXT": "lyricist",
    "TYE": "year", "TBP": "tempo", "TKE": "key signature",
  ]

  /// The size of a whole tag, from its first ten bytes; nil when they are not those of a tag.
  static func byteCount(_ start: ByteFields) -> Int? {
    guard start.count >= 10, start.bytes.starts(with: [0x49, 0x44, 0x33]), start.uint8(3) < 0xFF
    else { return nil }
    return 10 + synchsafe(start, 6) + (start.uint8(5) & 0x10 != 0 ? 10 : 0)
  }

  /// The size of a whole tag, from its last ten bytes; nil when they are not a footer.
  static func byteCount(footer: ByteFields) -> Int? {
    guard footer.count >= 10, footer.text(0, 3) == "3DI", footer.uint8(3) < 0xFF else { return nil }
    return 20 + synchsafe(footer, 6)
  }

  private static func synchsafe(_ fields: ByteFields, _ position: Int) -> Int {
    (0..<4).reduce(0) { $0 << 7 | Int(fields.uint8(position + $1) & 0x7F) }
  }

  /// The frames of a tag: names and bytes.
  static func frames(_ tag: [UInt8]) -> [(name: String, body: [UInt8])] {
    let fields = ByteFields(tag, isBigEndian: true)
    guard let total = byteCount(fields) else { return [] }
    let version = fields.uint8(3)
    var position = 10
    if fields.uint8(5) & 0x40 != 0, version != 2 {
      position += version == 4 ? synchsafe(fields, 10) : Int(fields.uint32(10)) + 4
    }
    return frames(fields, from: position, to: min(total, fields.count), version: version)
  }

  /// The frames between two positions.
  static func frames(
    _ fields: ByteFields, from start: Int, to end: Int, version: UInt8
  ) -> [(name: String, body: [UInt8])] {
    let isShort = version == 2
    let headerBytes = isShort ? 6 : 10
    var position = start
    var frames: [(String, [UInt8])] = []
    while position >= start, position + headerBytes <= end, fields.uint8(position) != 0,
      frames.count < 10_000
    {
      let name = fields.text(position, isShort ? 3 : 4)
      let size =
        isShort
        ? Int(fields.uint32(position + 2) & 0xFF_FFFF)
        : version == 4 ? synchsafe(fields, position + 4) : Int(fields.uint32(position + 4))
      var body = position + headerBytes
      let bodyEnd = min(end, body + size)
      // A data length precedes the contents.
      if version == 4, fields.uint8(position + 9) & 1 != 0 { body += 4 }
      if body < bodyEnd { frames.append((name, Array(fields.bytes[body..<bodyEnd]))) }
      position += headerBytes + size
    }
    return frames
  }

  /// The texts of a tag, under the keys of the info dictionary.
  static func info(_ tag: [UInt8]?) -> [String: String] {
    guard let tag else { return [:] }
    var info: [String: String] = [:]
    for (name, body) in frames(tag) {
      guard let key = keys[name], info[key] == nil else { continue }
      var text = Array(body.dropFirst())
      if key == "comments" {
        // A language and a short description come first.
        text = Array(text.dropFirst(3))
        text = Array(text.dropFirst(zeroEnd(text, body[0])))
      }
      let words = decode(text, body[0])
      if !words.isEmpty { info[key] = words }
    }
    return info
  }

  /// The picture of a tag.
  static func picture(_ tag: [UInt8]?) -> [UInt8]? {
    guard let tag else { return nil }
    for (name, body) in frames(tag) where name == "APIC" || name == "PIC" {
      let isShort = name == "PIC"
      let fields = ByteFields(body, isBigEndian: true)
      var position = 1 + (isShort ? 3 : zeroEnd(Array(body.dropFirst()), 0))
      position += 1
      guard position < body.count else { continue }
      position += zeroEnd(Array(body[position...]), fields.uint8(0))
      if position < body.count { return Array(body[position...]) }
    }
    return nil
  }

  /// The position after the zero that ends a text.
  static func zeroEnd(_ bytes: [UInt8], _ encoding: UInt8) -> Int {
    if encoding == 1 || encoding == 2 {
      var position = 0
      while position + 1 < bytes.count, bytes[position] != 0 || bytes[position + 1] != 0 {
        position += 2
      }
      return min(bytes.count, position + 2)
    }
    return min(bytes.count, (bytes.firstIndex(of: 0) ?? bytes.count) + 1)
  }

  static func decode(_ bytes: [UInt8], _ encoding: UInt8) -> String {
    switch encoding {
    case 1, 2:
      var isBig = encoding == 2
      var units: [UInt16] = []
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        let unit = isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
        if index == 0, unit == 0xFFFE {
          isBig.toggle()
        } else if unit == 0 {
          break
        } else if unit != 0xFEFF {
          units.append(unit)
        }
      }
      return String(decoding: units, as: UTF16.self)
    case 3: return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    default:
      return String(String.UnicodeScalarView(bytes.prefix { $0 != 0 }.map { UnicodeScalar($0) }))
    }
  }

  // MARK: Writing

  /// A frame of version 2.3.
  static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var frame = ByteBuilder(isBigEndian: true)
    frame.append(name.utf8)
    frame.number(UInt32(clamping: body.count))
    frame.number(UInt16(0))
    frame.append(body)
    return frame.bytes
  }

  /// The body of a frame with a text.
  static func textBody(_ text: String, isComment: Bool = false) -> [UInt8] {
    let isLatin = text.unicodeScalars.allSatisfy { $0.value < 256 }
    var body: [UInt8] = [isLatin ? 0 : 1]
    if isComment { body += Array("eng".utf8) + (isLatin ? [0] : [0xFF, 0xFE, 0, 0]) }
    guard !isLatin else {
      return body + text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
    return body + [0xFF, 0xFE]
      + text.utf16.flatMap {
        [UInt8(truncatingIfNeeded: $0 & 0xFF), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
  }

  /// A tag of version 2.3 with texts, a picture and the frames of chapters; keeps the other frames of
  /// an old tag, and of these what is nil.
  static func make(
    info: [String: String]?, picture: [UInt8]?,
    chapters: [(name: String, body: [UInt8])]? = nil, from old: [UInt8]?
  ) -> [UInt8] {
    var frames = ByteBuilder(isBigEndian: true)
    func add(_ name: String, _ body: [UInt8]) { frames.append(frame(name, body)) }
    let texts = info ?? Self.info(old)
    for (name, key) in keys.sorted(by: { $0.key < $1.key }) where name.count == 4 {
      guard let text = texts[key] else { continue }
      add(name, textBody(text, isComment: key == "comments"))
    }
    for (name, body) in Self.frames(old ?? []) where keys[name] == nil && name.count == 4 {
      let isReplaced =
        name == "APIC" ? picture != nil : chapterNames.contains(name) && chapters != nil
      if !isReplaced { add(name, body) }
    }
    for (name, body) in chapters ?? [] { add(name, body) }
    if let picture {
      let mime = picture.starts(with: [0x89, 0x50]) ? "image/png" : "image/jpeg"
      add("APIC", [0] + Array(mime.utf8) + [0, 3, 0] + picture)
    }
    var tag = ByteBuilder(isBigEndian: true)
    tag.append([0x49, 0x44, 0x33, 3, 0, 0])
    let size = frames.bytes.count
    for shift in [21, 14, 7, 0] { tag.number(UInt8(truncatingIfNeeded: size >> shift & 0x7F)) }
    tag.append(frames.bytes)
    return tag.bytes
  }

  /// A tag with another picture; keeps everything else.
  static func setting(picture: [UInt8], in old: [UInt8]?) -> [UInt8] {
    make(info: nil, picture: picture, from: old)
  }
}
