// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// FLAC (RFC 9639): blocks of metadata, and frames, each of which ends where the next begins.
package final class FLACContainer: AppendingContainer {
  private var blocks: [(type: UInt8, range: Range<Int>)] = []
  private var depth: Int32 = 0
  /// The position of the marker "fLaC"; not 0 when tags precede it.
  private var start = 0

  // MARK: Reading

  package init(reading store: any ByteStore, _ extent: Extent = .whole) throws(AudioError) {
    super.init(store, try FileKind.of(kAudioFileFLACType), AudioStreamBasicDescription())
    let window = try ByteWindow(store)
    start = try SurroundingTags.front(window)
    guard try window.fields(start, 4).code(0) == "fLaC" else {
      throw damaged("is not a FLAC file")
    }
    let position = try readBlocks(window)
    try readDescription()
    dataOffset = position
    guard extent == .whole else { return }
    try scanFrames(window)
    let all = packets?.frameCount ?? 0
    setFrameCount(total > 0 ? min(total, all) : all, of: all)
  }

  /// Finds all frames. Instead of those that are damaged or lost there are silent ones.
  private func scanFrames(_ window: ByteWindow) throws(AudioError) {
    var scanner = FLACScanner(from: dataOffset, description, findsDamaged: true)
    // The last frame may be shorter than the others.
    var table = PacketTable(framesPerPacket: 0)
    while let packet = try scanner.next(window) {
      foundEnd = scanner.position
      appendSilence(packet.missingFrames, at: packet.offset, to: &table)
      if packet.isDamaged {
        appendSilence(packet.frames, at: packet.offset, to: &table)
      } else {
        table.append(packet)
      }
    }
    packets = table
    // Silence for lost frames is not in the file.
    dataByteCount = max(0, (foundEnd ?? dataOffset) - dataOffset)
    declaredDataByteCount = dataByteCount
    if total == 0 { endsEarly = scanner.endsWithinFrame }
  }

  /// Silent frames, by the indices of their packets.
  private var silence: [Int: [UInt8]] = [:]

  private func appendSilence(_ count: Int, at position: Int, to table: inout PacketTable) {
    var rest = count
    while rest > 0, silence.count < Limits.silentPackets {
      let size = min(rest, longest)
      let number = format.mFramesPerPacket == 0 ? table.frameCount : table.count
      let frame = FLACFrame.silent(
        size, number: number, isVariable: format.mFramesPerPacket == 0,
        channels: Int(format.mChannelsPerFrame), depth: Int(depth))
      silence[table.count] = frame
      table.append(offset: position, size: frame.count, frames: size)
      rest -= size
    }
    silencedFrameCount += count - rest
  }

  package override func readPacket(
    _ index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) {
    guard let frame = silence[index] else { return try super.readPacket(index, into: bytes) }
    bytes.copyBytes(from: frame)
  }

  private func readBlocks(_ window: ByteWindow) throws(AudioError) -> Int {
    var position = start + 4
    while true {
      let header = try window.fields(position, 4)
      guard header.count == 4 else { throw damaged("ends within its header, at byte \(position)") }
      let size = Int(header.uint32(0) & 0xFF_FFFF)
      guard try window.reaches(position + 4 + size) else {
        throw damaged(
          "a block at byte \(position) claims \(size) bytes, but "
            + "\(window.byteCount - position - 4) follow")
      }
      blocks.append((header.uint8(0) & 0x7F, position + 4..<position + 4 + size))
      position += 4 + size
      if header.uint8(0) & 0x80 != 0 { return position }
    }
  }

  /// Reads the first block: the format of the sound.
  private func readDescription() throws(AudioError) {
    guard let first = blocks.first, first.type == 0, first.range.count >= 34 else {
      throw damaged("does not begin with a STREAMINFO block")
    }
    let fields = ByteFields(try store.bytes(at: first.range.lowerBound, 34), isBigEndian: true)
    let word = fields.uint64(10)
    let (rate, channels) = (
      Int(truncatingIfNeeded: word >> 44), Int(truncatingIfNeeded: word >> 41 & 7) + 1
    )
    total = Int(truncatingIfNeeded: word & 0xF_FFFF_FFFF)
    // Recorders that could not come back to the header leave it so.
    if total == 0xF_FFFF_FFFF { total = 0 }
    depth = Int32(truncatingIfNeeded: word >> 36 & 31) + 1
    guard rate > 0 else { throw damaged("declares a sample rate of 0") }
    cookie = fields.bytes
    format.mSampleRate = Double(rate)
    format.mFormatID = kAudioFormatFLAC
    format.mChannelsPerFrame = UInt32(clamping: channels)
    // Bit depths, encoded as in lossless formats.
    format.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][Int(depth)] ?? 0
    let (shortest, declared) = (Int(fields.uint16(0)), Int(fields.uint16(2)))
    format.mFramesPerPacket = shortest == declared ? UInt32(clamping: declared) : 0
    longest = declared >= 16 ? declared : 4_096
    try readLayout()
    if total > 0 {
      let size = Int(format.mFramesPerPacket)
      headerInfo.packetCount = size > 0 ? (total + size - 1) / size : nil
      setFrameCount(total, of: total)
    }
  }

  /// Frames according to the header; 0 when unknown.
  private var total = 0
  /// Frames of the longest packet according to the header, or the usual ones: silence is made in
  /// pieces of that length.
  private var longest = 4_096

  private func setFrameCount(_ valid: Int, of all: Int) {
    packetInfo = PacketInfo(validFrames: valid, primingFrames: 0, remainderFrames: all - valid)
  }

  package override var declaredFrameCount: Int {
    total > 0 ? max(frameCount, total) : super.declaredFrameCount
  }

  override func scanner() -> (any PacketScanner)? {
    FLACScanner(from: dataOffset, description)
  }

  private var description: FLACScanner.Stream {
    FLACScanner.Stream(
      depth: Int(depth), channels: Int(format.mChannelsPerFrame),
      frameLength: Int(format.mFramesPerPacket), sampleCount: total,
      largestFrame: Int(ByteFields(cookie, isBigEndian: true).uint32(6) & 0xFF_FFFF))
  }

  package override var sourceBitDepth: Int32? { depth }

  override var ownInfo: [String: String] {
    get throws(AudioError) {
      guard let block = blocks.first(where: { $0.type == 4 }) else { return [:] }
      return VorbisComment.info(
        try store.bytes(at: block.range.lowerBound, min(block.range.count, 16 << 20)))
    }
  }

  override var ownArtwork: [UInt8]? {
    get throws(AudioError) {
      guard let block = blocks.first(where: { $0.type == 6 }) else { return nil }
      return VorbisComment.picture(
        try store.bytes(at: block.range.lowerBound, min(block.range.count, 64 << 20)))
    }
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription
  ) throws(AudioError) {
    super.init(store, kind, format)
    let (rate, channels) = (format.mSampleRate, Int(format.mChannelsPerFrame))
    guard rate == rate.rounded(), (1...655_350).contains(rate), channels <= 8 else {
      throw .unsupportedDataFormat.because(
        "\(store.name): \(StreamFormat.describe(format)): a FLAC file holds 1 to 8 channels at "
          + "whole rates up to 655,350 Hz")
    }
    depth = [1: 16, 2: 20, 3: 24, 4: 32][format.mFormatFlags] ?? 16
    // The encoder's values follow later, as the magic cookie.
    let word =
      UInt64(saturating: rate) << 44 | UInt64(clamping: channels - 1) << 41 | UInt64(
        clamping: depth - 1) << 36
    var information = ByteBuilder(isBigEndian: true)
    let size = UInt16(clamping: format.mFramesPerPacket)
    information.number(size > 0 ? size : 16)
    information.number(size > 0 ? size : 65_535)
    information.zeros(6)
    information.number(word)
    information.zeros(16)
    layout = WaveLayout.native(channels)
    cookie = information.bytes
    try begin(front([(0, cookie)], padding: Self.room))
  }

  /// Bytes reserved for texts.
  private static let room = 4_096

  /// The marker and the blocks, the last of which is padding.
  private func front(_ contents: [(type: UInt8, bytes: [UInt8])], padding: Int) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.code("fLaC")
    blocks = []
    for (type, bytes) in contents + [(1, [UInt8](repeating: 0, count: padding))] {
      builder.number(UInt32(type | (type == 1 ? 0x80 : 0)) << 24 | UInt32(clamping: bytes.count))
      blocks.append((type, builder.bytes.count..<builder.bytes.count + bytes.count))
      builder.append(bytes)
    }
    return builder.bytes
  }

  override func header(
    of packet: UnsafeRawBufferPointer, _ index: Int
  ) throws(AudioError) -> (bytes: [UInt8], frames: Int) {
    let fields = ByteFields(Array(packet.prefix(16)), isBigEndian: true)
    guard fields.uint16(0) & 0xFFFE == 0xFFF8, let frame = FLACFrame(fields) else {
      throw .invalidPacketOffset.because(
        "\(store.name): packet \(index) of \(packet.count) bytes is not a frame of FLAC")
    }
    return ([], frame.frames)
  }

  package override func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    guard grows, let first = blocks.first, let made = MagicCookies.streamInformation(cookie) else {
      return try super.setCookie(cookie)
    }
    self.cookie = made
    try store.write(made, at: first.range.lowerBound)
  }

  package override func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    guard grows, info.primingFrames == 0 else { return try super.setPacketInfo(info) }
    packetInfo = info
  }

  override func finishFront() throws(AudioError) {
    if let packets, packets.count > 0, let first = blocks.first, cookie.count >= 34 {
      var bytes = ByteBuilder(isBigEndian: true)
      let fields = ByteFields(cookie, isBigEndian: true)
      let sizes = (0..<packets.count).map { packets.size($0) }
      // The last frame may be shorter than the others.
      let frames = (0..<max(1, packets.count - 1)).map { packets.frames($0) }
      bytes.number(UInt16(clamping: max(16, frames.min() ?? 16)))
      bytes.number(UInt16(clamping: max(16, frames.max() ?? 16)))
      bytes.append(number24(sizes.min() ?? 0) + number24(sizes.max() ?? 0))
      let formatBits = fields.uint64(10) & ~0xF_FFFF_FFFF
      bytes.number(formatBits | UInt64(clamping: min(frameCount, 0xF_FFFF_FFFF)))
      bytes.append(cookie[18..<34])
      cookie = bytes.bytes
      try store.write(bytes.bytes, at: first.range.lowerBound)
    }
  }

  private func number24(_ value: Int) -> [UInt8] {
    let value = min(value, 0xFF_FFFF)
    return [
      UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8 & 255),
      UInt8(truncatingIfNeeded: value & 255),
    ]
  }

  // MARK: Texts and pictures

  /// Replaces the blocks of one type. If the padding is large enough, only the header is rewritten.
  private func setBlock(_ type: UInt8, _ bytes: [UInt8]) throws(AudioError) {
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    guard bytes.count < 1 << 24 else {
      throw .invalidArgument.because("\(store.name): a block of a FLAC file holds at most 16 MB")
    }
    var contents: [(UInt8, [UInt8])] = []
    let isReplaced = { [start] in $0 == type || $0 == 1 || $0 == 4 && start > 0 }
    for block in blocks where !isReplaced(block.type) {
      contents.append((block.type, try store.bytes(at: block.range.lowerBound, block.range.count)))
    }
    contents.append((type, bytes))
    if start > 0 {
      // The tags in front give way. The file keeps what they say.
      if type != 4 { contents.append((4, VorbisComment.make(try info, from: try comment))) }
      if type != 6, try ownArtwork == nil, let picture = try artwork {
        contents.append((6, VorbisComment.block(picture: picture)))
      }
    }
    let needed = 4 + contents.reduce(4) { $0 + 4 + $1.1.count }
    let old = dataOffset
    let padding = old - start - needed
    let before = blocks
    let made = front(contents, padding: (0..<1 << 24).contains(padding) ? padding : Self.room)
    do throws(AudioError) { try replaceFront(old, with: made) } catch {
      blocks = before
      throw error
    }
    start = 0
  }

  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try setBlock(4, VorbisComment.make(info, from: try comment))
  }

  /// The block of texts; nil if there is none.
  private var comment: [UInt8]? {
    get throws(AudioError) {
      guard let block = blocks.first(where: { $0.type == 4 }) else { return nil }
      return try store.bytes(at: block.range.lowerBound, block.range.count)
    }
  }

  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try setBlock(6, VorbisComment.block(picture: picture))
  }

  // MARK: Markers and layout

  package override var markers: [Marker] {
    get throws(AudioError) {
      let chapters = VorbisComment.chapters(try comment ?? [])
      guard chapters.isEmpty, let sheet = blocks.first(where: { $0.type == 5 }) else {
        return chapters.markers(rate: format.mSampleRate)
      }
      let bytes = try store.bytes(at: sheet.range.lowerBound, min(sheet.range.count, 1 << 20))
      return FLACCueSheet.markers(ByteFields(bytes, isBigEndian: true))
    }
  }

  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    let chapters = [Chapter](markers, rate: format.mSampleRate)
    try setBlock(4, VorbisComment.setting(chapters: chapters, in: try comment))
  }

  package override func setLayout(_ layout: [UInt8]) throws(AudioError) {
    let channelCount = Int(format.mChannelsPerFrame)
    guard let mask = WaveLayout.mask(layout, channelCount: channelCount) else {
      throw refusal("it has channels in the order of their loudspeaker bits")
    }
    // The usual one needs no text.
    let usual = WaveLayout.native(channelCount).flatMap {
      WaveLayout.mask($0, channelCount: channelCount)
    }
    let texts = try comment
    if mask != usual || VorbisComment.channelMask(texts ?? []) != nil {
      try setBlock(4, VorbisComment.setting(channelMask: mask, in: texts))
    }
    self.layout = layout
  }

  /// The layout that the texts state, or else the usual one.
  private func readLayout() throws(AudioError) {
    let channelCount = Int(format.mChannelsPerFrame)
    let mask = VorbisComment.channelMask(try comment ?? []) ?? 0
    layout =
      (mask > 0 ? WaveLayout.layout(mask, channelCount: channelCount) : nil)
      ?? WaveLayout.native(channelCount)
  }
}
