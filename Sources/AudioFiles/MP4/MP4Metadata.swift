// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Reads and writes the metadata of a movie box: texts and a picture, as iTunes stores them
/// ('ilst'), and chapters.
enum MP4Metadata {
  /// What a movie box says about its sound.
  struct Contents {
    var texts: [String: String] = [:]
    var picture: [UInt8]?
    var chapters: [Chapter] = []
  }

  /// The contents of a movie box.
  static func contents(_ movie: ByteFields) -> Contents {
    Contents(texts: info(movie), picture: picture(movie), chapters: chapters(movie))
  }

  private static let keys: [ChunkCode: String] = [
    item("nam"): "title", item("ART"): "artist", item("alb"): "album", item("cmt"): "comments",
    item("gen"): "genre", "cprt": "copyright", item("cpy"): "copyright",
    item("too"): "encoding application", item("wrt"): "composer", item("day"): "year",
    item("lyr"): "lyricist", "tmpo": "tempo", "trkn": "track number", item("st3"): "subtitle",
    item("enc"): "source encoder", item("key"): "key signature",
  ]

  /// The code of a name that begins with a copyright sign.
  private static func item(_ name: String) -> ChunkCode {
    ChunkCode(name.utf8.reduce(0xA9) { $0 << 8 | UInt32($1) })
  }

  private static func list(_ movie: ByteFields) -> MP4Box? {
    let all = 0..<movie.count
    guard let meta = movie.box(all, "udta", "meta") else { return nil }
    return movie.box(inside(meta, movie), "ilst")
  }

  /// The positions of the boxes in 'meta': after a version, except in QuickTime.
  private static func inside(_ meta: MP4Box, _ movie: ByteFields) -> Range<Int> {
    let start = meta.body.lowerBound
    let isPlain = movie.code(start + 4) == "hdlr"
    return min(isPlain ? start : start + 4, meta.body.upperBound)..<meta.body.upperBound
  }

  private static func value(_ item: MP4Box, _ movie: ByteFields) -> (kind: UInt32, bytes: [UInt8])?
  {
    guard let data = movie.box(item.body, "data"), data.body.count >= 8 else { return nil }
    let start = data.body.lowerBound
    return (movie.uint32(start), Array(movie.bytes[start + 8..<data.body.upperBound]))
  }

  /// The texts of a movie box, under the keys of the info dictionary.
  static func info(_ movie: ByteFields) -> [String: String] {
    guard let list = list(movie) else { return [:] }
    var info: [String: String] = [:]
    for item in movie.boxes(list.body) {
      guard let key = keys[item.type], info[key] == nil, let value = value(item, movie) else {
        continue
      }
      let fields = ByteFields(value.bytes, isBigEndian: true)
      switch item.type {
      case "trkn":
        let (number, count) = (fields.uint16(2), fields.uint16(4))
        if number > 0 { info[key] = count > 0 ? "\(number)/\(count)" : "\(number)" }
      case "tmpo": info[key] = "\(fields.uint16(0))"
      default: info[key] = ByteFields.text(value.bytes)
      }
    }
    return info
  }

  /// The picture.
  static func picture(_ movie: ByteFields) -> [UInt8]? {
    guard let list = list(movie),
      let cover = movie.boxes(list.body).first(where: { $0.type == "covr" })
    else { return nil }
    return value(cover, movie)?.bytes
  }

  /// The iTunes tag with the codec's priming and padding frames.
  static func gapless(_ movie: ByteFields) -> String? {
    guard let list = list(movie) else { return nil }
    for item in movie.boxes(list.body) where item.type == "----" {
      guard let name = movie.box(item.body, "name"), name.body.count > 4,
        movie.text(name.body.lowerBound + 4, name.body.count - 4).hasPrefix("iTunSMPB")
      else { continue }
      return value(item, movie).map { ByteFields.text($0.bytes) }
    }
    return nil
  }

  // MARK: Writing

