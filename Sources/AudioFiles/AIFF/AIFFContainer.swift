// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// AIFF (version 1.3) and AIFC.
package final class AIFFContainer: ChunkedContainer {
  private let isAIFC: Bool
  private var coding = ChunkCode("NONE")

  // MARK: Reading

  package init(reading store: any ByteStore, _ extent: Extent = .whole) throws(AudioError) {
    let start = ByteFields(try store.bytes(at: 0, 12), isBigEndian: true)
    isAIFC = start.code(8) == "AIFC"
    let kind = try FileKind.of(isAIFC ? kAudioFileAIFCType : kAudioFileAIFFType)
    super.init(store, kind, .aiff, formBytes: 12)
    structure = Self.structure
    guard start.count == 12 else {
      throw damaged("ends after \(start.count) bytes, within its header")
    }
    guard start.code(0) == "FORM",
      isAIFC || start.code(8) == "AIFF"
    else {
      throw damaged(
        "begins with \(start.code(0).quoted) and \(start.code(8).quoted): not an AIFF file")
    }
    var found: AIFFFormat?
    // The chunk with the format may come after the sound.
    var failure: AudioError?
    try parse(extent, largeSize: { _ in nil }) { chunk throws(AudioError) in
      guard chunk.code == "COMM", found == nil else { return }
      let fields = ByteFields(try bytes(of: chunk, limit: 300), isBigEndian: true)
      do throws(AudioError) {
        found = try AIFFFormat(fields, at: chunk.header, isAIFC: isAIFC)
      } catch { failure = error.of(store.name) }
    }
    if let failure { throw failure }
    guard let found else {
      if extent == .header {
        throw .notOptimized.because(
          "\(store.name): its format ('COMM') comes after the sound: read it as a file, or let "
            + "AudioFileOptimize put the format first")
      }
      throw damaged("has no 'COMM' chunk in its \(try store.byteCount()) bytes")
    }
    format = found.format
    if dataHeader == 0 {
      guard found.count == 0 else {
        throw damaged("has no 'SSND' chunk in its \(try store.byteCount()) bytes")
      }
      dataHeader = try store.byteCount()
      dataOffset = dataHeader
    } else {
      skipOffset(
        Int(ByteFields(try store.bytes(at: dataOffset - 8, 4), isBigEndian: true).uint32(0)))
    }
    keepWholePackets()
    layout = try bytes(of: "CHAN").flatMap { AudioLayoutBytes.native($0.bytes) }
    if layout == nil { layout = WaveLayout.layout(0, channelCount: Int(format.mChannelsPerFrame)) }
  }

  private static let structure: Set<ChunkCode> = [
    ChunkCode("COMM"), "FVER",
  ]

  /// Skips the bytes before the sound within its chunk.
  private func skipOffset(_ byteCount: Int) {
    guard byteCount <= dataByteCount else { return }
    dataOffset += byteCount
    dataByteCount -= byteCount
    declaredDataByteCount -= byteCount
    headerInfo.byteCount = headerInfo.byteCount.map { $0 - byteCount }
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription,
    alignment: Int, expecting packets: Int?
  ) throws(AudioError) {
    isAIFC = kind.type == kAudioFileAIFCType
    super.init(store, kind, .aiff, formBytes: 12)
    structure = Self.structure
    guard store.isSeekable || packets != nil else {
      throw .fileOperationNotSupported.because(
        "\(store.name): \(kind.name) begins with its length and cannot go to a pipe; choose .wav")
    }
    self.format = try PacketFormat.check(format, kind, store.name, maximumChannels: 32_767)
    guard let code = AIFFFormat.code(self.format, isAIFC: isAIFC) else {
      throw .unsupportedDataFormat.because(
        "\(store.name): \(StreamFormat.describe(self.format)): "
          + (isAIFC
            ? "an AIFC file holds big-endian floats, and signed integers of either order"
            : "an AIFF file holds big-endian signed integers; AIFC holds more"))
    }
    coding = code
    var form = ByteBuilder(isBigEndian: true)
    form.code("FORM")
    form.number(UInt32(0))
    form.code(isAIFC ? "AIFC" : "AIFF")
    var front: [(ChunkCode, [UInt8])] = []
    if isAIFC { front.append(("FVER", [0xA2, 0x80, 0x51, 0x40])) }
    let count = store.isSeekable ? 0 : packets ?? 0
    front.append(("COMM", common(count)))
    if !store.isSeekable {
      guard let bytes = (Outside(count) * Int(self.format.mBytesPerPacket)).upTo(Limits.count)
      else {
        throw .tooLargeForKind.because("\(store.name): \(kind.name) holds no \(count) packets")
      }
      let length = front.reduce(4 + 16 + bytes + bytes % 2) { $0 + 8 + $1.1.count }
      var whole = ByteBuilder(isBigEndian: true)
      whole.code("FORM")
      whole.number(UInt32(clamping: length))
      whole.code(isAIFC ? "AIFC" : "AIFF")
      form = whole
    }
    try begin(
      form.bytes, front, alignment: alignment,
      expected: packets.flatMap {
        (Outside($0) * Int(self.format.mBytesPerPacket)).upTo(Limits.count)
      })
  }

  private func common(_ count: Int) -> [UInt8] {
    AIFFFormat.bytes(format, coding, count: count, isAIFC: isAIFC)
  }

  override func sizeFields() -> [(Int, [UInt8])] {
    var fields = super.sizeFields()
    fields.append((4, dialect.size(endByteCount - 8)))
    if let chunk = chunks.first(where: { $0.code == "COMM" }) {
      var builder = ByteBuilder(isBigEndian: true)
      builder.number(UInt32(clamping: packetCount))
      fields.append((chunk.body.lowerBound + 2, builder.bytes))
    }
    return fields
  }

  // MARK: Metadata

  package override func setLayout(_ layout: [UInt8]) throws(AudioError) {
    try checkWritable("CHAN")
    try store("CHAN", 0, try AudioLayoutBytes.checked(layout, self))
    self.layout = layout
  }

  package override var markers: [Marker] {
    get throws(AudioError) {
      guard let fields = try bytes(of: "MARK") else { return [] }
      var markers: [Marker] = []
      var position = 2
      for _ in 0..<Int(fields.uint16(0)) where position + 7 <= fields.count {
        let length = Int(fields.uint8(position + 6))
        markers.append(
          Marker(
            frame: Double(fields.uint32(position + 2)), name: fields.text(position + 7, length),
            id: Int32(fields.int16(position))))
        position += 7 + length
        position += position % 2
      }
      return markers
    }
  }

  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    let code = ChunkCode("MARK")
    try checkWritable(code)
    guard !markers.isEmpty else {
      if chunkCount(code) > 0 { try removeChunk(code, 0) }
      return
    }
    guard markers.count <= Int16.max else {
      throw refusal("it has at most \(Int16.max) markers, not \(markers.count)")
    }
    var builder = ByteBuilder(isBigEndian: true)
    builder.number(UInt16(clamping: markers.count))
    for (index, marker) in markers.enumerated() {
      let id = Int16(exactly: marker.id).flatMap { $0 > 0 ? $0 : nil }
      builder.number(id ?? Int16(clamping: index + 1))
      builder.number(UInt32(saturating: marker.frame.rounded()))
      let name = Array(marker.name.utf8.prefix(255))
      builder.number(UInt8(clamping: name.count))
      builder.append(name)
      builder.align(2)
    }
    try store(code, 0, builder.bytes)
  }

  /// The loops of the instrument.
  package override var regions: [Region] {
    get throws(AudioError) {
      guard let fields = try bytes(of: "INST"), fields.count >= 20 else {
        return []
      }
      let frames = Dictionary(try markers.map { ($0.id, $0.frame) }) { first, _ in first }
      var regions: [Region] = []
      for (index, position) in [8, 14].enumerated() {
        let mode = fields.uint16(position)
        guard mode == 1 || mode == 2, let start = frames[Int32(fields.int16(position + 2))],
          let end = frames[Int32(fields.int16(position + 4))]
        else { continue }
        let name = index == 0 ? "sustain" : "release"
        var flags: AudioFileRegionFlags = [.loopEnable, .playForward]
        if mode == 2 { flags.insert(.playBackward) }
        regions.append(WaveMarkers.region(UInt32(clamping: index + 1), name, flags, start, end))
      }
      return regions
    }
  }

  package override func setRegions(_ regions: [Region]) throws(AudioError) {
    guard regions.count <= 2, regions.allSatisfy(\.isLoop)
    else { throw refusal("its only regions are the two loops of an instrument") }
    let code = ChunkCode("INST")
    try checkWritable(code)
    var allMarkers = try markers
    var builder = ByteBuilder(isBigEndian: true)
    let old = try bytes(of: code)?.bytes.prefix(8) ?? []
    builder.append(old + [60, 0, 0, 127, 1, 127, 0, 0].dropFirst(old.count))
    for index in 0..<2 {
      guard index < regions.count, let start = regions[index].markers.first?.frame,
        let end = regions[index].markers.last?.frame
      else {
        builder.zeros(6)
        continue
      }
      let mode: UInt16 = regions[index].flags.contains(.playBackward) ? 2 : 1
      builder.number(mode)
      for frame in [start, end] {
        let id = try Self.markerID(at: frame, &allMarkers)
        builder.number(id)
      }
    }
    try setMarkers(allMarkers)
    try store(code, 0, builder.bytes)
  }

  /// The number of the marker at a frame, which is added if there is none.
  private static func markerID(
    at frame: Double, _ markers: inout [Marker]
  ) throws(AudioError) -> Int16 {
    if let marker = markers.first(where: { $0.frame == frame }) {
      return Int16(clamping: marker.id)
    }
    let used = Set(markers.map(\.id))
    guard let id = (1...Int16.max).first(where: { !used.contains(Int32($0)) }) else {
      throw .invalidArgument.because("an AIFF file has at most \(Int16.max) markers")
    }
    markers.append(Marker(frame: frame, name: "", id: Int32(id)))
    return id
  }

  private static let texts: [(ChunkCode, String)] = [
    ("NAME", "title"), ("AUTH", "artist"),
    ("(c) ", "copyright"), ("ANNO", "comments"),
  ]

  override var ownInfo: [String: String] {
    get throws(AudioError) {
      var info = ID3Tag.info(try tag?.bytes)
      for (code, key) in Self.texts {
        if let fields = try bytes(of: code), fields.count > 0 {
          info[key] = fields.text(0, fields.count)
        }
      }
      return info
    }
  }

  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    for (code, key) in Self.texts {
      try checkWritable(code)
      if let text = info[key] {
        try store(code, 0, Array(text.utf8))
      } else if chunkCount(code) > 0 {
        try removeChunk(code, 0)
      }
    }
    let others = info.filter { entry in !Self.texts.contains { $0.1 == entry.key } }
    if !others.isEmpty {
      try setTag(ID3Tag.make(info: info, picture: nil, from: try tag?.bytes))
    }
  }

  override var ownArtwork: [UInt8]? {
    get throws(AudioError) { ID3Tag.picture(try tag?.bytes) }
  }
  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try setTag(ID3Tag.setting(picture: picture, in: try tag?.bytes))
  }
  package override var tag: (bytes: [UInt8], offset: Int)? {
    get throws(AudioError) {
      guard let chunk = chunks.first(where: { $0.code == "ID3 " }) else {
        return nil
      }
      return (try bytes(of: chunk), chunk.body.lowerBound)
    }
  }
  package override func setTag(_ tag: [UInt8]) throws(AudioError) {
    try setChunk("ID3 ", 0, tag)
  }
}
