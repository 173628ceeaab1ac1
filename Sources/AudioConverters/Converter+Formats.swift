// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// Fills in missing fields of both formats: rate and channels from the other format, and derived
  /// sizes.
  static func complete(
    _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription
  ) throws(AudioError) -> (AudioStreamBasicDescription, AudioStreamBasicDescription) {
    var (from, to) = (source, destination)
    if from.mSampleRate == 0 { from.mSampleRate = to.mSampleRate }
    if to.mSampleRate == 0 { to.mSampleRate = from.mSampleRate }
    if from.mChannelsPerFrame == 0 { from.mChannelsPerFrame = to.mChannelsPerFrame }
    if to.mChannelsPerFrame == 0 { to.mChannelsPerFrame = from.mChannelsPerFrame }
    return (try complete(from), try complete(to, from: from))
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
  static func losslessBits(
    _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription
  ) -> Int {
    if destination.mFormatFlags != 0 { return CompressedFormat.losslessBits(destination) }
    guard source.mFormatID == kAudioFormatLinearPCM else {
      return CompressedFormat.losslessBits(source)
    }
    return source.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? 24 : Int(source.mBitsPerChannel)
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

  /// [control thread] Throws unless the list contains the codec of each compressed format.
  public static func check(
    _ classes: UnsafeBufferPointer<AudioClassDescription>,
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
  ) throws(AudioError) {
    guard !classes.isEmpty else { return }
    for (format, type) in [
      (source, kAudioDecoderComponentType), (destination, kAudioEncoderComponentType),
    ] where format.mFormatID != kAudioFormatLinearPCM {
      let isNamed = classes.contains {
        $0.mType == type && $0.mSubType == format.mFormatID
          && $0.mManufacturer == kAppleSoftwareAudioCodecManufacturerCode
      }
      guard isNamed else {
        throw .converterFormat.because(
          "none of the \(classes.count) named codecs is the one for "
            + "'\(FourCharacterCode(format.mFormatID))', of manufacturer 'appl'")
      }
    }
  }
}
