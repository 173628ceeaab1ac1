// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Core Audio Format: any codec, any length. The file is valid while it grows, because its sound
/// may extend to the end of the file.
package final class CAFContainer: ChunkedContainer {
  /// Writes packets of different sizes. Nil when all have the same size, or the file was opened,
  /// not created.
  private var writer: CAFWriter?

  // MARK: Reading

  package init(reading store: any ByteStore, _ extent: Extent = .whole) throws(AudioError) {
    super.init(store, try FileKind.of(kAudioFileCAFType), .caf, formBytes: 8)
    structure = Self.structure
    let start = ByteFields(try store.bytes(at: 0, 8), isBigEndian: true)
    guard start.count == 8 else {
      throw damaged("ends after \(start.count) bytes, within its header")
    }
    guard start.code(0) == "caff" else {
      throw damaged("begins with \(start.code(0).quoted), not with 'caff': not a CAF file")
    }
    guard start.uint16(4) == 1 else {
      throw damaged("is CAF of version \(start.uint16(4)); only version 1 is supported")
    }
    try parse(extent, largeSize: { _ in nil }) { _ throws(AudioError) in }
    guard let description = try bytes(of: "desc") else {
      throw damaged("has no 'desc' chunk in its \(try store.byteCount()) bytes")
    }
    try read(description)
    guard dataHeader > 0 else {
      throw damaged("has no 'data' chunk in its \(try store.byteCount()) bytes")
    }
    cookie = try bytes(of: "kuki")?.bytes ?? []
    let channelCount = format.mChannelsPerFrame
    try readPacketTable(extent)
    if channelCount == format.mChannelsPerFrame {
      layout = try bytes(of: "chan").flatMap { AudioLayoutBytes.native($0.bytes) }
    }
    if layout == nil { layout = WaveLayout.layout(0, channelCount: Int(format.mChannelsPerFrame)) }
    keepWholePackets()
  }

  private static let structure: Set<ChunkCode> = [
    ChunkCode("desc"), "pakt",
  ]

  /// Flags of linear PCM in a `desc` chunk.
  private static let isFloat: UInt32 = 1
  private static let isLittleEndian: UInt32 = 2

  private func read(_ fields: ByteFields) throws(AudioError) {
    guard fields.count >= 32 else {
      throw damaged("chunk 'desc' has \(fields.count) bytes, not 32")
    }
    format.mSampleRate = fields.double(0)
    format.mFormatID = fields.code(8).rawValue
    let flags = fields.uint32(12)
    format.mBytesPerPacket = fields.uint32(16)
    format.mFramesPerPacket = fields.uint32(20)
    format.mChannelsPerFrame = fields.uint32(24)
    format.mBitsPerChannel = fields.uint32(28)
    guard format.mSampleRate.isFinite, format.mSampleRate > 0, format.mSampleRate < 3e6,
      (1...UInt32(clamping: Limits.channels)).contains(format.mChannelsPerFrame)
    else {
      throw damaged(
        "'desc' is not plausible: \(format.mChannelsPerFrame) channels at "
          + "\(format.mSampleRate.plainText) Hz")
    }
    if format.mFormatID == kAudioFormatFLAC, format.mFramesPerPacket > Limits.packetFrames {
      // Some writers count wrong; the packets themselves state their frames.
      format.mFramesPerPacket = 0
      format = CompressedFormat.of(format.mFormatID)?.complete(format) ?? format
    }
    guard format.mBytesPerPacket <= Limits.packetBytes,
      format.mFramesPerPacket <= Limits.packetFrames
    else {
      throw damaged(
        "'desc' is not plausible: packets of \(format.mBytesPerPacket) bytes, "
          + "\(format.mFramesPerPacket) frames")
    }
    guard format.mFormatID == kAudioFormatLinearPCM else {
      format.mFormatFlags = flags
      if format.mFramesPerPacket == 1 { format.mBytesPerFrame = format.mBytesPerPacket }
      return
    }
    let (isFloat, isLittle) = (flags & Self.isFloat != 0, flags & Self.isLittleEndian != 0)
    let channels = format.mChannelsPerFrame
    format.mBytesPerFrame = format.mBytesPerPacket
    let bytes = format.mBytesPerPacket / channels
    var made: AudioFormatFlags = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if !isLittle, bytes > 1 { made |= kAudioFormatFlagIsBigEndian }
    // Samples fill the upper bits of their bytes.
    made |=
      format.mBitsPerChannel == bytes * 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
    format.mFormatFlags = made
    do throws(AudioError) { _ = try StreamFormat(format) } catch {
      throw .unsupportedDataFormat.because("\(store.name): 'desc': \(error.explanation)")
    }
  }

  private func readPacketTable(_ extent: Extent) throws(AudioError) {
    let isVariable = format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0
    guard let fields = try bytes(of: "pakt"), fields.count >= 24 else {
      if isVariable, extent == .header {
        throw .notOptimized.because(
          "\(store.name): its packet table ('pakt') comes after the sound: read it as a file, or "
            + "let AudioFileOptimize move the table to the front")
      }
      if isVariable {
        throw damaged("has packets of different sizes but no packet table ('pakt')")
      }
      return
    }
    packetInfo = PacketInfo(
      validFrames: max(0, Int(fields.int64(8))), primingFrames: max(0, Int(fields.int32(16))),
      remainderFrames: max(0, Int(fields.int32(20))))
    guard isVariable else {
      if extent == .whole { limitPacketInfo() }
      return
    }
    let count = fields.int64(0)
    // Each entry has at least one byte.
    guard count >= 0, count <= fields.count - 24 else {
      throw damaged("'pakt' claims \(count) packets in \(fields.count) bytes")
    }
    var table = PacketTable(framesPerPacket: Int(format.mFramesPerPacket))
    var position = 24
    func number() -> Int {
      var value = 0
      for _ in 0..<5 where position < fields.count {
        let byte = fields.uint8(position)
        position += 1
        value = value << 7 | Int(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      return value
    }
    var offset = dataOffset
    for _ in 0..<count {
      let size = format.mBytesPerPacket == 0 ? number() : Int(format.mBytesPerPacket)
      let frames = format.mFramesPerPacket == 0 ? number() : 0
      // A truncated file lacks its last packets.
      guard offset + size <= dataOffset + dataByteCount else { break }
      table.append(offset: offset, size: size, frames: frames)
      offset += size
    }
    try setAACFormat(&table, Int(count))
    packets = table
    guard extent == .whole else { return }
    if table.count < count {
      statedFrames = packetInfo?.validFrames ?? 0
      packetInfo = packetInfo?.limited(to: table.frameCount)
    }
    try measureLossless(table)
  }

  /// Packets of one size that a truncated file lacks are no sound.
  private func limitPacketInfo() {
    let count = Outside(dataByteCount / Int(format.mBytesPerPacket)) * Int(format.mFramesPerPacket)
    guard let info = packetInfo, let all = count.upTo(Limits.count) else { return }
    let limited = info.limited(to: all)
    if limited.validFrames < info.validFrames { statedFrames = info.validFrames }
    packetInfo = limited
  }

  /// Takes the numbers of AAC from its cookie, or from the packets if they have an extension without
  /// notice: 'desc' may describe the core or the output.
  private func setAACFormat(_ table: inout PacketTable, _ count: Int) throws(AudioError) {
    let stated = Int(format.mFramesPerPacket)
    guard format.mFormatID == kAudioFormatMPEG4AAC, stated > 0,
      let config = AudioSpecificConfig(MagicCookies.audioSpecificConfig(cookie))
    else { return }
    if config.formatID != format.mFormatID { format.mFormatFlags = 0 }
    format.mFormatID = config.formatID
    format = AACLayers.format(format, config)
    if let extended = try extendedFormat(table) { format = extended }
    let frames = Int(format.mFramesPerPacket)
    guard frames != stated else { return }
    table = table.with(framesPerPacket: frames)
    packetInfo = packetInfo?.counted(inPacketsOf: frames, insteadOf: stated, packetCount: count)
  }

  /// Frames of the whole file, if packets are missing.
  private var statedFrames = 0

  package override var declaredFrameCount: Int { max(super.declaredFrameCount, statedFrames) }

  /// Corrects the end of lossless sound, if the table says that all frames of all packets are sound.
  private func measureLossless(_ table: PacketTable) throws(AudioError) {
    guard [kAudioFormatFLAC, kAudioFormatAppleLossless].contains(format.mFormatID),
      let info = packetInfo,
      (Outside(info.primingFrames) + info.validFrames).value ?? .max >= table.frameCount,
      let found = try LosslessPacket.measure(table, format, try ByteWindow(store))
    else { return }
    packets = found.packets
    format.mFramesPerPacket = UInt32(clamping: found.framesPerPacket)
    let valid = max(0, found.frameCount - info.primingFrames)
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: info.primingFrames,
      remainderFrames: max(0, found.packets.frameCount - info.primingFrames - valid))
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription,
    alignment: Int, expecting packets: Int?
  ) throws(AudioError) {
    super.init(store, kind, .caf, formBytes: 8)
    structure = Self.structure
    self.format = try PacketFormat.check(format, kind, store.name, maximumChannels: Limits.channels)
    let flags = self.format.mFormatFlags
    if self.format.mFormatID == kAudioFormatLinearPCM {
      let isHigh =
        flags & (kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh) != 0
      let isSigned = flags & (kAudioFormatFlagIsFloat | kAudioFormatFlagIsSignedInteger) != 0
      guard isHigh, isSigned else {
        throw .unsupportedDataFormat.because(
          "\(store.name): \(StreamFormat.describe(self.format)): a CAF file holds floats and "
            + "signed integers that fill the upper bits of their bytes")
      }
    }
    if self.format.mBytesPerPacket == 0 || self.format.mFramesPerPacket == 0 {
      self.packets = PacketTable(framesPerPacket: Int(self.format.mFramesPerPacket))
      writer = CAFWriter(store)
    }
    var form = ByteBuilder(isBigEndian: true)
    form.code("caff")
    form.number(UInt16(1))
    form.number(UInt16(0))
    try begin(form.bytes, [("desc", description)], alignment: alignment)
  }

  private var description: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.double(format.mSampleRate)
    builder.code(ChunkCode(format.mFormatID))
    var flags = format.mFormatFlags
    if format.mFormatID == kAudioFormatLinearPCM {
      flags = flags & kAudioFormatFlagIsFloat != 0 ? Self.isFloat : 0
      if format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 { flags |= Self.isLittleEndian }
    }
    builder.number(flags)
    builder.number(format.mBytesPerPacket)
    builder.number(format.mFramesPerPacket)
    builder.number(format.mChannelsPerFrame)
    builder.number(format.mBitsPerChannel)
    return builder.bytes
  }

  /// While the sound grows, its size is marked as unknown: it extends to the end of the file. With
  /// a packet table after it, the size is that of the packets in the table.
  override func sizeFields() -> [(Int, [UInt8])] {
    if let writer, writer.table != nil {
      return [(dataHeader + 4, dialect.size(writer.writtenByteCount + 4))]
    }
    let isKnown = hasTail && !chunks.contains { $0.pending != nil } || isAttaching || isClosing
    return [(dataHeader + 4, dialect.size(isKnown ? dataByteCount + 4 : -1))]
  }

  private var isClosing = false
  /// Whether chunks are being written after the sound, which then no longer extends to the end.
  private var isAttaching = false
  /// Whether the packet info was changed and must be written.
  private var isTableChanged = false

  override func attachTail() throws(AudioError) {
    // While the table is ahead of the sound, chunks cannot follow the sound directly.
    guard writer == nil || isClosing else { return }
    isAttaching = true
    defer { isAttaching = false }
    try super.attachTail()
  }

  package override func flush() throws(AudioError) {
    if let writer, !isClosing { return try writer.flush(self) }
    try super.flush()
  }

  override func complete() throws(AudioError) {
    if let writer {
      try writer.finish(self)
    } else if isTableChanged {
      try storeTable()
    }
    isClosing = true
    if store.isSeekable { try writeSizes() }
    try super.complete()
  }

  package override func appendPackets(
    _ descriptions: [AudioStreamPacketDescription], from bytes: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard let writer else { throw refusal("its packets all have the same size") }
    let old = (count: packetCount, byteCount: dataByteCount)
    for packet in descriptions {
      let start = Int(packet.mStartOffset)
      let part = UnsafeRawBufferPointer(
        rebasing: bytes[start..<start + Int(packet.mDataByteSize)])
      packets?.append(
        offset: dataOffset + dataByteCount, size: part.count, frames: frames(of: part, packet))
      dataByteCount += part.count
      writer.append(part, self)
    }
    do throws(AudioError) {
      if defersSizes { try writer.flushIfLong(self) } else { try flush() }
    } catch {
      // The same packets can be written again.
      writer.removeLast(dataByteCount - old.byteCount)
      let count = packetCount - old.count
      packets?.removeLast(count)
      dataByteCount = old.byteCount
      throw error
    }
    declaredDataByteCount = dataByteCount
  }

  package override func readPacket(
    _ index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) {
    try writer?.flush(self)
    try super.readPacket(index, into: bytes)
  }

  // MARK: Packet table

  /// The bytes before the entries of the table.
  var tableHead: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    let info = packetInfo
    builder.number(Int64(packets == nil ? 0 : packetCount))
    builder.number(Int64(info?.validFrames ?? packetFrameCount))
    builder.number(Int32(clamping: info?.primingFrames ?? 0))
    builder.number(Int32(clamping: info?.remainderFrames ?? 0))
    return builder.bytes
  }

  /// The table's entries from a packet on.
  func tableEntries(from first: Int) -> [UInt8] {
    guard let packets else { return [] }
    var bytes: [UInt8] = []
    for index in first..<packets.count {
      if format.mBytesPerPacket == 0 { bytes += Self.variable(packets.size(index)) }
      if format.mFramesPerPacket == 0 { bytes += Self.variable(packets.frames(index)) }
    }
    return bytes
  }

  /// Writes the table as an ordinary chunk.
  func storeTable() throws(AudioError) {
    try store("pakt", 0, tableHead + tableEntries(from: 0))
  }

  /// Whether the table is an ordinary chunk already.
  var hasTable: Bool { chunkCount("pakt") > 0 }

  /// Whether a chunk of this size fits before the sound.
  func fitsInFront(_ byteCount: Int) throws(AudioError) -> Bool {
    chunks.contains {
      $0.code == dialect.fillerCode && $0.header < dataHeader
        && $0.body.count >= byteCount + dialect.headerBytes
    }
  }

  /// Records that the table is at `position`, after a free chunk that begins at `end`.
  func add(tableAt position: Int, _ byteCount: Int, after end: Int) {
    let free = dialect.headerBytes
    chunks.append(Chunk(code: dialect.fillerCode, header: end, body: end + free..<position))
    chunks.append(
      Chunk(code: "pakt", header: position, body: position + free..<position + byteCount))
  }

  /// A number in groups of seven bits, the highest group first.
  private static func variable(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(truncatingIfNeeded: number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  package override func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    try checkWritable("info")
    packetInfo = info
    isTableChanged = true
  }

  package override func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    try setChunk("kuki", 0, cookie)
    self.cookie = cookie
  }

  package override func setLayout(_ layout: [UInt8]) throws(AudioError) {
    try checkWritable("chan")
    try store("chan", 0, try AudioLayoutBytes.checked(layout, self))
    self.layout = layout
  }

  // MARK: Metadata

  package override var markers: [Marker] { get throws(AudioError) { try readMarkers() } }
  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    try write(markers: markers, regions: try regions)
  }
  package override var regions: [Region] { get throws(AudioError) { try readRegions() } }
  package override func setRegions(_ regions: [Region]) throws(AudioError) {
    try write(markers: try markers, regions: regions)
  }
  override var ownInfo: [String: String] {
    get throws(AudioError) { try readInfo() }
  }
  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try writeInfo(info)
  }
}
