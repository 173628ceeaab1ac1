// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A part of a file in memory that moves along with what is looked at.
final class ByteWindow {
  private static let size = 1 << 18
  private let store: any ByteStore
  let byteCount: Int
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ store: any ByteStore) throws(AudioError) {
    self.store = store
    byteCount = try store.byteCount()
  }

  /// `count` bytes from `offset`; fewer at the end.
  func fields(_ offset: Int, _ count: Int) throws(AudioError) -> Fields {
    if offset < start || offset + count > start + bytes.count,
      start + bytes.count < byteCount
        || offset < start
    {
      start = offset
      bytes = try store.bytes(at: offset, max(Self.size, count))
    }
    let first = offset - start
    guard first < bytes.count else { return Fields([], isBigEndian: true) }
    return Fields(Array(bytes[first..<min(first + count, bytes.count)]), isBigEndian: true)
  }

  /// The first place from `offset` on at which a byte of 0xFF is followed by one that fits `mask`;
  /// nil where there is none before `limit`.
  func sync(from offset: Int, mask: UInt8, _ value: UInt8, limit: Int) throws(AudioError) -> Int? {
    var place = offset
    while place < min(limit, byteCount - 1) {
      let part = try fields(place, 65_536)
      guard part.count > 1 else { return nil }
      let found = part.bytes.withUnsafeBufferPointer { bytes in
        (0..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] & mask == value }
      }
      if let found { return place + found < limit ? place + found : nil }
      place += part.count - 1
    }
    return nil
  }
}
