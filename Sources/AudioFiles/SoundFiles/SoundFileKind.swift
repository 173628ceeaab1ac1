// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
public import AudioSupport
import CAudioToolbox

/// The kinds of sound file that can be written, named by their file extensions.
public enum SoundFileKind: String, CaseIterable, Sendable {
  /// 32-bit float, up to any length.
  case wav
  /// 24 bits, losslessly compressed.
  case flac
  /// 32-bit float, up to 4 GB. AIFF can only hold integers, so that files of float are AIFC.
  case aiff, aifc
  /// 32-bit float, up to any length.
  case caf, w64, rf64, bw64
  /// 32-bit float.
  case au
  /// AAC.
  case m4a, m4b, mp4, aac
  /// Vorbis.
  case ogg
  case opus, mp3

  /// The AudioFile type for samples of 32-bit float.
  package var type: AudioFileTypeID {
    switch self {
    case .wav: kAudioFileWAVEType
    case .flac: kAudioFileFLACType
    case .aiff, .aifc: kAudioFileAIFCType
    case .caf: kAudioFileCAFType
    case .w64: kAudioFileWave64Type
    case .rf64: kAudioFileRF64Type
    case .bw64: kAudioFileBW64Type
    case .au: kAudioFileNextType
    case .m4a: kAudioFileM4AType
    case .m4b: kAudioFileM4BType
    case .mp4: kAudioFileMPEG4Type
    case .aac: kAudioFileAAC_ADTSType
    case .ogg, .opus: kAudioFileOggType
    case .mp3: kAudioFileMP3Type
    }
  }

  /// The default format of this kind.
  package var codec: AudioFormatID {
    switch self {
    case .wav, .aiff, .aifc, .caf, .w64, .rf64, .bw64, .au: kAudioFormatLinearPCM
    case .flac: kAudioFormatFLAC
    case .m4a, .m4b, .mp4, .aac: kAudioFormatMPEG4AAC
    case .ogg: CompressedFormat.vorbis
    case .opus: kAudioFormatOpus
    case .mp3: kAudioFormatMPEGLayer3
    }
  }

  /// Whether files of a type are big-endian.
  static func isBigEndian(_ type: AudioFileTypeID) -> Bool {
    [kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType].contains(type)
  }

  /// Other extensions of the same kinds.
  private static let otherExtensions = [
    "wave": wav, "bwf": wav, "aif": aiff, "snd": au, "oga": ogg, "adts": aac, "m4r": m4a,
  ]

  /// The kind for a device that records to a path: WAV unless the extension is that of linear PCM.
  init(recording path: String) throws(AudioError) {
    let kind = try? Self(path: path)
    self = kind.flatMap { $0.codec == kAudioFormatLinearPCM ? $0 : nil } ?? .wav
  }

  /// [any thread] The kind for a path: WAV when it has no extension, or is "-", the standard
  /// output.
  ///
  /// - Throws: When files with this extension cannot be written; the error lists those that can.
  public init(path: String) throws(AudioError) { try self.init(path: path, requested: nil) }

  /// [any thread] The kind for a path; one without an extension, such as "-", has the requested kind.
  ///
  /// - Throws: When files with this extension cannot be written, or it is that of another kind.
  package init(path: String, requested: Self?) throws(AudioError) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.dropFirst().lastIndex(of: "."), path != "-"
    else {
      self = requested ?? .wav
      return
    }
    self = try Self(extension: name[name.index(after: dot)...].lowercased(), of: path)
    guard requested == nil || requested == self else {
      throw .invalidFilePath.because(
        "\(path): its name ends as that of .\(rawValue), and the requested type is "
          + ".\(requested?.rawValue ?? "")")
    }
  }

  /// [any thread] The kind with an extension, without the dot and in lower case.
  ///
  /// - Parameters:
  ///   - ending: The extension.
  ///   - path: The path for the error.
  /// - Throws: When such files cannot be written; the error lists those that can.
  package init(extension ending: String, of path: String) throws(AudioError) {
    guard let kind = Self(rawValue: ending) ?? Self.otherExtensions[ending] else {
      let endings = Self.allCases.map { ".\($0.rawValue)" }
      let supported = "\(endings.dropLast().joined(separator: ", ")) or \(endings.last ?? "")"
      throw .invalidFilePath.because(
        "\(path): files that end in .\(ending) cannot be written; choose \(supported)")
    }
    self = kind
  }

  /// The signature at the beginning of a file: "WAVE", "fLaC" or others; "" when the file is empty.
  static func signature(of file: borrowing OpenFile) throws(AudioError) -> String {
    var start = [UInt8](repeating: 0, count: 12)
    let count = try start.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
      try file.read(UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    if count == 0 { return "" }
    let fields = ByteFields(start, isBigEndian: true)
    if fields.code(4) == "ftyp" { return "ftyp" }
    if ID3Tag.byteCount(fields) != nil { return "ID3" }
    let isFramed = fields.uint16(0) & 0xFFE0 == 0xFFE0
    let first = isFramed ? "frames" : fields.code(0).description
    return ["RIFF", "RF64", "BW64", "FORM"].contains(first) ? fields.code(8).description : first
  }

  private static let soundSignatures: Set<String> = [
    "", "WAVE", "fLaC", "AIFF", "AIFC", "caff", "OggS", "riff", ".snd", "ftyp", "ID3", "frames",
  ]

  /// Throws unless a file is empty or a sound file, because a mistyped path must not destroy a
  /// document.
  static func checkReplaceable(_ file: borrowing OpenFile) throws(AudioError) {
    let kind = try signature(of: file)
    guard Self.soundSignatures.contains(kind) else {
      throw .invalidFile.because(
        "\(file.path): exists and is not a sound file; remove it or choose another name")
    }
  }
}
