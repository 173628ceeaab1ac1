// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A frame whose header begins with a pattern and states its length.
protocol SyncedFrame {
  /// The bits of the second byte that belong to the pattern, and their values; the first byte is
  /// 0xFF.
  static var sync: (mask: UInt8, bits: UInt8) { get }
  /// Bytes of the shortest header.
  static var shortestHeader: Int { get }
  /// Nil when the bytes are not a frame.
  init?(_ fields: ByteFields, at position: Int)
  var byteCount: Int { get }
  /// Bytes before the packet.
  var headerBytes: Int { get }
  var frameCount: Int { get }
  /// Whether another frame belongs to the same stream.
  func matches(_ other: Self) -> Bool
}

/// Finds consecutive frames of MPEG audio or ADTS; skips tags and anything else between them.
struct SyncedScanner<Frame: SyncedFrame>: PacketScanner {
  /// The common properties of all frames; nil before the first.
  private var first: Frame?
  private(set) var position: Int
  /// The position at which the search for a frame began; nil while a frame is expected at
  /// `position`.
  private var searchStart: Int?

  init(from position: Int) { self.position = position }

  /// Finds the next frame without consuming it.
  mutating func find(_ window: ByteWindow) throws(AudioError) -> Frame? {
    while true {
      if let start = searchStart {
        let limit = start + ByteWindow.reach
        guard
          try window.sync(from: &position, mask: Frame.sync.mask, Frame.sync.bits, limit: limit)
            != nil
        else { return nil }
      }
      if let frame = Frame(try window.fields(position, Frame.shortestHeader), at: 0),
        first.map({ frame.matches($0) }) ?? true, try window.reaches(position + frame.byteCount)
      {
        if first == nil { first = frame }
        searchStart = nil
        return frame
      }
      guard try window.reaches(position + Frame.shortestHeader) else { return nil }
      if searchStart == nil, let tag = try tagBytes(window) {
        position += tag
        continue
      }
      searchStart = searchStart ?? position
      position += 1
    }
  }

  /// The size of a tag where a frame is expected: what it holds is not taken for frames.
  private func tagBytes(_ window: ByteWindow) throws(AudioError) -> Int? {
    let marker = try window.fields(position, 3).text(0, 3)
    guard ["ID3", "TAG", "APE"].contains(marker) else { return nil }
    return SurroundingTags.byteCount(try window.fields(position, SurroundingTags.headBytes))
  }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    guard let frame = try find(window) else { return nil }
    defer { position += frame.byteCount }
    return FoundPacket(
      offset: position + frame.headerBytes, size: frame.byteCount - frame.headerBytes,
      frames: frame.frameCount)
  }

  mutating func restart(at position: Int) {
    self.position = position
    searchStart = position
  }
}
