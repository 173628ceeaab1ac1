// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of files.
  static let files = PropertyFamily(
    "a file's",
    Errors(
      unknown: kAudioFileUnsupportedPropertyError, unreadable: kAudioFileUnsupportedPropertyError,
      readOnly: kAudioFileOperationNotSupportedError, size: kAudioFileBadPropertySizeError,
      value: kAudio_ParamError),
    lengths: .longer, name: { "property \(ChunkCode($0.id).quoted)" })
}

/// The properties of files, one row each.
enum FileProperties {
  typealias Row = PropertyRow<AudioFileObject>

  static let table = PropertyTable<AudioFileObject>(
    .files, general + packets + translations + texts)

  /// Setting such a property changes the file, not only how it is read.
  static let ifWritable = Row.Writability.unless { file in
    do throws(AudioError) { try file.checkWritable() } catch { return error }
    return nil
  }

  static func missing(_ what: String, _ file: AudioFileObject) -> AudioError {
    .unsupportedProperty.because("\(file.container.store.name): has no \(what)")
  }

  private static let general: [Row] = [
    .value(kAudioFilePropertyFileFormat, get: { $0.container.kind.type }),
    .value(kAudioFilePropertyDataFormat, get: { $0.container.format }),
    .array(
      kAudioFilePropertyFormatList,
      get: { file in
        AACLayers.list(of: file.container.format) { file.container.layoutTag(of: $0) }
      }),
    .flag(kAudioFilePropertyIsOptimized, get: { $0.container.isOptimized }),
    .array(
      kAudioFilePropertyMagicCookieData, writable: ifWritable,
      get: { (file) throws(AudioError) -> [UInt8] in
        guard !file.container.cookie.isEmpty else { throw missing("magic cookie", file) }
        return file.container.cookie
      }, set: { (file, bytes) throws(AudioError) in try file.container.setCookie(bytes) }),
    .array(
      kAudioFilePropertyChannelLayout, writable: ifWritable,
      get: { (file) throws(AudioError) -> [UInt8] in
        guard let layout = file.container.layout else { throw missing("channel layout", file) }
        return layout
      }, set: { (file, bytes) throws(AudioError) in try file.container.setLayout(bytes) }),
    .flag(
      kAudioFilePropertyDeferSizeUpdates, writable: ifWritable,
      get: { $0.container.defersSizes },
      set: { (file, defers) throws(AudioError) in
        file.container.defersSizes = defers
        if !defers { try file.container.flush() }
      }),
    .list(kAudioFilePropertyDataFormatName, get: { .string($0.container.kind.title) }),
    .value(kAudioFilePropertyEstimatedDuration, get: { seconds($0.container) }),
    .value(
      kAudioFilePropertyReserveDuration, writable: ifWritable, get: { $0.reservedSeconds },
      set: { (file, seconds: Float64) in file.reservedSeconds = seconds }),
    .value(kAudioFilePropertyBitRate, get: { UInt32(saturating: bitRate($0.container)) }),
    .value(
      kAudioFilePropertySourceBitDepth, size: .bytes(MemoryLayout<Int32>.size),
      get: { (file) throws(AudioError) -> Int32 in
        guard let depth = file.container.sourceBitDepth else {
          throw missing("known bit depth", file)
        }
        return depth
      }),
    .value(
      kAudioFilePropertyAudioTrackCount, get: { UInt32(clamping: $0.container.trackCount) }),
    .value(
      kAudioFilePropertyUseAudioTrack,
      set: { (file, track: UInt32) throws(AudioError) in
        try file.container.useTrack(Int(track))
      }),
    .array(kAudioFilePropertyChunkIDs, get: { $0.container.chunkCodes.map(\.rawValue) }),
  ]

  // MARK: Texts, markers and pictures

