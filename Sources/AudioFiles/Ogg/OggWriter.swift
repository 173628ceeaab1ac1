// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox

/// Writes the pages of a new Ogg file. Each page is complete when it is written, so that a
/// truncated file is readable up to its end.
final class OggWriter {
  /// The number of packets held back for the last page, because the sound may end in them.
  private static let heldBack = 4
  private static let pageBytes = 8_192

  private(set) var hasBegun = false
  private var sequence: UInt32 = 0
  private var offset = 0
  /// The serial number of the stream's pages. It depends only on the file's name, so that the same
  /// input yields the same bytes.
  private let serial: UInt32
  /// Packets not written yet, the index of the first, and the number of frames before it.
  private var pending: [(bytes: [UInt8], frames: Int)] = []
  private var first = 0
  private var framesBefore = 0
  private var frames = OggFrameCounter.none
  /// Time units of the pages per frame.
  private var scale = 1.0

  /// - Parameter path: The path of the file.
  init(_ path: String) {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    // FNV-1a.
    serial = max(1, name.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 })
  }

  /// Appends a packet; returns its number of frames.
  func append(_ bytes: [UInt8], _ file: OggContainer) throws(AudioError) -> Int {
    if !hasBegun { try begin(file) }
    guard !bytes.isEmpty else { throw file.refusal("a packet has no bytes") }
    let units = frames.of(Array(bytes.prefix(16)))
    pending.append((bytes, units))
    let held = pending.dropLast(Self.heldBack).reduce(0) { $0 + $1.bytes.count }
    let seconds = Double(pending.reduce(0) { $0 + $1.frames }) / file.format.mSampleRate / scale
    if held >= Self.pageBytes || seconds >= 1 { try flush(file) }
    return Int((Double(units) / scale).rounded())
  }

  /// Writes the pending packets that are not held back.
  func flush(_ file: OggContainer) throws(AudioError) {
    guard hasBegun, pending.count > Self.heldBack else { return }
    try write(pending.count - Self.heldBack, file)
  }

  /// Writes all pending packets, so that they can be read.
  func flushAll(_ file: OggContainer) throws(AudioError) {
    guard hasBegun, !pending.isEmpty else { return }
    try write(pending.count, file)
  }

  /// Writes the last page, which marks the end of the sound.
  func finish(_ file: OggContainer) throws(AudioError) {
    if !hasBegun { try begin(file) }
    var end: Int?
    if let info = file.packetInfo {
      end = Int((Double(info.primingFrames + info.validFrames) * scale).rounded())
    }
    try write(pending.count, file, isLast: true, end: end)
  }

  // MARK: Pages

  private func begin(_ file: OggContainer) throws(AudioError) {
    let heads = try makeHeads(file)
    hasBegun = true
    for (index, group) in heads.enumerated() {
      try writePage(group, flags: index == 0 ? 2 : 0, granule: 0, file)
    }
  }

  /// Writes pending packets, in as many pages as they need.
  private func write(
    _ count: Int, _ file: OggContainer, isLast: Bool = false, end: Int? = nil
  ) throws(AudioError) {
    var rest = Array(pending.prefix(count))
    pending.removeFirst(count)
    if rest.isEmpty, isLast {
      try writePage([], flags: 4, granule: Int64(min(end ?? framesBefore, framesBefore)), file)
    }
    while !rest.isEmpty {
      // Only as many as the 255 segments of a page can hold.
      var groupCount = 0
      var segments = 0
      while groupCount < rest.count, segments + rest[groupCount].bytes.count / 255 + 1 <= 255 {
        segments += rest[groupCount].bytes.count / 255 + 1
        groupCount += 1
      }
      groupCount = max(groupCount, 1)
      let group = rest.prefix(groupCount)
      rest.removeFirst(groupCount)
      framesBefore += group.reduce(0) { $0 + $1.frames }
      let isEnd = isLast && rest.isEmpty
      let granule = isEnd ? min(end ?? framesBefore, framesBefore) : framesBefore
      try writePage(
        group.map(\.bytes), flags: isEnd ? 4 : 0, granule: Int64(granule), file, packets: first)
      first += groupCount
    }
  }

  /// Writes packets to a page; a packet that is too large continues on the next page.
  private func writePage(
    _ packets: [[UInt8]], flags: UInt8, granule: Int64, _ file: OggContainer,
    packets first: Int? = nil
  ) throws(AudioError) {
    var segments: [UInt8] = []
    var content: [UInt8] = []
    var pages: [UInt8] = []
    var isContinued = false
    // A page on which no packet ends has no granule position.
    var hasEnd = false
    func endPage(_ flags: UInt8) {
      pages += OggPage.bytes(
        flags: flags | (isContinued ? 1 : 0), granule: hasEnd ? granule : -1, serial: serial,
        sequence: sequence, segments: segments, content)
      sequence += 1
      segments = []
      content = []
      hasEnd = false
      isContinued = false
    }
    for packet in packets {
      var rest = packet[...]
      var size = 255
      // A packet continues after a segment of 255 bytes; its last segment has fewer, maybe none.
      while size == 255 {
        if segments.count == 255 {
          endPage(flags & 2)
          isContinued = rest.count < packet.count
        }
        size = min(255, rest.count)
        content += rest.prefix(size)
        segments.append(UInt8(size))
        rest = rest.dropFirst(size)
      }
      hasEnd = true
    }
    hasEnd = hasEnd || packets.isEmpty
    endPage(flags)
    try file.store.write(pages, at: offset)
    if let first { try locate(first, packets.count, pages, file) }
    offset += pages.count
  }

  /// Sets the positions of the packets in written pages.
  private func locate(
    _ first: Int, _ count: Int, _ pages: [UInt8], _ file: OggContainer
  ) throws(AudioError) {
    var scanner = OggScanner(from: 0)
    let window = try ByteWindow(MemoryStore(pages))
    for index in first..<first + count {
      guard let found = try scanner.next(window) else { return }
      let parts = [found.offset..<found.offset + found.size] + found.continuation
      file.setParts(index, parts.map { $0.lowerBound + offset..<$0.upperBound + offset })
    }
  }

  // MARK: Headers

  /// The headers before the sound, grouped by page.
  private func makeHeads(_ file: OggContainer) throws(AudioError) -> [[[UInt8]]] {
    switch file.format.mFormatID {
    case kAudioFormatOpus:
      frames = .opus
      scale = 48_000 / file.format.mSampleRate
      var head = MagicCookies.opusHead(file.cookie) ?? defaultOpusHead(file)
      if let info = file.packetInfo, file.cookie.isEmpty {
        let skip = UInt16(clamping: Int(Double(info.primingFrames) * scale))
        head.replace(at: 10, [UInt8(skip & 255), UInt8(skip >> 8)])
      }
      file.setHead(head)
      return [[head], [Array("OpusTags".utf8) + file.comment]]
    case CompressedFormat.vorbis:
      let heads = Self.unlaced(file.cookie)
      guard heads.count == 3, let modes = VorbisModes(identification: heads[0], setup: heads[2])
      else {
        throw .fileOperationNotSupported.because(
          "\(file.store.name): kAudioFilePropertyMagicCookieData must be set before the first "
            + "packet of Vorbis")
      }
      frames = .vorbis(modes)
      return [[heads[0]], [[3] + Array("vorbis".utf8) + file.comment + [1], heads[2]]]
    default:
      frames = .flac
      guard let information = MagicCookies.streamInformation(file.cookie) else {
        throw .fileOperationNotSupported.because(
          "\(file.store.name): kAudioFilePropertyMagicCookieData must be set before the first "
            + "packet of FLAC")
      }
      var head: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1]
      head += Array("fLaC".utf8) + [0, 0, 0, 34] + information
      let size = file.comment.count
      let block = [0x84, UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
      return [[head], [block + file.comment]]
    }
  }

  private func defaultOpusHead(_ file: OggContainer) -> [UInt8] {
    var head = ByteBuilder(isBigEndian: false)
    head.append("OpusHead".utf8)
    head.append([1, UInt8(clamping: file.format.mChannelsPerFrame)])
    head.number(UInt16(0))
    head.number(UInt32(file.format.mSampleRate))
    head.number(UInt16(0))
    head.append([0])
    return head.bytes
  }

  /// The packets in a laced run of bytes: the inverse of `OggContainer.laced`.
  static func unlaced(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let last = bytes.first, last > 0 else { return [] }
    var position = 1
    var sizes: [Int] = []
    for _ in 0..<last {
      var size = 0
      while position < bytes.count, bytes[position] == 255 {
        size += 255
        position += 1
      }
      guard position < bytes.count else { return [] }
      sizes.append(size + Int(bytes[position]))
      position += 1
    }
    var packets: [[UInt8]] = []
    for size in sizes {
      guard position + size <= bytes.count else { return [] }
      packets.append(Array(bytes[position..<position + size]))
      position += size
    }
    return packets + [Array(bytes[position...])]
  }
}
