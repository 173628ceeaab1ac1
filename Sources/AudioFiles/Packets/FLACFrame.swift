// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The header of a FLAC frame (RFC 9639).
struct FLACFrame {
  let isVariable: Bool
  /// The number of the frame, or of its first sample when frames differ in length.
  let number: Int
  let frames: Int
  /// Bytes of the header.
  let headerBytes: Int
  /// How the channels are stored: below 8, one less than their number; else two, one of which is a
  /// difference.
  let channelCode: Int
  /// Bits of a sample; nil when only the STREAMINFO block has them.
  let depth: Int?

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
    headerBytes = position + 1
    channelCode = Int(fields.uint8(3) >> 4)
    let depths = [nil, 8, 12, nil, 16, 20, 24, 32]
    depth = depths[Int(fields.uint8(3) >> 1 & 7)]
  }
}

/// Finds the frames of FLAC. Each ends where the next begins; the last one where its samples do.
struct FLACScanner: PacketScanner {
  private var current: (position: Int, frame: FLACFrame)?
  /// The expected number of the next frame, and of its first sample.
  private var count = 0
  private var samples = 0
  /// Whether any frame number may follow, after a jump.
  private var isLost = false
  /// Whether the last frame was found once; what a longer file has after it is found as before.
  private var hasEnded = false
  private var search: Int
  /// Bytes of the last frame when it was measured and incomplete.
  private var measured = 0
  /// Bits of a sample, samples of a frame and of the stream, by the STREAMINFO block.
  private let stream: Stream
  /// Samples of the first frame, which all but the last have if frames do not differ in length.
  private var firstLength = 0
  /// Eight channels of 65,535 uncompressed 32-bit samples, and a header.
  private static let largestFrame = 8 * 65_535 * 4 + 64

  /// What the STREAMINFO block states; 0 for unknown numbers.
  struct Stream {
    var depth = 0
    var frameLength = 0
    var sampleCount = 0
    /// Bytes of the largest frame.
    var largestFrame = 0
  }

  init(from position: Int, _ stream: Stream) {
    search = position
    self.stream = stream
  }

  var position: Int { current?.position ?? search }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    if let current, isLast(current.frame), let last = try finish(window, isStated: true) {
      return last
    }
    let limit = (current?.position ?? search) + ByteWindow.reach
    while let found = try window.sync(from: &search, mask: 0xFE, 0xF8, limit: limit) {
      if let frame = FLACFrame(try window.fields(found, 16)), isNext(frame) {
        let before = current
        isLost = false
        current = (found, frame)
        count = frame.isVariable ? 0 : frame.number + 1
        samples = frame.isVariable ? frame.number + frame.frames : 0
        search = found + 6
        if frame.number == 0 { firstLength = frame.frames }
        if let before {
          return FoundPacket(
            offset: before.position, size: found - before.position, frames: before.frame.frames)
        }
        if isLast(frame), let last = try finish(window, isStated: true) { return last }
      } else {
        search = found + 1
      }
    }
    return try finish(window, isStated: false)
  }

  /// Whether a frame has the last samples of the stream.
  private func isLast(_ frame: FLACFrame) -> Bool {
    let length = stream.frameLength > 0 ? stream.frameLength : firstLength
    guard stream.sampleCount > 0, !hasEnded, frame.isVariable || length > 0 else { return false }
    let first = frame.isVariable ? Outside(frame.number) : Outside(frame.number) * length
    return (first + frame.frames).value ?? .max >= stream.sampleCount
  }

  /// The current frame, which has no successor, or is the last by the stated number of samples. Nil
  /// while a part of it is missing: a stream waits for that, a file is truncated.
  private mutating func finish(
    _ window: ByteWindow, isStated: Bool
  ) throws(AudioError) -> FoundPacket? {
    guard let last = current else { return nil }
    // Each attempt walks through all bytes of the frame: a very long one waits for twice as many, but
    // first for as many as the largest frame has.
    if measured > 1 << 16 {
      let isFirst = measured < stream.largestFrame
      let next = isFirst ? min(stream.largestFrame, 2 * measured) : 2 * measured
      _ = try window.reaches(last.position + next)
    }
    let bytes = try window.present(last.position, Self.largestFrame)
    let size: Int
    switch FLACFrameLength.measure(bytes, last.frame, depth: last.frame.depth ?? stream.depth) {
    case .bytes(let count): size = count
    case .missing:
      // The call throws while the bytes may still arrive.
      measured = bytes.count
      _ = try window.reaches(last.position + bytes.count + 1)
      (current, search) = (nil, last.position + bytes.count)
      return nil
    case .damaged where isStated:
      // It ends where the next begins.
      hasEnded = true
      return nil
    // A damaged frame is left to the decoder.
    case .damaged: size = min(bytes.count, Self.largestFrame)
    }
    measured = 0
    (current, search) = (nil, last.position + size)
    hasEnded = true
    return FoundPacket(offset: last.position, size: size, frames: last.frame.frames)
  }

  private func isNext(_ frame: FLACFrame) -> Bool {
    isLost || frame.number == (frame.isVariable ? samples : count)
  }

  mutating func restart(at position: Int) {
    (current, search) = (nil, position)
    (isLost, hasEnded, measured) = (true, false, 0)
  }
}
