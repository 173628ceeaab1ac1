// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

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
  /// The bytes and frames of the pending packets.
  private var pendingBytes = 0
  private var pendingFrames = 0
  private var frames = OggFrameCounter.none
  /// Time units of the pages per frame.
  private var scale = 1.0

  /// - Parameter path: The path of the file.
  init(_ path: String) {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    // FNV-1a.
    serial = max(1, name.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 })
  }

  /// Appends a packet to the pending ones; returns its number of frames.
  func append(_ bytes: [UInt8], _ file: OggContainer) throws(AudioError) -> Int {
    if !hasBegun { try begin(file) }
    guard !bytes.isEmpty else { throw file.refusal("a packet has no bytes") }
    let units = frames.of(Array(bytes.prefix(16)))
    pending.append((bytes, units))
    pendingBytes += bytes.count
    pendingFrames += units
    return Int(saturating: (Double(units) / scale).rounded())
  }

  /// Removes the last pending packets.
  func removeLast(_ count: Int) {
    for _ in 0..<min(count, pending.count) {
      let packet = pending.removeLast()
      pendingBytes -= packet.bytes.count
      pendingFrames -= packet.frames
    }
  }

  /// Writes the pending packets that are not held back, if they are long enough for a page.
  func flushIfLong(_ file: OggContainer) throws(AudioError) {
    let held = pending.suffix(Self.heldBack).reduce(0) { $0 + $1.bytes.count }
    let seconds = Double(pendingFrames) / file.format.mSampleRate / scale
    if pendingBytes - held >= Self.pageBytes || seconds >= 1 { try flush(file) }
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
      let sound = info.limited(to: Limits.tableFrames)
      let frames = Double(sound.primingFrames + sound.validFrames)
      end = Int(saturating: (frames * scale).rounded())
    }
    try write(pending.count, file, isLast: true, end: end)
  }

  // MARK: Pages

  private func begin(_ file: OggContainer) throws(AudioError) {
    var pages = OggPages(serial: serial, sequence: 0)
    for (index, group) in try makeHeads(file).enumerated() {
      pages.append(group, flags: index == 0 ? 2 : 0, granule: 0)
    }
    try file.store.write(pages.bytes, at: 0)
    (sequence, offset) = (pages.sequence, pages.bytes.count)
    hasBegun = true
  }

  /// Writes pending packets, in as many pages as they need. If that fails, they are still pending.
  private func write(
    _ count: Int, _ file: OggContainer, isLast: Bool = false, end: Int? = nil
  ) throws(AudioError) {
    var pages = OggPages(serial: serial, sequence: sequence)
    var done = 0
    var frames = framesBefore
    while done < count || isLast && pages.bytes.isEmpty {
      // Only as many as the 255 segments of a page can hold.
      var next = done
      var segments = 0
      while next < count, segments + pending[next].bytes.count / 255 + 1 <= 255 {
        segments += pending[next].bytes.count / 255 + 1
        next += 1
      }
      next = min(max(next, done + 1), count)
      let group = pending[done..<next]
      done = next
      frames += group.reduce(0) { $0 + $1.frames }
      let isEnd = isLast && done == count
      let granule = isEnd ? min(end ?? frames, frames) : frames
      pages.append(group.map(\.bytes), flags: isEnd ? 4 : 0, granule: Int64(granule))
    }
    try file.store.write(pages.bytes, at: offset)
    try locate(count, pages.bytes, file)
    let written = pending.prefix(count)
    pendingBytes -= written.reduce(0) { $0 + $1.bytes.count }
    pendingFrames -= written.reduce(0) { $0 + $1.frames }
    pending.removeFirst(count)
    first += count
    framesBefore = frames
    sequence = pages.sequence
    offset += pages.bytes.count
  }

  /// Sets the positions of the packets in written pages.
  private func locate(
    _ count: Int, _ pages: [UInt8], _ file: OggContainer
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
        let skip = UInt16(clamping: UInt(saturating: Double(info.primingFrames) * scale))
        head.replace(
          at: 10, [UInt8(truncatingIfNeeded: skip & 255), UInt8(truncatingIfNeeded: skip >> 8)])
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
      let block = [
        0x84, UInt8(truncatingIfNeeded: size >> 16 & 255),
        UInt8(truncatingIfNeeded: size >> 8 & 255), UInt8(truncatingIfNeeded: size & 255),
      ]
      return [[head], [block + file.comment]]
    }
  }

  private func defaultOpusHead(_ file: OggContainer) -> [UInt8] {
    var head = ByteBuilder(isBigEndian: false)
    head.append("OpusHead".utf8)
    head.append([1, UInt8(clamping: file.format.mChannelsPerFrame)])
    head.number(UInt16(0))
    head.number(UInt32(saturating: file.format.mSampleRate))
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
