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
    let file = try openFirst(store, hint: hint, extent)
    if extent == .whole, let end = file.contentEnd {
      file.follower = try? follower(store, from: (file.whole?.start ?? 0) + end)
    }
    return file
  }

  /// The name of the sound file that begins at a position, maybe behind tags; nil for anything else.
  private static func follower(
    _ store: any ByteStore, from position: Int
  ) throws(AudioError) -> String? {
    guard try position < store.byteCount() else { return nil }
    let start = try SurroundingTags.end(ByteWindow(store), from: position)
    let rest = OffsetStore(store, from: start)
    guard try rest.byteCount() > 0 else { return nil }
    // The table of MPEG-4 may be behind the sound.
    let isMPEG4 = MP4Container.hasSignature(
      ByteFields(try rest.bytes(at: 0, 16), isBigEndian: true))
    let file = try openFirst(rest, hint: 0, isMPEG4 ? .whole : .header)
    return "\(file.kind.title), \(file.formatName)"
  }

  private static func openFirst(
    _ store: any ByteStore, hint: AudioFileTypeID, _ extent: Container.Extent
  ) throws(AudioError) -> Container {
    let whole = try ByteWindow(store)
    let front = try SurroundingTags.front(whole)
    guard front == 0 else { return try open(store, behind: front, whole, hint: hint, extent) }
    let start = ByteFields(try store.bytes(at: 0, 16), isBigEndian: true)
    if let file = try withSignature(start, store, extent) { return file }
    return try frames(store, hint: hint, extent)
  }

  private static func hasSignature(_ start: ByteFields) -> Bool {
    let codes: [ChunkCode] = [
      "RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "caff", ".snd", "OggS",
    ]
    return codes.contains(start.code(0)) || MP4Container.hasSignature(start)
  }

  /// Opens a file with a signature; nil when it has none.
  private static func withSignature(
    _ start: ByteFields, _ store: any ByteStore, _ extent: Container.Extent
  ) throws(AudioError) -> Container? {
    switch start.code(0).description {
    case "RIFF", "RIFX", "RF64", "BW64", "riff": return try WaveContainer(reading: store, extent)
    case "FORM": return try AIFFContainer(reading: store, extent)
    case "caff": return try CAFContainer(reading: store, extent)
    case ".snd": return try NeXTContainer(reading: store)
    case "fLaC": return try FLACContainer(reading: store, extent)
    case "OggS": return try OggContainer(reading: store, extent)
    default: break
    }
    return MP4Container.hasSignature(start) ? try MP4Container(reading: store, extent) : nil
  }

  /// Opens a file behind tags. FLAC and MPEG audio skip them; other kinds see a file without.
  private static func open(
    _ store: any ByteStore, behind front: Int, _ window: ByteWindow, hint: AudioFileTypeID,
    _ extent: Container.Extent
  ) throws(AudioError) -> Container {
    let start = ByteFields(try store.bytes(at: front, 16), isBigEndian: true)
    if start.code(0) == "fLaC" { return try FLACContainer(reading: store, extent) }
    if let stream = store as? StreamStore {
      guard hasSignature(start) else { return try frames(store, hint: hint, extent) }
      stream.skip(front: front)
      return try open(stream, hint: hint, extent)
    }
    if let file = try withSignature(start, OffsetStore(store, from: front), extent) {
      file.whole = (store, front)
      return file
    }
    return try frames(store, hint: hint, extent)
  }

  /// Opens a file of frames without a signature.
  private static func frames(
    _ store: any ByteStore, hint: AudioFileTypeID, _ extent: Container.Extent
  ) throws(AudioError) -> Container {
    let sound = try SurroundingTags(store, try ByteWindow(store)).sound
    let window = try ByteWindow(store, to: sound.upperBound)
    let start = ByteFields(
      try store.bytes(at: sound.lowerBound, OtherKind.reach), isBigEndian: true)
    let isExpected = MPEGContainer.types.contains(hint)
    let reach = isExpected ? ByteWindow.reach : 65_536
    let isOther = !isExpected && sound.lowerBound == 0 && OtherKind.name(start) != nil
    let detected =
      isOther ? nil : try MPEGContainer.detect(window, from: sound.lowerBound, reach: reach)
    guard let detected else { throw try unknown(store, at: sound.lowerBound) }
    return try MPEGContainer(reading: store, detected, window, extent)
  }

  private static func unknown(
    _ store: any ByteStore, at position: Int
  ) throws(AudioError) -> AudioError {
    let start = ByteFields(try store.bytes(at: position, OtherKind.reach), isBigEndian: true)
    guard start.count > 0 || position > 0 else {
      return .unsupportedFileType.because("\(store.name): is empty")
    }
    if start.count < 4 {
      let count = position + start.count
      return .damagedFile.because(
        "\(store.name): ends after \(count) byte\(count == 1 ? "" : "s")")
    }
    let kinds = FileKind.all.map(\.title).joined(separator: ", ")
    let begin = "begins with \(start.code(0).spelled)"
    let found = OtherKind.name(start).map { "is \($0), and \(begin)" } ?? begin
    return .unsupportedFileType.because(
      "\(store.name): is not a sound file of a known kind: it \(found). Known are \(kinds)")
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
