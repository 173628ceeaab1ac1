// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Finds the frames of FLAC. Each ends where the next begins, and the last one where its samples do.
/// A check sum that does not agree shows that something else follows a frame, or that it is damaged.
struct FLACScanner: PacketScanner {
  private struct Current {
    var position: Int
    var frame: FLACFrame
    /// Frames of the sound before it that were not found.
    var missing: Int
  }

  private var current: Current?
  /// The expected number of the next frame, and of its first sample.
  private var count = 0
  private var samples = 0
  /// Whether frames have the number of their first sample; nil before the first frame.
  private var isVariable: Bool?
  /// Whether any frame number may follow, after a jump.
  private var isLost = false
  /// Whether the last frame was found once; what a longer file has after it is found as before.
  private var hasEnded = false
  /// Whether another stream follows, whose frames have numbers of their own.
  private var isComplete = false
  private var search: Int
  private var start: Int
  /// Whether the last frame is not there completely.
  private(set) var endsWithinFrame = false
  /// Bytes of the last frame when it was measured and incomplete.
  private var measured = 0
  /// The same for a frame whose number is not the next.
  private var candidate = (position: -1, byteCount: 0)
  /// Bytes that were read a second time, because something was damaged.
  private var repeated = 0
  /// What the STREAMINFO block states.
  private let stream: Stream
  /// Samples of the first frame, which all but the last have if frames do not differ in length.
  private var firstLength = 0
  /// Whether damaged frames are found, too. A stream continues behind them.
  private let findsDamaged: Bool
  /// Eight channels of 65,535 uncompressed 32-bit samples, and a header.
  private static let largestFrame = 8 * 65_535 * 4 + 64

  /// What the STREAMINFO block states; 0 for unknown numbers.
  struct Stream {
    var depth = 0
    var channels = 0
    /// Samples of a frame and of the stream.
    var frameLength = 0
    var sampleCount = 0
    /// Bytes of the largest frame.
    var largestFrame = 0
  }

  init(from position: Int, _ stream: Stream, findsDamaged: Bool = false) {
    start = position
    search = position
    self.stream = stream
    self.findsDamaged = findsDamaged
  }

