// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// The properties of converters.
extension Converter {
  /// One row for each property.
  static let properties = PropertyTable<Converter>(
    .converters,
    sizes + formats + rates + priming + channels + layouts + samples + settingLists + codecs
      + codecStates)

  private static let sizes: [PropertyRow<Converter>] = [
    .value(kAudioConverterPropertyMinimumInputBufferSize) { converter in
      UInt32(clamping: converter.inputBytes(forOutput: 1))
    },
    .value(kAudioConverterPropertyMinimumOutputBufferSize) { $0.outputPacketSize },
    .value(kAudioConverterPropertyMaximumInputBufferSize) { converter in
      UInt32(clamping: converter.inputBytes(forOutput: 4_096))
    },
    .value(kAudioConverterPropertyMaximumInputPacketSize) { $0.inputPacketSize },
    .value(kAudioConverterPropertyMaximumOutputPacketSize) { $0.outputPacketSize },
    .calculation(kAudioConverterPropertyCalculateInputBufferSize) { converter, bytes in
      converter.inputBytes(forOutput: bytes / Int(converter.outputPacketSize))
    },
    .calculation(kAudioConverterPropertyCalculateOutputBufferSize) { converter, bytes in
      converter.outputBytes(forInput: bytes / Int(converter.inputPacketSize))
    },
  ]

  private static let formats: [PropertyRow<Converter>] = [
    .value(kAudioConverterCurrentInputStreamDescription) { $0.inputFormat },
    .value(kAudioConverterCurrentOutputStreamDescription) { $0.outputFormat },
  ]

  private static let rates: [PropertyRow<Converter>] = [
    .value(
      kAudioConverterSampleRateConverterQuality, get: { $0.settings.quality },
      set: { (converter, quality: UInt32) throws(AudioError) in
        try converter.change { $0.quality = min(quality, UInt32(kAudioConverterQuality_Max)) }
      }),
    complexity(kAudioConverterSampleRateConverterComplexity),
    complexity(kAudioConverterSampleRateConverterAlgorithm),
    .value(
      kAudioConverterSampleRateConverterInitialPhase, get: { $0.frames.initialPhase },
      set: { (converter, phase: Double) throws(AudioError) in
        guard phase >= 0, phase < 1 else {
          throw .converterOperation.because(
            "a phase of \(phase); expected 0 to below 1 frame of the input")
        }
        try converter.change { $0.initialPhase = phase }
      }),
  ]

  /// A row for the rate converter's complexity, which has two names.
  private static func complexity(_ id: AudioConverterPropertyID) -> PropertyRow<Converter> {
    .value(
      id, get: { $0.settings.complexity },
      set: { (converter, complexity: UInt32) throws(AudioError) in
        let supported = [
          kAudioConverterSampleRateConverterComplexity_Linear,
          kAudioConverterSampleRateConverterComplexity_Normal,
          kAudioConverterSampleRateConverterComplexity_Mastering,
          kAudioConverterSampleRateConverterComplexity_MinimumPhase,
        ]
        guard supported.contains(where: { UInt32($0) == complexity }) else {
          throw .converterOperation.because(
            "there is no rate conversion '\(FourCharacterCode(complexity))'; there are 'line', "
              + "'norm', 'bats' and 'minp'")
        }
        try converter.change { $0.complexity = complexity }
      })
  }

  private static let priming: [PropertyRow<Converter>] = [
    .value(
      kAudioConverterPrimeMethod, get: { $0.settings.primeMethod },
      set: { (converter, method: UInt32) throws(AudioError) in
        guard method <= UInt32(kConverterPrimeMethod_None) else {
          throw .converterOperation.because("there is no priming method \(method), only 0 to 2")
        }
        try converter.change { $0.primeMethod = method }
      }),
    .value(
      kAudioConverterPrimeInfo, get: { $0.primeInfo },
      set: { (converter, info: AudioConverterPrimeInfo) throws(AudioError) in
        guard let decoding = converter.decoding else {
          let current = converter.primeInfo
          let isSame =
            info.leadingFrames == current.leadingFrames
            && info.trailingFrames == current.trailingFrames
          if isSame { return }
          throw .converterOperation.because(
            "prime info can only be set for a decoder; kAudioConverterPrimeMethod sets how a rate "
              + "conversion begins")
        }
        decoding.primeInfo = info
        try converter.resetSignal()
      }),
  ]

