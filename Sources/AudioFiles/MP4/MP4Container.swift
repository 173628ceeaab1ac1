// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// MPEG-4 files and their relatives (ISO 14496-12, -14; QuickTime). The positions of packets are in
/// a movie box, before or after the sound, or in fragments.
package final class MP4Container: Container {
  var writer: MP4Writer?
  /// The contents of the movie box, and the position of the whole box.
  private(set) var movie = ByteFields.none
  private(set) var movieRange = 0..<0
  /// Boxes at the top level of the file.
  private(set) var boxes: [MP4Box] = []
  /// The ranges of the sound when packets have one size, and the number of its bytes before each
  /// range.
  private var extents: [(range: Range<Int>, start: Int)] = []
  private var fragments: MP4Fragments?
  private var tracks: [MP4Box] = []
  /// Frames of sound according to the movie box; nil if the file has all of its packets.
  private var declaredFrames: Int?
  /// The texts, the picture and the chapters, once they have been read or changed.
  private var knownContents: MP4Metadata.Contents?

  // MARK: Reading

  /// Whether the beginning of a file is that of an MPEG-4 or QuickTime file.
  static func hasSignature(_ start: ByteFields) -> Bool {
    guard start.count >= 8 else { return false }
    let type = start.code(4)
    if type == "ftyp" { return true }
    // Old QuickTime files may begin with any of these.
    return ["moov", "mdat", "free", "skip", "wide", "pnot"].contains(type)
      && (start.uint32(0) >= 8 || start.uint32(0) <= 1)
  }

  private static func type(_ brands: [ChunkCode]) -> AudioFileTypeID {
    for brand in brands {
      switch brand {
      case "M4A ": return kAudioFileM4AType
      case "M4B ", "M4P ": return kAudioFileM4BType
      default: break
      }
      let text = brand.description
      if text.hasPrefix("3gp") { return kAudioFile3GPType }
      if text.hasPrefix("3g2") { return kAudioFile3GP2Type }
    }
    return kAudioFileMPEG4Type
  }

  package init(reading store: any ByteStore, _ extent: Extent = .whole) throws(AudioError) {
    let first = try MP4Box(store, 0, end: try store.byteCount())
    var brands: [ChunkCode] = []
    if let first, first.type == "ftyp" {
      let bytes = try store.bytes(at: first.body.lowerBound, min(4, first.body.count))
      brands = [ByteFields(bytes, isBigEndian: true).code(0)]
    }
    super.init(store, try FileKind.of(Self.type(brands)), AudioStreamBasicDescription())
    try findMovie(extent)
    tracks = MP4Track.sound(movie)
    guard !tracks.isEmpty else { throw damaged("has no audio track") }
    try useTrack(0, extent)
  }

  private func findMovie(_ extent: Extent) throws(AudioError) {
    let end = try store.byteCount()
    var position = 0
    for _ in 0..<MP4Limits.boxes {
      guard let box = try MP4Box(store, position, end: end) else { break }
      if box.type == "moov", movieRange.isEmpty {
        guard box.body.count <= MP4Limits.movieBytes, !box.isCut(at: end) else {
          throw damaged(
            "box 'moov' at byte \(position) claims \(box.body.count) bytes, but "
              + "\(max(0, end - box.body.lowerBound)) follow")
        }
        movie = ByteFields(
          try store.bytes(at: box.body.lowerBound, box.body.count), isBigEndian: true)
        movieRange = box.start..<box.body.upperBound
        if extent == .header { return }
      }
      if box.type == "mdat", extent == .header {
        throw .notOptimized.because(
          "\(store.name): its packet table ('moov') comes after the sound: read it as a file, or "
            + "let AudioFileOptimize move the table to the front")
      }
      boxes.append(box)
      guard !box.isCut(at: end) else { break }
      position = box.body.upperBound
    }
    guard !movieRange.isEmpty else {
      throw damaged("has no 'moov' box in its \(end) bytes: it was not finished, or is truncated")
    }
  }

  /// The number of audio tracks.
  package override var trackCount: Int { max(1, tracks.count) }

  package override func useTrack(_ index: Int) throws(AudioError) {
    guard tracks.indices.contains(index) else { return try super.useTrack(index) }
    try useTrack(index, .whole)
  }

  private func useTrack(_ index: Int, _ extent: Extent) throws(AudioError) {
    var track = try MP4Track(movie, tracks[index], store.name)
    format = track.entry.format
    cookie = track.entry.cookie
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    (packets, extents, fragments) = (nil, [], nil)
    (declaredFrames, endsEarly) = (nil, false)
    let end = try store.byteCount()
    if let defaults = MP4Fragments.defaults(movie, track.id) {
      fragments = MP4Fragments(
        from: movieRange.upperBound, track: track.id, defaults, framesPerUnit: track.framesPerUnit)
    }
    if format.mBytesPerPacket > 0 {
      setExtents(try track.extents(fileByteCount: end))
      declaredDataByteCount = max(dataByteCount, track.declaredByteCount)
      return
    }
    var table = try track.packets(store.name, fileByteCount: end)
    var last: Int?
    if extent == .whole, let fragments { last = try add(fragments, to: &table) }
    if format.mFormatID == kAudioFormatOpus, table.count > 0 { try setOpusFrames(&table) }
    if format.mFormatID == kAudioFormatMPEGLayer3, table.count > 0 { try setLayer(&table, &track) }
    let lacking = last.map { max(0, Int(format.mFramesPerPacket) - $0) } ?? 0
    var fragmentFrames = fragments.map { _ in table.frameCount - lacking }
    if let extended = try extendedFormat(table, extent) {
      track.entry.format = extended
      format = extended
      layout = WaveLayout.native(Int(format.mChannelsPerFrame))
      table = table.with(framesPerPacket: Int(extended.mFramesPerPacket))
      fragmentFrames = fragments.map { _ in table.frameCount - 2 * lacking }
    }
    packets = table
    dataByteCount = table.byteCount
    let isMissing = extent == .whole && fragments == nil && track.declaredPacketCount > table.count
    declaredDataByteCount = isMissing ? max(dataByteCount, track.declaredByteCount) : dataByteCount
    dataOffset = table.count > 0 ? table.offset(0) : movieRange.upperBound
    if fragments == nil || extent == .whole {
      headerInfo.packetCount = table.count
      headerInfo.byteCount = table.byteCount
    }
    packetInfo = track.packetInfo(
      frames: table.frameCount, packetCount: table.count,
      gapless: MP4Metadata.gapless(movie), fragmentFrames: fragmentFrames)
    if isMissing { declaredFrames = track.declaredFrameCount(gapless: MP4Metadata.gapless(movie)) }
    if extent == .header, let defaults = MP4Fragments.defaults(movie, track.id) {
      // The packets of the movie box come first; then those of the fragments behind it.
      fragments = MP4Fragments(
        from: movieRange.upperBound, track: track.id, defaults, framesPerUnit: track.framesPerUnit,
        listed: table)
      packets = nil
      dataOffset = movieRange.upperBound
    }
  }

  /// The format of AAC packets that have an extension without notice. Those of a stream may all be in
  /// fragments.
  private func extendedFormat(
    _ table: PacketTable, _ extent: Extent
  ) throws(AudioError) -> AudioStreamBasicDescription? {
    guard extent == .header, table.count == 0, var fragments else {
      return try extendedFormat(table)
    }
    let window = try ByteWindow(store)
    return try extendedFormat { () throws(AudioError) in try fragments.next(window) }
  }

  package override var declaredFrameCount: Int {
    max(super.declaredFrameCount, declaredFrames ?? 0)
  }

  override func scanner() -> (any PacketScanner)? { fragments }

  // MARK: Packets of one size

  private func setExtents(_ ranges: [Range<Int>]) {
    var total = 0
    for range in ranges {
      extents.append((range, total))
      total += range.count
    }
    dataOffset = ranges.first?.lowerBound ?? movieRange.upperBound
    dataByteCount = total - total % Int(format.mBytesPerPacket)
    declaredDataByteCount = dataByteCount
    headerInfo.byteCount = dataByteCount
    headerInfo.packetCount = packetCount
  }

  override var soundRanges: [Range<Int>]? { extents.isEmpty ? nil : extents.map(\.range) }

  package override func readData(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int {
    guard extents.count > 1, offset >= 0 else {
      // Pending packets are written first.
      try writer?.flush(self)
      return try super.readData(bytes, at: offset)
    }
    let requested = min(bytes.count, dataByteCount - offset)
    var done = 0
    while done < requested {
      var (low, high) = (0, extents.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if extents[middle].start <= offset + done { low = middle } else { high = middle }
      }
      let (range, start) = extents[low]
      let position = range.lowerBound + offset + done - start
      let count = min(requested - done, range.upperBound - position)
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + count])
      guard count > 0, try store.read(part, at: position) == count else {
        throw damaged("became shorter while it was read, near byte \(position)")
      }
      done += count
    }
    return max(0, done)
  }

  package override func readPacket(
    _ index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) {
    try writer?.flush(self)
    try super.readPacket(index, into: bytes)
  }

  package override var sourceBitDepth: Int32? {
    if format.mFormatID == kAudioFormatLinearPCM { return super.sourceBitDepth }
    return [1: 16, 2: 20, 3: 24, 4: 32][format.mFormatFlags].flatMap {
      [kAudioFormatFLAC, kAudioFormatAppleLossless].contains(format.mFormatID) ? $0 : nil
    }
  }

  package override var chunkCodes: [ChunkCode] { boxes.map(\.type) }

  // MARK: Texts

  private var contents: MP4Metadata.Contents {
    if let knownContents { return knownContents }
    var contents = MP4Metadata.contents(movie)
    // A track of texts has any number of chapters, and whole names. Missing texts may still arrive.
    guard let listed = try? MP4ChapterTrack.chapters(movie, store) else { return contents }
    if !listed.isEmpty { contents.chapters = listed }
    knownContents = contents
    return contents
  }

  override var ownInfo: [String: String] { get throws(AudioError) { contents.texts } }
  override var ownArtwork: [UInt8]? { get throws(AudioError) { contents.picture } }
  package override var markers: [Marker] {
    get throws(AudioError) { contents.chapters.markers(rate: format.mSampleRate) }
  }
  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try change { $0.texts = info }
  }
  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try change { $0.picture = picture }
  }
  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    try change { $0.chapters = [Chapter](markers, rate: format.mSampleRate) }
  }

  private func change(_ body: (inout MP4Metadata.Contents) -> Void) throws(AudioError) {
    let old = contents
    var made = old
    body(&made)
    knownContents = made
    try replaceTexts(keepsChapterTracks: made.chapters == old.chapters)
  }

  /// Replaces the texts of an opened file: writes a new movie box at the end, then marks the old
  /// one as free.
  private func replaceTexts(keepsChapterTracks: Bool) throws(AudioError) {
    guard writer == nil else { return }
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    let made = MP4Metadata.setting(
      contents, keepsChapterTracks: keepsChapterTracks, in: movie)
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("moov") { $0.append(made) }
    guard let last = boxes.last, !last.isCut(at: try store.byteCount()) else {
      throw damaged("is truncated: texts cannot be added")
    }
    let end = try store.byteCount()
    try store.write(builder.bytes, at: end)
    try store.write(Array("free".utf8), at: movieRange.lowerBound + 4)
    movie = ByteFields(made, isBigEndian: true)
    movieRange = end..<end + builder.bytes.count
    boxes = []
    try readBoxes()
  }

  private func readBoxes() throws(AudioError) {
    let end = try store.byteCount()
    var position = 0
    while boxes.count < MP4Limits.boxes, let box = try MP4Box(store, position, end: end) {
      boxes.append(box)
      position = box.body.upperBound
    }
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription
  ) throws(AudioError) {
    super.init(store, kind, format)
    guard format.mSampleRate >= 1 else {
      throw .unsupportedDataFormat.because(
        "\(store.name): \(StreamFormat.describe(format)): the sample rate must be at least 1 Hz")
    }
    try MP4Movie.checkDuration(Int(format.mFramesPerPacket), self)
    packets = PacketTable(framesPerPacket: Int(format.mFramesPerPacket))
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    let made = try MP4Writer(self)
    dataOffset = made.end
    writer = made
  }

  package override func appendPackets(
    _ descriptions: [AudioStreamPacketDescription], from bytes: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard let writer, !writer.isFinished else {
      throw refusal("packets are added to new files only")
    }
    let old = (count: packetCount, byteCount: dataByteCount, frameCount: packetFrameCount)
    do throws(AudioError) {
      for packet in descriptions {
        let start = Int(packet.mStartOffset)
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[start..<start + Int(packet.mDataByteSize)])
        guard (1...MP4Limits.packetBytes).contains(part.count) else {
          throw refusal("a packet has \(part.count) bytes, expected 1 to \(MP4Limits.packetBytes)")
        }
        let frames = frames(of: part, packet)
        try MP4Movie.checkDuration(frames, self)
        packets?.append(offset: 0, size: part.count, frames: frames)
        dataByteCount += part.count
        writer.append(part, self)
      }
      if defersSizes { try writer.flushIfLong(self) } else { try flush() }
    } catch {
      // The same packets can be written again.
      let added = packetCount - old.count
      writer.removeLast(
        bytes: dataByteCount - old.byteCount, frames: packetFrameCount - old.frameCount)
      packets?.removeLast(added)
      dataByteCount = old.byteCount
      throw error
    }
    declaredDataByteCount = dataByteCount
  }

  package override func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    guard writer != nil else { return try super.setCookie(cookie) }
    self.cookie = cookie
  }

  package override func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    guard writer != nil else { return try super.setPacketInfo(info) }
    packetInfo = info
  }

  package override func flush() throws(AudioError) { try writer?.flush(self) }

  override func complete() throws(AudioError) { try finishWriting() }

  private func finishWriting() throws(AudioError) {
    guard let writer, !writer.isFinished else { return }
    try writer.finish(self, contents)
    guard store.isSeekable else { return }
    (boxes, movieRange) = ([], 0..<0)
    try findMovie(.whole)
  }

  // MARK: Optimizing

  package override var isOptimized: Bool {
    if let writer, !writer.isFinished { return false }
    let sound = boxes.first { $0.type == "mdat" }?.start ?? Int.max
    return movieRange.lowerBound < sound
  }

  package override func optimize() throws(AudioError) {
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    try finishWriting()
    guard !isOptimized else { return }
    guard let last = boxes.last, !last.isCut(at: try store.byteCount()) else {
      throw damaged("is truncated: it cannot be optimized")
    }
    let front = boxes.prefix { $0.type == "ftyp" }
    let others = boxes.dropFirst(front.count).filter {
      $0.type != "moov" && $0.type != "free" && $0.type != "skip"
    }
    let head = front.last?.body.upperBound ?? 0
    let size = movieRange.count
    // The distance by which each box moves, with the movie box before the sound.
    var moves: [(range: Range<Int>, distance: Int)] = []
    var position = head + size
    for box in others {
      moves.append((box.start..<box.body.upperBound, position - box.start))
      position += box.body.upperBound - box.start
    }
    let moved = try MP4Metadata.moving(movie, store.name) { offset in
      // The boxes are in ascending order, and may be many.
      var (low, high) = (0, moves.count)
      while low < high {
        let middle = (low + high) / 2
        if moves[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
      }
      guard low < moves.count, moves[low].range.contains(offset) else { return offset }
      return offset + moves[low].distance
    }
    let store = store
    try store.rewrite { made throws(AudioError) in
      try made.copy(from: store, 0..<head, to: 0)
      var builder = ByteBuilder(isBigEndian: true)
      builder.box("moov") { $0.append(moved) }
      try made.write(builder.bytes, at: head)
      for (range, distance) in moves {
        try made.copy(from: store, range, to: range.lowerBound + distance)
      }
    }
    (boxes, movieRange) = ([], 0..<0)
    try findMovie(.whole)
    tracks = MP4Track.sound(movie)
    try useTrack(0, .whole)
  }
}
