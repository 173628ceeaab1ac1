// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// A sliding window of a file in memory, for sequential reading.
final class ByteWindow {
  /// The bytes that are read at once: few at first, because a header may be all that is needed.
  private var size = 1 << 12
  private static let largestSize = 1 << 18
  /// How far to search for the next packet: longer than any picture or tag between packets.
  static let reach = 1 << 24
  private let store: any ByteStore
  /// The name of the file in messages.
  var name: String { store.name }
  private let stream: StreamStore?
  private let knownByteCount: Int
  private var start = 0
  private var bytes: [UInt8] = []

  /// A window of the bytes before `end`, or of the whole file.
  init(_ store: any ByteStore, to end: Int = .max) throws(AudioError) {
    self.store = store
    stream = store as? StreamStore
    knownByteCount = min(end, try store.byteCount())
  }

  /// The length of the file; larger than any file while a stream continues.
  var byteCount: Int {
    guard let stream else { return knownByteCount }
    return stream.hasEnded ? stream.end : StreamStore.unknownLength
  }

  /// The end of the bytes of a stream that have arrived; nil for a file.
  var arrived: Int? { stream?.end }

  /// Whether a stream may be read again from a position, where not enough has arrived before: the
  /// time for all attempts stays in proportion to the bytes.
  func isRepetitionDue(from position: Int) -> Bool {
    stream?.isRepetitionDue(from: position) ?? true
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
    bytes = try store.bytes(at: offset, min(max(size, count), knownByteCount - offset))
    size = min(4 * size, Self.largestSize)
  }

  /// The bytes from `offset` on that are there already, at most `count`.
  func present(_ offset: Int, _ count: Int) throws(AudioError) -> [UInt8] {
    guard let stream else { return try fields(offset, count).bytes }
    let present = min(count, stream.end - offset)
    return present > 0 ? try stream.bytes(at: offset, present) : []
  }

  /// Finds a sync word from `position`: a byte of 0xFF and one that equals `value` within `mask`.
  /// Nil when there is none before `limit`. `position` becomes the position from which to continue
  /// when more bytes have arrived.
  func sync(
    from position: inout Int, mask: UInt8, _ value: UInt8, limit: Int
  ) throws(AudioError) -> Int? {
    while position < limit {
      guard try reaches(position + 2) else { return nil }
      let (found, count) = try withBytes(position, least: 2) { bytes in
        (Self.sync(in: bytes, mask: mask, value), bytes.count)
      }
      guard count > 1 else { return nil }
      if let found {
        position += found
        return position < limit ? position : nil
      }
      position += count - 1
    }
    return nil
  }

  /// The first sync word in bytes. Most bytes are skipped in large steps.
  private static func sync(
    in bytes: UnsafeRawBufferPointer, mask: UInt8, _ value: UInt8
  ) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var offset = 0
    while offset + 1 < bytes.count,
      let hit = memchr(start + offset, 0xFF, bytes.count - 1 - offset)
    {
      let found = UnsafeRawPointer(hit) - start
      if bytes[found + 1] & mask == value { return found }
      offset = found + 1
    }
    return nil
  }

  /// Calls `body` with the bytes from `offset` on that are in memory, `least` to 65,536 unless the
  /// file ends, without copying them: a search that ends after a few bytes costs no more than these.
  func withBytes<Result>(
    _ offset: Int, least: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(AudioError) -> Result {
    let most = 65_536
    if let stream { return stream.withBytes(from: offset, most, body) }
    try fill(offset, least)
    return bytes.withUnsafeBytes { bytes in
      let first = offset - start
      guard first >= 0, first < bytes.count else { return body(.init(start: nil, count: 0)) }
      return body(.init(rebasing: bytes[first..<min(first + most, bytes.count)]))
    }
  }
}
