// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The tags around the sound of a file, in any number and order: ID3 of version 2, also with a
/// footer, and APE in front; ID3 of versions 1 and 2, APE and Lyrics3 behind.
struct SurroundingTags {
  /// Where each tag is in the file.
  private(set) var ranges: [Range<Int>] = []
  /// The bytes between the tags.
  private(set) var sound: Range<Int>
  private let store: any ByteStore

  /// How many tags are looked for; a file of nothing but short tags would take minutes.
  private static let most = 1_000

  /// Bytes that tell whether a tag begins, and how long it is.
  static let headBytes = 32

  /// The size of the tag that begins with these bytes; nil when none does.
  static func byteCount(_ head: ByteFields) -> Int? {
    if let count = ID3Tag.byteCount(head) ?? APETag.byteCount(head) { return count }
    guard head.text(0, 3) == "TAG" else { return nil }
    return head.uint8(3) == UInt8(ascii: "+") ? enhancedBytes : ID3Version1.byteCount
  }

  /// The size of the extension of a tag of version 1.
  private static let enhancedBytes = 227

  /// [control thread] The position behind all tags at the beginning of a file.
  static func front(_ window: ByteWindow) throws(AudioError) -> Int {
    var position = 0
    while position < window.byteCount, let count = try frontTag(window, position) {
      position += count
    }
    return position
  }

  /// [control thread] The position behind the tags at a position, those of version 1 included; tags
  /// that begin at or behind a limit do not count.
  static func end(
    _ window: ByteWindow, from start: Int, before limit: Int = .max
  ) throws(AudioError) -> Int {
    var position = start
    for _ in 0..<most {
      guard position < min(limit, window.byteCount),
        let count = byteCount(try window.fields(position, headBytes))
      else { break }
      position += count
    }
    return position
  }

  /// A short stream is not kept waiting for the bytes of a longer tag than it may have.
  private static func frontTag(_ window: ByteWindow, _ position: Int) throws(AudioError) -> Int? {
    let head = try window.fields(position, 10)
    if let count = ID3Tag.byteCount(head) { return count }
    guard head.bytes.starts(with: APETag.marker) else { return nil }
    return APETag.byteCount(try window.fields(position, APETag.headerBytes))
  }

  /// [control thread] Finds the tags of a file. Those behind the sound of a stream are not known
  /// before it ends.
  init(_ store: any ByteStore, _ window: ByteWindow) throws(AudioError) {
    self.store = store
    let end = try store.byteCount()
    let front = min(try Self.front(window), end)
    sound = front..<end
    var position = 0
    while position < front, ranges.count < Self.most,
      let count = Self.byteCount(try window.fields(position, Self.headBytes))
    {
      ranges.append(position..<min(front, position + count))
      position += count
    }
    guard !(store is StreamStore) else { return }
    while ranges.count < Self.most, let count = try Self.tag(endingAt: sound.upperBound, store),
      count > 0,
      sound.upperBound - count >= front
    {
      ranges.append(sound.upperBound - count..<sound.upperBound)
      sound = front..<sound.upperBound - count
    }
  }

  /// The same without tags that overlap a range.
  func outside(_ range: Range<Int>) -> Self {
    var tags = self
    tags.ranges.removeAll { $0.overlaps(range) }
    return tags
  }

  /// The size of the tag that ends at a position; nil when none does.
  private static func tag(
    endingAt end: Int, _ store: any ByteStore
  ) throws(AudioError) -> Int? {
    func fields(before count: Int) throws(AudioError) -> ByteFields {
      // The beginning of a long tag is enough.
      let count = min(count, end)
      let most = min(count, 1 << 16)
      return ByteFields(try store.bytes(at: end - count, most), isBigEndian: true)
    }
    if try fields(before: ID3Version1.byteCount).text(0, 3) == "TAG" {
      let whole = ID3Version1.byteCount + enhancedBytes
      return try fields(before: whole).text(0, 4) == "TAG+" ? whole : ID3Version1.byteCount
    }
    // Where a tag has a header, too, that must be there: the footer may be damaged.
    if let (count, hasHeader) = APETag.byteCount(
      footer: try fields(before: APETag.headerBytes))
    {
      guard hasHeader else { return count }
      let head = ByteFields(try fields(before: count).bytes, isBigEndian: true)
      return APETag.byteCount(head) == count ? count : nil
    }
    if let count = ID3Tag.byteCount(footer: try fields(before: 10)) {
      return ID3Tag.byteCount(try fields(before: count)) == count ? count : nil
    }
    return try lyrics(fields)
  }

