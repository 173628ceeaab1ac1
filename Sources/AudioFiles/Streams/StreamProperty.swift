// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of streams; none can be set.
  static let fileStreams = PropertyFamily(
    "a stream's",
    Errors(
      unknown: kAudioFileUnsupportedPropertyError, unreadable: kAudioFileUnsupportedPropertyError,
      readOnly: kAudioFileOperationNotSupportedError, size: kAudioFileBadPropertySizeError,
      value: kAudio_ParamError),
    name: { "property \(ChunkCode($0.id).quoted)" })
}

extension PropertyRow where Owner == FileStream {
  /// A property that follows from the header and the packets, once they have arrived.
  fileprivate convenience init(
    _ id: AudioFileStreamPropertyID,
    _ get: @escaping @Sendable (StreamProperty.Source) throws(AudioError) -> PropertyValue
  ) {
    self.init(id, read: { (query) throws(AudioError) in try get(try query.owner.source()) })
  }

  /// A translation, which begins at 0 if only its size is asked for.
  fileprivate convenience init<Value: BitwiseCopyable & Sendable>(
    _ id: AudioFileStreamPropertyID, _ zero: Value,
    _ translate:
      @escaping @Sendable (StreamProperty.Source, inout Value) throws(AudioError) -> Void
  ) {
    self.init(
      id,
      read: { (query) throws(AudioError) in
        var value = query.memory.isEmpty ? zero : try query.input()
        try translate(try query.owner.source(), &value)
        return .value(value)
      })
  }
}

/// The properties of streams, one row each.
enum StreamProperty {
  /// The data from which values are derived.
  struct Source {
    let file: Container
    /// Of consecutive streams the one whose packets arrive.
    let link: Container
    let packets: StreamPackets
    let texts: [String: String]
    /// Bytes of the file per packet, on average; nil when unknown.
    let step: Double?

    var format: AudioStreamBasicDescription { link.format }
    /// The byte of the stream at which the sound begins.
    var dataOffset: Int {
      file.dataOffset + ((file.store as? StreamStore)?.frontByteCount ?? 0)
    }
    /// Frames per packet; 0 when packets differ.
    var frames: Int { Int(format.mFramesPerPacket) }
    var table: PacketTable? { packets.isExact ? file.packets : nil }

    var packetCount: Int? {
      if let count = file.headerInfo.packetCount { return count }
      guard let bytes = file.headerInfo.byteCount, format.mBytesPerPacket > 0 else { return nil }
      return bytes / Int(format.mBytesPerPacket)
    }

    /// The error for something that the stream does not state.
    func unknown(_ what: String) -> AudioError {
      .valueUnknown.because("the stream: does not state \(what)")
    }
  }

  /// Which frames of a stream are the sound; nil where its header does not state that.
  static func packetTable(_ file: Container) -> Container.PacketInfo? {
    file.packetInfo.flatMap { $0.validFrames < StreamStore.unknownLength ? $0 : nil }
  }

  /// The properties reported to a listener, in this order, if they have a value. The formats come
  /// first, so that the program can create a decoder.
  static let order: [AudioFileStreamPropertyID] = [
    kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
    kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
    kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_DataOffset,
    kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
    kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_MaximumPacketSize,
    kAudioFileStreamProperty_PacketSizeUpperBound, kAudioFileStreamProperty_BitRate,
    kAudioFileStreamProperty_RestrictsRandomAccess,
  ]

  static let table = PropertyTable<FileStream>(.fileStreams, values + translations)

