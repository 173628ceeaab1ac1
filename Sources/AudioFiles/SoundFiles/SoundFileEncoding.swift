// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox

/// The encoding of a new file: the file type, the codec, and its settings.
package struct SoundFileEncoding: Sendable {
  package let kind: SoundFileKind
  package let codec: AudioFormatID
  private let path: String
  /// Bits of a sample, negative for floating point; only valid when `keepsBits`.
  package var bits: Int
  /// Bits per second of all channels; nil for the default.
  package var bitRate: Int?
  /// Variable bit rate with a quality of 0 to 127 instead of a fixed rate; nil for a fixed rate.
  package var variableQuality: Int?
  /// The dither when bits are dropped: 0 none, 1 triangular noise, 2 shaped noise.
  package var dither: UInt32 = 0

  /// [any thread] The encoding for a path's extension.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - codec: A format other than the kind's default.
  /// - Throws: When such a file cannot be written, or cannot hold the format.
  package init(path: String, codec: AudioFormatID? = nil) throws(AudioError) {
    self.path = path
    kind = try SoundFileKind(path: path)
    let wanted = codec ?? kind.codec
    let holder = try FileKind.of(kind.type)
    guard holder.formats.contains(wanted), kind != .opus || wanted == kAudioFormatOpus else {
      throw .unsupportedDataFormat.because(
        "\(path): \(holder.name) holds no \(CompressedFormat.of(wanted)?.name ?? "linear PCM")")
    }
    guard wanted == kAudioFormatLinearPCM || CompressedFormat.of(wanted) != nil else {
      throw .unsupportedDataFormat.because(
        "\(path): \(ChunkCode(wanted).quoted) is not encoded here")
    }
    self.codec = wanted
    // Keeps everything that a recording has.
    bits = wanted == kAudioFormatLinearPCM ? -32 : 24
  }

  /// Whether samples are preserved, except for their bit depth.
  package var keepsBits: Bool {
    [kAudioFormatLinearPCM, kAudioFormatFLAC, kAudioFormatAppleLossless].contains(codec)
  }

  /// Sets the bits of a sample, negative for floating point.
  ///
  /// - Throws: When the codec has no such samples.
  package mutating func setBits(_ wanted: Int) throws(AudioError) {
    let name = CompressedFormat.of(codec)?.name ?? "linear PCM"
    guard keepsBits else {
      throw .unsupportedDataFormat.because(
        "\(path): \(name) has no number of bits, as its samples are not kept as they are; linear PCM, "
          + "FLAC and Apple Lossless have one")
    }
    guard codec == kAudioFormatLinearPCM || [16, 24].contains(wanted) else {
      throw .unsupportedDataFormat.because(
        "\(path): \(name) of \(abs(wanted)) bits\(wanted < 0 ? " in floating point" : ""): "
          + "it holds 16 or 24 bits")
    }
    bits = wanted
  }

  /// Sets the sample format: `native` is the codec's own.
  ///
  /// - Throws: When the codec has no such samples.
  mutating func adopt(_ samples: SoundFileSamples) throws(AudioError) {
    guard let wanted = samples.bits else { return }
    try setBits(wanted)
    dither = UInt32(samples.dither.rawValue)
  }

  /// The file's sample rate for sound of some rate: the next higher one available, else the
  /// highest.
  package func sampleRate(for rate: Double) -> Double {
    let rates = CompressedFormat.of(codec)?.sampleRates ?? []
    if rates.isEmpty { return codec == kAudioFormatLinearPCM ? rate : rate.rounded() }
    return rates.filter { $0 >= rate }.min() ?? rates.max() ?? rate
  }

  /// The format of the file.
  ///
  /// - Throws: When the codec has no such number of channels or bits.
  package func format(
    sampleRate: Double, channelCount: Int
  ) throws(AudioError) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = codec
    format.mSampleRate = self.sampleRate(for: sampleRate)
    format.mChannelsPerFrame = UInt32(clamping: channelCount)
    guard let known = CompressedFormat.of(codec) else { return linear(format) }
    guard known.channelCounts.contains(channelCount) else {
      let (least, most) = (known.channelCounts.lowerBound, known.channelCounts.upperBound)
      throw .unsupportedDataFormat.because(
        "\(path): \(channelCount) channels: \(known.name) has \(least) to \(most)")
    }
    if keepsBits {
      format.mFormatFlags = abs(bits) <= 16 ? 1 : abs(bits) <= 20 ? 2 : 3
      // No encoder writes Apple Lossless with 20 bits.
      if codec == kAudioFormatAppleLossless { format.mFormatFlags |= format.mFormatFlags & 2 >> 1 }
    }
    return format
  }

  /// The type of the file: AIFF holds integers only.
  package var type: AudioFileTypeID {
    kind == .aiff && codec == kAudioFormatLinearPCM && bits > 0 ? kAudioFileAIFFType : kind.type
  }

  private func linear(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    var format = format
    let isBig = SoundFileKind.isBigEndian(type)
    let size = UInt32((abs(bits) + 7) / 8)
    format.mFormatFlags = kAudioFormatFlagIsPacked
    if bits < 0 {
      format.mFormatFlags |= kAudioFormatFlagIsFloat
    } else if size > 1 || isBig || type == kAudioFileCAFType {
      format.mFormatFlags |= kAudioFormatFlagIsSignedInteger
    }
    if isBig { format.mFormatFlags |= kAudioFormatFlagIsBigEndian }
    format.mBytesPerFrame = size * format.mChannelsPerFrame
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mFramesPerPacket = 1
    format.mBitsPerChannel = size * 8
    return format
  }
}
