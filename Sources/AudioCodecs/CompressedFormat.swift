// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A compressed format, declared once: its packets, its decoders and its encoders.
public struct CompressedFormat: Sendable {
  /// The decoders and encoders.
  enum Codec: Sendable {
    case law(Law)
    case ima4
    case flac
    /// Names in libavcodec, in order of preference.
    case library(decoders: [String], encoders: [String])
    /// Names in libavcodec of decoders for packets of one size, which the stream states.
    case blocks([String])
  }

  /// Its identifier.
  public let id: AudioFormatID
  /// The display name.
  public let name: String
  let codec: Codec
  /// Whether decoding restores the encoder's input exactly.
  public let isLossless: Bool
  /// The sample rates that can be encoded; empty for any.
  public let sampleRates: [Double]
  /// The channel counts that can be encoded.
  public let channelCounts: ClosedRange<Int>
  /// The available bit rates for each channel; nil when there is no choice.
  public let bitRates: ClosedRange<Int>?
  let defaultBitRate: Int
  /// The available bit rate modes, `kAudioCodecBitRateControlMode_`, the default first.
  public let rateModes: [UInt32]
  /// Whether a quality controls the variable bit rate.
  public let hasVariableQuality: Bool
  /// Whether a shorter delay than the default is available.
  public let hasShortDelay: Bool

  init(
    _ id: AudioFormatID, _ name: String, _ codec: Codec, isLossless: Bool = false,
    sampleRates: [Double] = [], channels: ClosedRange<Int>, bitRates: ClosedRange<Int>? = nil,
    defaultBitRate: Int = 0, rateModes: [UInt32] = [], hasVariableQuality: Bool = false,
    hasShortDelay: Bool = false
  ) {
    self.id = id
    self.name = name
    self.codec = codec
    self.isLossless = isLossless
    self.sampleRates = sampleRates
    channelCounts = channels
    self.bitRates = bitRates
    self.defaultBitRate = defaultBitRate
    self.rateModes = rateModes
    self.hasVariableQuality = hasVariableQuality
    self.hasShortDelay = hasShortDelay
  }

  /// The default bit rate; 0 for lossless formats.
  public func defaultBitRate(channels: Int) -> Int { defaultBitRate * channels }

  /// The sample rates that can be encoded, in the interface's form.
  public var sampleRateRanges: [AudioValueRange] {
    guard !sampleRates.isEmpty else { return [AudioValueRange(mMinimum: 1, mMaximum: 655_350)] }
    return sampleRates.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
  }

  /// The format with this identifier; nil when there is no codec for it.
  public static func of(_ id: AudioFormatID) -> CompressedFormat? { all.first { $0.id == id } }

  /// Whether sound may end within a packet, as in Ogg and FLAC: the description of the packet then says
  /// how many of its frames are sound. Other packets overlap with the next one, and a table of the file
  /// counts frames.
  public var mayEndWithinPacket: Bool {
    [kAudioFormatFLAC, kAudioFormatOpus, Self.vorbis].contains(id)
  }

  /// [control thread] Whether there is a decoder on this machine.
  public var canDecode: Bool {
    decoders.map { LibAVCodec.has($0, isEncoder: false) } ?? true
  }

  /// [control thread] Whether there is an encoder on this machine.
  public var canEncode: Bool {
    encoders.map { LibAVCodec.has($0, isEncoder: true) } ?? true
  }

  /// Names of decoders in libavcodec; nil when the library has its own.
  var decoders: [String]? {
    switch codec {
    case .law, .ima4, .flac: nil
    case .library(let decoders, _), .blocks(let decoders): decoders
    }
  }

  /// Names of encoders in libavcodec; nil when the library has its own.
  var encoders: [String]? {
    switch codec {
    case .law, .ima4, .flac: nil
    case .library(_, let encoders): encoders
    case .blocks: []
    }
  }

  /// Whether every stream is decoded at the same rate.
  public var hasOneDecodedRate: Bool { id == kAudioFormatOpus }

  /// The maker of the decoder or the encoder, for display.
  public func maker(isEncoder: Bool) -> String {
    (isEncoder ? encoders : decoders) == nil ? "swift-audiotoolbox" : "libavcodec"
  }

