// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Files of every kind, opened and made.
package enum Containers {
  /// [control thread] Opens a file: of the kind that its bytes say, or else that `hint` says.
  package static func open(
    _ store: any ByteStore, hint: AudioFileTypeID = 0
  ) throws(AudioError) -> Container {
    let start = Fields(try store.bytes(at: 0, 16), isBigEndian: true)
    switch start.code(0).description {
    case "RIFF", "RF64", "BW64", "riff": return try WaveContainer(reading: store)
    case "FORM": return try AIFFContainer(reading: store)
    case "caff": return try CAFContainer(reading: store)
    case ".snd": return try NeXTContainer(reading: store)
    case "fLaC": return try FLACContainer(reading: store)
    default: break
    }
    if let tagged = ID3Tag.byteCount(start), try store.bytes(at: tagged, 4) == Array("fLaC".utf8) {
      return try FLACContainer(reading: store)
    }
    if let type = try MPEGContainer.beginning(store) {
      return try MPEGContainer(reading: store, type)
    }
    throw unknown(start, store, hint)
  }

  private static func unknown(
    _ start: Fields, _ store: any ByteStore, _ hint: AudioFileTypeID
  ) -> AudioError {
    guard start.count > 0 else { return .damagedFile.because("\(store.name): is empty") }
    if start.count < 4 {
      return .damagedFile.because("\(store.name): ends after \(start.count) bytes")
    }
    let kinds = FileKind.all.map(\.title).joined(separator: ", ")
    return .unsupportedFileType.because(
      "\(store.name): begins with \(start.code(0).quoted), as no sound file does that is read here: "
        + kinds)
  }

  /// How a new file is laid out.
  package struct Options {
    /// Multiples of it at which the sound begins.
    package var alignment = 1
    /// How many packets are expected: a pipe is told at its beginning.
    package var expectedPackets: Int?

    package init(alignment: Int = 1, expectedPackets: Int? = nil) {
      self.alignment = alignment
      self.expectedPackets = expectedPackets
    }
  }

  /// [control thread] Makes a file: its header is written at once.
  package static func create(
    _ store: any ByteStore, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    _ options: Options = Options()
  ) throws(AudioError) -> Container {
    let kind = try FileKind.of(type)
    let (alignment, count) = (options.alignment, options.expectedPackets)
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
    default:
      throw .unsupportedFileType.because("\(store.name): \(kind.name) is not written here")
    }
  }
}
