// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// How sound files are converted.
struct ConversionSettings: Sendable {
  /// The noise that hides the loss of bits.
  enum Dither: String, CaseIterable, Sendable {
    case none, triangular, shaped

    var value: UInt32 {
      switch self {
      case .none: 0
      case .triangular: 1
      case .shaped: 2
      }
    }
  }

  /// The codec; the usual one follows from the file type.
  enum Codec: String, CaseIterable, Sendable {
    case pcm, alac, flac, aac, mp3, opus, vorbis, ima4, ulaw, alaw

    var id: AudioFormatID {
      switch self {
      case .pcm: kAudioFormatLinearPCM
      case .alac: kAudioFormatAppleLossless
      case .flac: kAudioFormatFLAC
      case .aac: kAudioFormatMPEG4AAC
      case .mp3: kAudioFormatMPEGLayer3
      case .opus: kAudioFormatOpus
      case .vorbis: 0x766F_7262  // 'vorb'
      case .ima4: kAudioFormatAppleIMA4
      case .ulaw: kAudioFormatULaw
      case .alaw: kAudioFormatALaw
      }
    }
  }

  /// The choices of --bits; floating point is negative.
  static let bits: [String: Int] = [
    "8": 8, "16": 16, "24": 24, "32": 32, "32f": -32, "64f": -64,
  ]

  var sampleRate: Double?
  var bits: Int?
  var channelCount: Int?
  /// How much of the channel for low-frequency effects fewer channels get; linear.
  var lowFrequencyGain: Float = 0
  var quality = ConversionQuality.mastering
  var dither = Dither.triangular
  /// The changes to the sound.
  var edit = Edit()
  /// The format of an input without a header; nil: the files say it themselves.
  var rawInput: RawFormat?
  /// The samples of an output without a header; nil: the extension chooses a file type.
  var rawOutput: RawFormat?
  /// The kind of a file whose name does not say it, such as a pipe; nil: WAV.
  var kind: SoundFileKind?
  var codec: Codec?
  /// Kilobits per second.
  var bitRate: Int?
  /// Percent.
  var variableQuality: Int?
  var copiesMetadata = true
  /// Metadata that is set, whether or not that of the input is copied.
  var metadata = MetadataEdit()
  /// On how many threads a file is encoded, if its codec allows that.
  var threads = 1
  /// Whether each file is on the disk before it gets its name.
  var isSynchronized = false

  /// How a file is written.
  ///
  /// - Throws: If the file type does not support a setting.
  func encoding(for path: String) throws(Failure) -> SoundFileEncoding {
    var encoding: SoundFileEncoding
    do { encoding = try SoundFileEncoding(path: path, kind: kind, codec: codec?.id) } catch {
      throw Failure(error.explanation, error.status)
    }
    if let bits {
      do { try encoding.setBits(bits) } catch { throw Failure(error.explanation, error.status) }
    }
    guard bitRate == nil || variableQuality == nil else {
      throw Failure("\(path): --bitrate and --vbr exclude each other")
    }
    if let sampleRate, encoding.sampleRate(for: sampleRate) != sampleRate {
      let rate = Int(saturating: encoding.sampleRate(for: sampleRate))
      throw Failure("\(path): --rate: the codec does not have this rate; the nearest is \(rate)")
    }
    encoding.bitRate = bitRate.map { $0 * 1_000 }
    encoding.variableQuality = variableQuality.map { $0 * 127 / 100 }
    encoding.dither = dither.value
    encoding.threads = threads
    encoding.isSynchronized = isSynchronized
    return encoding
  }
}