  /// Whether packets differ in size, so that each needs a description.
  public var isVariable: Bool {
    switch codec {
    case .library, .flac: true
    case .law, .ima4, .blocks: false
    }
  }

  /// Frames per packet; 0 when packets differ.
  public func framesPerPacket(at rate: Double) -> Int {
    switch id {
    case kAudioFormatULaw, kAudioFormatALaw: 1
    case kAudioFormatAppleIMA4: IMA4Channel.packetFrames
    case kAudioFormatMPEGLayer1: 384
    case kAudioFormatMPEGLayer2: 1_152
    case kAudioFormatAC3, kAudioFormatEnhancedAC3: 1_536
    case kAudioFormatMicrosoftGSM: 320
    case Self.gsm: 160
    case kAudioFormatMPEGLayer3: rate > 0 && rate < 32_000 ? 576 : 1_152
    case kAudioFormatMPEG4AAC: 1_024
    case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: 512
    case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2_048
    case kAudioFormatAppleLossless: 4_096
    case kAudioFormatFLAC: Self.flacFrames(at: rate)
    case kAudioFormatOpus:
      FormatLimits.contains(sampleRate: rate) ? Int(saturating: rate) / 50 : 960
    default: 0
    }
  }

  /// Frames that the encoder puts into a packet: the largest standard size of at most 105 ms.
  private static func flacFrames(at rate: Double) -> Int {
    let most = rate > 0 ? rate * 0.105 : 4_630
    let sizes = [
      192, 256, 512, 576, 1_024, 1_152, 2_048, 2_304, 4_096, 4_608, 8_192, 16_384, 32_768,
    ]
    return sizes.last { Double($0) <= most } ?? 192
  }

  /// Bytes per packet; 0 when packets differ, or only the stream states their size.
  public func bytesPerPacket(channels: Int) -> Int {
    switch codec {
    case .law: channels
    case .ima4: IMA4Channel.packetSize * channels
    case .library, .flac, .blocks: 0
    }
  }

  /// Whether packets have one size that differs from stream to stream.
  public var hasBlocks: Bool {
    if case .blocks = codec { true } else { false }
  }

  /// [any thread] Throws for numbers that no stream has; zero stands for a missing number.
  public func check(_ format: AudioStreamBasicDescription) throws(AudioError) {
    let rate = format.mSampleRate
    guard rate == 0 || FormatLimits.contains(sampleRate: rate) else {
      throw .codecFormat.because(
        "\(name): \(rate) Hz; the sample rate must be above 0 and below 3,000,000 Hz")
    }
    guard format.mChannelsPerFrame <= FormatLimits.channelCount else {
      throw .codecFormat.because(
        "\(name): \(format.mChannelsPerFrame) channels; expected at most 1,024")
    }
    guard format.mFramesPerPacket <= FormatLimits.packetFrames else {
      throw .codecFormat.because(
        "\(name): \(format.mFramesPerPacket) frames per packet; expected at most "
          + "\(FormatLimits.packetFrames)")
    }
  }

  /// Fills in every field that follows from rate, channels and identifier.
  public func complete(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    var format = format
    let channels = Int(format.mChannelsPerFrame)
    let frames = UInt32(clamping: framesPerPacket(at: format.mSampleRate))
    // The stream's own packet description has priority over the defaults.
    let isStated = isVariable || hasBlocks
    if format.mFramesPerPacket == 0 || !isStated { format.mFramesPerPacket = frames }
    if !hasBlocks {
      format.mBytesPerPacket = UInt32(clamping: bytesPerPacket(channels: channels))
    }
    format.mBytesPerFrame = 0
    if case .law = codec {
      format.mBytesPerFrame = format.mBytesPerPacket
      format.mBitsPerChannel = 8
    } else {
      format.mBitsPerChannel = 0
    }
    if id == kAudioFormatMPEG4AAC, format.mFormatFlags == 0 {
      format.mFormatFlags = UInt32(clamping: MPEG4ObjectID.AAC_LC.rawValue)
    }
    format.mReserved = 0
    return format
  }
}
