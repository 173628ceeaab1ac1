// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Every property of files, with its getter and setter.
extension FileProperty {
  static let table = Dictionary(
    uniqueKeysWithValues: (general + packets + translations + texts).map { ($0.id, $0) })

  /// A number's bytes as in memory.
  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: ByteFields.isHostBigEndian)
    builder.number(value)
    return builder.bytes
  }

  private static func number(_ value: Double) -> [UInt8] { number(value.bitPattern) }

  private static func missing(_ what: String, _ file: Container) -> AudioError {
    .unsupportedProperty.because("\(file.store.name): has no \(what)")
  }

  // MARK: Format

  private static let general: [FileProperty] = [
    .init(
      kAudioFilePropertyFileFormat, bytes: 4, get: { _, file, _ in number(file.kind.type) }),
    .init(
      kAudioFilePropertyDataFormat, bytes: 40,
      get: { _, file, _ throws(AudioError) in bytes(of: file.format) }),
    .init(
      kAudioFilePropertyFormatList, bytes: 48,
      get: { _, file, _ throws(AudioError) in
        bytes(of: file.format) + number(file.layout.map { tag($0) } ?? 0) + number(UInt32(0))
      }),
    .init(
      kAudioFilePropertyIsOptimized, bytes: 4,
      get: { _, file, _ in number((file.isOptimized ? 1 : 0) as UInt32) }),
    .init(
      kAudioFilePropertyMagicCookieData,
      variable: { _, file, _ throws(AudioError) in
        guard !file.cookie.isEmpty else { throw missing("magic cookie", file) }
        return file.cookie
      }, set: { _, file, bytes throws(AudioError) in try file.setCookie(bytes) }),
    .init(
      kAudioFilePropertyChannelLayout,
      variable: { _, file, _ throws(AudioError) in
        guard let layout = file.layout else { throw missing("channel layout", file) }
        return layout
      }, set: { _, file, bytes throws(AudioError) in try file.setLayout(bytes) }),
    .init(
      kAudioFilePropertyDeferSizeUpdates, bytes: 4,
      get: { _, file, _ in number((file.defersSizes ? 1 : 0) as UInt32) },
      set: { _, file, bytes throws(AudioError) in
        file.defersSizes = try word(bytes, file) != 0
        if !file.defersSizes { try file.flush() }
      }),
    .init(
      kAudioFilePropertyDataFormatName, bytes: 8,
      get: { _, file, _ in object(Bridge.current.retainedString(file.kind.title)) }),
    .init(
      kAudioFilePropertyEstimatedDuration, bytes: 8,
      get: { _, file, _ in number(seconds(file)) }),
    .init(
      kAudioFilePropertyReserveDuration, bytes: 8,
      get: { object, _, _ in number(object.reservedSeconds) },
      set: { object, file, bytes throws(AudioError) in
        guard bytes.count >= 8 else { throw .badPropertySize.because("8 bytes are needed") }
        object.reservedSeconds = ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian).double(
          0)
      }),
    .init(
      kAudioFilePropertyBitRate, bytes: 4,
      get: { _, file, _ in number(UInt32(saturating: bitRate(file))) }),
    .init(
      kAudioFilePropertySourceBitDepth, bytes: 4,
      get: { _, file, _ throws(AudioError) in
        guard let depth = file.sourceBitDepth else { throw missing("known bit depth", file) }
        return number(depth)
      }),
    .init(
      kAudioFilePropertyAudioTrackCount, bytes: 4,
      get: { _, file, _ in number(UInt32(clamping: file.trackCount)) }),
    .init(
      kAudioFilePropertyUseAudioTrack, bytes: 4,
      set: { _, file, bytes throws(AudioError) in
        try file.useTrack(Int(try word(bytes, file)))
      }, needsPermission: false),
    .init(
      kAudioFilePropertyChunkIDs,
      variable: { _, file, _ in file.chunkCodes.flatMap { number($0.rawValue) } }),
  ]

  // MARK: Packets

  private static let packets: [FileProperty] = [
    .init(
      kAudioFilePropertyAudioDataByteCount, bytes: 8,
      get: { _, file, _ in number(Int64(file.packets?.byteCount ?? file.dataByteCount)) }),
    .init(
      kAudioFilePropertyAudioDataPacketCount, bytes: 8,
      get: { _, file, _ in number(Int64(file.packetCount)) }),
    .init(
      kAudioFilePropertyMaximumPacketSize, bytes: 4,
      get: { _, file, _ in number(UInt32(clamping: largestPacketSize(file))) }),
    .init(
      kAudioFilePropertyPacketSizeUpperBound, bytes: 4,
      get: { _, file, _ in number(UInt32(clamping: largestPacketSize(file))) }),
    .init(
      kAudioFilePropertyDataOffset, bytes: 8,
      get: { _, file, _ in number(Int64(file.dataOffset)) }),
    .init(
      kAudioFilePropertyPacketTableInfo, bytes: 16,
      get: { _, file, _ throws(AudioError) in
        guard let info = file.packetInfo else { throw missing("packet table", file) }
        return number(Int64(info.validFrames)) + number(Int32(clamping: info.primingFrames))
          + number(Int32(clamping: info.remainderFrames))
      },
      set: { _, file, bytes throws(AudioError) in
        guard bytes.count >= 16 else { throw .badPropertySize.because("16 bytes are needed") }
        let fields = ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian)
        try file.setPacketInfo(
          Container.packetInfo(
            validFrames: fields.int64(0), primingFrames: fields.int32(8),
            remainderFrames: fields.int32(12), for: file.store.name))
      }),
    .init(
      kAudioFilePropertyRestrictsRandomAccess, bytes: 4,
      get: { _, file, _ in number(UInt32(0)) }),
    .init(
      kAudioFilePropertyPacketRangeByteCountUpperBound, bytes: 24,
      get: { _, file, input in
        let count = max(0, input.int64(8))
        let bound = count.multipliedReportingOverflow(by: Int64(largestPacketSize(file)))
        return number(input.int64(0)) + number(count)
          + number(bound.overflow ? Int64.max : bound.partialValue)
      }),
    .init(
      kAudioFilePropertyPacketToRollDistance, bytes: 16,
      get: { _, file, input in
        number(input.int64(0)) + number(Int64(rollDistance(file.format)))
      }),
    .init(
      kAudioFilePropertyPreviousIndependentPacket, bytes: 16,
      get: { _, file, input in number(input.int64(0)) + number(max(0, input.int64(0)) - 1) }),
    .init(
      kAudioFilePropertyNextIndependentPacket, bytes: 16,
      get: { _, file, input in
        let next = input.int64(0) &+ 1
        return number(input.int64(0)) + number(next < Int64(file.packetCount) ? next : -1)
      }),
    .init(
      kAudioFilePropertyPacketToDependencyInfo, bytes: 16,
      get: { _, file, input in number(input.int64(0)) + number(UInt32(1)) + number(UInt32(0)) }),
  ]

  // MARK: Translations

  private static let translations: [FileProperty] = [
    .init(
      kAudioFilePropertyPacketToFrame, bytes: 24,
      get: { _, file, input throws(AudioError) in
        let packet = try packet(input.int64(8), file)
        let frames = Outside(packet) * Int(file.format.mFramesPerPacket)
        let start = file.packets?.start(packet) ?? frames.upTo(Limits.count) ?? Limits.count
        return number(Int64(start)) + number(Int64(packet)) + number(UInt64(0))
      }),
    .init(
      kAudioFilePropertyFrameToPacket, bytes: 24,
      get: { _, file, input throws(AudioError) in
        guard input.int64(0) >= 0 else {
          throw .invalidArgument.because("\(file.store.name): has no frame \(input.int64(0))")
        }
        let frame = Int(input.int64(0))
        if let table = file.packets, table.count > 0 {
          let packet = min(table.packet(at: frame), table.count - 1)
          return number(Int64(frame)) + number(Int64(packet))
            + number(UInt32(clamping: frame - table.start(packet))) + number(UInt32(0))
        }
        let size = max(1, Int(file.format.mFramesPerPacket))
        return number(Int64(frame)) + number(Int64(frame / size))
          + number(UInt32(clamping: frame % size)) + number(UInt32(0))
      }),
    .init(
      kAudioFilePropertyPacketToByte, bytes: 24,
      get: { _, file, input throws(AudioError) in
        let packet = try packet(input.int64(8), file)
        let byte =
          file.packets.map { packet < $0.count ? $0.offset(packet) - file.dataOffset : 0 }
          ?? packet * Int(file.format.mBytesPerPacket)
        return number(Int64(byte)) + number(Int64(packet)) + number(UInt64(0))
      }),
    .init(
      kAudioFilePropertyByteToPacket, bytes: 24,
      get: { _, file, input throws(AudioError) in
        guard (0..<1 << 60).contains(input.int64(0)) else {
          throw .invalidArgument.because("\(file.store.name): has no byte \(input.int64(0))")
        }
        let byte = Int(input.int64(0))
        if let table = file.packets, table.count > 0 {
          let packet = table.packet(atByte: byte + file.dataOffset)
          let rest = byte + file.dataOffset - table.offset(packet)
          return number(Int64(byte)) + number(Int64(packet)) + number(UInt32(clamping: rest))
            + number(UInt32(0))
        }
        let size = max(1, Int(file.format.mBytesPerPacket))
        return number(Int64(byte)) + number(Int64(byte / size))
          + number(UInt32(clamping: byte % size)) + number(UInt32(0))
      }),
  ]

  private static func packet(_ packet: Int64, _ file: Container) throws(AudioError) -> Int {
    guard packet >= 0, packet <= Int64(file.packetCount) else {
      throw .invalidPacketOffset.because(
        "\(file.store.name): has \(file.packetCount) packets, no packet \(packet)")
    }
    return min(Int(packet), max(0, (file.packets?.count ?? .max) - 1))
  }

  // MARK: Texts, markers and pictures

  private static let texts: [FileProperty] = [
    .init(
      kAudioFilePropertyInfoDictionary, bytes: 8,
      get: { _, file, _ throws(AudioError) in
        let entries = try info(of: file).mapValues { PropertyList.string($0) }
        return object(Bridge.current.retainedPropertyList(.dictionary(entries)))
      },
      set: { _, file, bytes throws(AudioError) in
        guard case .dictionary(let entries)? = try list(bytes) else {
          throw .invalidArgument.because("the info dictionary is not a CFDictionary of texts")
        }
        var info: [String: String] = [:]
        for (key, value) in entries {
          switch value {
          case .string(let text): info[key] = text
          case .integer(let number): info[key] = "\(number)"
          case .real(let number): info[key] = "\(number)"
          default: throw .invalidArgument.because("\"\(key)\" of the info dictionary is not a text")
          }
        }
        try file.setInfo(info)
      }),
    .init(
      kAudioFilePropertyAlbumArtwork, bytes: 8,
      get: { _, file, _ throws(AudioError) in
        guard let picture = try file.artwork else { throw missing("picture", file) }
        return object(Bridge.current.retainedPropertyList(.data(picture)))
      },
      set: { _, file, bytes throws(AudioError) in
        guard case .data(let picture)? = try list(bytes) else {
          throw .invalidArgument.because("the picture is not a CFData")
        }
        try file.setArtwork(picture)
      }),
    .init(
      kAudioFilePropertyID3Tag,
      variable: { _, file, _ throws(AudioError) in
        guard let tag = try file.tag else { throw missing("ID3 tag", file) }
        return tag.bytes
      }, set: { _, file, bytes throws(AudioError) in try file.setTag(bytes) }),
    .init(
      kAudioFilePropertyID3TagOffset, bytes: 8,
      get: { _, file, _ throws(AudioError) in
        guard let tag = try file.tag else { throw missing("ID3 tag", file) }
        return number(Int64(tag.offset))
      }),
    .init(
      kAudioFilePropertyMarkerList,
      size: { _, file throws(AudioError) in 8 + 40 * (try file.markers.count) },
      get: { _, file, _ throws(AudioError) in try MarkerLists.bytes(file.markers) },
      set: { _, file, bytes throws(AudioError) in
        try file.setMarkers(MarkerLists.markers(bytes))
      }),
    .init(
      kAudioFilePropertyRegionList,
      size: { _, file throws(AudioError) in
        8 + (try file.regions).reduce(0) { $0 + 24 + 40 * $1.markers.count }
      }, get: { _, file, _ throws(AudioError) in try MarkerLists.bytes(file.regions) },
      set: { _, file, bytes throws(AudioError) in
        try file.setRegions(MarkerLists.regions(bytes))
      }),
  ]

  // MARK: Values

  /// The texts of the info dictionary.
  static func info(of file: Container) throws(AudioError) -> [String: String] {
    var info = try file.info
    let key = "approximate duration in seconds"
    if info[key] == nil { info[key] = text(seconds(file)) }
    return info
  }

  /// The roll distance of a codec: one packet when its windows overlap, else 0.
  static func rollDistance(_ format: AudioStreamBasicDescription) -> Int {
    let alone = [kAudioFormatFLAC, kAudioFormatAppleLossless]
    return format.mBytesPerPacket > 0 || alone.contains(format.mFormatID) ? 0 : 1
  }

  static func bytes(of format: AudioStreamBasicDescription) -> [UInt8] {
    withUnsafeBytes(of: format) { Array($0) }
  }

  private static func tag(_ layout: [UInt8]) -> UInt32 {
    ByteFields(layout, isBigEndian: ByteFields.isHostBigEndian).uint32(0)
  }

  private static func object(_ address: UnsafeRawPointer) -> [UInt8] {
    number(UInt64(UInt(bitPattern: address)))
  }

  private static func list(_ bytes: [UInt8]) throws(AudioError) -> PropertyList? {
    guard bytes.count >= 8 else { throw .badPropertySize.because("8 bytes are needed") }
    let address = UInt(
      truncatingIfNeeded: ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian).uint64(0))
    return UnsafeRawPointer(bitPattern: address).flatMap { Bridge.current.propertyList($0) }
  }

  private static func word(_ bytes: [UInt8], _ file: Container) throws(AudioError) -> UInt32 {
    guard bytes.count >= 4 else { throw .badPropertySize.because("4 bytes are needed") }
    return ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian).uint32(0)
  }

  private static func largestPacketSize(_ file: Container) -> Int {
    file.packets?.maximumSize ?? Int(file.format.mBytesPerPacket)
  }

  /// The duration of the sound.
  static func seconds(_ file: Container) -> Double {
    file.format.mSampleRate > 0 ? Double(file.frameCount) / file.format.mSampleRate : 0
  }

  /// Bits per second, on average.
  static func bitRate(_ file: Container) -> Double {
    let duration = Double(file.packetFrameCount) / file.format.mSampleRate
    let bytes = Double(file.packets?.byteCount ?? file.dataByteCount)
    if file.packets == nil, file.format.mFramesPerPacket > 0 {
      return file.format.mSampleRate * 8 * Double(file.format.mBytesPerPacket)
        / Double(file.format.mFramesPerPacket)
    }
    return duration > 0 ? min(bytes * 8 / duration, 4e9) : 0
  }

  /// Seconds with three decimals; nil for a duration beyond any number of them.
  private static func text(_ seconds: Double) -> String? {
    guard let thousandths = Outside((seconds * 1_000).rounded()).count else { return nil }
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
