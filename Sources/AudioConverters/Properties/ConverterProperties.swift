// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of converters.
enum ConverterProperties {
  /// One row for each property.
  static let table = PropertyTable<SignalPath>(
    .converters,
    sizes + formats + rates + priming + channels + LayoutProperties.rows + samples + settings
      + CodecProperties.rows + CodecStateProperties.rows + CodecControls.rows)

  private static let sizes: [PropertyRow<SignalPath>] = [
    .value(kAudioConverterPropertyMinimumInputBufferSize) { path in
      UInt32(clamping: ConverterSizes(path).inputBytes(forOutput: 1))
    },
    .value(kAudioConverterPropertyMinimumOutputBufferSize) { ConverterSizes($0).outputPacket },
    .value(kAudioConverterPropertyMaximumInputBufferSize) { path in
      UInt32(clamping: ConverterSizes(path).inputBytes(forOutput: 4_096))
    },
    .value(kAudioConverterPropertyMaximumInputPacketSize) { ConverterSizes($0).inputPacket },
    .value(kAudioConverterPropertyMaximumOutputPacketSize) { ConverterSizes($0).outputPacket },
    .calculation(kAudioConverterPropertyCalculateInputBufferSize) { path, bytes in
      ConverterSizes(path).inputBytes(forOutput: bytes / Int(ConverterSizes(path).outputPacket))
    },
    .calculation(kAudioConverterPropertyCalculateOutputBufferSize) { path, bytes in
      ConverterSizes(path).outputBytes(forInput: bytes / Int(ConverterSizes(path).inputPacket))
    },
  ]

  private static let formats: [PropertyRow<SignalPath>] = [
    .value(kAudioConverterCurrentInputStreamDescription) { $0.formats.input },
    .value(kAudioConverterCurrentOutputStreamDescription) { $0.formats.output },
  ]

  private static let rates: [PropertyRow<SignalPath>] = [
    .value(
      kAudioConverterSampleRateConverterQuality, get: { $0.settings.quality },
      set: { (path, quality: UInt32) throws(AudioError) in
        try path.change { $0.quality = min(quality, UInt32(kAudioConverterQuality_Max)) }
      }),
    complexity(kAudioConverterSampleRateConverterComplexity),
    complexity(kAudioConverterSampleRateConverterAlgorithm),
    .value(
      kAudioConverterSampleRateConverterInitialPhase, get: { $0.frames.initialPhase },
      set: { (path, phase: Double) throws(AudioError) in
        guard phase >= 0, phase < 1 else {
          throw .converterOperation.because(
            "a phase of \(phase); expected 0 to below 1 frame of the input")
        }
        try path.change { $0.initialPhase = phase }
      }),
  ]

  /// A row for the rate converter's complexity, which has two names.
  private static func complexity(_ id: AudioConverterPropertyID) -> PropertyRow<SignalPath> {
    .value(
      id, get: { $0.settings.complexity },
      set: { (path, complexity: UInt32) throws(AudioError) in
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
        try path.change { $0.complexity = complexity }
      })
  }

  private static let priming: [PropertyRow<SignalPath>] = [
    .value(
      kAudioConverterPrimeMethod, get: { $0.settings.primeMethod },
      set: { (path, method: UInt32) throws(AudioError) in
        guard method <= UInt32(kConverterPrimeMethod_None) else {
          throw .converterOperation.because("there is no priming method \(method), only 0 to 2")
        }
        try path.change { $0.primeMethod = method }
      }),
    .value(
      kAudioConverterPrimeInfo, get: { $0.primeInfo },
      set: { (path, info: AudioConverterPrimeInfo) throws(AudioError) in
        guard let decoding = path.input.decoding else {
          let current = path.primeInfo
          let isSame =
            info.leadingFrames == current.leadingFrames
            && info.trailingFrames == current.trailingFrames
          if isSame { return }
          throw .converterOperation.because(
            "prime info can only be set for a decoder; kAudioConverterPrimeMethod sets how a rate "
              + "conversion begins")
        }
        decoding.primeInfo = info
        try path.reset()
      }),
  ]