  private static let values: [PropertyRow<FileStream>] = [
    .flag(kAudioFileStreamProperty_ReadyToProducePackets, get: { $0.isReady }),
    .init(kAudioFileStreamProperty_FileFormat) { .value($0.file.kind.type) },
    .init(kAudioFileStreamProperty_DataFormat) { .value($0.format) },
    .init(kAudioFileStreamProperty_FormatList) { source in
      .array(AACLayers.list(of: source.format) { source.file.layoutTag(of: $0) })
    },
    .init(kAudioFileStreamProperty_MagicCookieData) { source throws(AudioError) in
      guard !source.link.cookie.isEmpty else { throw source.unknown("a magic cookie") }
      return .array(source.link.cookie)
    },
    .init(kAudioFileStreamProperty_ChannelLayout) { source throws(AudioError) in
      guard let layout = source.link.layout else { throw source.unknown("a channel layout") }
      return .array(layout)
    },
    .init(kAudioFileStreamProperty_DataOffset) { .value(Int64($0.dataOffset)) },
    .init(kAudioFileStreamProperty_AudioDataByteCount) { source throws(AudioError) in
      guard let count = source.file.headerInfo.byteCount else {
        throw source.unknown("how many bytes its sound has")
      }
      return .value(UInt64(clamping: count))
    },
    .init(kAudioFileStreamProperty_AudioDataPacketCount) { source throws(AudioError) in
      guard let count = source.packetCount else { throw source.unknown("how many packets it has") }
      return .value(UInt64(clamping: count))
    },
    .init(kAudioFileStreamProperty_PacketTableInfo) { source throws(AudioError) in
      guard let info = packetTable(source.link) else {
        throw source.unknown("which frames are the sound")
      }
      return .value(AudioFilePacketTableInfo(info))
    },
    .init(kAudioFileStreamProperty_MaximumPacketSize) { source throws(AudioError) in
      if source.format.mBytesPerPacket > 0 { return .value(source.format.mBytesPerPacket) }
      guard let table = source.table else { throw source.unknown("how large its packets are") }
      return .value(UInt32(clamping: table.maximumSize))
    },
    .init(kAudioFileStreamProperty_PacketSizeUpperBound) { source in
      .value(UInt32(clamping: upperBound(source)))
    },
    .init(kAudioFileStreamProperty_AverageBytesPerPacket) { source throws(AudioError) in
      let packets = source.packets
      let exact = source.table.map { (Double($0.byteCount), $0.count) }
      let (bytes, count) =
        source.format.mBytesPerPacket > 0
        ? (Double(source.format.mBytesPerPacket), 1)
        : exact ?? (Double(packets.byteCount), packets.count)
      guard count > 0 else { throw .dataUnavailable.because("the stream: no packet has arrived") }
      return .value(bytes / Double(count))
    },
    .init(kAudioFileStreamProperty_BitRate) { source throws(AudioError) in
      guard let rate = bitRate(source) else { throw source.unknown("its bit rate") }
      return .value(UInt32(saturating: min(rate.rounded(), 4e9)))
    },
    // Decoding can start at any packet, after those in the codec's roll distance.
    .init(kAudioFileStreamProperty_RestrictsRandomAccess) { _ in .flag(false) },
    .init(kAudioFileStreamProperty_InfoDictionary) { source in
      .list(.dictionary(source.texts.mapValues { PropertyList.string($0) }))
    },
  ]

