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
///
/// A megabyte of any bytes contains a few headers that look like those of the stream. So a frame
/// behind something else counts only where the next frame, a tag or the end follows it.
struct SyncedScanner<Frame: SyncedFrame>: PacketScanner {
  /// The common properties of all frames; nil before the first.
  private var first: Frame?
  private(set) var position: Int
  /// The position at which the search for a frame began; nil while a frame is expected at
  /// `position`.
  private var searchStart: Int?
  /// Whether the search follows a jump, behind which frames are near.
  private var hasJumped = false

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
        first.map({ frame.matches($0) }) ?? true, try window.reaches(position + frame.byteCount),
        try isExpected(frame, window)
      {
        if first == nil { first = frame }
        (searchStart, hasJumped) = (nil, false)
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

  /// Whether a frame may be at `position`: behind something else, the stream continues after it, or
  /// ends there.
  private func isExpected(_ frame: Frame, _ window: ByteWindow) throws(AudioError) -> Bool {
    guard searchStart != nil, !hasJumped else { return true }
    let next = try window.fields(position + frame.byteCount, Frame.shortestHeader)
    guard next.count == Frame.shortestHeader else { return true }
    return Frame(next, at: 0)?.matches(frame) ?? false || Self.isTag(next)
  }

  private static func isTag(_ fields: ByteFields) -> Bool {
    ["ID3", "TAG", "APE"].contains(fields.text(0, 3))
  }

  /// The size of a tag where a frame is expected: what it holds is not taken for frames.
  private func tagBytes(_ window: ByteWindow) throws(AudioError) -> Int? {
    guard Self.isTag(try window.fields(position, 3)) else { return nil }
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
    (searchStart, hasJumped) = (position, true)
  }
}