  /// A 'udta' box with these contents, and with other items of the list.
  static func box(_ contents: Contents, others: [[UInt8]] = []) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("udta") { data in
      write(contents.chapters, to: &data)
      data.fullBox("meta") { meta in
        meta.fullBox("hdlr") { handler in
          handler.zeros(4)
          handler.code("mdir")
          handler.code("appl")
          handler.zeros(9)
        }
        meta.box("ilst") { list in
          write(contents.texts, to: &list)
          if let picture = contents.picture {
            list.box("covr") { cover in
              let kind: UInt32 = picture.starts(with: [0x89, 0x50]) ? 14 : 13
              append(kind, picture, to: &cover)
            }
          }
          for other in others { list.append(other) }
        }
      }
    }
    return builder.bytes
  }

  private static func append(_ kind: UInt32, _ bytes: [UInt8], to builder: inout ByteBuilder) {
    builder.box("data") { data in
      data.number(kind)
      data.zeros(4)
      data.append(bytes)
    }
  }

  private static func write(_ info: [String: String], to list: inout ByteBuilder) {
    var written: Set<String> = []
    for (code, key) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let text = info[key] else { continue }
      // A tempo that is no number is left out.
      let tempo = code == "tmpo" ? Double(text) : 0
      guard let tempo, tempo.isFinite, written.insert(key).inserted else { continue }
      list.box(code) { item in
        var value = ByteBuilder(isBigEndian: true)
        switch code {
        case "trkn":
          let parts = text.split(separator: "/").map { UInt16($0) ?? 0 }
          for number in [0, parts.first ?? 0, parts.count > 1 ? parts[1] : 0, 0] {
            value.number(number)
          }
          append(0, value.bytes, to: &item)
        case "tmpo":
          value.number(UInt16(saturating: tempo))
          append(21, value.bytes, to: &item)
        default: append(1, Array(text.utf8), to: &item)
        }
      }
    }
  }

  /// A movie box with other contents; keeps everything else, but for tracks of chapters that are not
  /// those in the contents.
  static func setting(
    _ contents: Contents, keepsChapterTracks: Bool, in movie: ByteFields
  ) -> [UInt8] {
    var made: [UInt8] = []
    for box in movie.boxes(0..<movie.count) where box.type != "udta" {
      made +=
        keepsChapterTracks
        ? Array(movie.bytes[box.start..<box.body.upperBound])
        : MP4ChapterTrack.removing(from: box, movie)
    }
    var others: [[UInt8]] = []
    if let list = list(movie) {
      for item in movie.boxes(list.body) where keys[item.type] == nil && item.type != "covr" {
        others.append(Array(movie.bytes[item.start..<item.body.upperBound]))
      }
    }
    return made + box(contents, others: others)
  }

  /// The contents of a movie box whose chunks have moved; throws when a position is too large for
  /// its table.
  static func moving(
    _ movie: ByteFields, _ name: String, _ newPosition: (Int) -> Int
  ) throws(AudioError) -> [UInt8] {
    var bytes = movie.bytes
    for track in movie.boxes(0..<movie.count) where track.type == "trak" {
      guard let table = movie.box(track.body, "mdia", "minf", "stbl") else { continue }
      for box in movie.boxes(table.body) where box.type == "stco" || box.type == "co64" {
        let isLong = box.type == "co64"
        let offsets = MP4Table(movie, box, entryBytes: isLong ? 8 : 4)
        for index in 0..<offsets.count {
          let moved = newPosition(isLong ? offsets.uint64(index) : offsets.uint32(index))
          var number = ByteBuilder(isBigEndian: true)
          if isLong {
            number.number(UInt64(clamping: moved))
          } else {
            guard let short = UInt32(exactly: moved) else {
              throw .tooLargeForKind.because("\(name): byte \(moved) is beyond 4 GB")
            }
            number.number(short)
          }
          bytes.replace(at: offsets.start + index * offsets.entryBytes, number.bytes)
        }
      }
    }
    return bytes
  }
}
