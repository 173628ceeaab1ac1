// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// All settings as one object.
  static let settingLists: [PropertyRow<Converter>] = [
    .list(
      kAudioConverterPropertySettings,
      get: { converter in
        var lists: [PropertyList] = []
        if converter.frames.setup.source.sampleRate != converter.frames.setup.destination.sampleRate
        {
          lists.append(converter.rateSettings)
        }
        if converter.outputFormat.mFormatID == kAudioFormatLinearPCM {
          lists.append(converter.ditherSettings)
        }
        if converter.encoding != nil { lists.append(converter.encoderSettings) }
        return .array(lists)
      },
      set: { (converter, list) throws(AudioError) in
        guard case .array(let entries) = list else {
          throw .converterOperation.because("the settings are not an array")
        }
        try converter.apply(settings: entries)
      })
  ]

  /// [control thread] Applies settings in the form of `kAudioConverterPropertySettings`.
  public func write(settings list: PropertyList) throws(AudioError) {
    guard case .array(let entries) = list else {
      throw .converterOperation.because("the settings are not an array")
    }
    try exclusively { () throws(AudioError) in try apply(settings: entries) }
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

  private var rateSettings: PropertyList {
    Self.group(
      "Sample Rate Converter",
      [
        Self.setting(
          kAudioConverterSampleRateConverterComplexity, "Complexity",
          .integer(Int(settings.complexity)),
          available: [
            kAudioConverterSampleRateConverterComplexity_Linear,
            kAudioConverterSampleRateConverterComplexity_Normal,
            kAudioConverterSampleRateConverterComplexity_Mastering,
            kAudioConverterSampleRateConverterComplexity_MinimumPhase,
          ].map { .integer(Int($0)) }),
        Self.setting(
          kAudioConverterSampleRateConverterQuality, "Quality", .integer(Int(settings.quality))),
        Self.setting(
          kAudioConverterSampleRateConverterInitialPhase, "Initial Phase",
          .real(settings.initialPhase), unit: "frames"),
        Self.setting(
          kAudioConverterPrimeMethod, "Prime Method", .integer(Int(settings.primeMethod)),
          available: (0...2).map { .integer($0) }),
      ])
  }

  private var ditherSettings: PropertyList {
    Self.group(
      "Dither",
      [
        Self.setting(
          kAudioConverterPropertyDithering, "Dither", .integer(Int(settings.dithering)),
          available: (0...2).map { .integer($0) }),
        Self.setting(
          kAudioConverterPropertyDitherBitDepth, "Bit Depth", .integer(Int(settings.ditherBits)),
          unit: "bits"),
      ])
  }

  /// The settings that an encoder accepts.
  var encoderSettings: PropertyList {
    guard let encoding else { return .dictionary([:]) }
    let codec = encoding.codec
    var settings = [
      Self.setting(
        kAudioConverterCodecQuality, "Codec Quality", .integer(Int(self.settings.codecQuality)))
    ]
    if bitRates != nil {
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

  /// Applies every setting that differs; throws at the first that is refused.
  func apply(settings groups: [PropertyList]) throws(AudioError) {
    for group in groups {
      guard case .array(let entries)? = group[kAudioSettings_Parameters] else {
        throw .converterOperation.because(
          "a dictionary of settings has no array '\(kAudioSettings_Parameters)'")
      }
      for entry in entries {
        guard let key = entry[kAudioSettings_SettingKey]?.string,
          let value = entry[kAudioSettings_CurrentValue]
        else {
          throw .converterOperation.because(
            "a setting without '\(kAudioSettings_SettingKey)' or '\(kAudioSettings_CurrentValue)'")
        }
        try apply(setting: key, value)
      }
    }
  }

  private func apply(setting key: String, _ value: PropertyList) throws(AudioError) {
    let id = FourCharacterCode(key)?.rawValue ?? 0
    guard let row = Self.properties.row(id), row.write != nil else {
      throw .converterProperty.because("there is no setting '\(key.prefix(40))'")
    }
    let isReal = id == kAudioConverterSampleRateConverterInitialPhase
    let new: [UInt8]
    switch value {
    case .integer(let number) where isReal: new = withUnsafeBytes(of: Double(number)) { Array($0) }
    case .real(let number) where isReal: new = withUnsafeBytes(of: number) { Array($0) }
    case .integer(let number):
      guard let word = UInt32(exactly: number) else { fallthrough }
      new = withUnsafeBytes(of: word) { Array($0) }
    default:
      throw .converterOperation.because(
        "the value of the setting '\(key)' is not a number of the right kind")
    }
    let (address, properties) = (PropertyAddress(id), Self.properties)
    if case .bytes(new, _, _)? = try? properties.value(address, of: self) { return }
    var failure: AudioError?
    new.withUnsafeBytes { bytes in
      do throws(AudioError) { try properties.write(row, address, of: self, bytes) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
