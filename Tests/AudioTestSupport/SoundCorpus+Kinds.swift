// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

extension SoundCorpus {
  /// A kind of sound file with a codec.
  package struct Kind: Sendable {
    /// The name: the extension, and what else distinguishes it.
    package let name: String
    /// The extension of its files.
    package let pathExtension: String
    /// Nil for the one that such files usually have.
    let codec: AudioFormatID?
    /// Bits of a sample, negative for floating point; nil for the usual ones.
    let bits: Int?
    /// Whether all tables are moved to the front of the file.
    let isOptimized: Bool
    /// The number in the file that says how much sound there is; nil without such a number.
    let size: SizeField?
    /// Frames of its sound.
    package var frameCount = SoundCorpus.frameCount
    /// Makes a whole file that the library does not write; nil: it writes it.
    private(set) var make: (@Sendable () throws -> [UInt8])?
    /// Whether ffmpeg finds the same frames in a whole file.
    package private(set) var hasPeer = true

    fileprivate init(
      _ name: String, _ pathExtension: String? = nil, _ codec: AudioFormatID? = nil,
      bits: Int? = nil, isOptimized: Bool = false, _ size: SizeField? = nil
    ) {
      self.name = name
      self.pathExtension = pathExtension ?? name
      self.codec = codec
      self.bits = bits
      self.isOptimized = isOptimized
      self.size = size
    }

    /// One that is made byte by byte.
    fileprivate init(
      _ name: String, _ pathExtension: String, frames: Int, _ size: SizeField? = nil,
      hasPeer: Bool = false, _ make: @escaping @Sendable () throws -> [UInt8]
    ) {
      self.init(name, pathExtension, nil, size)
      (frameCount, self.make, self.hasPeer) = (frames, make, hasPeer)
    }

    /// Whether the file does not say how many frames of its last packet are sound.
    package var isRounded: Bool { pathExtension == "aac" || codec == kAudioFormatAppleIMA4 }
    /// Whether a table that a stream needs comes after the sound.
    package var hasTableBehind: Bool {
      ["m4a", "mov of IMA"].contains(name) || codec != nil && hasCAFTable
    }
    private var hasCAFTable: Bool {
      pathExtension == "caf" && !isOptimized
        && ![kAudioFormatALaw, kAudioFormatAppleIMA4].contains(codec)
    }
    /// Whether decoded samples are those that were written, but for their bit depth.
    package var isLossless: Bool {
      guard make == nil else { return false }
      return codec.map { [kAudioFormatFLAC, kAudioFormatAppleLossless].contains($0) }
        ?? !["ogg", "opus", "mp3", "m4a", "mov", "aac"].contains(name)
    }
  }

  /// A number in a file that says how much sound there is.
  struct SizeField: Sendable {
    /// The text before it, and the distance from the begin of the text.
    let mark: String
    let distance: Int
    let byteCount: Int
    let isBigEndian: Bool

    fileprivate init(_ mark: String, _ distance: Int, _ byteCount: Int, isBigEndian: Bool = false) {
      self.mark = mark
      self.distance = distance
      self.byteCount = byteCount
      self.isBigEndian = isBigEndian
    }

    fileprivate static let wave = SizeField("data", 4, 4)
    fileprivate static let rifx = SizeField("data", 4, 4, isBigEndian: true)
    fileprivate static let wave64 = SizeField("data", 16, 8)
    fileprivate static let rf64 = SizeField("ds64", 16, 8)
    fileprivate static let aiff = SizeField("SSND", 4, 4, isBigEndian: true)
    fileprivate static let caf = SizeField("data", 4, 8, isBigEndian: true)
    fileprivate static let next = SizeField(".snd", 8, 4, isBigEndian: true)
    /// The lower half of the number of samples.
    fileprivate static let flac = SizeField("fLaC", 22, 4, isBigEndian: true)
    fileprivate static let mp3 = SizeField("Info", 8, 4, isBigEndian: true)
    fileprivate static let movie = SizeField("mdat", -4, 4, isBigEndian: true)
  }

  package static let all = written + made

