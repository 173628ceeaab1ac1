// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox

/// A kind of sound file: its names, and the formats it can hold.
package struct FileKind: Sendable {
  package let type: AudioFileTypeID
  /// The name in messages: "a WAV file".
  package let name: String
  /// The display name.
  package let title: String
  package let extensions: [String]
  package let mimeTypes: [String]
  package let utis: [String]
  /// HFS file type codes.
  package let codes: [UInt32]
  /// The formats that a new file can hold; empty if this kind cannot be written.
  package let formats: [AudioFormatID]

  private init(
    _ type: AudioFileTypeID, _ name: String, _ title: String, _ extensions: [String],
    mime: [String], uti: [String], codes: [String] = [], formats: [AudioFormatID]
  ) {
    self.type = type
    self.name = name
    self.title = title
    self.extensions = extensions
    mimeTypes = mime
    utis = uti
    self.codes = codes.compactMap { FourCharacterCode($0)?.rawValue }
    self.formats = formats
  }

  package var isWritable: Bool { !formats.isEmpty }

  private static let wave: [AudioFormatID] = [
    kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatDVIIntelIMA,
    kAudioFormatMicrosoftGSM,
  ]
  private static let anything: [AudioFormatID] = [
    kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4,
    kAudioFormatAppleLossless, kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE,
    kAudioFormatMPEGLayer3, kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatAC3,
    kAudioFormatDVIIntelIMA, kAudioFormatMicrosoftGSM, CompressedFormat.vorbis,
  ]

  private static let mpeg4: [AudioFormatID] = [
    kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
    kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatMPEGLayer3,
  ]

  /// All readable kinds.
  package static let all: [FileKind] = [
    .init(
      kAudioFileWAVEType, "a WAV file", "WAVE", ["wav", "wave", "bwf"],
      mime: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
      uti: ["com.microsoft.waveform-audio"], codes: ["WAVE", ".WAV"], formats: wave),
    .init(
      kAudioFileRF64Type, "an RF64 file", "RF64", ["rf64", "wav"], mime: ["audio/x-rf64"],
      uti: ["public.rf64-audio"], formats: wave),
    .init(
      kAudioFileBW64Type, "a BW64 file", "BW64", ["bw64", "wav"], mime: ["audio/x-bw64"],
      uti: ["public.bw64-audio"], formats: wave),
    .init(
      kAudioFileWave64Type, "a Wave64 file", "Wave64", ["w64"], mime: ["audio/x-w64"],
      uti: ["com.sony.wave64"], formats: wave),
    .init(
      kAudioFileAIFFType, "an AIFF file", "AIFF", ["aiff", "aif"],
      mime: ["audio/aiff", "audio/x-aiff"], uti: ["public.aiff-audio"], codes: ["AIFF"],
      formats: [kAudioFormatLinearPCM]),
    .init(
      kAudioFileAIFCType, "an AIFC file", "AIFC", ["aifc", "aiff", "aif"],
      mime: ["audio/aiff", "audio/x-aiff"], uti: ["public.aifc-audio"], codes: ["AIFC"],
      formats: [
        kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleIMA4,
      ]),
    .init(
      kAudioFileCAFType, "a CAF file", "Core Audio Format", ["caf"], mime: ["audio/x-caf"],
      uti: ["com.apple.coreaudio-format"], codes: ["caff"], formats: anything),
    .init(
      kAudioFileNextType, "a NeXT/Sun file", "NeXT/Sun", ["au", "snd"],
      mime: ["audio/basic", "audio/au", "audio/snd"], uti: ["public.au-audio"],
      codes: ["ULAW", "NeXT"],
      formats: [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]),
    .init(
      kAudioFileFLACType, "a FLAC file", "FLAC", ["flac"], mime: ["audio/flac", "audio/x-flac"],
      uti: ["org.xiph.flac"], codes: ["fLaC"], formats: [kAudioFormatFLAC]),
    .init(
      kAudioFileMP3Type, "an MP3 file", "MPEG Layer 3", ["mp3", "mpga"],
      mime: ["audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mp3"], uti: ["public.mp3"],
      codes: ["MPG3", "mpg3", "Mp3 ", "MP3 "], formats: [kAudioFormatMPEGLayer3]),
    .init(
      kAudioFileMP2Type, "an MP2 file", "MPEG Layer 2", ["mp2", "mpeg", "mpa"],
      mime: ["audio/mpeg", "audio/x-mpeg"], uti: ["public.mp2"], codes: ["MPG2"],
      formats: [kAudioFormatMPEGLayer2]),
    .init(
      kAudioFileMP1Type, "an MP1 file", "MPEG Layer 1", ["mp1"], mime: ["audio/mpeg"],
      uti: ["public.mp1"], codes: ["MPG1"], formats: []),
    .init(
      kAudioFileAAC_ADTSType, "an AAC ADTS file", "AAC ADTS", ["aac", "adts"],
      mime: ["audio/aac", "audio/aacp", "audio/x-aac"], uti: ["public.aac-audio"],
      codes: ["adts"], formats: [kAudioFormatMPEG4AAC]),
    .init(
      kAudioFileM4AType, "an M4A file", "Apple MPEG-4 Audio", ["m4a", "m4r"],
      mime: ["audio/x-m4a", "audio/m4a", "audio/mp4"], uti: ["com.apple.m4a-audio"],
      codes: ["M4A ", "m4af"], formats: mpeg4),
    .init(
      kAudioFileM4BType, "an M4B file", "Apple MPEG-4 AudioBooks", ["m4b"],
      mime: ["audio/x-m4b", "audio/m4b"], uti: ["com.apple.protected-mpeg-4-audio-b"],
      codes: ["M4B "], formats: mpeg4),
    .init(
      kAudioFileMPEG4Type, "an MP4 file", "MPEG-4 Audio", ["mp4", "mpg4", "m4v", "mov"],
      mime: ["audio/mp4", "audio/mpeg4", "video/mp4", "video/quicktime"],
      uti: ["public.mpeg-4-audio", "public.mpeg-4"],
      codes: ["mpg4", "mp4f"], formats: mpeg4),
    .init(
      kAudioFile3GPType, "a 3GPP file", "3GPP Audio", ["3gp", "3gpp"],
      mime: ["audio/3gpp", "video/3gpp"], uti: ["public.3gpp"], codes: ["3gpp"], formats: []),
    .init(
      kAudioFile3GP2Type, "a 3GPP-2 file", "3GPP-2 Audio", ["3g2", "3gp2"],
      mime: ["audio/3gpp2", "video/3gpp2"], uti: ["public.3gpp2"], codes: ["3gp2"], formats: []),
    .init(
      kAudioFileOggType, "an Ogg file", "Ogg", ["ogg", "oga", "opus", "spx"],
      mime: ["audio/ogg", "application/ogg", "audio/opus"], uti: ["org.xiph.ogg-audio"],
      codes: ["OggS"],
      formats: [kAudioFormatOpus, CompressedFormat.vorbis, kAudioFormatFLAC]),
  ]

  private static let byType = Dictionary(uniqueKeysWithValues: all.map { ($0.type, $0) })

  /// The kind with this type.
  package static func of(_ type: AudioFileTypeID) throws(AudioError) -> FileKind {
    guard let kind = byType[type] else {
      throw .unsupportedFileType.because(
        "the file type \(ChunkCode(type).quoted) is not supported")
    }
    return kind
  }

  /// The kinds with this file extension: the first is the default.
  package static func of(extension ending: String) -> [FileKind] {
    let ending = ending.lowercased()
    return all.filter { $0.extensions.contains(ending) }
  }
}