  private static let translations: [PropertyRow<FileStream>] = [
    .init(kAudioFileStreamProperty_PacketToFrame, AudioFramePacketTranslation()) {
      (source, place) throws(AudioError) in
      let packet = try packet(place.mPacket, source)
      guard source.table != nil || source.frames > 0 else {
        throw source.unknown("how many frames its packets have")
      }
      let frame =
        source.table.map { packet < $0.count ? $0.start(packet) : $0.frameCount }
        ?? (Outside(packet) * source.frames).upTo(Limits.count) ?? Limits.count
      place = AudioFramePacketTranslation(
        mFrame: Int64(frame), mPacket: Int64(packet), mFrameOffsetInPacket: 0)
    },
    .init(kAudioFileStreamProperty_FrameToPacket, AudioFramePacketTranslation()) {
      (source, place) throws(AudioError) in
      let frame = Int(place.mFrame)
      guard frame >= 0 else { throw .invalidArgument.because("the stream: frame \(frame)") }
      if let table = source.table, table.count > 0 {
        let packet = min(table.packet(at: frame), table.count - 1)
        place.mPacket = Int64(packet)
        place.mFrameOffsetInPacket = UInt32(clamping: frame - table.start(packet))
        return
      }
      guard source.frames > 0 else { throw source.unknown("how many frames its packets have") }
      place.mPacket = Int64(frame / source.frames)
      place.mFrameOffsetInPacket = UInt32(clamping: frame % source.frames)
    },
    .init(kAudioFileStreamProperty_PacketToByte, AudioBytePacketTranslation()) {
      (source, place) throws(AudioError) in
      let packet = try packet(place.mPacket, source)
      let exact = source.packets.offset(of: packet)
      guard
        let byte = exact.map({ Double($0 - source.file.dataOffset) })
          ?? source.step.map({ Double(packet) * $0 })
      else { throw source.unknown("where its packets are") }
      place = AudioBytePacketTranslation(
        mByte: Int64(saturating: min(byte, 1e15)), mPacket: Int64(packet), mByteOffsetInPacket: 0,
        mFlags: exact == nil ? .bytePacketTranslationFlag_IsEstimate : [])
    },
    .init(kAudioFileStreamProperty_ByteToPacket, AudioBytePacketTranslation()) {
      (source, place) throws(AudioError) in
      let byte = Int(place.mByte)
      guard byte >= 0, byte < Int.max >> 2 else {
        throw .invalidArgument.because("the stream: byte \(byte)")
      }
      place = AudioBytePacketTranslation(
        mByte: Int64(byte), mPacket: 0, mByteOffsetInPacket: 0, mFlags: [])
      let size = Int(source.format.mBytesPerPacket)
      if let table = source.table, table.count > 0 {
        let packet = table.packet(atByte: byte + source.file.dataOffset)
        let rest = byte + source.file.dataOffset - table.offset(packet)
        place.mPacket = Int64(packet)
        place.mByteOffsetInPacket = UInt32(clamping: rest)
      } else if size > 0 {
        place.mPacket = Int64(byte / size)
        place.mByteOffsetInPacket = UInt32(clamping: byte % size)
      } else if let step = source.step, step > 0 {
        place.mPacket = Int64(saturating: Double(byte) / step)
        place.mFlags = .bytePacketTranslationFlag_IsEstimate
      } else {
        throw source.unknown("where its packets are")
      }
    },
    .init(kAudioFileStreamProperty_PacketToRollDistance, AudioPacketRollDistanceTranslation()) {
      source, roll in roll.mRollDistance = Int64(FileProperties.rollDistance(source.format))
    },
    .init(
      kAudioFileStreamProperty_PreviousIndependentPacket, AudioIndependentPacketTranslation()
    ) { _, packet in packet.mIndependentlyDecodablePacket = max(-1, packet.mPacket &- 1) },
    .init(kAudioFileStreamProperty_NextIndependentPacket, AudioIndependentPacketTranslation()) {
      source, packet in
      let next = packet.mPacket &+ 1
      let exists = source.packetCount.map { next < Int64($0) } ?? true
      packet.mIndependentlyDecodablePacket = exists ? next : -1
    },
    .init(
      kAudioFileStreamProperty_PacketToDependencyInfo, AudioPacketDependencyInfoTranslation()
    ) { _, packet in
      packet.mIsIndependentlyDecodable = 1
      packet.mNumberPrerollPackets = 0
    },
  ]

  private static func packet(_ packet: Int64, _ source: Source) throws(AudioError) -> Int {
    guard packet >= 0, packet <= min(Int64(source.packetCount ?? .max), 1 << 38) else {
      throw .invalidPacketOffset.because("the stream: has no packet \(packet)")
    }
    return Int(packet)
  }

  private static func upperBound(_ source: Source) -> Int {
    let format = source.format
    if format.mBytesPerPacket > 0 { return Int(format.mBytesPerPacket) }
    if let table = source.table { return table.maximumSize }
    // The largest size that an ADTS header can hold.
    if source.file.kind.type == kAudioFileAAC_ADTSType { return 8_191 }
    return max(
      source.packets.largest,
      CompressedFormat.of(format.mFormatID)?.largestPacketSize(format) ?? 65_536)
  }

  private static func bitRate(_ source: Source) -> Double? {
    let (format, frames) = (source.format, Double(source.frames))
    if format.mBytesPerPacket > 0, frames > 0 {
      return Double(format.mBytesPerPacket) * 8 * format.mSampleRate / frames
    }
    if let rate = source.file.headerInfo.bitRate { return rate }
    if let table = source.table, table.frameCount > 0 {
      return Double(table.byteCount) * 8 * format.mSampleRate / Double(table.frameCount)
    }
    let packets = source.packets
    guard packets.count > 0, frames > 0 else { return nil }
    return Double(packets.byteCount) * 8 * format.mSampleRate / (Double(packets.count) * frames)
  }
}
