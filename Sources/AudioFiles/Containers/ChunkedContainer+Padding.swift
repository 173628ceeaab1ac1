// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

extension ChunkedContainer {
  /// Where the next chunk begins: behind the byte that pads a chunk of odd size, or at once if a
  /// writer left that out.
  func nextChunk(after end: Int, _ fileByteCount: Int) throws(AudioError) -> Int {
    let padded = end + dialect.padding(end)
    guard padded == end + 1, dialect.codeBytes == 4, dialect.sizeBytes == 4 else { return padded }
    let fields = ByteFields(try store.bytes(at: end, 8), isBigEndian: dialect.isBigEndian)
    let isName = fields.bytes.prefix(4).allSatisfy { (0x20..<0x7F).contains($0) }
    guard fields.count == 8, isName else { return padded }
    let fits = Int(fields.uint32(4)) <= fileByteCount - end - 8
    return fits || fields.code(0) == dialect.dataCode ? end : padded
  }
}
