// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Opens and creates files of every kind.
package enum Containers {
  /// [control thread] Opens a file; its bytes determine the kind. `hint`: the expected kind, which
  /// decides where the bytes do not: MPEG audio after more than 64 KB of something else.
  package static func open(
    _ store: any ByteStore, hint: AudioFileTypeID = 0, _ extent: Container.Extent = .whole
  ) throws(AudioError) -> Container {
    let start = ByteFields(try store.bytes(at: 0, 16), isBigEndian: true)
    switch start.code(0).description {
    case "RIFF", "RF64", "BW64", "riff": return try WaveContainer(reading: store, extent)
    case "FORM": return try AIFFContainer(reading: store, extent)
    case "caff": return try CAFContainer(reading: store, extent)
    case ".snd": return try NeXTContainer(reading: store)
    case "fLaC": return try FLACContainer(reading: store, extent)
    case "OggS": return try OggContainer(reading: store, extent)
    default: break
    }
    if MP4Container.hasSignature(start) { return try MP4Container(reading: store, extent) }
    if let tagged = ID3Tag.byteCount(start), try store.bytes(at: tagged, 4) == Array("fLaC".utf8) {
      return try FLACContainer(reading: store, extent)
    }
    if start.count >= 4, let type = try MPEGContainer.detectType(store) {
      return try MPEGContainer(reading: store, type, extent)
    }
    if MPEGContainer.types.contains(hint),
      let container = try? MPEGContainer(reading: store, hint, extent)
    {
      return container
    }
    throw unknown(start, store)
  }

  private static func unknown(_ start: ByteFields, _ store: any ByteStore) -> AudioError {
    guard start.count > 0 else { return .damagedFile.because("\(store.name): is empty") }
    if start.count < 4 {
      return .damagedFile.because("\(store.name): ends after \(start.count) bytes")
    }
    let kinds = FileKind.all.map(\.title).joined(separator: ", ")
    return .unsupportedFileType.because(
      "\(store.name): is not a sound file of a known kind: it begins with "
        + "\(start.code(0).spelled). Known "
        + "are \(kinds)")
  }

  /// The layout of a new file.
  package struct Options {
    /// The sound begins at a multiple of this.
    package var alignment = 1
    /// The expected number of packets, which is written to the header of a pipe.
    package var expectedPackets: Int?

    package init(alignment: Int = 1, expectedPackets: Int? = nil) {
      self.alignment = alignment
      self.expectedPackets = expectedPackets
    }
  }

  /// [control thread] Creates a file and writes its header.
  package static func create(
    _ store: any ByteStore, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    _ options: Options = Options()
  ) throws(AudioError) -> Container {
    let kind = try FileKind.of(type)
    let (alignment, count) = (options.alignment, options.expectedPackets)
    func checked(
      _ format: AudioStreamBasicDescription
    ) throws(AudioError) -> AudioStreamBasicDescription {
      try PacketFormat.check(format, kind, store.name, maximumChannels: 255)
    }
    switch type {
    case kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type:
      return try WaveContainer(
        creating: store, kind, format, alignment: alignment, expecting: count)
    case kAudioFileAIFFType, kAudioFileAIFCType:
      return try AIFFContainer(
        creating: store, kind, format, alignment: alignment, expecting: count)
    case kAudioFileCAFType:
      return try CAFContainer(
        creating: store, kind, format, alignment: alignment, expecting: count)
    case kAudioFileNextType:
      return try NeXTContainer(creating: store, kind, format, expecting: count)
    case kAudioFileFLACType: return try FLACContainer(creating: store, kind, checked(format))
    case kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileAAC_ADTSType:
      return try MPEGContainer(creating: store, kind, checked(format))
    case kAudioFileOggType: return try OggContainer(creating: store, kind, checked(format))
    case kAudioFileM4AType, kAudioFileM4BType, kAudioFileMPEG4Type:
      return try MP4Container(creating: store, kind, checked(format))
    default:
      throw .unsupportedFileType.because("\(store.name): \(kind.name) cannot be written")
    }
  }
}
