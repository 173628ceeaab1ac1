// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Finds the packets of one stream in an Ogg file; skips other streams and damaged pages.
struct OggScanner: PacketScanner {
  private var page: OggPage?
  /// The next segment of the page, and its position.
  private var segment = 0
  private var body = 0
  /// The parts so far of a packet whose end has not been reached.
  private var parts: [Range<Int>] = []
  /// Whether the beginning of the current packet is missing.
  private var isLost = false
  private var search: Int
  /// The position at which the search began, and the bytes of damaged pages that were checked since.
  private var searchStart: Int
  private var damagedBytes = 0
  /// The serial number of the stream; nil before the first page.
  private(set) var serial: UInt32?
  /// Counts the frames of a packet from its first bytes.
  var frames: OggFrameCounter

  /// The page on which the last packet ended, and whether that was the last to end there.
  private(set) var lastPage: OggPage?
  private(set) var isLastOfPage = false
  /// The end of the stream's last page, once it is reached.
  private(set) var endOfStream: Int?
  /// Whether the next packet is one of sound.
  var isPastHeaders = false

  init(from position: Int, frames: OggFrameCounter = .none) {
    search = position
    searchStart = position
    self.frames = frames
  }

  var position: Int { parts.first?.lowerBound ?? (page == nil ? search : body) }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    while true {
      guard let page else {
        guard try findPage(window) else { return nil }
        continue
      }
      if segment == page.segments.count {
        self.page = nil
        search = page.end
        // Whatever follows the last page is another stream.
        if page.isLast { endOfStream = page.end }
        continue
      }
      let start = body
      var isWhole = false
      while segment < page.segments.count, !isWhole {
        let size = Int(page.segments[segment])
        body += size
        segment += 1
        isWhole = size < 255
      }
      if isLost {
        // The end of a packet whose beginning is missing.
        isLost = !isWhole
        continue
      }
      parts.append(start..<body)
      guard isWhole else { continue }
      let found = parts
      parts = []
      lastPage = page
      isLastOfPage = !page.segments[segment...].contains { $0 < 255 }
      let all = found.reduce(0) { $0 + $1.count }
      guard all > 0 else { continue }
      // Empty parts are dropped.
      let pieces = found.filter { !$0.isEmpty }
      let head = try window.fields(pieces[0].lowerBound, min(16, pieces[0].count))
      return FoundPacket(
        offset: pieces[0].lowerBound, size: pieces[0].count, frames: frames.of(head.bytes),
        continuation: Array(pieces.dropFirst()))
    }
  }

  /// Finds the next page of the stream; false at the end.
  private mutating func findPage(_ window: ByteWindow) throws(AudioError) -> Bool {
    guard endOfStream == nil else { return false }
    while try window.reaches(search + OggPage.headerBytes) {
      guard let found = try OggPage(search, window) else {
        search += 1
        guard try skipToMark(window) else { return false }
        continue
      }
      guard try found.isWhole(window) else {
        // The size of a damaged page may be wrong, so the next one is searched for within it. But
        // false headers may overlap, and each could claim 64 KB to check: then they are skipped.
        damagedBytes += found.end - found.offset
        let isFrequent = damagedBytes > 4 * (search - searchStart) + 1 << 20
        search = isFrequent ? found.end : search + 1
        guard try skipToMark(window) else { return false }
        continue
      }
      if isPastHeaders, found.isFirst {
        // Streams at the same time all begin before the sound: this one comes after the last one, which
        // was cut off.
        endOfStream = found.offset
        return false
      }
      guard found.serial == serial ?? found.serial else {
        search = found.end
        continue
      }
      serial = found.serial
      if !found.isContinued { parts = [] }
      isLost = found.isContinued && parts.isEmpty
      page = found
      segment = 0
      body = found.body
      search = found.end
      return true
    }
    return false
  }

  /// Searches for the capture pattern of a page, "OggS".
  private mutating func skipToMark(_ window: ByteWindow) throws(AudioError) -> Bool {
    let limit = search + ByteWindow.reach
    while search < limit, try window.reaches(search + 4) {
      let (found, count) = try window.withBytes(search, least: 4) { bytes in
        let found = (0..<max(0, bytes.count - 3)).first {
          bytes[$0] == 0x4F && bytes[$0 + 1] == 0x67 && bytes[$0 + 2] == 0x67
            && bytes[$0 + 3] == 0x53
        }
        return (found, bytes.count)
      }
      guard count >= 4 else { return false }
      if let found {
        search += found
        return true
      }
      search += count - 3
    }
    return false
  }

  mutating func restart(at position: Int) {
    page = nil
    parts = []
    search = position
    searchStart = position
    damagedBytes = 0
    endOfStream = nil
    frames.restart()
  }
}

/// Counts the frames in packets of a codec.
enum OggFrameCounter {
  case none
  case opus
  case flac
  case vorbis(VorbisModes)

  mutating func of(_ head: [UInt8]) -> Int {
    switch self {
    case .none: return 0
    case .opus: return OpusPacket.frames(head)
    case .flac: return FLACFrame(ByteFields(head, isBigEndian: true))?.frames ?? 0
    case .vorbis(var modes):
      let count = modes.frames(head)
      self = .vorbis(modes)
      return count
    }
  }

  mutating func restart() {
    guard case .vorbis(var modes) = self else { return }
    modes.restart()
    self = .vorbis(modes)
  }
}

/// The block sizes of Vorbis (Vorbis I specification, 4.2 and 4.3). The frames of a packet depend
/// on its own size and that of the packet before it.
struct VorbisModes {
  private let sizes: [Int]
  /// Whether a packet of each mode is a long block.
  private let isLong: [Bool]
  private let modeBits: Int
  private var previous: Int?

  /// Reads the first and the third header; nil when they are invalid.
  init?(identification: [UInt8], setup: [UInt8]) {
    guard identification.count >= 30, setup.count > 16 else { return nil }
    sizes = [1 << (identification[28] & 15), 1 << (identification[28] >> 4)]
    guard sizes[0] >= 64, sizes[0] <= sizes[1], sizes[1] <= 8_192 else { return nil }
    // The modes are at the end of the header, before a set bit, and their count precedes them. They
    // are recognised by their zero fields.
    func bit(_ index: Int) -> Int {
      Int(setup[index >> 3] >> UInt8(truncatingIfNeeded: index & 7) & 1)
    }
    func number(_ index: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | bit(index + $1) << $1 }
    }
    var end = setup.count * 8 - 1
    while end > 0, bit(end) == 0 { end -= 1 }
    var count = 0
    var modeCount = 0
    while count < 64 {
      let start = end - 41 * (count + 1)
      guard start - 6 > 56, number(start + 1, 32) == 0, number(start + 33, 8) < 64 else { break }
      count += 1
      if number(start - 6, 6) + 1 == count { modeCount = count }
    }
    guard modeCount > 0 else { return nil }
    isLong = (0..<modeCount).map { bit(end - 41 * (modeCount - $0)) == 1 }
    modeBits = modeCount > 1 ? Int.bitWidth - (modeCount - 1).leadingZeroBitCount : 0
  }

  mutating func frames(_ head: [UInt8]) -> Int {
    guard let first = head.first, first & 1 == 0 else { return 0 }
    let mode = Int(first >> 1) & ((1 << modeBits) - 1)
    let size = sizes[isLong.indices.contains(mode) && isLong[mode] ? 1 : 0]
    defer { previous = size }
    return previous.map { ($0 + size) / 4 } ?? 0
  }

  mutating func restart() { previous = nil }
}