  private static let channels: [PropertyRow<Converter>] = [
    .array(
      kAudioConverterChannelMap,
      get: { converter in
        converter.settings.channelMap
          ?? ChannelRouting.natural(
            from: Int(converter.inputFormat.mChannelsPerFrame),
            to: Int(converter.outputFormat.mChannelsPerFrame))
      },
      set: { (converter, map: [Int32]) throws(AudioError) in
        guard map.count == converter.outputFormat.mChannelsPerFrame else {
          throw .converterPropertySize.because(
            "\(map.count) channels; the output has \(converter.outputFormat.mChannelsPerFrame)")
        }
        let inputs = Int32(clamping: converter.inputFormat.mChannelsPerFrame)
        guard let wrong = map.first(where: { $0 >= inputs || $0 < -1 }) else {
          return try converter.change {
            $0.channelMap = map
            $0.mixMap = nil
          }
        }
        throw .converterOperation.because("channel \(wrong) is requested; the input has \(inputs)")
      }),
    .array(
      kAudioConverterPropertyChannelMixMap,
      get: { (converter) throws(AudioError) -> [Float] in
        guard let gains = converter.settings.mixMap else {
          throw .converterProperty.because("no mix map is set")
        }
        return gains
      },
      set: { (converter, gains: [Float]) throws(AudioError) in
        let count =
          Int(converter.inputFormat.mChannelsPerFrame)
          * Int(converter.outputFormat.mChannelsPerFrame)
        guard gains.count == count else {
          throw .converterPropertySize.because("\(gains.count) gains; expected \(count)")
        }
        guard gains.allSatisfy(\.isFinite) else {
          throw .converterOperation.because("a gain is not a number")
        }
        try converter.change {
          $0.mixMap = gains
          $0.channelMap = nil
        }
      }),
  ]

  private static let samples: [PropertyRow<Converter>] = [
    .value(
      kAudioConverterPropertyDithering, get: { $0.settings.dithering },
      set: { (converter, kind: UInt32) throws(AudioError) in
        guard kind <= UInt32(kDitherAlgorithm_NoiseShaping) else {
          throw .converterOperation.because("there is no dither \(kind), only 0 to 2")
        }
        try converter.change { $0.dithering = kind }
      }),
    .value(
      kAudioConverterPropertyDitherBitDepth, get: { $0.settings.ditherBits },
      set: { (converter, bits: UInt32) throws(AudioError) in
        guard bits <= 32 else {
          throw .converterOperation.because("a dither of \(bits) bits; expected 0 to 32")
        }
        try converter.change { $0.ditherBits = bits }
      }),
    .value(
      kAudioConverterPropertyBitDepthHint, get: { $0.settings.bitDepthHint },
      set: { (converter, bits: Int32) throws(AudioError) in
        guard (-64...64).contains(bits) else {
          throw .converterOperation.because("\(bits) bits; expected -64 to 64")
        }
        try converter.change { $0.bitDepthHint = bits }
        if converter.inputFormat.mFormatID == kAudioFormatLinearPCM, bits != 0 {
          try converter.encoding?.reopen { $0.bits = Int(bits.magnitude) }
        }
      }),
  ]

  /// Applies the changes that `body` makes to the settings.
  func change(_ body: (inout ConverterSettings) -> Void) throws(AudioError) {
    var changed = settings
    body(&changed)
    try apply(changed)
  }
}
