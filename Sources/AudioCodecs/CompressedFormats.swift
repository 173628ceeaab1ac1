// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioCodecs
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension CompressedFormat {
  /// Vorbis. Apple's headers have no constant for it; 'vorb' is its code in files.
  public static let vorbis: AudioFormatID = 0x766F_7262

  /// Microsoft ADPCM; Apple's headers have no constant for it. 'ms' and the format's number in
  /// WAV files.
  public static let microsoftADPCM: AudioFormatID = 0x6D73_0002

  /// GSM 6.10 in packets of 160 frames, as QuickTime has it; Apple's headers have no constant for
  /// it. 'agsm' is its code in files.
  public static let gsm: AudioFormatID = 0x6167_736D

  private static let constant = UInt32(kAudioCodecBitRateControlMode_Constant)
  private static let average = UInt32(kAudioCodecBitRateControlMode_LongTermAverage)
  private static let constrained = UInt32(kAudioCodecBitRateControlMode_VariableConstrained)
  private static let variable = UInt32(kAudioCodecBitRateControlMode_Variable)

  /// Quality 3 of 10, which oggenc has as its default, too.
  private static let vorbisQuality = 38

  private static let aacRates: [Double] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]

  /// Every format that has a codec.
  public static let all: [CompressedFormat] = [
    .init(
      kAudioFormatMPEG4AAC, "MPEG-4 AAC", .library(decoders: ["aac"], encoders: ["aac"]),
      sampleRates: aacRates, channels: 1...6, bitRates: 8_000...256_000, defaultBitRate: 64_000,
      rateModes: [average, constant, variable], hasVariableQuality: true),
    .init(
      kAudioFormatMPEG4AAC_HE, "MPEG-4 HE-AAC", .library(decoders: ["aac"], encoders: []),
      channels: 1...8),
    .init(
      kAudioFormatMPEG4AAC_HE_V2, "MPEG-4 HE-AAC v2", .library(decoders: ["aac"], encoders: []),
      channels: 1...2),
    .init(
      kAudioFormatMPEG4AAC_LD, "MPEG-4 AAC-LD", .library(decoders: ["aac"], encoders: []),
      channels: 1...8),
    .init(
      kAudioFormatMPEG4AAC_ELD, "MPEG-4 AAC-ELD", .library(decoders: ["aac"], encoders: []),
      channels: 1...8),
    .init(
      kAudioFormatMPEGLayer3, "MPEG Layer 3",
      .library(decoders: ["mp3float", "mp3"], encoders: ["libmp3lame"]),
      sampleRates: [
        8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
      ], channels: 1...2, bitRates: 8_000...320_000, defaultBitRate: 64_000,
      rateModes: [constant, average, variable], hasVariableQuality: true),
    .init(
      kAudioFormatMPEGLayer2, "MPEG Layer 2",
      .library(decoders: ["mp2float", "mp2"], encoders: []), channels: 1...2),
    .init(
      kAudioFormatMPEGLayer1, "MPEG Layer 1",
      .library(decoders: ["mp1float", "mp1"], encoders: []), channels: 1...2),
    .init(
      kAudioFormatAC3, "AC-3", .library(decoders: ["ac3"], encoders: []), channels: 1...6),
    .init(
      kAudioFormatEnhancedAC3, "Enhanced AC-3", .library(decoders: ["eac3"], encoders: []),
      channels: 1...8),
    .init(
      kAudioFormatAppleLossless, "Apple Lossless",
      .library(decoders: ["alac"], encoders: ["alac"]), isLossless: true, channels: 1...8),
    .init(
      kAudioFormatFLAC, "FLAC", .flac, isLossless: true, channels: 1...8),
    .init(
      // libavcodec's own decoder takes two thirds of the time of libopus.
      kAudioFormatOpus, "Opus", .library(decoders: ["opus", "libopus"], encoders: ["libopus"]),
      sampleRates: [8_000, 12_000, 16_000, 24_000, 48_000], channels: 1...8,
      bitRates: 6_000...256_000, defaultBitRate: 64_000,
      rateModes: [variable, constant, constrained],
      hasShortDelay: true),
    .init(
      vorbis, "Vorbis", .library(decoders: ["vorbis", "libvorbis"], encoders: ["libvorbis"]),
      sampleRates: [
        8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 192_000,
      ],
      channels: 1...8, bitRates: 8_000...240_000, defaultBitRate: 80_000,
      rateModes: [average, constant, variable], hasVariableQuality: true),
    .init(kAudioFormatAppleIMA4, "IMA 4:1", .ima4, channels: 1...FormatLimits.channelCount),
    .init(
      kAudioFormatDVIIntelIMA, "DVI 4-bit ADPCM", .blocks(["adpcm_ima_wav"]), channels: 1...2),
    .init(microsoftADPCM, "Microsoft ADPCM", .blocks(["adpcm_ms"]), channels: 1...2),
    .init(
      kAudioFormatMicrosoftGSM, "Microsoft GSM", .blocks(["libgsm_ms", "gsm_ms"]),
      channels: 1...1),
    .init(gsm, "GSM 6.10", .blocks(["libgsm", "gsm"]), channels: 1...1),
    .init(kAudioFormatULaw, "\u{B5}Law 2:1", .law(.mu), channels: 1...FormatLimits.channelCount),
    .init(kAudioFormatALaw, "aLaw 2:1", .law(.a), channels: 1...FormatLimits.channelCount),
  ]

  /// The output format of a decoder.
  public func decodedFormat(_ format: AudioStreamBasicDescription) throws(AudioError)
    -> StreamFormat
  {
    let sample: StreamFormat.Sample
    switch codec {
    case .law, .ima4: sample = .int16
    case .library, .flac, .blocks: sample = isLossless ? .int32 : .float32
    }
    let (rate, channels) = (format.mSampleRate, Int(format.mChannelsPerFrame))
    do {
      // Opus is always decoded at 48 kHz.
      return try .interleaved(
        sample, rate: id == kAudioFormatOpus ? 48_000 : rate, channels: channels)
    } catch {
      throw .codecFormat.because("\(name), decoded: \(error.explanation)")
    }
  }

  /// [control thread] Throws when there is no decoder, or no encoder, on this machine.
  public func require(encoder isEncoder: Bool) throws(AudioError) {
    guard let names = isEncoder ? encoders : decoders else { return }
    guard !names.isEmpty else { throw .codecFormat.because("\(name) can only be decoded") }
    if let reason = LibAVCodec.reason({ libav_open($0, $1) }) {
      throw .codecFormat.because("\(name): \(reason)")
    }
    guard LibAVCodec.has(names, isEncoder: isEncoder) else {
      throw .codecFormat.because(
        "\(name): the installed libavcodec has no "
          + "\(isEncoder ? "encoder" : "decoder") \(names.joined(separator: " or "))")
    }
  }

  /// Bytes of the largest packet that is to be expected.
  public func largestPacketSize(_ format: AudioStreamBasicDescription) -> Int {
    let channels = max(1, Int(format.mChannelsPerFrame))
    let frames = max(1, framesPerPacket(at: format.mSampleRate), Int(format.mFramesPerPacket))
    switch id {
    case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
      kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD:
      return 768 * channels
    case kAudioFormatMPEGLayer3: return 2_881
    case kAudioFormatOpus: return 1_277 * channels
    default:
      let constant = bytesPerPacket(channels: channels)
      return constant > 0 ? constant : isLossless ? frames * channels * 4 + 64 : 8_192 * channels
    }
  }

  /// [control thread] Creates a decoder. `cookie` is the file's setup data for decoders.
  public func decoder(_ format: AudioStreamBasicDescription, cookie: [UInt8]) throws(AudioError)
    -> any PacketDecoder
  {
    let (rate, channels) = (format.mSampleRate, Int(format.mChannelsPerFrame))
    guard (1...FormatLimits.channelCount).contains(channels), rate >= 1,
      FormatLimits.contains(sampleRate: rate)
    else {
      throw .codecFormat.because(
        "\(name): \(channels) channels at \(rate) Hz cannot be decoded")
    }
    switch codec {
    case .law(let law): return try LawDecoder(law, rate: rate, channels: channels)
    case .ima4: return try IMA4Decoder(rate: rate, channels: channels)
    case .flac: return try FLACPacketDecoder(rate: rate, channels: channels, cookie: cookie)
    case .blocks(let decoders):
      var stream = LibAVCodec.Stream(name: name, codecs: decoders, rate: rate, channels: channels)
      stream.blockBytes = Int(format.mBytesPerPacket)
      stream.bits = 4
      stream.setup = cookie
      return try LibAVPacketDecoder(stream, leadingFrames: 0)
    case .library(let decoders, _):
      var stream = LibAVCodec.Stream(name: name, codecs: decoders, rate: rate, channels: channels)
      stream.isLossless = isLossless
      var leadingFrames = 0
      switch id {
      case kAudioFormatMPEG4AAC:
        // Without the extension, which a file offers as a format of its own.
        let config = MagicCookies.audioSpecificConfig(cookie)
        stream.setup = AudioSpecificConfig(config)?.coreConfig ?? config
      case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatMPEG4AAC_LD,
        kAudioFormatMPEG4AAC_ELD:
        stream.setup = MagicCookies.audioSpecificConfig(cookie)
      case kAudioFormatAppleLossless:
        stream.setup = MagicCookies.losslessAtom(
          MagicCookies.losslessConfig(cookie)
            ?? Self.losslessConfig(format, frames: framesPerPacket(at: rate)))
      case kAudioFormatOpus:
        // Opus is always decoded at 48 kHz.
        stream.rate = 48_000
        if let head = MagicCookies.opusHead(cookie) {
          leadingFrames = MagicCookies.preSkip(head)
          stream.setup = head
          // The converter drops these frames, not libavcodec, so that a program can override them.
          stream.setup.replaceSubrange(10..<12, with: [0, 0])
        }
      default:
        stream.setup = cookie
      }
      return try LibAVPacketDecoder(stream, leadingFrames: leadingFrames)
    }
  }

  /// The configuration of Apple Lossless for a stream without a cookie.
  private static func losslessConfig(_ format: AudioStreamBasicDescription, frames: Int) -> [UInt8]
  {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let frames = format.mFramesPerPacket > 0 ? Int(format.mFramesPerPacket) : frames
    var config = number(frames, 4)
    config += [0, UInt8(clamping: losslessBits(format)), 40, 10, 14]
    config += [UInt8(clamping: format.mChannelsPerFrame), 0, 255]
    config += number(0, 4)
    config += number(0, 4)
    return config + number(Int(saturating: format.mSampleRate), 4)
  }

  /// The source's bit depth, from the flags of a lossless format.
  public static func losslessBits(_ format: AudioStreamBasicDescription) -> Int {
    switch format.mFormatFlags {
    case AudioFormatFlags(kAppleLosslessFormatFlag_20BitSourceData): 20
    case AudioFormatFlags(kAppleLosslessFormatFlag_24BitSourceData): 24
    case AudioFormatFlags(kAppleLosslessFormatFlag_32BitSourceData): 32
    default: 16
    }
  }

  /// [control thread] Creates an encoder.
  public func encoder(_ format: AudioStreamBasicDescription, _ settings: EncoderSettings)
    throws(AudioError) -> any PacketEncoder
  {
    let (rate, channels) = (format.mSampleRate, Int(format.mChannelsPerFrame))
    guard channelCounts.contains(channels) else {
      throw .codecFormat.because(
        "\(name): \(channels) channels; \(channelCounts.lowerBound) to "
          + "\(channelCounts.upperBound) are encoded")
    }
    guard rate >= 1, FormatLimits.contains(sampleRate: rate),
      sampleRates.isEmpty || sampleRates.contains(rate)
    else {
      throw AudioError(status: kAudioConverterErr_OutputSampleRateOutOfRange).because(
        "\(name): \(rate) Hz; possible are "
          + sampleRates.map { "\(Int(saturating: $0))" }.joined(separator: ", "))
    }
    switch codec {
    case .law(let law): return try LawEncoder(law, rate: rate, channels: channels)
    case .ima4: return try IMA4Encoder(rate: rate, channels: channels)
    case .blocks: throw .codecFormat.because("\(name) can only be decoded")
    case .flac: return try flacEncoder(rate: rate, channels: channels, settings)
    case .library(_, let encoders):
      guard !encoders.isEmpty else { throw .codecFormat.because("\(name) can only be decoded") }
      var stream = LibAVCodec.Stream(name: name, codecs: encoders, rate: rate, channels: channels)
      stream.isLossless = isLossless
      stream.bits = isLossless ? (settings.bits > 16 ? 24 : 16) : 0
      stream.bitRate =
        isLossless ? 0 : settings.bitRate > 0 ? settings.bitRate : defaultBitRate * channels
      stream.settings = settings
      if id == Self.vorbis, settings.bitRate == 0, settings.rateMode == nil {
        // Vorbis has a quality at every rate, but no bit rate that all rates have in common.
        stream.settings.rateMode = Self.variable
        stream.settings.variableQuality = Self.vorbisQuality
      }
      let (id, bitRate) = (id, stream.bitRate)
      let cookie: ([UInt8]) -> [UInt8] = { setup in
        switch id {
        case kAudioFormatMPEG4AAC: MagicCookies.elementaryStream(setup, bitRate: bitRate)
        case kAudioFormatAppleLossless: MagicCookies.losslessConfig(setup) ?? setup
        default: setup
        }
      }
      guard settings.threads > 1, isLossless else {
        return try LibAVPacketEncoder(stream, cookie: cookie)
      }
      return ParallelPacketEncoder(
        try (0..<settings.threads).map { _ throws(AudioError) in
          try LibAVPacketEncoder(stream, cookie: cookie)
        })
    }
  }

  /// The highest sample rate that the header of FLAC can state in every frame.
  private static let flacRate = 655_350.0

  private func flacEncoder(
    rate: Double, channels: Int, _ settings: EncoderSettings
  ) throws(AudioError) -> any PacketEncoder {
    guard rate <= Self.flacRate else {
      throw AudioError(status: kAudioConverterErr_OutputSampleRateOutOfRange).because(
        "\(name): \(rate.plainText) Hz; possible are up to \(Self.flacRate.plainText)")
    }
    let setup = FLACEncoderSetup(
      rate: Int32(saturating: rate), channels: Int32(clamping: channels),
      bits: settings.bits > 16 ? 24 : 16, frames: Int32(clamping: framesPerPacket(at: rate)),
      quality: Int32(clamping: settings.quality))
    let threads = settings.threads
    guard threads > 1 else { return try FLACPacketEncoder(setup) }
    return ParallelPacketEncoder(
      try (0..<threads).map { index throws(AudioError) in
        try FLACPacketEncoder(setup, part: (index, threads))
      }, information: FLACStreamInformation(setup))
  }
}