  private static let texts: [Row] = [
    .list(
      kAudioFilePropertyInfoDictionary, type: "CFDictionary", writable: ifWritable,
      get: { (file) throws(AudioError) in
        .dictionary(try info(of: file.container).mapValues { PropertyList.string($0) })
      },
      set: { (file, list) throws(AudioError) in
        guard case .dictionary(let entries) = list else {
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
        try file.container.setInfo(info)
      }),
    .list(
      kAudioFilePropertyAlbumArtwork, type: "CFData", writable: ifWritable,
      get: { (file) throws(AudioError) in
        guard let picture = try file.container.artwork else { throw missing("picture", file) }
        return .data(picture)
      },
      set: { (file, list) throws(AudioError) in
        guard case .data(let picture) = list else {
          throw .invalidArgument.because("the picture is not a CFData")
        }
        try file.container.setArtwork(picture)
      }),
    .array(
      kAudioFilePropertyID3Tag, writable: ifWritable,
      get: { (file) throws(AudioError) -> [UInt8] in
        guard let tag = try file.container.tag else { throw missing("ID3 tag", file) }
        return tag.bytes
      }, set: { (file, bytes) throws(AudioError) in try file.container.setTag(bytes) }),
    .value(
      kAudioFilePropertyID3TagOffset, size: .bytes(MemoryLayout<Int64>.size),
      get: { (file) throws(AudioError) -> Int64 in
        guard let tag = try file.container.tag else { throw missing("ID3 tag", file) }
        return Int64(tag.offset)
      }),
    // Reading the lists makes a CFString for each name.
    .array(
      kAudioFilePropertyMarkerList, writable: ifWritable,
      size: .measured { (file) throws(AudioError) in 8 + 40 * (try file.container.markers.count) },
      get: { (file) throws(AudioError) -> [UInt8] in try MarkerLists.bytes(file.container.markers)
      },
      set: { (file, bytes) throws(AudioError) in
        try file.container.setMarkers(MarkerLists.markers(bytes))
      }),
    .array(
      kAudioFilePropertyRegionList, writable: ifWritable,
      size: .measured { (file) throws(AudioError) in
        8 + (try file.container.regions).reduce(0) { $0 + 24 + 40 * $1.markers.count }
      },
      get: { (file) throws(AudioError) -> [UInt8] in try MarkerLists.bytes(file.container.regions)
      },
      set: { (file, bytes) throws(AudioError) in
        try file.container.setRegions(MarkerLists.regions(bytes))
      }),
  ]

  /// The texts of the info dictionary.
  static func info(of file: Container) throws(AudioError) -> [String: String] {
    var info = try file.info
    let key = "approximate duration in seconds"
    if info[key] == nil { info[key] = text(seconds(file)) }
    return info
  }

}

extension ByteFields {
  /// No bytes.
  static let none = ByteFields([], isBigEndian: isHostBigEndian)
  /// Whether this machine is big-endian.
  static let isHostBigEndian = 1.bigEndian == 1
}

extension ByteBuilder {
  /// The bytes of a structure, in this machine's byte order.
  static func native(_ build: (inout ByteBuilder) throws(AudioError) -> Void) throws(AudioError)
    -> [UInt8]
  {
    var builder = ByteBuilder(isBigEndian: ByteFields.isHostBigEndian)
    try build(&builder)
    return builder.bytes
  }
}

extension Container {
  /// The tag of its channel layout; 0 without one.
  var layoutTag: AudioChannelLayoutTag {
    layout.map { ByteFields($0, isBigEndian: ByteFields.isHostBigEndian).uint32(0) } ?? 0
  }

  /// The same for one of the formats in which its packets can be decoded.
  func layoutTag(of other: AudioStreamBasicDescription) -> AudioChannelLayoutTag {
    guard other.mChannelsPerFrame != format.mChannelsPerFrame else { return layoutTag }
    return other.mChannelsPerFrame == 1 ? kAudioChannelLayoutTag_Mono : 0
  }
}

extension AudioFileObject {
  /// [control thread] The size of a property's value, and whether it can be set.
  package func propertyInfo(_ id: AudioFilePropertyID) throws(AudioError) -> PropertyInfo {
    try locked { _ throws(AudioError) in
      try FileProperties.table.info(PropertyAddress(id), of: self)
    }
  }

  /// [control thread] Writes a property's value to memory of `size` bytes and sets `size` to its
  /// size.
  package func property(
    _ id: AudioFilePropertyID, into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    var count = size
    try locked { _ throws(AudioError) in
      try FileProperties.table.read(PropertyAddress(id), of: self, into: memory, size: &count)
    }
    size = count
  }

  /// [control thread] Sets a property.
  package func setProperty(
    _ id: AudioFilePropertyID, _ memory: UnsafeRawBufferPointer
  ) throws(AudioError) {
    try locked(changes: true) { _ throws(AudioError) in
      try FileProperties.table.write(PropertyAddress(id), of: self, memory)
    }
  }
}
