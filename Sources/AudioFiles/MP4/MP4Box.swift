// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// A box of an MPEG-4 file (ISO 14496-12). QuickTime's atoms are the same.
struct MP4Box {
  let type: ChunkCode
  /// The position of its header, and that of its contents.
  let start: Int
  let body: Range<Int>

  /// Reads the header of a box in a file that ends at `end`; nil when there is none.
  init?(_ store: any ByteStore, _ start: Int, end: Int) throws(AudioError) {
    guard start <= end - 8 else { return nil }
    let head = ByteFields(try store.bytes(at: start, 8), isBigEndian: true)
    guard head.count == 8 else { return nil }
    let isLong = head.uint32(0) == 1
    let long = isLong ? ByteFields(try store.bytes(at: start + 8, 8), isBigEndian: true) : .none
    self.init(head, 0, long.uint64(0), at: start, end: end)
  }

  /// Reads the header of a box in memory.
  init?(_ fields: ByteFields, _ start: Int, end: Int) {
    guard start <= end - 8 else { return nil }
    self.init(fields, start, fields.uint64(start + 8), at: start, end: end)
  }

  private init?(_ fields: ByteFields, _ position: Int, _ long: UInt64, at start: Int, end: Int) {
    self.start = start
    type = fields.code(position + 4)
    let short = Int(fields.uint32(position))
    let headBytes = short == 1 ? 16 : 8
    // A size of 0 means up to the end.
    let size = short == 0 ? end - start : short == 1 ? Int(clamping: long) : short
    guard size >= headBytes, headBytes <= end - start else { return nil }
    // Small enough that the position of the next box can be added to another.
    let last = (Outside(start) + size).upTo(Limits.count) ?? Limits.count
    body = start + headBytes..<max(start + headBytes, last)
  }

  /// Whether it extends beyond `end`, because the file was truncated.
  func isCut(at end: Int) -> Bool { body.upperBound > end }
}

extension ByteFields {
  /// The boxes in a range of the bytes, up to the first that extends beyond it.
  func boxes(_ range: Range<Int>) -> [MP4Box] {
    var boxes: [MP4Box] = []
    forEachBox(range) { box in
      boxes.append(box)
      return true
    }
    return boxes
  }

  /// Calls `body` with each of these boxes, until it returns false.
  private func forEachBox(_ range: Range<Int>, _ body: (MP4Box) -> Bool) {
    var position = range.lowerBound
    while let box = MP4Box(self, position, end: range.upperBound),
      !box.isCut(at: range.upperBound), body(box)
    {
      position = box.body.upperBound
    }
  }

  /// The first box with a path of types; nil when there is none.
  func box(_ range: Range<Int>, _ path: ChunkCode...) -> MP4Box? {
    var range = range
    var found: MP4Box?
    for type in path {
      found = nil
      forEachBox(range) { box in
        if box.type == type { found = box }
        return found == nil
      }
      guard let found else { return nil }
      range = found.body
    }
    return found
  }
}

/// A table in a box: a count, and entries of one size.
struct MP4Table {
  let fields: ByteFields
  let start: Int
  let entryBytes: Int
  let count: Int

  /// Reads `count` at `position` of the box's bytes; the entries follow it.
  init(_ fields: ByteFields, _ box: MP4Box?, countAt position: Int = 4, entryBytes: Int) {
    self.fields = fields
    self.entryBytes = entryBytes
    guard let box else {
      (start, count) = (0, 0)
      return
    }
    start = box.body.lowerBound + position + 4
    let room = max(0, box.body.upperBound - start) / entryBytes
    let isWhole = box.body.count >= position + 4
    count = isWhole ? min(Int(fields.uint32(box.body.lowerBound + position)), room) : 0
  }

  func uint32(_ index: Int, _ position: Int = 0) -> Int {
    Int(fields.uint32(start + index * entryBytes + position))
  }

  func uint64(_ index: Int, _ position: Int = 0) -> Int {
    Int(clamping: fields.uint64(start + index * entryBytes + position))
  }
}

extension ByteBuilder {
  /// A box around what `build` writes.
  mutating func box(_ type: ChunkCode, _ build: (inout ByteBuilder) -> Void = { _ in }) {
    var content = ByteBuilder(isBigEndian: true)
    build(&content)
    number(UInt32(clamping: content.bytes.count + 8))
    code(type)
    append(content.bytes)
  }

  /// A box with a version and flags.
  mutating func fullBox(
    _ type: ChunkCode, version: UInt8 = 0, flags: UInt32 = 0,
    _ build: (inout ByteBuilder) -> Void = { _ in }
  ) {
    box(type) { content in
      content.number(UInt32(version) << 24 | flags)
      build(&content)
    }
  }
}
