// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The header of a FLAC frame (RFC 9639).
struct FLACFrame {
  let isVariable: Bool
  /// The number of the frame, or of its first sample when frames differ in length.
  let number: Int
  let frames: Int

  init?(_ fields: ByteFields) {
    guard fields.count >= 6 else { return nil }
    isVariable = fields.uint8(1) & 1 != 0
    let sizeCode = Int(fields.uint8(2) >> 4)
    let rateCode = Int(fields.uint8(2) & 15)
    guard sizeCode != 0, rateCode != 15, fields.uint8(3) & 1 == 0, fields.uint8(3) >> 4 < 11
    else { return nil }
    // A number of one to seven bytes, as in UTF-8.
    let lead = fields.uint8(4)
    let length = max(1, (~lead).leadingZeroBitCount)
    guard length != 1 || lead < 0x80, length <= 7 else { return nil }
    var value = lead < 0x80 ? Int(lead) : Int(lead) & (0x7F >> length)
    var position = 5
    for _ in 1..<max(1, lead < 0x80 ? 1 : length) {
      guard fields.uint8(position) & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int(fields.uint8(position) & 0x3F)
      position += 1
    }
    number = value
    switch sizeCode {
    case 1: frames = 192
    case 2...5: frames = 576 << (sizeCode - 2)
    case 6:
      frames = Int(fields.uint8(position)) + 1
      position += 1
    case 7:
      frames = Int(fields.uint16(position)) + 1
      position += 2
    default: frames = 256 << (sizeCode - 8)
    }
    if rateCode == 12 { position += 1 } else if rateCode > 12 { position += 2 }
    guard position < fields.count else { return nil }
    // CRC-8 with the polynomial x^8 + x^2 + x + 1.
    var check: UInt8 = 0
    for byte in fields.bytes[..<position] {
      check ^= byte
      for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 7 : check << 1 }
    }
    guard check == fields.uint8(position) else { return nil }
  }
}

/// Finds the frames of FLAC, each of which ends where the next begins.
struct FLACScanner: PacketScanner {
  private var current: (position: Int, frame: FLACFrame)?
  /// The expected number of the next frame, and of its first sample.
  private var count = 0
  private var samples = 0
  /// Whether any frame number may follow, after a jump.
  private var isLost = false
  private var search: Int
  /// Eight channels of 65,535 uncompressed 32-bit samples, and a header.
  private static let largestFrame = 8 * 65_535 * 4 + 64

  init(from position: Int) { search = position }

  var position: Int { current?.position ?? search }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    let limit = (current?.position ?? search) + ByteWindow.reach
    while let found = try window.sync(from: &search, mask: 0xFE, 0xF8, limit: limit) {
      if let frame = FLACFrame(try window.fields(found, 16)), isNext(frame) {
        let before = current
        isLost = false
        current = (found, frame)
        count = frame.isVariable ? 0 : frame.number + 1
        samples = frame.isVariable ? frame.number + frame.frames : 0
        search = found + 6
        if let before {
          return FoundPacket(
            offset: before.position, size: found - before.position, frames: before.frame.frames)
        }
      } else {
        search = found + 1
      }
    }
    guard let last = current else { return nil }
    current = nil
    // The last frame has no successor, and foreign data may follow it: its length is limited.
    search = min(window.byteCount, last.position + Self.largestFrame)
    return FoundPacket(
      offset: last.position, size: search - last.position, frames: last.frame.frames)
  }

  private func isNext(_ frame: FLACFrame) -> Bool {
    isLost || frame.number == (frame.isVariable ? samples : count)
  }

  mutating func restart(at position: Int) {
    current = nil
    search = position
    isLost = true
  }
}
