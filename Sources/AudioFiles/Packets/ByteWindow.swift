// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A sliding window of a file in memory, for sequential reading.
final class ByteWindow {
  private static let size = 1 << 18
  /// How far to search for the next packet: longer than any picture or tag between packets.
  static let reach = 1 << 24
  private let store: any ByteStore
  private let stream: StreamStore?
  private let knownByteCount: Int
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ store: any ByteStore) throws(AudioError) {
    self.store = store
    stream = store as? StreamStore
    knownByteCount = try store.byteCount()
  }

  /// The length of the file; larger than any file while a stream continues.
  var byteCount: Int {
    guard let stream else { return knownByteCount }
    return stream.hasEnded ? stream.end : StreamStore.unknownLength
  }

  /// Whether the file has all bytes before `end`; throws while that is unknown.
  func reaches(_ end: Int) throws(AudioError) -> Bool {
    guard let stream else { return end <= knownByteCount }
    try stream.require(end)
    return end <= stream.end
  }

  /// `count` bytes from `offset`; fewer at the end.
  func fields(_ offset: Int, _ count: Int) throws(AudioError) -> ByteFields {
    if let stream { return ByteFields(try stream.bytes(at: offset, count), isBigEndian: true) }
    try fill(offset, count)
    let first = offset - start
    guard first >= 0, first < bytes.count else { return ByteFields([], isBigEndian: true) }
    return ByteFields(Array(bytes[first..<min(first + count, bytes.count)]), isBigEndian: true)
  }

  /// Moves the window to these bytes, if it does not contain them.
  private func fill(_ offset: Int, _ count: Int) throws(AudioError) {
    let isInside = offset >= start && offset + count <= start + bytes.count
    let isAtEnd = offset >= start && start + bytes.count >= knownByteCount
    guard !isInside, !isAtEnd else { return }
    start = offset
    bytes = try store.bytes(at: offset, max(Self.size, count))
  }

  /// Finds a sync word from `position`: a byte of 0xFF and one that equals `value` within `mask`.
  /// Nil when there is none before `limit`. `position` becomes the position from which to continue
  /// when more bytes have arrived.
  func sync(
    from position: inout Int, mask: UInt8, _ value: UInt8, limit: Int
  ) throws(AudioError) -> Int? {
    while position < limit {
      guard try reaches(position + 2) else { return nil }
      let step = stream.map { min(65_536, $0.end - position) } ?? 65_536
      let part = try fields(position, step)
      guard part.count > 1 else { return nil }
      let found = part.bytes.withUnsafeBufferPointer { bytes in
        (0..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] & mask == value }
      }
      if let found {
        position += found
        return position < limit ? position : nil
      }
      position += part.count - 1
    }
    return nil
  }
}
