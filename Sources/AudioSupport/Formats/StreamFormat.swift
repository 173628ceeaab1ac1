// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// A linear PCM format that is known to be consistent.
///
/// The corresponding C type is `AudioStreamBasicDescription`, whose flags it keeps, so that a
/// format reads back as it was set.
public struct StreamFormat: Equatable, Sendable {
  /// Frames per second.
  public var sampleRate: Double
  public let channelCount: Int
  /// Bits of one sample that carry signal.
  public let bitsPerChannel: Int
  /// Bytes of one sample, padding included.
  public let bytesPerSample: Int
  public let flags: AudioFormatFlags

  /// Planar native Float32, the format of kernels.
  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    bitsPerChannel = 32
    bytesPerSample = 4
    flags = AudioFormatFlags(kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
  }

  /// The format that a new element has: 44,100 Hz, stereo, planar Float32.
  public static let standard = StreamFormat(sampleRate: 44_100, channelCount: 2)

  /// Checks a description. `mReserved` is ignored; the packed flag may be missing although the
  /// samples are packed.
  public init(_ description: AudioStreamBasicDescription) throws(AudioError) {
    let text = Self.describe(description)
    func refuse(_ reason: String) -> AudioError {
      .formatNotSupported.because("\(text): \(reason)")
    }
    guard description.mFormatID == kAudioFormatLinearPCM else {
      throw refuse("expected linear PCM ('lpcm')")
    }
    guard FormatLimits.contains(sampleRate: description.mSampleRate) else {
      throw refuse("the sample rate must be above 0 and below 3,000,000 Hz")
    }
    guard (1...FormatLimits.channelCount).contains(Int(description.mChannelsPerFrame)) else {
      throw refuse("expected 1 to 1,024 channels")
    }
    guard description.mFramesPerPacket == 1 else {
      throw refuse("linear PCM has 1 frame per packet, not \(description.mFramesPerPacket)")
    }
    guard description.mBytesPerPacket == description.mBytesPerFrame else {
      throw refuse(
        "\(description.mBytesPerPacket) bytes per packet but \(description.mBytesPerFrame) "
          + "bytes per frame; they must be equal")
    }
    let flags = description.mFormatFlags
    let isPlanar = flags & AudioFormatFlags(kAudioFormatFlagIsNonInterleaved) != 0
    let samplesPerFrame = isPlanar ? 1 : description.mChannelsPerFrame
    guard description.mBytesPerFrame > 0, description.mBytesPerFrame % samplesPerFrame == 0 else {
      throw refuse(
        "\(description.mBytesPerFrame) bytes per frame cannot hold \(samplesPerFrame) samples")
    }
    let bytes = description.mBytesPerFrame / samplesPerFrame
    guard bytes <= 8 else { throw refuse("there are no samples of \(bytes) bytes") }
    guard description.mBitsPerChannel >= 1, description.mBitsPerChannel <= bytes * 8 else {
      throw refuse("\(description.mBitsPerChannel) bits do not fit into \(bytes) bytes")
    }
    let isFloat = flags & AudioFormatFlags(kAudioFormatFlagIsFloat) != 0
    if isFloat {
      guard bytes == 4 || bytes == 8, description.mBitsPerChannel == bytes * 8 else {
        throw refuse("float samples have 32 or 64 bits that fill their bytes")
      }
    } else {
      guard bytes <= 4, description.mBitsPerChannel >= 8 else {
        throw refuse("integer samples have 8 to 32 bits in 1 to 4 bytes")
      }
      let isPacked = flags & AudioFormatFlags(kAudioFormatFlagIsPacked) != 0
      guard !isPacked || description.mBitsPerChannel == bytes * 8 else {
        throw refuse("packed samples fill their \(bytes) bytes")
      }
    }
    sampleRate = description.mSampleRate
    channelCount = Int(description.mChannelsPerFrame)
    bitsPerChannel = Int(description.mBitsPerChannel)
    bytesPerSample = Int(bytes)
    self.flags = flags
  }

  /// The description as C sees it.
  public var description: AudioStreamBasicDescription {
    .init(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: UInt32(bytesPerFrame), mFramesPerPacket: 1,
      mBytesPerFrame: UInt32(bytesPerFrame), mChannelsPerFrame: UInt32(channelCount),
      mBitsPerChannel: UInt32(bitsPerChannel), mReserved: 0)
  }

  /// The flags for samples and the layout of channels.
  public var isFloat: Bool { has(kAudioFormatFlagIsFloat) }
  public var isBigEndian: Bool { has(kAudioFormatFlagIsBigEndian) }
  public var isSignedInteger: Bool { has(kAudioFormatFlagIsSignedInteger) }
  public var isAlignedHigh: Bool { has(kAudioFormatFlagIsAlignedHigh) }
  public var isInterleaved: Bool { !has(kAudioFormatFlagIsNonInterleaved) }
  /// How many bits of an integer sample are after the binary point; 24 in 8.24.
  public var fractionBits: Int { Int(flags >> 7 & 0x3F) }

  /// Whether it is native Float32 with one buffer per channel (or one channel).
  public var isPlanarFloat: Bool {
    isFloat && bytesPerSample == 4 && !isBigEndian && (channelCount == 1 || !isInterleaved)
  }

  /// How many buffers a buffer list of this format has.
  public var bufferCount: Int { isInterleaved ? 1 : channelCount }
  /// Channels in each of these buffers.
  public var channelsPerBuffer: Int { isInterleaved ? channelCount : 1 }
  /// Bytes of one frame in one of these buffers.
  public var bytesPerFrame: Int { bytesPerSample * channelsPerBuffer }

  private func has(_ flag: AudioFormatFlags) -> Bool { flags & flag != 0 }
}

extension StreamFormat {
  /// Any format for display: "44,100 Hz, 2 channels, Float32, planar".
  public static func describe(_ format: AudioStreamBasicDescription) -> String {
    let rate =
      format.mSampleRate == format.mSampleRate.rounded() && abs(format.mSampleRate) < 1e9
      ? grouped(Int(format.mSampleRate)) : "\(format.mSampleRate)"
    let channels = format.mChannelsPerFrame
    let flags = format.mFormatFlags
    guard format.mFormatID == kAudioFormatLinearPCM else {
      return "\(rate) Hz, \(channels) channel\(channels == 1 ? "" : "s"), "
        + "'\(FourCharacterCode(format.mFormatID))'"
    }
    let isFloat = flags & kAudioFormatFlagIsFloat != 0
    let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
    var kind = (isFloat ? "Float" : isSigned ? "Int" : "UInt") + "\(format.mBitsPerChannel)"
    let fraction = flags >> 7 & 0x3F
    if !isFloat, fraction > 0 {
      kind = "\(Int(format.mBitsPerChannel) - Int(fraction)).\(fraction) fixed"
    }
    if flags & kAudioFormatFlagIsBigEndian != 0 { kind += " big-endian" }
    let layout = flags & kAudioFormatFlagIsNonInterleaved != 0 ? "planar" : "interleaved"
    return "\(rate) Hz, \(channels) channel\(channels == 1 ? "" : "s"), \(kind), \(layout)"
  }

  private static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }
}

extension StreamFormat {
  /// The format for display: "44,100 Hz, 2 channels, Float32, planar".
  public var text: String { Self.describe(description) }
}
