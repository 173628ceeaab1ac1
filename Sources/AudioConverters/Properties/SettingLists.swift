// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The settings of a converter in the form of `kAudioConverterPropertySettings`.
struct SettingLists {
  private let path: SignalPath

  init(_ path: SignalPath) { self.path = path }

  /// The settings of each part that the converter has.
  var all: PropertyList {
    var lists: [PropertyList] = []
    if path.frames.setup.source.sampleRate != path.frames.setup.destination.sampleRate {
      lists.append(rate)
    }
    if path.formats.output.mFormatID == kAudioFormatLinearPCM { lists.append(dither) }
    if let encoding = path.encoding { lists.append(encoder(encoding)) }
    return .array(lists)
  }

  private static func setting(
    _ id: AudioConverterPropertyID, _ name: String, _ value: PropertyList,
    available: [PropertyList] = [], unit: String? = nil
  ) -> PropertyList {
    var entries: [String: PropertyList] = [
      kAudioSettings_SettingName: .string(name), kAudioSettings_CurrentValue: value,
    ]
    entries[kAudioSettings_SettingKey] = .string(FourCharacterCode(id).description)
    if !available.isEmpty { entries[kAudioSettings_AvailableValues] = .array(available) }
    if let unit { entries[kAudioSettings_Unit] = .string(unit) }
    return .dictionary(entries)
  }

  private static func group(_ name: String, _ settings: [PropertyList]) -> PropertyList {
    .dictionary([
      kAudioSettings_TopLevelKey: .string(name), kAudioSettings_Version: .integer(1),
      kAudioSettings_Parameters: .array(settings),
    ])
  }

  private var rate: PropertyList {
    Self.group(
      "Sample Rate Converter",
      [
        Self.setting(
          kAudioConverterSampleRateConverterComplexity, "Complexity",
          .integer(Int(path.settings.complexity)),
          available: [
            kAudioConverterSampleRateConverterComplexity_Linear,
            kAudioConverterSampleRateConverterComplexity_Normal,
            kAudioConverterSampleRateConverterComplexity_Mastering,
            kAudioConverterSampleRateConverterComplexity_MinimumPhase,
          ].map { .integer(Int($0)) }),
        Self.setting(
          kAudioConverterSampleRateConverterQuality, "Quality", .integer(Int(path.settings.quality))
        ),
        Self.setting(
          kAudioConverterSampleRateConverterInitialPhase, "Initial Phase",
          .real(path.settings.initialPhase), unit: "frames"),
        Self.setting(
          kAudioConverterPrimeMethod, "Prime Method", .integer(Int(path.settings.primeMethod)),
          available: (0...2).map { .integer($0) }),
      ])
  }

  private var dither: PropertyList {
    Self.group(
      "Dither",
      [
        Self.setting(
          kAudioConverterPropertyDithering, "Dither", .integer(Int(path.settings.dithering)),
          available: (0...2).map { .integer($0) }),
        Self.setting(
          kAudioConverterPropertyDitherBitDepth, "Bit Depth",
          .integer(Int(path.settings.ditherBits)),
          unit: "bits"),
      ])
  }

  /// The settings that an encoder accepts.
  func encoder(_ encoding: PacketEncoding) -> PropertyList {
    let codec = encoding.codec
    var settings = [
      Self.setting(
        kAudioConverterCodecQuality, "Codec Quality", .integer(Int(path.settings.codecQuality)))
    ]
    if encoding.bitRates != nil {
      settings.append(
        Self.setting(
          kAudioConverterEncodeBitRate, "Bit Rate", .integer(encoding.currentBitRate),
          unit: "bits per second"))
    }
    if let mode = encoding.rateMode {
      settings.append(
        Self.setting(
          kAudioCodecPropertyBitRateControlMode, "Bit Rate Control", .integer(Int(mode)),
          available: codec.rateModes.sorted().map { .integer(Int($0)) }))
    }
    if codec.hasVariableQuality {
      settings.append(
        Self.setting(
          kAudioCodecPropertySoundQualityForVBR, "Quality of a Variable Bit Rate",
          .integer(encoding.settings.variableQuality)))
    }
    if codec.hasShortDelay {
      settings.append(
        Self.setting(
          kAudioCodecPropertyMinimumDelayMode, "Smallest Delay",
          .integer(encoding.settings.isShortDelay ? 1 : 0), available: [.integer(0), .integer(1)]))
    }
    return Self.group("\(codec.name) encoder", settings)
  }
}
