// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Finds consecutive frames of MPEG audio; skips anything between them.
struct MPEGScanner: PacketScanner {
  /// The common properties of all frames; nil before the first.
  private(set) var first: MPEGFrame?
  private(set) var position: Int
  /// The position at which the search for a frame began; nil while a frame is expected at
  /// `position`.
  private var searchStart: Int?

  init(from position: Int) { self.position = position }

  /// Finds the next frame without consuming it.
  mutating func find(_ window: ByteWindow) throws(AudioError) -> MPEGFrame? {
    while true {
      if let start = searchStart {
        let limit = start + ByteWindow.reach
        guard try window.sync(from: &position, mask: 0xE0, 0xE0, limit: limit) != nil else {
          return nil
        }
      }
      if let frame = MPEGFrame(try window.fields(position, 4)),
        first.map({ frame.matches($0) }) ?? true, try window.reaches(position + frame.byteCount)
      {
        if first == nil { first = frame }
        searchStart = nil
        return frame
      }
      guard try window.reaches(position + 4) else { return nil }
      searchStart = searchStart ?? position
      position += 1
    }
  }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    guard let frame = try find(window) else { return nil }
    defer { position += frame.byteCount }
    return FoundPacket(offset: position, size: frame.byteCount, frames: frame.frameCount)
  }

  mutating func restart(at position: Int) {
    self.position = position
    searchStart = position
  }
}

/// Finds frames of AAC in ADTS; the packets are the bytes after their headers.
struct ADTSScanner: PacketScanner {
  private(set) var first: ADTSFrame?
  private(set) var position: Int
  /// The position at which the search for a frame began; nil while a frame is expected at
  /// `position`.
  private var searchStart: Int?

  init(from position: Int) { self.position = position }

  /// Finds the next frame without consuming it.
  mutating func find(_ window: ByteWindow) throws(AudioError) -> ADTSFrame? {
    while true {
      if let start = searchStart {
        let limit = start + ByteWindow.reach
        guard try window.sync(from: &position, mask: 0xF6, 0xF0, limit: limit) != nil else {
          return nil
        }
      }
      if let frame = ADTSFrame(try window.fields(position, 7)),
        first.map({ frame.matches($0) }) ?? true, try window.reaches(position + frame.byteCount)
      {
        if first == nil { first = frame }
        searchStart = nil
        return frame
      }
      guard try window.reaches(position + 7) else { return nil }
      searchStart = searchStart ?? position
      position += 1
    }
  }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    guard let frame = try find(window) else { return nil }
    defer { position += frame.byteCount }
    return FoundPacket(
      offset: position + frame.headerBytes, size: frame.byteCount - frame.headerBytes, frames: 1_024
    )
  }

  mutating func restart(at position: Int) {
    self.position = position
    searchStart = position
  }
}
