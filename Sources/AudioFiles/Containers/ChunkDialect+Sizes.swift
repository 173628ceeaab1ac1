// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

extension ChunkDialect {
  /// The size in a chunk's header; nil when it is marked as unknown.
  func size(_ fields: ByteFields) -> Int? {
    guard sizeBytes == 8 else {
      let size = fields.uint32(codeBytes)
      return size == .max ? nil : Int(size)
    }
    let size = fields.int64(codeBytes)
    guard size >= 0 else { return nil }
    return max(0, Int(size) - (sizeCountsHeader ? headerBytes : 0))
  }

  /// Whether the size of the chunk with the sound stands for an unknown one: a placeholder beyond the
  /// end, or none at all where sound follows, not the next chunk.
  func isUnknown(
    _ size: Int, at body: Int, _ room: Int, in store: any ByteStore
  ) throws(AudioError) -> Bool {
    if size > room { return UnknownSize.isMeant(size - dataPrefix) }
    guard size <= dataPrefix, size < room else { return false }
    guard !(store is StreamStore) else { return size == 0 }
    let next = ByteFields(try store.bytes(at: body + size, headerBytes), isBigEndian: isBigEndian)
    return !Self.isName(next) || self.size(next) ?? .max > room - size - headerBytes
  }

  /// Where the next chunk begins: behind the byte that pads a chunk of odd size, or at once if a
  /// writer left that out.
  func nextChunk(
    after end: Int, _ fileByteCount: Int, in store: any ByteStore
  ) throws(AudioError) -> Int {
    let padded = end + padding(end)
    guard padded == end + 1, codeBytes == 4, sizeBytes == 4 else { return padded }
    let bytes = try store.bytes(at: end, 9)
    func isChunk(_ first: Int) -> Bool {
      let fields = ByteFields(Array(bytes.dropFirst(first).prefix(8)), isBigEndian: isBigEndian)
      guard fields.count == 8, Self.isName(fields) else { return false }
      return fields.code(0) == dataCode
        || Int(fields.uint32(4)) <= fileByteCount - end - first - 8
    }
    return !isChunk(1) && isChunk(0) ? end : padded
  }

  private static func isName(_ fields: ByteFields) -> Bool {
    fields.bytes.prefix(4).allSatisfy { (0x20..<0x7F).contains($0) }
  }
}