  private static let channels: [PropertyRow<SignalPath>] = [
    .array(
      kAudioConverterChannelMap,
      get: { path in
        path.settings.channelMap
          ?? ChannelRouting.natural(
            from: Int(path.formats.input.mChannelsPerFrame),
            to: Int(path.formats.output.mChannelsPerFrame))
      },
      set: { (path, map: [Int32]) throws(AudioError) in
        guard map.count == path.formats.output.mChannelsPerFrame else {
          throw .converterPropertySize.because(
            "\(map.count) channels; the output has \(path.formats.output.mChannelsPerFrame)")
        }
        let inputs = Int32(clamping: path.formats.input.mChannelsPerFrame)
        guard let wrong = map.first(where: { $0 >= inputs || $0 < -1 }) else {
          return try path.change {
            $0.channelMap = map
            $0.mixMap = nil
          }
        }
        throw .converterOperation.because("channel \(wrong) is requested; the input has \(inputs)")
      }),
    .array(
      kAudioConverterPropertyChannelMixMap,
      get: { (path) throws(AudioError) -> [Float] in
        guard let gains = path.settings.mixMap else {
          throw .converterProperty.because("no mix map is set")
        }
        return gains
      },
      set: { (path, gains: [Float]) throws(AudioError) in
        let count =
          Int(path.formats.input.mChannelsPerFrame)
          * Int(path.formats.output.mChannelsPerFrame)
        guard gains.count == count else {
          throw .converterPropertySize.because("\(gains.count) gains; expected \(count)")
        }
        guard gains.allSatisfy(\.isFinite) else {
          throw .converterOperation.because("a gain is not a number")
        }
        try path.change {
          $0.mixMap = gains
          $0.channelMap = nil
        }
      }),
  ]

  private static let samples: [PropertyRow<SignalPath>] = [
    .value(
      kAudioConverterPropertyDithering, get: { $0.settings.dithering },
      set: { (path, kind: UInt32) throws(AudioError) in
        guard kind <= UInt32(kDitherAlgorithm_NoiseShaping) else {
          throw .converterOperation.because("there is no dither \(kind), only 0 to 2")
        }
        try path.change { $0.dithering = kind }
      }),
    .value(
      kAudioConverterPropertyDitherBitDepth, get: { $0.settings.ditherBits },
      set: { (path, bits: UInt32) throws(AudioError) in
        guard bits <= 32 else {
          throw .converterOperation.because("a dither of \(bits) bits; expected 0 to 32")
        }
        try path.change { $0.ditherBits = bits }
      }),
    .value(
      kAudioConverterPropertyBitDepthHint, get: { $0.settings.bitDepthHint },
      set: { (path, bits: Int32) throws(AudioError) in
        guard (-64...64).contains(bits) else {
          throw .converterOperation.because("\(bits) bits; expected -64 to 64")
        }
        try path.change { $0.bitDepthHint = bits }
        if path.formats.input.mFormatID == kAudioFormatLinearPCM, bits != 0 {
          try path.encoding?.reopen { $0.bits = Int(bits.magnitude) }
        }
      }),
  ]

  /// All settings as one object.
  private static let settings: [PropertyRow<SignalPath>] = [
    .list(
      kAudioConverterPropertySettings, get: { SettingLists($0).all },
      set: { (path, list) throws(AudioError) in try apply(settings: list, to: path) }),
    .list(
      kAudioCodecPropertySettings,
      get: { (path) throws(AudioError) in SettingLists(path).encoder(try path.requireEncoding()) },
      set: { (path, list) throws(AudioError) in
        _ = try path.requireEncoding()
        try SettingChanges(path, table).apply([list])
      }),
  ]

  /// Applies settings in the form of `kAudioConverterPropertySettings`.
  static func apply(settings list: PropertyList, to path: SignalPath) throws(AudioError) {
    guard case .array(let entries) = list else {
      throw .converterOperation.because("the settings are not an array")
    }
    try SettingChanges(path, table).apply(entries)
  }
}