  var position: Int { current?.position ?? search }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    while let found = try nextFrame(window) {
      if findsDamaged || !found.isDamaged { return found }
    }
    return nil
  }

  private mutating func nextFrame(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    if let current, isLast(current.frame), let last = try finish(window, isStated: true) {
      return last
    }
    if hasEnded, current == nil, !isComplete {
      isComplete = try isOtherStream(at: search, before: .max, window)
    }
    guard !isComplete else {
      // What arrives behind the end of a stream need not be kept.
      search = max(search, window.arrived ?? search)
      return nil
    }
    let limit = (current?.position ?? search) + ByteWindow.reach
    while let found = try window.sync(from: &search, mask: 0xFE, 0xF8, limit: limit) {
      guard let frame = FLACFrame(try window.fields(found, 16)),
        let missing = missing(before: frame), try isFrame(frame, at: found, missing, window)
      else {
        search = found + 1
        continue
      }
      let before = try current.map { before throws(AudioError) in
        try packet(before, to: found, window)
      }
      if let before, before.isLast {
        (current, search) = (nil, before.packet.offset + before.packet.size)
        (hasEnded, isComplete) = (true, true)
        return before.packet
      }
      current = Current(position: found, frame: frame, missing: missing)
      isLost = false
      isVariable = frame.isVariable
      count = frame.isVariable ? 0 : frame.number + 1
      samples = frame.isVariable ? frame.number + frame.frames : 0
      search = found + 6
      if frame.number == 0, firstLength == 0 { firstLength = frame.frames }
      if let before { return before.packet }
      if isLast(frame), let last = try finish(window, isStated: true) { return last }
    }
    return try finish(window, isStated: false)
  }

  // MARK: The next frame

  /// The frames of the sound between the current frame and this one; nil when it cannot be one of the
  /// next.
  private func missing(before frame: FLACFrame) -> Int? {
    guard frame.isVariable == isVariable ?? frame.isVariable else { return nil }
    let isNext = frame.number == (frame.isVariable ? samples : count)
    if isNext, !isLost { return 0 }
    let channels = frame.channelCode < 8 ? frame.channelCode + 1 : 2
    guard channels == stream.channels, frame.depth ?? stream.depth == stream.depth else {
      return nil
    }
    if isLost { return 0 }
    guard frame.isVariable || frameLength > 0 else { return nil }
    let gap = frame.isVariable ? frame.number - samples : (frame.number - count) * frameLength
    let isBeyond = stream.sampleCount > 0 && first(frame).value ?? .max >= stream.sampleCount
    return gap > 0 && gap <= Limits.missingFrames && !isBeyond ? gap : nil
  }

  /// Whether a header is that of a frame: the one with the expected number is; one with another number
  /// has to be behind a whole frame, or to be a whole one itself.
  private mutating func isFrame(
    _ frame: FLACFrame, at position: Int, _ missing: Int, _ window: ByteWindow
  ) throws(AudioError) -> Bool {
    guard missing > 0 || isLost else { return true }
    // A candidate that is not there completely waits for twice as many bytes.
    if candidate.position == position {
      _ = try window.reaches(position + 2 * candidate.byteCount)
    }
    guard mayRepeat else { return false }
    if let current, try isWhole(current.position..<position, window) { return true }
    var most = 1 << 16
    while true {
      let bytes = try window.present(position, most)
      repeated += bytes.count
      switch FLACFrameLength.measure(bytes, frame, depth: stream.depth) {
      case .bytes: return true
      case .damaged: return false
      case .missing where bytes.count == most:
        guard most < Self.largestFrame else { return false }
        most = Self.largestFrame
      case .missing:
        candidate = (position, bytes.count)
        // The call throws while the bytes may still arrive.
        _ = try window.reaches(position + bytes.count + 1)
        return false
      }
    }
  }

  /// The packet of a frame behind which another frame was found, and whether it is the last of the
  /// stream, as another stream follows.
  private mutating func packet(
    _ before: Current, to end: Int, _ window: ByteWindow
  ) throws(AudioError) -> (packet: FoundPacket, isLast: Bool) {
    var packet = FoundPacket(
      offset: before.position, size: end - before.position, frames: before.frame.frames,
      missingFrames: before.missing)
    guard mayRepeat, try !isWhole(before.position..<end, window) else { return (packet, false) }
    let bytes = try window.present(before.position, min(packet.size, Self.largestFrame))
    let depth = before.frame.depth ?? stream.depth
    guard case .bytes(let size) = FLACFrameLength.measure(bytes, before.frame, depth: depth) else {
      packet.isDamaged = true
      return (packet, false)
    }
    packet.size = size
    return (packet, try isOtherStream(at: before.position + size, before: end, window))
  }

  /// Whether bytes are a frame with its check sum.
  private mutating func isWhole(
    _ range: Range<Int>, _ window: ByteWindow
  ) throws(AudioError) -> Bool {
    var sum = FLACCheckSum()
    var position = range.lowerBound
    while position < range.upperBound {
      let count = try window.withBytes(position, least: 1) { bytes in
        let part = bytes.prefix(range.upperBound - position)
        sum.add(UnsafeRawBufferPointer(rebasing: part))
        return part.count
      }
      guard count > 0 else { return false }
      position += count
    }
    if sum.value != 0 { repeated += range.count }
    return sum.value == 0
  }

  /// Whether a damaged file may be read a second time here: not where nothing but headers that look
  /// like frames would make the time grow with the square of their number.
  private var mayRepeat: Bool { repeated <= 8 * (search - start) + 1 << 22 }

  /// Whether another FLAC stream begins at a position, maybe behind tags, and before a limit.
  private func isOtherStream(
    at position: Int, before limit: Int, _ window: ByteWindow
  ) throws(AudioError) -> Bool {
    let position = try SurroundingTags.end(window, from: position, before: limit)
    guard position < limit else { return false }
    return try window.fields(position, 4).code(0) == "fLaC"
  }

  // MARK: The last frame

  /// The number of the first sample of a frame.
  private func first(_ frame: FLACFrame) -> Outside {
    frame.isVariable ? Outside(frame.number) : Outside(frame.number) * frameLength
  }

  /// Samples of all frames but the last, if they do not differ; 0 if that is unknown.
  private var frameLength: Int { stream.frameLength > 0 ? stream.frameLength : firstLength }

  /// Whether a frame has the last samples of the stream.
  private func isLast(_ frame: FLACFrame) -> Bool {
    guard stream.sampleCount > 0, !hasEnded, frame.isVariable || frameLength > 0 else {
      return false
    }
    return (first(frame) + frame.frames).value ?? .max >= stream.sampleCount
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
    var packet = FoundPacket(
      offset: last.position, size: bytes.count, frames: last.frame.frames,
      missingFrames: last.missing)
    switch FLACFrameLength.measure(bytes, last.frame, depth: last.frame.depth ?? stream.depth) {
    case .bytes(let count): packet.size = count
    case .missing:
      // The call throws while the bytes may still arrive.
      measured = bytes.count
      _ = try window.reaches(last.position + bytes.count + 1)
      (current, search) = (nil, last.position + bytes.count)
      endsWithinFrame = true
      return nil
    case .damaged where isStated:
      // It ends where the next begins.
      hasEnded = true
      return nil
    case .damaged: packet.isDamaged = true
    }
    measured = 0
    (current, search) = (nil, last.position + packet.size)
    hasEnded = true
    return packet
  }

  mutating func restart(at position: Int) {
    (current, search, start) = (nil, position, position)
    (isLost, hasEnded, isComplete, measured) = (true, false, false, 0)
    (repeated, candidate, endsWithinFrame) = (0, (-1, 0), false)
  }
}
