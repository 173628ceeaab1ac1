// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

// Chapters in ID3 tags (id3.org/id3v2-chapters-1.0): a frame for each, and one that lists them.
extension ID3Tag {
  /// The names of these frames.
  static let chapterNames = ["CHAP", "CTOC"]
  /// The list has a byte for their number.
  private static let most = 255

  /// The chapters of a tag.
  static func chapters(_ tag: [UInt8]?) -> [Chapter] {
    guard let tag, tag.count > 3 else { return [] }
    let found = frames(tag).filter { $0.name == "CHAP" }.compactMap { frame -> Chapter? in
      // The name of the element, two times in milliseconds, two positions in the file, and frames.
      let start = zeroEnd(frame.body, 0)
      let fields = ByteFields(frame.body, isBigEndian: true)
      guard start + 16 <= fields.count else { return nil }
      let texts = frames(fields, from: start + 16, to: fields.count, version: tag[3])
      let title = texts.first { $0.name == "TIT2" }?.body
      return Chapter(
        seconds: Double(fields.uint32(start)) / 1_000,
        name: title.map { decode(Array($0.dropFirst()), $0[0]) } ?? "")
    }
    return found.sorted { $0.seconds < $1.seconds }
  }

  /// A tag with other chapters; keeps everything else.
  static func setting(chapters: [Chapter], in old: [UInt8]?) -> [UInt8] {
    let chapters = Array(chapters.prefix(most))
    let times = chapters.map { UInt32(saturating: ($0.seconds * 1_000).rounded()) }
    var made: [(name: String, body: [UInt8])] = []
    var list = ByteBuilder(isBigEndian: true)
    list.append("toc\0".utf8)
    // The only list, in the order of time.
    list.number(UInt8(3))
    list.number(UInt8(clamping: chapters.count))
    for (index, chapter) in chapters.enumerated() {
      let element = Array("chp\(index)\0".utf8)
      list.append(element)
      var body = ByteBuilder(isBigEndian: true)
      body.append(element)
      body.number(times[index])
      body.number(index + 1 < times.count ? times[index + 1] : times[index])
      // Without positions in the file.
      body.number(UInt32.max)
      body.number(UInt32.max)
      body.append(Self.frame("TIT2", textBody(chapter.name)))
      made.append(("CHAP", body.bytes))
    }
    if !chapters.isEmpty { made.append(("CTOC", list.bytes)) }
    return make(info: nil, picture: nil, chapters: made, from: old)
  }
}
