// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The two formats of a converter, with every field filled in.
struct ConverterFormats {
  let input: AudioStreamBasicDescription
  /// The encoder sets the number of frames in a packet.
  var output: AudioStreamBasicDescription

  /// Fills in missing fields of both formats: rate and channels from the other format, and derived
  /// sizes.
  init(from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription)
    throws(AudioError)
  {
    var (from, to) = (source, destination)
    if from.mSampleRate == 0 { from.mSampleRate = to.mSampleRate }
    if to.mSampleRate == 0 { to.mSampleRate = from.mSampleRate }
    if from.mChannelsPerFrame == 0 { from.mChannelsPerFrame = to.mChannelsPerFrame }
    if to.mChannelsPerFrame == 0 { to.mChannelsPerFrame = from.mChannelsPerFrame }
    input = try Self.complete(from)
    output = try Self.complete(to, from: input)
  }

  private static func complete(
    _ format: AudioStreamBasicDescription, from source: AudioStreamBasicDescription? = nil
  ) throws(AudioError) -> AudioStreamBasicDescription {
    guard format.mFormatID != kAudioFormatLinearPCM else { return completeLinear(format) }
    guard let codec = CompressedFormat.of(format.mFormatID) else {
      throw .converterFormat.because("there is no codec for \(StreamFormat.describe(format))")
    }
    var format = format
    if let source, format.mFormatFlags == 0,
      format.mFormatID == kAudioFormatAppleLossless
        || format.mFormatID == kAudioFormatFLAC
    {
      let flag =
        losslessBits(source, format) > 16
        ? kAppleLosslessFormatFlag_24BitSourceData : kAppleLosslessFormatFlag_16BitSourceData
      format.mFormatFlags = AudioFormatFlags(flag)
    }
    do { try codec.check(format) } catch { throw .converterFormat.because(error.explanation) }
    return codec.complete(format)
  }

  /// Fills in missing fields of linear PCM: packets of one frame.
  private static func completeLinear(_ format: AudioStreamBasicDescription)
    -> AudioStreamBasicDescription
  {
    var format = format
    if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
    if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
    format.mReserved = 0
    return format
  }

  /// The bits that a lossless encoder preserves: those in the flags of its format, else those of an
  /// integer source; 24 for floats.
  private static func losslessBits(
    _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription
  ) -> Int {
    if destination.mFormatFlags != 0 { return CompressedFormat.losslessBits(destination) }
    guard source.mFormatID == kAudioFormatLinearPCM else {
      return CompressedFormat.losslessBits(source)
    }
    return source.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? 24 : Int(source.mBitsPerChannel)
  }

  /// The bits that a lossless encoder of the output preserves.
  var encodedBits: Int { Self.losslessBits(input, output) }

  /// The bits of the samples that a lossless codec decodes, if its format states them.
  var decodedBits: Int? {
    guard input.mFormatFlags != 0, CompressedFormat.of(input.mFormatID)?.isLossless == true else {
      return nil
    }
    return CompressedFormat.losslessBits(input)
  }

  /// Parses a linear PCM description; throws converter errors.
  static func linear(_ description: AudioStreamBasicDescription) throws(AudioError) -> StreamFormat
  {
    do {
      return try StreamFormat(description)
    } catch {
      throw .converterFormat.because(error.explanation)
    }
  }
}
