// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of streams, each with its getter.
enum StreamProperty {
  /// The data from which values are derived.
  struct Source {
    let file: Container
    let packets: StreamPackets
    let texts: [String: String]
    /// Bytes of the file per packet, on average; nil when unknown.
    let step: Double?

    var format: AudioStreamBasicDescription { file.format }
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

  typealias Row = @Sendable (Source, ByteFields) throws(AudioError) -> [UInt8]

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

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  static let table: [AudioFileStreamPropertyID: Row] = [
    kAudioFileStreamProperty_FileFormat: { source, _ in number(source.file.kind.type) },
    kAudioFileStreamProperty_DataFormat: { source, _ in FileProperty.bytes(of: source.format) },
    kAudioFileStreamProperty_FormatList: { source, _ in
      let layout = source.file.layout.map {
        ByteFields($0, isBigEndian: ByteFields.isHostBigEndian).uint32(0)
      }
      return FileProperty.bytes(of: source.format) + number(layout ?? 0) + number(UInt32(0))
    },
    kAudioFileStreamProperty_MagicCookieData: { source, _ throws(AudioError) in
      guard !source.file.cookie.isEmpty else { throw source.unknown("a magic cookie") }
      return source.file.cookie
    },
    kAudioFileStreamProperty_ChannelLayout: { source, _ throws(AudioError) in
      guard let layout = source.file.layout else { throw source.unknown("a channel layout") }
      return layout
    },
    kAudioFileStreamProperty_DataOffset: { source, _ in number(Int64(source.file.dataOffset)) },
    kAudioFileStreamProperty_AudioDataByteCount: { source, _ throws(AudioError) in
      guard let count = source.file.headerInfo.byteCount else {
        throw source.unknown("how many bytes its sound has")
      }
      return number(UInt64(clamping: count))
    },
    kAudioFileStreamProperty_AudioDataPacketCount: { source, _ throws(AudioError) in
      guard let count = source.packetCount else { throw source.unknown("how many packets it has") }
      return number(UInt64(clamping: count))
    },
    kAudioFileStreamProperty_PacketTableInfo: { source, _ throws(AudioError) in
      guard let info = source.file.packetInfo, info.validFrames < StreamStore.unknownLength else {
        throw source.unknown("which frames are the sound")
      }
      return number(Int64(info.validFrames)) + number(Int32(clamping: info.primingFrames))
        + number(Int32(clamping: info.remainderFrames))
    },
    kAudioFileStreamProperty_MaximumPacketSize: { source, _ throws(AudioError) in
      if source.format.mBytesPerPacket > 0 { return number(source.format.mBytesPerPacket) }
      guard let table = source.table else { throw source.unknown("how large its packets are") }
      return number(UInt32(clamping: table.maximumSize))
    },
    kAudioFileStreamProperty_PacketSizeUpperBound: { source, _ in
      number(UInt32(clamping: upperBound(source)))
    },
    kAudioFileStreamProperty_AverageBytesPerPacket: { source, _ throws(AudioError) in
      let packets = source.packets
      let exact = source.table.map { (Double($0.byteCount), $0.count) }
      let (bytes, count) =
        source.format.mBytesPerPacket > 0
        ? (Double(source.format.mBytesPerPacket), 1)
        : exact ?? (Double(packets.byteCount), packets.count)
      guard count > 0 else { throw .dataUnavailable.because("the stream: no packet has arrived") }
      return number((bytes / Double(count)).bitPattern)
    },
    kAudioFileStreamProperty_BitRate: { source, _ throws(AudioError) in
      guard let rate = bitRate(source) else { throw source.unknown("its bit rate") }
      return number(UInt32(saturating: min(rate.rounded(), 4e9)))
    },
    // Decoding can start at any packet, after those in the codec's roll distance.
    kAudioFileStreamProperty_RestrictsRandomAccess: { _, _ in number(UInt32(0)) },
    kAudioFileStreamProperty_InfoDictionary: { source, _ in
      let entries = source.texts.mapValues { PropertyList.string($0) }
      let object = Bridge.current.retainedPropertyList(.dictionary(entries))
      return number(UInt64(UInt(bitPattern: object)))
    },
    kAudioFileStreamProperty_PacketToFrame: { source, input throws(AudioError) in
      let packet = try packet(input.int64(8), source)
      let frame =
        source.table.map { packet < $0.count ? $0.start(packet) : $0.frameCount }
        ?? (Outside(packet) * source.frames).upTo(Limits.count) ?? Limits.count
      guard source.table != nil || source.frames > 0 else {
        throw source.unknown("how many frames its packets have")
      }
      return number(Int64(frame)) + number(Int64(packet)) + number(UInt64(0))
    },
    kAudioFileStreamProperty_FrameToPacket: { source, input throws(AudioError) in
      let frame = Int(input.int64(0))
      guard frame >= 0 else { throw .invalidArgument.because("the stream: frame \(frame)") }
      if let table = source.table, table.count > 0 {
        let packet = min(table.packet(at: frame), table.count - 1)
        return number(Int64(frame)) + number(Int64(packet))
          + number(UInt32(clamping: frame - table.start(packet))) + number(UInt32(0))
      }
      guard source.frames > 0 else { throw source.unknown("how many frames its packets have") }
      return number(Int64(frame)) + number(Int64(frame / source.frames))
        + number(UInt32(clamping: frame % source.frames)) + number(UInt32(0))
    },
    kAudioFileStreamProperty_PacketToByte: { source, input throws(AudioError) in
      let packet = try packet(input.int64(8), source)
      let exact = source.packets.offset(of: packet)
      guard
        let byte = exact.map({ Double($0 - source.file.dataOffset) })
          ?? source.step.map({ Double(packet) * $0 })
      else { throw source.unknown("where its packets are") }
      return number(Int64(saturating: min(byte, 1e15))) + number(Int64(packet)) + number(UInt32(0))
        + number(exact == nil ? 1 : 0)
    },
    kAudioFileStreamProperty_ByteToPacket: { source, input throws(AudioError) in
      let byte = Int(input.int64(0))
      guard byte >= 0, byte < Int.max >> 2 else {
        throw .invalidArgument.because("the stream: byte \(byte)")
      }
      if let table = source.table, table.count > 0 {
        let packet = table.packet(atByte: byte + source.file.dataOffset)
        let rest = byte + source.file.dataOffset - table.offset(packet)
        return number(Int64(byte)) + number(Int64(packet)) + number(UInt32(clamping: rest))
          + number(UInt32(0))
      }
      let size = Int(source.format.mBytesPerPacket)
      if size > 0 {
        return number(Int64(byte)) + number(Int64(byte / size))
          + number(UInt32(clamping: byte % size))
          + number(UInt32(0))
      }
      guard let step = source.step, step > 0 else { throw source.unknown("where its packets are") }
      return number(Int64(byte)) + number(Int64(saturating: Double(byte) / step))
        + number(UInt32(0))
        + number(UInt32(1))
    },
    kAudioFileStreamProperty_PacketToRollDistance: { source, input in
      number(input.int64(0)) + number(Int64(FileProperty.rollDistance(source.format)))
    },
    kAudioFileStreamProperty_PreviousIndependentPacket: { _, input in
      number(input.int64(0)) + number(max(-1, input.int64(0) &- 1))
    },
    kAudioFileStreamProperty_NextIndependentPacket: { source, input in
      let next = input.int64(0) &+ 1
      let exists = source.packetCount.map { next < Int64($0) } ?? true
      return number(input.int64(0)) + number(exists ? next : -1)
    },
    kAudioFileStreamProperty_PacketToDependencyInfo: { _, input in
      number(input.int64(0)) + number(UInt32(1)) + number(UInt32(0))
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
