// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Ogg (RFC 3533) with Vorbis, Opus (RFC 7845) or FLAC. Consecutive streams of the same format in a
/// file are read as one sound, with the texts of the first.
package final class OggContainer: Container {
  var writer: OggWriter?
  /// The further parts of packets that are not in one piece, by packet index.
  private var continuations: [Int: [Range<Int>]] = [:]
  /// The comment header: texts in the file's form.
  var comment: [UInt8] = []
  private var depth: Int32?
  private var frames = OggFrameCounter.none
  private(set) var afterHeaders = OggScanner(from: 0)
  /// The end of the stream's last page; nil when it was not found.
  private var end: Int?

  // MARK: Reading

  package convenience init(
    reading store: any ByteStore, _ extent: Extent = .whole
  ) throws(AudioError) {
    let window = try ByteWindow(store)
    try self.init(reading: store, from: 0, window, extent)
    guard extent == .whole else { return }
    try readLinks(window)
  }

  /// Reads one of the consecutive streams.
  private init(
    reading store: any ByteStore, from position: Int, _ window: ByteWindow, _ extent: Extent
  ) throws(AudioError) {
    super.init(store, try FileKind.of(kAudioFileOggType), AudioStreamBasicDescription())
    var scanner = OggScanner(from: position)
    guard let head = try packet(&scanner, window) else {
      throw damaged("has no whole page in its \(window.byteCount) bytes")
    }
    if head.starts(with: Array("OpusHead".utf8)) {
      try readOpus(head, &scanner, window)
    } else if head.starts(with: [1] + Array("vorbis".utf8)) {
      try readVorbis(head, &scanner, window)
    } else if head.starts(with: [0x7F] + Array("FLAC".utf8)) {
      try readFLAC(head, &scanner, window)
    } else {
      let start = ChunkCode(ByteFields(head, isBigEndian: true).uint32(0))
      throw .unsupportedDataFormat.because(
        "\(store.name): its first stream begins with \(start.quoted); supported are Vorbis, Opus "
          + "and FLAC")
    }
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    scanner.frames = frames
    scanner.isPastHeaders = true
    dataOffset = scanner.position
    afterHeaders = scanner
    if extent == .whole {
      try scan(window)
    } else if format.mFormatID == kAudioFormatOpus {
      packetInfo = PacketInfo(
        validFrames: StreamStore.unknownLength, primingFrames: MagicCookies.preSkip(cookie),
        remainderFrames: 0)
      var peek = scanner
      format.mFramesPerPacket = UInt32(clamping: try peek.next(window)?.frames ?? 960)
    }
  }

  override var contentEnd: Int? { end }

  override func scanner() -> (any PacketScanner)? { OggChain(self) }

  /// The bytes of the next packet.
  private func packet(
    _ scanner: inout OggScanner, _ window: ByteWindow
  ) throws(AudioError) -> [UInt8]? {
    guard let found = try scanner.next(window) else { return nil }
    var bytes = try window.fields(found.offset, found.size).bytes
    for part in found.continuation { bytes += try window.fields(part.lowerBound, part.count).bytes }
    return bytes
  }

  private func setFormat(_ id: AudioFormatID, rate: Int, channels: Int) throws(AudioError) {
    guard rate > 0, rate < 3_000_000, (1...255).contains(channels) else {
      throw damaged("is not plausible: \(channels) channels at \(rate) Hz")
    }
    format.mFormatID = id
    format.mSampleRate = Double(rate)
    format.mChannelsPerFrame = UInt32(clamping: channels)
  }

  private func readOpus(
    _ head: [UInt8], _ scanner: inout OggScanner, _ window: ByteWindow
  ) throws(AudioError) {
    guard head.count >= 19, head[8] & 0xF0 == 0 else {
      throw damaged("has an invalid Opus header of \(head.count) bytes")
    }
    // Opus is always decoded at this rate.
    try setFormat(kAudioFormatOpus, rate: 48_000, channels: Int(head[9]))
    cookie = head
    frames = .opus
    guard let tags = try packet(&scanner, window), tags.starts(with: Array("OpusTags".utf8)) else {
      throw damaged("has no texts after its Opus header")
    }
    comment = Array(tags.dropFirst(8))
  }

  private func readVorbis(
    _ head: [UInt8], _ scanner: inout OggScanner, _ window: ByteWindow
  ) throws(AudioError) {
    let fields = ByteFields(head, isBigEndian: false)
    try setFormat(
      CompressedFormat.vorbis, rate: Int(fields.uint32(12)), channels: Int(fields.uint8(11)))
    let nominal = fields.int32(20)
    if nominal > 0 { headerInfo.bitRate = Double(nominal) }
    guard let texts = try packet(&scanner, window), texts.first == 3, texts.count >= 7,
      let setup = try packet(&scanner, window), setup.first == 5,
      let modes = VorbisModes(identification: head, setup: setup)
    else {
      throw damaged("lacks the three headers of Vorbis")
    }
    comment = Array(texts.dropFirst(7))
    // A decoder needs no texts, and no picture of megabytes.
    let noTexts = texts.prefix(7) + VorbisComment.withoutTexts(comment) + [1]
    cookie = Self.laced([head, Array(noTexts), setup])
    frames = .vorbis(modes)
  }

  /// Packets as one run of bytes (Xiph lacing): their number minus one, the sizes of all but the
  /// last as sums of 255, and the packets.
  static func laced(_ packets: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8(clamping: packets.count - 1)]
    for packet in packets.dropLast() {
      bytes +=
        [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(clamping: packet.count % 255)]
    }
    return bytes + packets.flatMap { $0 }
  }

  private func readFLAC(
    _ head: [UInt8], _ scanner: inout OggScanner, _ window: ByteWindow
  ) throws(AudioError) {
    guard head.count >= 51 else {
      throw damaged("has a FLAC header of \(head.count) bytes, expected 51")
    }
    cookie = Array(head[17..<51])
    let word = ByteFields(cookie, isBigEndian: true).uint64(10)
    try setFormat(
      kAudioFormatFLAC, rate: Int(truncatingIfNeeded: word >> 44),
      channels: Int(truncatingIfNeeded: word >> 41 & 7) + 1)
    depth = Int32(truncatingIfNeeded: word >> 36 & 31) + 1
    format.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][Int(depth ?? 0)] ?? 0
    let fields = ByteFields(cookie, isBigEndian: true)
    if fields.uint16(0) == fields.uint16(2) { format.mFramesPerPacket = UInt32(fields.uint16(0)) }
    let total = Int(truncatingIfNeeded: word & 0xF_FFFF_FFFF)
    if total > 0 {
      packetInfo = PacketInfo(validFrames: total, primingFrames: 0, remainderFrames: 0)
    }
    frames = .flac
    // Skips other blocks up to the first frame.
    while true {
      var ahead = scanner
      guard let block = try packet(&ahead, window), block.first != 0xFF else { return }
      if let first = block.first, first & 0x7F == 4 { comment = Array(block.dropFirst(4)) }
      scanner = ahead
    }
  }

  /// Adds the streams after the first, as long as they have the same format.
  private func readLinks(_ window: ByteWindow) throws(AudioError) {
    guard var table = packets, let first = packetInfo else { return }
    var found = [Link(packets: 0..<table.count, info: first, cookie: cookie)]
    for _ in 0..<Limits.oggStreams {
      guard let position = end, try window.reaches(position + 1) else { break }
      let next: OggContainer
      do throws(AudioError) {
        next = try OggContainer(reading: store, from: position, window, .whole)
      } catch { break }
      guard let packets = next.packets, let info = next.packetInfo, matches(next.format)
      else { break }
      let start = table.count
      for index in 0..<packets.count {
        if let parts = next.continuations[index] { continuations[start + index] = parts }
        table.append(
          offset: packets.offset(index), size: packets.size(index), frames: packets.frames(index))
      }
      if next.format.mFramesPerPacket != format.mFramesPerPacket { format.mFramesPerPacket = 0 }
      found.append(Link(packets: start..<table.count, info: info, cookie: next.cookie))
      end = next.end
      endsEarly = next.endsEarly
    }
    guard found.count > 1 else { return }
    // A stream may have ended before its sound began.
    found.removeAll { $0.packets.isEmpty }
    guard let first = found.first else { return }
    if found.count > 1 { links = found }
    cookie = first.cookie
    packets = table
    dataByteCount = table.byteCount
    declaredDataByteCount = dataByteCount
    let valid = found.reduce(0) { $0 + $1.info.validFrames }
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: first.info.primingFrames,
      remainderFrames: max(0, table.frameCount - first.info.primingFrames - valid))
  }

  /// [control thread] The header of another stream of the same format at a position; nil where that
  /// has another format.
  func next(at position: Int, _ window: ByteWindow) throws(AudioError) -> OggContainer? {
    let next = try OggContainer(reading: store, from: position, window, .header)
    return matches(next.format) ? next : nil
  }

  private func matches(_ other: AudioStreamBasicDescription) -> Bool {
    other.mFormatID == format.mFormatID && other.mSampleRate == format.mSampleRate
      && other.mChannelsPerFrame == format.mChannelsPerFrame
  }

  /// Finds every packet, and determines from the pages which frames are sound.
  private func scan(_ window: ByteWindow) throws(AudioError) {
    var scanner = afterHeaders
    var table = PacketTable(framesPerPacket: 0)
    var sizes: Set<Int> = []
    var first: Int?
    var last: Int?
    while let found = try scanner.next(window) {
      if !found.continuation.isEmpty { continuations[table.count] = found.continuation }
      table.append(found)
      if sizes.count < 2 { sizes.insert(found.frames) }
      guard scanner.isLastOfPage, let page = scanner.lastPage, page.granule >= 0 else { continue }
      let granule = Int(clamping: min(page.granule, 1 << 50))
      // A stream that was cut out of another begins at a later time. If its only page has fewer
      // frames than its packets, the end was cut off, not the beginning.
      if first == nil { first = page.isLast ? 0 : granule - table.frameCount }
      last = granule
    }
    end = scanner.endOfStream
    endsEarly = end == nil
    if sizes.count == 1, let size = sizes.first, size > 0 {
      format.mFramesPerPacket = UInt32(clamping: size)
    }
    packets = table
    dataByteCount = table.byteCount
    declaredDataByteCount = dataByteCount
    setInfo(of: table.frameCount, first ?? 0, last)
  }

  private func setInfo(of all: Int, _ start: Int, _ end: Int?) {
    var priming = format.mFormatID == kAudioFormatOpus ? MagicCookies.preSkip(cookie) : 0
    var valid = max(0, all - priming)
    if format.mFormatID == kAudioFormatFLAC {
      // The header states the number of frames.
      if let declared = packetInfo?.validFrames { valid = min(valid, declared) }
    } else if let end {
      // If the first page has fewer frames than its packets, the surplus at the beginning is
      // dropped.
      if format.mFormatID == CompressedFormat.vorbis, start < 0 { priming = -start }
      let length = end - max(0, start) - (format.mFormatID == kAudioFormatOpus ? priming : 0)
      valid = min(max(0, length), max(0, all - priming))
    }
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: priming,
      remainderFrames: max(0, all - priming - valid))
  }

  package override func readPacket(
    _ index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) {
    try writer?.flushAll(self)
    guard let packets, let rest = continuations[index] else {
      return try super.readPacket(index, into: bytes)
    }
    var done = packets.size(index) - rest.reduce(0) { $0 + $1.count }
    for (offset, count) in [(packets.offset(index), done)] {
      try readPart(bytes, 0, offset..<offset + count)
    }
    for part in rest {
      try readPart(bytes, done, part)
      done += part.count
    }
  }

  private func readPart(
    _ bytes: UnsafeMutableRawBufferPointer, _ position: Int, _ range: Range<Int>
  ) throws(AudioError) {
    let part = UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + range.count])
    guard try store.read(part, at: range.lowerBound) == range.count else {
      throw damaged("became shorter while it was read, near byte \(range.upperBound)")
    }
  }

  /// Sets the position of a written packet.
  func setParts(_ index: Int, _ parts: [Range<Int>]) {
    packets?.move(index, to: parts[0].lowerBound)
    continuations[index] = parts.count > 1 ? Array(parts.dropFirst()) : nil
  }

  package override var sourceBitDepth: Int32? { depth }

  override var ownInfo: [String: String] {
    get throws(AudioError) { VorbisComment.info(comment) }
  }

  override var ownArtwork: [UInt8]? {
    get throws(AudioError) { VorbisComment.embeddedPicture(comment) }
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription
  ) throws(AudioError) {
    super.init(store, kind, format)
    let rate = format.mSampleRate
    let rates: [Double] = [8_000, 12_000, 16_000, 24_000, 48_000]
    guard format.mFormatID != kAudioFormatOpus || rates.contains(rate), rate == rate.rounded()
    else {
      throw .unsupportedDataFormat.because(
        "\(store.name): \(StreamFormat.describe(format)): Opus supports 8, 12, 16, 24 and 48 kHz")
    }
    packets = PacketTable(framesPerPacket: Int(format.mFramesPerPacket))
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    comment = VorbisComment.make([:], from: nil)
    try store.write([], at: 0)
    if store.isSeekable { try store.resize(to: 0) }
    writer = OggWriter(store.name)
  }

  package override func appendPackets(
    _ descriptions: [AudioStreamPacketDescription], from bytes: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard let writer else { throw refusal("packets are added to new files only") }
    let old = (count: packetCount, byteCount: dataByteCount)
    do throws(AudioError) {
      for packet in descriptions {
        let start = Int(packet.mStartOffset)
        let part = Array(bytes[start..<start + Int(packet.mDataByteSize)])
        let frames = try writer.append(part, self)
        packets?.append(offset: 0, size: part.count, frames: frames)
        dataByteCount += part.count
      }
      try writer.flushIfLong(self)
    } catch {
      // The same packets can be written again.
      let added = packetCount - old.count
      writer.removeLast(added)
      packets?.removeLast(added)
      dataByteCount = old.byteCount
      throw error
    }
    declaredDataByteCount = dataByteCount
  }

  package override func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    guard let writer else { return try super.setCookie(cookie) }
    guard !writer.hasBegun || cookie == self.cookie || format.mFormatID == kAudioFormatFLAC else {
      throw refusal("its magic cookie must be set before the first packet")
    }
    if !writer.hasBegun { self.cookie = cookie }
  }

  package override func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    guard writer != nil else { return try super.setPacketInfo(info) }
    packetInfo = info
  }

  package override func flush() throws(AudioError) { try writer?.flush(self) }

  override func complete() throws(AudioError) { try writer?.finish(self) }

  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try setComment(VorbisComment.make(info, from: comment))
  }

  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try setComment(VorbisComment.make(try ownInfo, picture: picture, from: comment))
  }

  package override var markers: [Marker] {
    get throws(AudioError) {
      VorbisComment.chapters(comment).markers(rate: format.mSampleRate)
    }
  }

  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    let chapters = [Chapter](markers, rate: format.mSampleRate)
    try setComment(VorbisComment.setting(chapters: chapters, in: comment))
  }

  private func setComment(_ bytes: [UInt8]) throws(AudioError) {
    guard let writer, !writer.hasBegun else {
      throw refusal("its texts, its picture and its markers must be set before the first packet")
    }
    guard format.mFormatID != kAudioFormatFLAC || bytes.count < 1 << 24 else {
      throw .invalidArgument.because("\(store.name): a block of FLAC holds at most 16 MB")
    }
    comment = bytes
  }
}

extension OggContainer {
  /// Stores the header that was written.
  func setHead(_ head: [UInt8]) { cookie = head }
}
