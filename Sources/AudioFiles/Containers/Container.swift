// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A sound file of one kind: the format and positions of its packets, and its metadata.
///
/// Only one thread at a time may use it. Each subclass is one kind of file, or a few similar ones.
/// What a kind does not support throws an error that names it.
package class Container {
  /// The bytes of the file.
  package let store: any ByteStore
  package let kind: FileKind
  /// The format of the packets.
  package internal(set) var format: AudioStreamBasicDescription
  /// The byte of the file at which the sound begins.
  package internal(set) var dataOffset = 0
  /// Bytes of sound that are present.
  package internal(set) var dataByteCount = 0
  /// Bytes of sound according to the header; more than are present in a truncated file.
  package internal(set) var declaredDataByteCount = 0
  /// Whether the header does not state how long the sound is, as it was not written again when the
  /// file was complete: the recorder was killed, or wrote to a pipe. All that follows is sound.
  package internal(set) var isUnclosed = false
  /// Whether the file ends within a packet, or without the mark of its end, although nothing states
  /// how long it was: how much is missing is unknown.
  package internal(set) var endsEarly = false
  /// Frames of packets that are damaged or lost, instead of which there is silence, so that what
  /// follows keeps its time.
  package internal(set) var silencedFrameCount = 0
  /// The kind and the format of a sound file that follows this one, as in files that were concatenated,
  /// and is not read.
  package internal(set) var follower: String?
  /// Where everything that belongs to this file ends; nil where that is unknown.
  var contentEnd: Int? { nil }
  /// The position of each packet; nil when all have the same size.
  package internal(set) var packets: PacketTable?
  /// Which frames are the sound, without priming and padding; nil for all.
  package internal(set) var packetInfo: PacketInfo?
  /// The parts of a file that was concatenated from several, each with its own decoder; empty for a
  /// single part. `packetInfo` covers all of them.
  package internal(set) var links: [Link] = []
  /// An AudioChannelLayout, if the file has one.
  package internal(set) var layout: [UInt8]?
  /// The magic cookie for a decoder.
  package internal(set) var cookie: [UInt8] = []
  /// What the header states about the sound, before that is scanned.
  package internal(set) var headerInfo = HeaderInfo()
  /// Whether sizes in the header are written at intervals, not with each write.
  package var defersSizes = true

  init(_ store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription) {
    self.store = store
    self.kind = kind
    self.format = format
  }

  /// How many frames are sound, and how many the codec adds before (priming) and after (remainder).
  package struct PacketInfo: Equatable {
    package var validFrames: Int
    package var primingFrames: Int
    package var remainderFrames: Int

    package init(validFrames: Int, primingFrames: Int, remainderFrames: Int) {
      self.validFrames = validFrames
      self.primingFrames = primingFrames
      self.remainderFrames = remainderFrames
    }
  }

  /// Checks what a program states about the sound of a file.
  static func packetInfo(
    validFrames: Int64, primingFrames: Int32, remainderFrames: Int32, for name: String
  ) throws(AudioError) -> PacketInfo {
    guard validFrames <= Limits.tableFrames else {
      throw .invalidArgument.because(
        "\(name): \(validFrames) valid frames: a packet table has at most \(Limits.tableFrames)")
    }
    return PacketInfo(
      validFrames: max(0, Int(validFrames)), primingFrames: max(0, Int(primingFrames)),
      remainderFrames: max(0, Int(remainderFrames)))
  }

  /// A part of a file that needs a new decoder.
  package struct Link {
    /// The indices of its packets.
    package var packets: Range<Int>
    package var info: PacketInfo
    package var cookie: [UInt8]
  }

  /// How much of a file is read when it is opened.
  package enum Extent {
    case whole
    /// Up to the beginning of the sound.
    case header
  }

  /// What a header states about the sound after it; nil for missing values.
  package struct HeaderInfo {
    package var byteCount: Int?
    package var packetCount: Int?
    package var bitRate: Double?
  }

  // MARK: Sound

  /// Finds packets from the beginning of the sound; nil when a size or a table locates them.
  func scanner() -> (any PacketScanner)? { nil }

  /// The positions of the sound's bytes when all packets have one size; nil: from `dataOffset`.
  var soundRanges: [Range<Int>]? { nil }

  /// The number of packets.
  package var packetCount: Int {
    if let packets { return packets.count }
    return format.mBytesPerPacket > 0 ? dataByteCount / Int(format.mBytesPerPacket) : 0
  }

  /// The frames of all packets, including the codec's priming.
  package var packetFrameCount: Int {
    let count =
      packets.map { Outside($0.frameCount) }
      ?? Outside(packetCount) * Int(format.mFramesPerPacket)
    return count.upTo(Limits.count) ?? Limits.count
  }

  /// Bits of a sample before compression, negative for floating point; nil when unknown.
  package var sourceBitDepth: Int32? {
    guard format.mFormatID == kAudioFormatLinearPCM else { return nil }
    let bits = Int32(clamping: format.mBitsPerChannel)
    return format.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? -bits : bits
  }

  /// The number of frames of sound, without priming and padding.
  package var frameCount: Int {
    guard let packetInfo else { return packetFrameCount }
    return min(packetInfo.validFrames, max(0, packetFrameCount - packetInfo.primingFrames))
  }

  /// The number of frames of sound according to the header; more than `frameCount` in a truncated
  /// file.
  package var declaredFrameCount: Int {
    let length = Int(format.mFramesPerPacket)
    let size = Int(format.mBytesPerPacket)
    let missing =
      size > 0 && packets == nil
      ? max(0, declaredDataByteCount - dataByteCount) / size
      : max(0, (headerInfo.packetCount ?? 0) - packetCount)
    let frames = (Outside(missing) * length).upTo(Limits.count) ?? 0
    return max(frameCount + min(frames, Limits.count), packetInfo?.validFrames ?? 0)
  }

  /// A stream has had this many packets, more than its header states: that is wrong.
  func extend(toPackets count: Int) { headerInfo.packetCount = count }

  /// [control thread] Reads bytes of the sound; fewer at its end.
  package func readData(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int {
    guard offset >= 0 else {
      throw .filePosition.because("\(store.name): byte \(offset) is before the sound")
    }
    let count = min(bytes.count, dataByteCount - offset)
    guard count > 0 else { return 0 }
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    let found = try store.read(target, at: dataOffset + offset)
    guard found == count else {
      throw .damagedFile.because(
        "\(store.name): became shorter while it was read, near byte \(dataOffset + offset + found)")
    }
    return found
  }

  /// [control thread] Writes bytes of the sound; extends it if necessary.
  package func writeData(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    throw refusal("its bytes cannot be written, only whole packets")
  }

  /// [control thread] Reads the packet with this index in the table.
  package func readPacket(
    _ index: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) {
    guard let packets else { return }
    let (offset, size) = (packets.offset(index), packets.size(index))
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes[..<size])
    let found = try store.read(target, at: offset)
    guard found == size else {
      throw .damagedFile.because(
        "\(store.name): packet \(index) ends at byte \(offset + found), expected \(offset + size)")
    }
  }

  /// The number of frames in a new packet, from its description or from the packet itself.
  final func frames(
    of packet: UnsafeRawBufferPointer, _ description: AudioStreamPacketDescription
  ) -> Int {
    let declared = Int(description.mVariableFramesInPacket)
    guard declared == 0, format.mFramesPerPacket == 0 else { return declared }
    let head = Array(packet.prefix(16))
    switch format.mFormatID {
    case kAudioFormatFLAC: return FLACFrame(ByteFields(head, isBigEndian: true))?.frames ?? 0
    case kAudioFormatOpus: return OpusPacket.frames(head)
    default: return 0
    }
  }

  /// [control thread] Appends packets of different sizes.
  package func appendPackets(
    _ descriptions: [AudioStreamPacketDescription], from bytes: UnsafeRawBufferPointer
  ) throws(AudioError) {
    throw refusal("packets of different sizes cannot be written")
  }

  /// The number of audio tracks.
  package var trackCount: Int { 1 }
  /// [control thread] Selects the audio track to read.
  package func useTrack(_ index: Int) throws(AudioError) {
    guard index == 0 else {
      throw .invalidArgument.because(
        "\(store.name): has \(trackCount) audio tracks, no track \(index)")
    }
  }

  /// How many packets of AAC are decoded to find an extension: decoders recognize one only in the
  /// first packet that they decode, and that may be damaged.
  private static let probedPackets = 3

  /// [control thread] The format of AAC packets that have an extension without notice, from the
  /// first of them, which `next` finds; nil for others. Throws `dataUnavailable` until these packets
  /// of a stream have arrived, so that the format does not depend on how the bytes are split.
  final func extendedFormat(
    _ next: () throws(AudioError) -> FoundPacket?
  ) throws(AudioError) -> AudioStreamBasicDescription? {
    let config = MagicCookies.audioSpecificConfig(cookie)
    guard AACLayers.canBeExtended(format, config: config) else { return nil }
    var packets: [[UInt8]] = []
    for _ in 0..<Self.probedPackets {
      guard let packet = try next() else { break }
      guard packet.size <= Limits.aacBytes else { continue }
      let bytes = try store.bytes(at: packet.offset, packet.size)
      if bytes.count == packet.size { packets.append(bytes) }
    }
    return AACLayers.extended(format, config: config, packets: packets)
  }

  /// [control thread] The same, of the packets in a table.
  final func extendedFormat(
    _ table: PacketTable
  ) throws(AudioError) -> AudioStreamBasicDescription? {
    var index = 0
    return try extendedFormat { () throws(AudioError) in
      guard index < table.count else { return nil }
      defer { index += 1 }
      return FoundPacket(
        offset: table.offset(index), size: table.size(index), frames: table.frames(index))
    }
  }

  // MARK: Metadata

  /// [control thread] Markers in the sound.
  package var markers: [Marker] { get throws(AudioError) { [] } }
  package func setMarkers(_ markers: [Marker]) throws(AudioError) {
    throw refusal("it has no markers")
  }

  /// [control thread] Regions of the sound.
  package var regions: [Region] { get throws(AudioError) { [] } }
  package func setRegions(_ regions: [Region]) throws(AudioError) {
    throw refusal("it has no regions")
  }

  /// [control thread] Texts about the sound, under the keys of the info dictionary: those within the
  /// file, and then those of the tags around it.
  package final var info: [String: String] {
    get throws(AudioError) {
      let own = try ownInfo
      return try surroundingTags()?.info().merging(own) { $1 } ?? own
    }
  }
  /// [control thread] The texts that this kind of file has a place for.
  var ownInfo: [String: String] { get throws(AudioError) { [:] } }
  package func setInfo(_ info: [String: String]) throws(AudioError) {
    throw refusal("it has no texts")
  }

  /// [control thread] A picture within the file, or else in the tags around it.
  package final var artwork: [UInt8]? {
    get throws(AudioError) {
      if let own = try ownArtwork { return own }
      return try surroundingTags()?.picture()
    }
  }
  /// [control thread] The picture for which this kind of file has a place.
  var ownArtwork: [UInt8]? { get throws(AudioError) { nil } }
  package func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    throw refusal("it has no pictures")
  }

  /// [control thread] An ID3 tag and its position.
  package var tag: (bytes: [UInt8], offset: Int)? { get throws(AudioError) { nil } }
  package func setTag(_ tag: [UInt8]) throws(AudioError) { throw refusal("it has no ID3 tag") }

  /// [control thread] Sets the channel layout.
  package func setLayout(_ layout: [UInt8]) throws(AudioError) {
    throw refusal("it cannot store a channel layout")
  }
  /// [control thread] Sets the magic cookie for decoders.
  package func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    throw refusal("it has no magic cookie")
  }
  /// [control thread] Sets which frames are sound, without priming and padding.
  package func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    throw refusal("it has no packet table")
  }

  /// The file with the tags around it, and the position in it at which this one begins.
  final var whole: (store: any ByteStore, start: Int)?

  /// [control thread] The tags in front of the sound and behind it.
  private func surroundingTags() throws(AudioError) -> SurroundingTags? {
    guard store.isSeekable || store is StreamStore else { return nil }
    let (store, start) = whole ?? (store, 0)
    var end = dataOffset + dataByteCount
    if let packets, packets.count > 0 {
      end = packets.offset(packets.count - 1) + packets.size(packets.count - 1)
    }
    // Samples and bytes of packets may look like tags.
    return try SurroundingTags(store, ByteWindow(store)).outside(
      start + dataOffset..<start + max(dataOffset, end))
  }

  // MARK: Chunks

  /// [control thread] The names of the chunks, in order.
  package var chunkCodes: [ChunkCode] { [] }
  package func chunkCount(_ code: ChunkCode) -> Int { 0 }
  package func chunkByteCount(_ code: ChunkCode, _ index: Int) throws(AudioError) -> Int {
    throw noChunk(code, index)
  }
  package func chunk(
    _ code: ChunkCode, _ index: Int, _ range: Range<Int>
  ) throws(AudioError) -> [UInt8] { throw noChunk(code, index) }
  package func setChunk(
    _ code: ChunkCode, _ index: Int, _ bytes: [UInt8]
  ) throws(AudioError) { throw refusal("it has no chunks") }
  package func removeChunk(_ code: ChunkCode, _ index: Int) throws(AudioError) {
    throw noChunk(code, index)
  }

  // MARK: Life

  /// Whether the sound can grow in place.
  package var isOptimized: Bool { true }
  /// [control thread] Rearranges the file so that the sound can grow in place.
  package func optimize() throws(AudioError) {}
  /// [control thread] Updates the file to include everything written so far.
  package func flush() throws(AudioError) {}
  /// [control thread] Writes the rest and completes the file.
  package func close() throws(AudioError) {
    guard store.isWritable else { return }
    do throws(AudioError) { try complete() } catch {
      // The disk may have been full for a moment only. The error is reported in any case.
      try? complete()
      throw error
    }
    try store.finish()
  }
  /// Writes everything that the file still lacks; after an error it is called again.
  func complete() throws(AudioError) { try flush() }

  /// The error for something that this kind of file does not support.
  final func refusal(_ reason: String) -> AudioError {
    .fileOperationNotSupported.because("\(store.name): is \(kind.name): \(reason)")
  }

  /// The error for a missing chunk.
  final func noChunk(_ code: ChunkCode, _ index: Int) -> AudioError {
    .invalidChunk.because(
      "\(store.name): has no chunk \(code.quoted) with index \(index) (from 0)")
  }

  /// The error for a damaged file.
  final func damaged(_ reason: String) -> AudioError {
    .damagedFile.because("\(store.name): \(reason)")
  }
}
