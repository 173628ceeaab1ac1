// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The encoding of a new file: its kind, codec and settings.
package struct SoundFileEncoding: Sendable {
  package let kind: SoundFileKind
  package let codec: AudioFormatID
  private let path: String
  /// Bits of a sample, negative for floating point; only valid if `keepsBits`.
  package var bits: Int
  /// Bits per second of all channels; nil for the default.
  package var bitRate: Int?
  /// Variable bit rate with a quality of 0 to 127 instead of a fixed rate; nil for a fixed rate.
  package var variableQuality: Int?
  /// The dither when bits are dropped: 0 none, 1 triangular noise, 2 shaped noise.
  package var dither: UInt32 = 0
  /// On how many threads the sound is encoded, if that changes no byte of the file.
  package var threads = 1
  /// Whether the file is on the disk before it gets its name.
  package var isSynchronized = false

  /// [any thread] The encoding for a path's extension.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - requested: The kind of a path without an extension, such as "-"; nil: WAV.
  ///   - codec: The codec, if not the kind's default.
  /// - Throws: When such a file cannot be written, or cannot hold the format; or when the extension is that
  ///   of another kind than requested.
  package init(
    path: String, kind requested: SoundFileKind? = nil, codec: AudioFormatID? = nil
  ) throws(AudioError) {
    self.path = path
    kind = try SoundFileKind(path: path, requested: requested)
    let id = codec ?? kind.codec
    let fileKind = try FileKind.of(kind.type)
    guard fileKind.formats.contains(id), kind != .opus || id == kAudioFormatOpus else {
      throw .unsupportedDataFormat.because(
        "\(path): \(fileKind.name) cannot hold \(CompressedFormat.of(id)?.name ?? "linear PCM")")
    }
    guard id == kAudioFormatLinearPCM || CompressedFormat.of(id) != nil else {
      throw .unsupportedDataFormat.because(
        "\(path): there is no encoder for \(ChunkCode(id).quoted)")
    }
    self.codec = id
    // The full resolution of a recording.
    bits = id == kAudioFormatLinearPCM ? -32 : 24
  }

  /// Whether samples are preserved, except for their bit depth.
  package var keepsBits: Bool {
    [kAudioFormatLinearPCM, kAudioFormatFLAC, kAudioFormatAppleLossless].contains(codec)
  }

  /// Sets the bits of a sample, negative for floating point.
  ///
  /// - Throws: When the codec has no such samples.
  package mutating func setBits(_ newBits: Int) throws(AudioError) {
    let name = CompressedFormat.of(codec)?.name ?? "linear PCM"
    guard keepsBits else {
      throw .unsupportedDataFormat.because(
        "\(path): \(name) is lossy and has no bit depth; linear PCM, FLAC and Apple Lossless have "
          + "one")
    }
    let isLinear = codec == kAudioFormatLinearPCM
    guard
      isLinear
        ? (1...32).contains(newBits) || [-32, -64].contains(newBits) : [16, 24].contains(newBits)
    else {
      throw .unsupportedDataFormat.because(
        "\(path): \(name) of \(newBits.magnitude) bits\(newBits < 0 ? " in floating point" : ""): "
          + "it holds "
          + (isLinear ? "1 to 32 bits, or 32 or 64 in floating point" : "16 or 24 bits"))
    }
    bits = newBits
  }

  /// Sets the sample format; `native` keeps the codec's default.
  ///
  /// - Throws: When the codec has no such samples.
  package mutating func adopt(_ samples: SoundFileSamples) throws(AudioError) {
    guard let newBits = samples.bits else { return }
    try setBits(newBits)
    dither = UInt32(clamping: samples.dither.rawValue)
  }

  /// The file's sample rate for sound with this rate: the same or the next higher one that the
  /// codec supports, else the highest.
  package func sampleRate(for rate: Double) -> Double {
    let rates = CompressedFormat.of(codec)?.sampleRates ?? []
    if rates.isEmpty { return codec == kAudioFormatLinearPCM ? rate : rate.rounded() }
    return rates.filter { $0 >= rate }.min() ?? rates.max() ?? rate
  }

  /// The format of the file.
  ///
  /// - Throws: When the codec does not support this number of channels.
  package func format(
    sampleRate: Double, channelCount: Int
  ) throws(AudioError) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = codec
    format.mSampleRate = self.sampleRate(for: sampleRate)
    format.mChannelsPerFrame = UInt32(clamping: channelCount)
    guard let compressed = CompressedFormat.of(codec) else { return linear(format) }
    guard compressed.channelCounts.contains(channelCount) else {
      let (least, most) = (compressed.channelCounts.lowerBound, compressed.channelCounts.upperBound)
      throw .unsupportedDataFormat.because(
        "\(path): \(channelCount) channels: \(compressed.name) has \(least) to \(most)")
    }
    if keepsBits {
      format.mFormatFlags = bits.magnitude <= 16 ? 1 : bits.magnitude <= 20 ? 2 : 3
      // No encoder supports Apple Lossless with 20 bits, so that 24 are used.
      if codec == kAudioFormatAppleLossless { format.mFormatFlags |= format.mFormatFlags & 2 >> 1 }
    }
    return format
  }

  /// The type of the file: AIFF if the samples are integers, as it cannot hold others, else AIFC.
  package var type: AudioFileTypeID {
    kind == .aiff && codec == kAudioFormatLinearPCM && bits > 0 ? kAudioFileAIFFType : kind.type
  }

  private func linear(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    var format = format
    let isBig = SoundFileKind.isBigEndian(type)
    let size = UInt32(clamping: (min(bits.magnitude, 64) + 7) / 8)
    format.mFormatFlags = kAudioFormatFlagIsPacked
    if bits < 0 {
      format.mFormatFlags |= kAudioFormatFlagIsFloat
    } else if size > 1 || isBig || type == kAudioFileCAFType {
      format.mFormatFlags |= kAudioFormatFlagIsSignedInteger
    }
    if isBig { format.mFormatFlags |= kAudioFormatFlagIsBigEndian }
    format.mBytesPerFrame = UInt32(clamping: Int(size) * Int(format.mChannelsPerFrame))
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mFramesPerPacket = 1
    format.mBitsPerChannel = size * 8
    return format
  }
}