  /// The kinds that the library does not write, some of them with two channels and at other rates.
  private static let made: [Kind] = [
    .init("mp1", "mp1", frames: 60 * 384) { MadeFiles.frames(layer: 1) },
    .init("mp2", "mp2", frames: 60 * 1_152) { MadeFiles.frames(layer: 2) },
    .init("wav of MP3", "wav", frames: frameCount, .wave) { try MadeFiles.mp3InWave() },
    .init("wav of IMA", "wav", frames: 5_000, .wave) { MadeFiles.imaInWave() },
    .init("wav of Microsoft ADPCM", "wav", frames: 4_950, .wave) { MadeFiles.microsoftInWave() },
    .init("wav of GSM", "wav", frames: 25_500, .wave) { MadeFiles.gsmInWave() },
    .init("rifx", "wav", frames: frameCount, .rifx) { MadeFiles.rifx() },
    .init("caf with a table of PCM", "caf", frames: frameCount - 100, .caf) {
      try MadeFiles.cafWithTable()
    },
    .init("mov of IMA", "mov", frames: 6_400, .movie, hasPeer: true) { MadeFiles.quickTime() },
    .init("mp4 in fragments", "mp4", frames: 10 * 1_024) { try MadeFiles.fragments() },
    .init("aac of HE-AAC", "aac", frames: 18_000) {
      try ExtendedAAC().file(kAudioFileAAC_ADTSType)
    },
    .init("m4a of HE-AAC", "m4a", frames: 18_000, .movie) {
      try ExtendedAAC().file(kAudioFileM4AType)
    },
    .init("caf of HE-AAC", "caf", frames: 18_000, .caf) {
      try ExtendedAAC().file(kAudioFileCAFType)
    },
    .init("m4a of HE-AAC v2", "m4a", frames: 18_000, .movie) {
      try ExtendedAAC(isStereo: true).file(kAudioFileM4AType)
    },
  ]

  /// The kinds, one for each file type and codec that the library writes. "mov" is M4A whose movie box
  /// comes first.
  private static let written: [Kind] = [
    .init("wav", .wave), .init("wav of 16 bits", "wav", bits: 16, .wave),
    .init("wav of u-law", "wav", kAudioFormatULaw, .wave), .init("rf64", .rf64),
    .init("bw64", .rf64), .init("w64", .wave64), .init("aiff", bits: 16, .aiff),
    .init("aifc", .aiff), .init("aifc of IMA", "aifc", kAudioFormatAppleIMA4, .aiff),
    .init("caf", .caf), .init("caf of A-law", "caf", kAudioFormatALaw, .caf),
    .init("caf of AAC", "caf", kAudioFormatMPEG4AAC, .caf),
    .init("caf of ALAC", "caf", kAudioFormatAppleLossless, .caf),
    .init("caf of FLAC", "caf", kAudioFormatFLAC, isOptimized: true, .caf),
    .init("caf of IMA", "caf", kAudioFormatAppleIMA4, .caf),
    .init("caf of MP3", "caf", kAudioFormatMPEGLayer3, .caf),
    .init("caf of Opus", "caf", kAudioFormatOpus, .caf),
    .init("caf of Vorbis", "caf", vorbis, .caf), .init("au", .next), .init("flac", .flac),
    .init("ogg"), .init("ogg of FLAC", "ogg", kAudioFormatFLAC), .init("opus"),
    .init("mp3", .mp3), .init("m4a"), .init("mov", "m4a", isOptimized: true, .movie),
    .init("m4a of ALAC", "m4a", kAudioFormatAppleLossless, isOptimized: true, .movie),
    .init("mp4 of FLAC", "mp4", kAudioFormatFLAC, isOptimized: true, .movie),
    .init("mp4 of MP3", "mp4", kAudioFormatMPEGLayer3, isOptimized: true, .movie),
    .init("mp4 of Opus", "mp4", kAudioFormatOpus, isOptimized: true, .movie), .init("aac"),
  ]

  /// The names of the kinds.
  package static let kinds = all.map(\.name)

  /// The kind with this name.
  package static func kind(_ name: String) -> Kind {
    guard let kind = all.first(where: { $0.name == name }) else {
      preconditionFailure("there is no kind \(name)")
    }
    return kind
  }

  /// Vorbis, for which Apple's headers have no constant.
  private static let vorbis: AudioFormatID = 0x766F_7262
}

extension SoundCorpus.Kind {
  /// A kind whose name is its extension, with its usual codec.
  fileprivate init(_ name: String, bits: Int? = nil, _ size: SoundCorpus.SizeField) {
    self.init(name, nil, nil, bits: bits, isOptimized: false, size)
  }
}
