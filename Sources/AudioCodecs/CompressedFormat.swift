// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A compressed format, declared once: what its packets are, and who decodes and encodes them.
public struct CompressedFormat: Sendable {
  /// Who decodes and encodes.
  enum Codec: Sendable {
    case law(Law)
    case ima4
    /// The library's names, the best one first.
    case library(decoders: [String], encoders: [String])
  }

  /// Its identifier.
  public let id: AudioFormatID
  /// What people read.
  public let name: String
  let codec: Codec
  /// Whether a decoder gives what the encoder was given.
  let isLossless: Bool
  /// The rates that are encoded; empty for any.
  public let sampleRates: [Double]
  /// The numbers of channels that are encoded.
  public let channelCounts: ClosedRange<Int>
  /// Bits per second for each channel, and those that are chosen; nil where they cannot be chosen.
  public let bitRates: ClosedRange<Int>?
  let usualBitRate: Int
  /// Ways to spend bits that can be chosen, `kAudioCodecBitRateControlMode_`, the usual one first.
  public let rateModes: [UInt32]
  /// Whether a quality decides about the bits where their rate is variable.
  public let hasVariableQuality: Bool
  /// Whether there is a smaller delay than the usual one.
  public let hasShortDelay: Bool

  init(
    _ id: AudioFormatID, _ name: String, _ codec: Codec, isLossless: Bool = false,
    sampleRates: [Double] = [], channels: ClosedRange<Int>, bitRates: ClosedRange<Int>? = nil,
    usualBitRate: Int = 0, rateModes: [UInt32] = [], hasVariableQuality: Bool = false,
    hasShortDelay: Bool = false
  ) {
    self.id = id
    self.name = name
    self.codec = codec
    self.isLossless = isLossless
    self.sampleRates = sampleRates
    channelCounts = channels
    self.bitRates = bitRates
    self.usualBitRate = usualBitRate
    self.rateModes = rateModes
    self.hasVariableQuality = hasVariableQuality
    self.hasShortDelay = hasShortDelay
  }

  /// Bits per second that are encoded when nothing else is requested; 0 where nothing is lost.
  public func usualBitRate(channels: Int) -> Int { usualBitRate * channels }

  /// The rates that are encoded, as the interface tells them.
  public var sampleRateRanges: [AudioValueRange] {
    guard !sampleRates.isEmpty else { return [AudioValueRange(mMinimum: 1, mMaximum: 655_350)] }
    return sampleRates.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
  }

  /// The row of a format; nil for one that has no codec here.
  public static func of(_ id: AudioFormatID) -> CompressedFormat? { all.first { $0.id == id } }

  /// [control thread] Whether there is a decoder on this machine.
  public var canDecode: Bool {
    guard case .library(let decoders, _) = codec else { return true }
    return LibAVCodec.has(decoders, isEncoder: false)
  }

  /// [control thread] Whether there is an encoder on this machine.
  public var canEncode: Bool {
    guard case .library(_, let encoders) = codec else { return true }
    return LibAVCodec.has(encoders, isEncoder: true)
  }

  /// Whether all streams are decoded at one rate.
  public var hasOneDecodedRate: Bool { id == kAudioFormatOpus }

  /// Who decodes and encodes, as people read it.
  public var maker: String {
    guard case .library = codec else { return "swift-audiotoolbox" }
    return "libavcodec"
  }

  /// Whether packets differ in size, so that each needs a description.
  public var isVariable: Bool {
    if case .library = codec { true } else { false }
  }

  /// Frames of each packet; 0 where packets differ.
  public func framesPerPacket(at rate: Double) -> Int {
    switch id {
    case kAudioFormatULaw, kAudioFormatALaw: 1
    case kAudioFormatAppleIMA4: IMA4Channel.packetFrames
    case kAudioFormatMPEGLayer3: rate > 0 && rate < 32_000 ? 576 : 1_152
    case kAudioFormatMPEG4AAC: 1_024
    case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2_048
    case kAudioFormatAppleLossless: 4_096
    case kAudioFormatFLAC: Self.flacFrames(at: rate)
    case kAudioFormatOpus: rate > 0 ? Int(rate) / 50 : 960
    default: 0
    }
  }

  /// Frames that the library's encoder puts into a packet: the largest usual size of at most 105 ms.
  private static func flacFrames(at rate: Double) -> Int {
    let most = rate > 0 ? rate * 0.105 : 4_630
    let sizes = [
      192, 256, 512, 576, 1_024, 1_152, 2_048, 2_304, 4_096, 4_608, 8_192, 16_384, 32_768,
    ]
    return sizes.last { Double($0) <= most } ?? 192
  }

  /// Bytes of each packet; 0 where packets differ.
  public func bytesPerPacket(channels: Int) -> Int {
    switch codec {
    case .law: channels
    case .ima4: IMA4Channel.packetSize * channels
    case .library: 0
    }
  }

  /// A description with all that follows from rate, channels and identifier.
  public func complete(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    var format = format
    let channels = Int(format.mChannelsPerFrame)
    let frames = UInt32(framesPerPacket(at: format.mSampleRate))
    // What a stream says of its packets goes before what is usual.
    if format.mFramesPerPacket == 0 || !isVariable { format.mFramesPerPacket = frames }
    format.mBytesPerPacket = UInt32(bytesPerPacket(channels: channels))
    format.mBytesPerFrame = 0
    if case .law = codec {
      format.mBytesPerFrame = format.mBytesPerPacket
      format.mBitsPerChannel = 8
    } else {
      format.mBitsPerChannel = 0
    }
    if id == kAudioFormatMPEG4AAC, format.mFormatFlags == 0 {
      format.mFormatFlags = UInt32(MPEG4ObjectID.AAC_LC.rawValue)
    }
    format.mReserved = 0
    return format
  }
}
