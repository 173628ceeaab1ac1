// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The state of a converter's codec: its encoder, or else its decoder.
struct CodecState {
  let codec: CompressedFormat
  let isEncoder: Bool
  /// Both formats: of the packets, and of the samples.
  let packets: AudioStreamBasicDescription
  let samples: StreamFormat

  /// Throws for a converter without a codec.
  init(_ path: SignalPath) throws(AudioError) {
    if let encoding = path.encoding {
      codec = encoding.codec
      isEncoder = true
      packets = path.formats.output
      samples = encoding.encoder.format
    } else if let decoding = path.input.decoding {
      codec = decoding.codec
      isEncoder = false
      packets = path.formats.input
      samples = decoding.decodedFormat
    } else {
      throw .converterProperty.because("the converter has no codec: both formats are linear PCM")
    }
  }

  var input: AudioStreamBasicDescription { isEncoder ? samples.description : packets }
  var output: AudioStreamBasicDescription { isEncoder ? packets : samples.description }

  /// The sample rates of the packets.
  var sampleRates: [AudioValueRange] { codec.sampleRateRanges }

  /// Sample rates of the PCM: those of the packets, except for a decoder with a fixed rate.
  var rates: [AudioValueRange] {
    guard changesRate else { return sampleRates }
    return [AudioValueRange(mMinimum: samples.sampleRate, mMaximum: samples.sampleRate)]
  }

  /// Whether frames have another rate than packets.
  var changesRate: Bool { !isEncoder && codec.hasOneDecodedRate }

  /// The tag of the only layout.
  var layoutTags: [AudioChannelLayoutTag] {
    let count = Int(packets.mChannelsPerFrame)
    return [
      ChannelLayout.standard(channelCount: count).knownTag
        ?? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: count)
    ]
  }

  /// The numbers of channels that the codec accepts; all ones: any.
  var channelCounts: [UInt32] {
    codec.channelCounts.upperBound > 64
      ? [0xFFFF_FFFF] : codec.channelCounts.map { UInt32(clamping: $0) }
  }
}