  /// The size of a Lyrics3 tag (id3.org/Lyrics3, Lyrics3v2) at the end.
  private static func lyrics(
    _ fields: (Int) throws(AudioError) -> ByteFields
  ) throws(AudioError) -> Int? {
    let marker = "LYRICSBEGIN"
    let tail = try fields(15)
    if tail.text(6, 9) == "LYRICS200", let size = Int(tail.text(0, 6)), size >= marker.count {
      return try fields(size + 15).text(0, marker.count) == marker ? size + 15 : nil
    }
    guard tail.text(6, 9) == "LYRICSEND" else { return nil }
    // The first version has no size, and at most 5,100 bytes of text.
    let bytes = try fields(5_100 + marker.count + 9).bytes
    let name = Array(marker.utf8)
    guard bytes.count >= name.count else { return nil }
    let start = (0...bytes.count - name.count).last { bytes[$0...].starts(with: name) }
    return start.map { bytes.count - $0 }
  }

  // MARK: Contents

  /// [control thread] The bytes of the tags that begin with a marker, or end with a footer of it.
  private func tags(_ isWanted: (ByteFields) -> Bool) throws(AudioError) -> [[UInt8]] {
    var tags: [[UInt8]] = []
    var room = Limits.chunkBytes
    for range in ranges where range.count <= room {
      room -= range.count
      let bytes = try store.bytes(at: range.lowerBound, range.count)
      if isWanted(ByteFields(bytes, isBigEndian: true)) { tags.append(bytes) }
    }
    return tags
  }

  private func id3() throws(AudioError) -> [[UInt8]] {
    try tags { ID3Tag.byteCount($0) != nil }
  }

  private func ape() throws(AudioError) -> [[UInt8]] {
    try tags { tag in
      let footer = Array(tag.bytes.suffix(APETag.headerBytes))
      return APETag.byteCount(footer: ByteFields(footer, isBigEndian: true)) != nil
    }
  }

  /// [control thread] The texts of all tags. Tags of version 2 have priority over those of APE, and
  /// these over those of version 1, whose texts are cut.
  func info() throws(AudioError) -> [String: String] {
    var info: [String: String] = [:]
    for tag in try id3() { info.merge(ID3Tag.info(tag)) { old, _ in old } }
    for tag in try ape() { info.merge(APETag.info(tag)) { old, _ in old } }
    for tag in try tags({ $0.text(0, 3) == "TAG" }) {
      let last = ByteFields(Array(tag.suffix(ID3Version1.byteCount)), isBigEndian: true)
      info.merge(ID3Version1.info(last)) { old, _ in old }
    }
    return info
  }

  /// [control thread] The first picture of the tags.
  func picture() throws(AudioError) -> [UInt8]? {
    for tag in try id3() { if let picture = ID3Tag.picture(tag) { return picture } }
    for tag in try ape() { if let picture = APETag.picture(tag) { return picture } }
    return nil
  }
}

/// The tag of 128 bytes at the end of a file: ID3 of version 1.
enum ID3Version1 {
  static let byteCount = 128

  /// Its texts, under the keys of the info dictionary.
  static func info(_ tag: ByteFields) -> [String: String] {
    guard tag.count == byteCount, tag.text(0, 3) == "TAG" else { return [:] }
    var info: [String: String] = [:]
    for (key, position, count) in [
      ("title", 3, 30), ("artist", 33, 30), ("album", 63, 30), ("year", 93, 4),
      ("comments", 97, 30),
    ] {
      var text = tag.text(position, count)
      while text.last == " " { text.removeLast() }
      if !text.isEmpty { info[key] = text }
    }
    return info
  }
}
