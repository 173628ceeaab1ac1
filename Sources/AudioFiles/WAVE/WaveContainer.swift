// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// WAV, and its relatives for long files: RF64 (EBU Tech 3306), BW64 (ITU-R BS.2088) and Wave64.
///
/// A new WAV file reserves space for the chunk `ds64`, and becomes an RF64 file when it outgrows
/// 32-bit sizes. The header's length does not change, so that one write makes the file valid again.
package final class WaveContainer: ChunkedContainer {
  /// Whether sizes are 64-bit, in `ds64`.
  private var isLarge = false
  /// The sizes of chunks in `ds64`.
  private var largeSizes: [ChunkCode: Int] = [:]
  private let isWave64: Bool
  /// The frames of MPEG audio in it; nil for other codecs.
  private var frames: MPEGContainer?
  /// Frames of the sound according to `fact`; 0 when there is none.
  private var factFrames = 0

  // MARK: Reading

  package init(reading store: any ByteStore, _ extent: Extent = .whole) throws(AudioError) {
    let start = ByteFields(try store.bytes(at: 0, 40), isBigEndian: false)
    let first = start.code(0)
    isWave64 = first == "riff"
    let type: AudioFileTypeID =
      switch first {
      case "RF64": kAudioFileRF64Type
      case "BW64": kAudioFileBW64Type
      case "riff": kAudioFileWave64Type
      default: kAudioFileWAVEType
      }
    super.init(
      store, try FileKind.of(type), isWave64 ? .wave64 : first == "RIFX" ? .rifx : .riff,
      formBytes: isWave64 ? 40 : 12)
    isLarge = type == kAudioFileRF64Type || type == kAudioFileBW64Type
    structure = Self.structure
    try checkForm(start)
    var found: WaveFormatChunk?
    do throws(AudioError) {
      try parse(extent, largeSize: { largeSizes[$0] }) { chunk throws(AudioError) in
        if chunk.code == "fmt ", found == nil {
          let fields = ByteFields(
            try bytes(of: chunk, limit: 64), isBigEndian: dialect.isBigEndian)
          found = try WaveFormatChunk(fields, at: chunk.header)
        } else if chunk.code == "ds64", isLarge {
          try readLargeSizes(chunk)
        }
      }
    } catch {
      throw error.explanation.hasPrefix(store.name) ? error : error.of(store.name)
    }
    guard dataHeader > 0 else {
      throw damaged("has no 'data' chunk in its \(try store.byteCount()) bytes")
    }
    guard let found else {
      throw damaged("chunk 'data' at byte \(dataHeader) has no 'fmt ' before it")
    }
    format = found.format
    keepWholePackets()
    if format.mBytesPerPacket == 0 { try scanFrames(extent) }
    layout = WaveLayout.layout(found.channelMask, channelCount: Int(format.mChannelsPerFrame))
    try readFact()
  }

  /// Reads `fact`: how many frames are sound in packets of compressed sound.
  private func readFact() throws(AudioError) {
    guard format.mFormatID != kAudioFormatLinearPCM, format.mFramesPerPacket > 1,
      let fact = try bytes(of: "fact"), fact.count >= 4, (1..<UInt32.max).contains(fact.uint32(0)),
      packetInfo == nil
    else { return }
    let (all, stated) = (framesOfPackets ?? 0, Int(fact.uint32(0)))
    factFrames = stated
    let isCounted = frames == nil || packets != nil
    let isCut = packets != nil && declaredDataByteCount > dataByteCount
    // MPEG audio has the delays of an encoder and of the decoder, if there is room for them. Where
    // frames are missing, only a length of whole packets shows that there was none.
    let delay = format.mFormatID == kAudioFormatMPEGLayer3 ? 576 + 529 : 0
    let isLacking = isCut || all < stated
    let hasDelay =
      isLacking ? stated % Int(format.mFramesPerPacket) != 0 : stated + delay <= all
    let priming = hasDelay ? isCounted ? min(delay, all) : delay : 0
    let valid = isCounted ? min(stated, max(0, all - priming)) : stated
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: priming, remainderFrames: max(0, all - priming - valid))
  }

  /// The frames of all packets. Those of MPEG audio in a stream, which have not been counted, are as
  /// many as its size holds at the bit rate of the first; nil without a size.
  private var framesOfPackets: Int? {
    if packets != nil || format.mBytesPerPacket > 0 { return packetFrameCount }
    guard let bytes = headerInfo.byteCount, let rate = headerInfo.bitRate, rate > 0 else {
      return nil
    }
    let length = Double(format.mFramesPerPacket)
    let count = (Double(bytes) * 8 / rate * format.mSampleRate / length).rounded()
    return Int(saturating: min(count * length, 1e15))
  }

  /// A truncated file states the frames of its sound, not only those of its packets.
  package override var declaredFrameCount: Int {
    let declared = super.declaredFrameCount
    guard factFrames > 0 else { return declared }
    // Of MPEG audio, nobody has counted the packets that are missing.
    let isCut = packets != nil && declaredDataByteCount > dataByteCount
    if isCut, factFrames <= mostFrames { return max(declared, factFrames) }
    return min(declared, max(frameCount, factFrames))
  }

  override func extend(toPackets count: Int) {
    super.extend(toPackets: count)
    frames?.extend(toPackets: count)
    packetInfo = frames?.packetInfo ?? packetInfo
  }

  /// The most frames that a truncated file of MPEG audio can have had, with packets of the smallest
  /// size only.
  private var mostFrames: Int {
    guard let packets, packets.count > 0 else { return 0 }
    let smallest = (0..<packets.count).reduce(Int.max) { min($0, packets.size($1)) }
    let count = declaredDataByteCount / max(1, smallest)
    return (Outside(count) * Int(format.mFramesPerPacket)).upTo(Limits.count) ?? Limits.count
  }

  // MARK: MPEG audio

  /// Finds the frames of MPEG audio, whose headers count, not the format chunk.
  private func scanFrames(_ extent: Extent) throws(AudioError) {
    let window = try ByteWindow(store, to: dataOffset + dataByteCount)
    let detected = try MPEGContainer.detect(window, from: dataOffset)
    guard let detected, detected.type != kAudioFileAAC_ADTSType else {
      throw damaged("its chunk 'data' at byte \(dataHeader) has no frames of MPEG audio")
    }
    let frames = try MPEGContainer(reading: store, detected, window, extent)
    self.frames = frames
    format = frames.format
    if extent == .header {
      // The first frame may be a table.
      let skipped = frames.dataOffset - dataOffset
      headerInfo.byteCount = headerInfo.byteCount.map { max(0, $0 - skipped) }
      dataOffset = frames.dataOffset
    }
    packets = frames.packets
    packetInfo = frames.packetInfo
    headerInfo.packetCount = frames.headerInfo.packetCount
    headerInfo.bitRate = frames.headerInfo.bitRate
    endsEarly = frames.endsEarly || declaredDataByteCount > dataByteCount
  }

  override func scanner() -> (any PacketScanner)? {
    format.mBytesPerPacket == 0 ? SyncedScanner<MPEGFrame>(from: dataOffset) : nil
  }

  private static let structure: Set<ChunkCode> = [
    ChunkCode("fmt "), "fact", "ds64",
  ]

  /// Reads `ds64`: the size of the sound, and a table of the sizes of other chunks.
  private func readLargeSizes(_ chunk: Chunk) throws(AudioError) {
    let fields = ByteFields(try bytes(of: chunk, limit: 1 << 16), isBigEndian: false)
    guard fields.count >= 24 else {
      throw .damagedFile.because(
        "chunk 'ds64' at byte \(chunk.header) has \(fields.count) bytes, not 28")
    }
    largeSizes["data"] = Int(clamping: fields.uint64(8))
    let room = max(0, fields.count - 28) / 12
    for entry in 0..<min(Int(fields.uint32(24)), room) {
      let position = 28 + 12 * entry
      largeSizes[fields.code(position)] = Int(clamping: fields.uint64(position + 4))
    }
  }

  private func checkForm(_ start: ByteFields) throws(AudioError) {
    guard start.count >= 12 else {
      throw damaged("ends after \(start.count) bytes, within its header")
    }
    let first = start.code(0)
    guard isLarge || isWave64 || first == "RIFF" || first == "RIFX" else {
      throw damaged("begins with \(first.quoted), not with 'RIFF': not a WAV file")
    }
    let form = start.code(isWave64 ? 24 : 8)
    guard form == (isWave64 ? "wave" : "WAVE") else {
      throw .unsupportedFileType.because(
        "\(store.name): is a RIFF file of \(form.quoted), not of 'WAVE'")
    }
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription,
    alignment: Int, expecting packets: Int?
  ) throws(AudioError) {
    isWave64 = kind.type == kAudioFileWave64Type
    super.init(store, kind, isWave64 ? .wave64 : .riff, formBytes: isWave64 ? 40 : 12)
    structure = Self.structure
    self.format = try Self.check(format, kind, store.name)
    isLarge = kind.type == kAudioFileRF64Type || kind.type == kAudioFileBW64Type
    var form = ByteBuilder(isBigEndian: false)
    func total(_ unit: UInt32) -> Int? {
      packets.flatMap { (Outside($0) * Int(unit)).upTo(Limits.count) }
    }
    let expected = total(self.format.mBytesPerPacket)
    if isWave64 {
      form.code("riff")
      form.append(Self.riffTail)
      form.number(UInt64(0))
      form.code("wave")
      form.append(ChunkDialect.wave64Tail)
    } else {
      form.code(isLarge ? ChunkCode(kind.type) : ChunkCode("RIFF"))
      form.number(UInt32.max)
      form.code("WAVE")
    }
    var front: [(ChunkCode, [UInt8])] = []
    if !isWave64 {
      let sizes = [UInt8](repeating: 0, count: 28)
      front.append((isLarge ? "ds64" : "JUNK", sizes))
    }
    let chunk = WaveFormatChunk(writing: self.format, channelMask: 0).bytes(isBigEndian: false)
    front.append(("fmt ", chunk))
    if self.format.mFormatID != kAudioFormatLinearPCM || isFloat || !store.isSeekable {
      let frames = total(self.format.mFramesPerPacket)
      let count = store.isSeekable ? 0 : frames.map { UInt32(clamping: $0) } ?? .max
      var fact = ByteBuilder(isBigEndian: false)
      fact.number(count)
      if isWave64 { fact.number(UInt32(0)) }
      front.append(("fact", fact.bytes))
    }
    let header = form.bytes.count + front.reduce(8) { $0 + 8 + $1.1.count + $1.1.count % 2 }
    if !store.isSeekable, !isWave64, let expected, header - 8 + expected < Int(UInt32.max) {
      var whole = ByteBuilder(isBigEndian: false)
      whole.code(kind.type == kAudioFileWAVEType ? "RIFF" : "RF64")
      whole.number(UInt32(clamping: header - 8 + expected))
      whole.code("WAVE")
      form = whole
    }
    let fits = expected.map { $0 < Int(UInt32.max) - 4_096 } ?? false
    try begin(form.bytes, front, alignment: alignment, expected: fits || isWave64 ? expected : nil)
  }

  private static let riffTail: [UInt8] = [
    0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  private var isFloat: Bool { format.mFormatFlags & kAudioFormatFlagIsFloat != 0 }

  /// Completes the format; throws when WAV files do not support it.
  private static func check(
    _ format: AudioStreamBasicDescription, _ kind: FileKind, _ name: String
  ) throws(AudioError) -> AudioStreamBasicDescription {
    let made = try PacketFormat.check(format, kind, name, maximumChannels: 65_535)
    guard let rate = UInt32(exactly: format.mSampleRate), rate > 0 else {
      throw .unsupportedDataFormat.because(
        "\(name): sample rate \(format.mSampleRate): \(kind.name) needs a whole number, "
          + "1...4,294,967,295")
    }
    guard made.mBytesPerPacket < 65_536, made.mFramesPerPacket < 65_536 else {
      throw .unsupportedDataFormat.because(
        "\(name): \(StreamFormat.describe(made)): \(kind.name) holds packets of less than 65,536 "
          + "bytes and frames, not of \(made.mBytesPerPacket) bytes, \(made.mFramesPerPacket) "
          + "frames")
    }
    guard made.mFormatID == kAudioFormatLinearPCM else { return made }
    let flags = made.mFormatFlags
    let bytes = made.mBytesPerFrame / made.mChannelsPerFrame
    let isFloat = flags & kAudioFormatFlagIsFloat != 0
    let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
    let isHigh = made.mBitsPerChannel == bytes * 8 || flags & kAudioFormatFlagIsAlignedHigh != 0
    guard flags & kAudioFormatFlagIsBigEndian == 0, isFloat || (bytes > 1) == isSigned,
      isFloat || isHigh
    else {
      throw .unsupportedDataFormat.because(
        "\(name): \(StreamFormat.describe(made)): \(kind.name) holds little-endian samples; "
          + "integers of 8 bits are unsigned, larger ones signed")
    }
    return made
  }

  // MARK: Sizes

  override func checkLimit(_ byteCount: Int) throws(AudioError) {
    guard !isWave64, !isLarge, dataOffset + byteCount > Int(UInt32.max) - 4_096 else { return }
    // No limit if the reserved chunk can become `ds64`.
    guard chunks.first.map({ $0.header == 12 && $0.body.count == 28 }) ?? false else {
      return try super.checkLimit(byteCount)
    }
  }

  override func sizeFields() -> [(Int, [UInt8])] {
    var fields: [(Int, [UInt8])] = []
    let total = endByteCount
    func number(_ position: Int, _ value: some FixedWidthInteger) {
      var builder = ByteBuilder(isBigEndian: dialect.isBigEndian)
      builder.number(value)
      fields.append((position, builder.bytes))
    }
    let frames = packetFrameCount
    let fact = chunks.first { $0.code == "fact" }
    if isWave64 {
      number(16, Int64(total))
      if let fact, packets == nil { number(fact.body.lowerBound, Int64(frames)) }
      return fields + super.sizeFields()
    }
    let wasReserved = chunks.first.map { $0.header == 12 && $0.body.count == 28 } ?? false
    let needsLarge = kind.type != kAudioFileWAVEType || total - 8 > Int(UInt32.max)
    let usesLarge = needsLarge && (isLarge || wasReserved)
    if usesLarge {
      let name = kind.type == kAudioFileWAVEType ? kAudioFileRF64Type : kind.type
      var builder = ByteBuilder(isBigEndian: false)
      builder.code(ChunkCode(name))
      fields.append((0, builder.bytes))
      number(4, UInt32.max)
      builder = ByteBuilder(isBigEndian: false)
      builder.code("ds64")
      builder.number(UInt32(28))
      for size in [total - 8, dataByteCount, frames] { builder.number(Int64(size)) }
      fields.append((12, builder.bytes))
      number(dataHeader + 4, UInt32.max)
    } else {
      number(4, UInt32(clamping: total - 8))
      number(dataHeader + 4, UInt32(clamping: dataByteCount))
    }
    if let fact, packets == nil { number(fact.body.lowerBound, UInt32(clamping: frames)) }
    return fields
  }

  // MARK: Layout

  package override func setLayout(_ layout: [UInt8]) throws(AudioError) {
    let channelCount = Int(format.mChannelsPerFrame)
    guard let mask = WaveLayout.mask(layout, channelCount: channelCount) else {
      throw .unsupportedDataFormat.because(
        "\(store.name): the layout's channels are not in the order of the loudspeaker bits of "
          + "\(kind.name)")
    }
    let chunk = WaveFormatChunk(writing: format, channelMask: mask).bytes(
      isBigEndian: dialect.isBigEndian)
    let code = ChunkCode("fmt ")
    let current = chunks.first { $0.code == code }?.byteCount
    guard dataByteCount == 0 || current == chunk.count else {
      throw .fileOperationNotSupported.because(
        "\(store.name): has sound already; set the channel layout before the first packet")
    }
    try store(code, 0, chunk)
    self.layout = layout
  }

  // MARK: Metadata

  package override var markers: [Marker] {
    get throws(AudioError) { try WaveMarkers(self).markers }
  }
  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    var marks = try WaveMarkers(self)
    marks.markers = markers
    try marks.write(to: self)
  }
  package override var regions: [Region] {
    get throws(AudioError) { try WaveMarkers(self).regions }
  }
  package override func setRegions(_ regions: [Region]) throws(AudioError) {
    var marks = try WaveMarkers(self)
    marks.regions = regions
    try marks.write(to: self)
  }
  override var ownInfo: [String: String] {
    get throws(AudioError) {
      let texts = try WaveTexts.read(self)
      return try ID3Tag.info(tag?.bytes).merging(texts) { $1 }
    }
  }
  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try checkWritable("LIST")
    try WaveTexts.write(info, to: self)
  }
  override var ownArtwork: [UInt8]? {
    get throws(AudioError) { try ID3Tag.picture(tag?.bytes) }
  }
  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try setTag(ID3Tag.setting(picture: picture, in: tag?.bytes))
  }
  package override var tag: (bytes: [UInt8], offset: Int)? {
    get throws(AudioError) {
      for name in ["id3 ", "ID3 "] as [ChunkCode] {
        if let chunk = chunks.first(where: { $0.code == name }) {
          return (try bytes(of: chunk), chunk.body.lowerBound)
        }
      }
      return nil
    }
  }
  package override func setTag(_ tag: [UInt8]) throws(AudioError) {
    try setChunk("id3 ", 0, tag)
  }
}
