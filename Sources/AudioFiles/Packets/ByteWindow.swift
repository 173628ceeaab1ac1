// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A part of a file in memory that moves along with the reader.
final class ByteWindow {
  private static let size = 1 << 18
  /// How far to search for the next packet: longer than any picture or tag between packets.
  static let reach = 1 << 24
  private let store: any ByteStore
  private let arriving: ArrivingStore?
  private let knownByteCount: Int
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ store: any ByteStore) throws(AudioError) {
    self.store = store
    arriving = store as? ArrivingStore
    knownByteCount = try store.byteCount()
  }

  /// The bytes of the file; larger than any file while a stream continues.
  var byteCount: Int {
    guard let arriving else { return knownByteCount }
    return arriving.hasEnded ? arriving.end : ArrivingStore.unknown
  }

  /// Whether the file extends to `end`; throws while that is unknown.
  func reaches(_ end: Int) throws(AudioError) -> Bool {
    guard let arriving else { return end <= knownByteCount }
    try arriving.require(end)
    return end <= arriving.end
  }

  /// `count` bytes from `offset`; fewer at the end.
  func fields(_ offset: Int, _ count: Int) throws(AudioError) -> Fields {
    if let arriving { return Fields(try arriving.bytes(at: offset, count), isBigEndian: true) }
    try fill(offset, count)
    let first = offset - start
    guard first >= 0, first < bytes.count else { return Fields([], isBigEndian: true) }
    return Fields(Array(bytes[first..<min(first + count, bytes.count)]), isBigEndian: true)
  }

  /// Loads bytes of the file into the memory.
  private func fill(_ offset: Int, _ count: Int) throws(AudioError) {
    let isInside = offset >= start && offset + count <= start + bytes.count
    let isAtEnd = offset >= start && start + bytes.count >= knownByteCount
    guard !isInside, !isAtEnd else { return }
    start = offset
    bytes = try store.bytes(at: offset, max(Self.size, count))
  }

  /// The first place from `place` on at which a byte of 0xFF is followed by one that fits `mask`;
  /// nil when there is none before `limit`. `place` becomes the position to continue from when more
  /// has arrived.
  func sync(
    from place: inout Int, mask: UInt8, _ value: UInt8, limit: Int
  ) throws(AudioError) -> Int? {
    while place < limit {
      guard try reaches(place + 2) else { return nil }
      let step = arriving.map { min(65_536, $0.end - place) } ?? 65_536
      let part = try fields(place, step)
      guard part.count > 1 else { return nil }
      let found = part.bytes.withUnsafeBufferPointer { bytes in
        (0..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] & mask == value }
      }
      if let found {
        place += found
        return place < limit ? place : nil
      }
      place += part.count - 1
    }
    return nil
  }
}
