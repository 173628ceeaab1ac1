// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Sizes that stand for "not known yet": recorders that write to a pipe, or were killed, leave one in the
/// header.
enum UnknownSize {
  private static let narrow = [0x7F00_0000, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
  /// Some round it down to whole frames, or subtract their header.
  private static let reduction = 256

  /// Whether a number of bytes of sound, beyond the end of the file, is such a size. A file that was
  /// cut states another one.
  static func isMeant(_ byteCount: Int) -> Bool {
    byteCount > Limits.count
      || narrow.contains { (0..<reduction).contains($0 - byteCount) }
  }
}

extension ChunkedContainer {
  /// Whether the size of the chunk with the sound stands for an unknown one: a placeholder beyond the
  /// end, or none at all where sound follows, not the next chunk.
  func isUnknown(_ size: Int, at body: Int, _ room: Int) throws(AudioError) -> Bool {
    if size > room { return UnknownSize.isMeant(size - dialect.dataPrefix) }
    guard size <= dialect.dataPrefix, size < room else { return false }
    guard !(store is StreamStore) else { return size == 0 }
    let next = ByteFields(
      try store.bytes(at: body + size, dialect.headerBytes), isBigEndian: dialect.isBigEndian)
    let isName = next.bytes.prefix(4).allSatisfy { (0x20..<0x7F).contains($0) }
    return !isName || self.size(next) ?? .max > room - size - dialect.headerBytes
  }
}
