// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import UnitTexts

/// A unit's name and settings, as written: "lpas,cutoff=800" or "reverb2,preset=plate".
public struct UnitSpec: Equatable, Sendable, CustomStringConvertible {
  /// A name such as AULowpass, with or without the AU, or its codes.
  public let name: String
  /// The original text.
  public let description: String
  /// Parameters by name or number, with a number or the name of a value; "preset" selects a factory
  /// preset.
  private let settings: [Setting]

  private struct Setting: Equatable {
    let name: String
    let value: String
  }

  /// Reads a text; nil if it does not have the form NAME,PARAMETER=VALUE,… Whether the unit exists
  /// is not checked here.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let settings = parts.dropFirst().map { part -> Setting? in
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      return sides.count == 2 ? Setting(name: sides[0], value: sides[1]) : nil
    }
    guard !parts[0].isEmpty, !settings.contains(nil) else { return nil }
    name = parts[0]
    description = text
    self.settings = settings.compactMap { $0 }
  }

  /// The component with this name; effects take precedence.
  ///
  /// - Throws: If there is none, with near names or the available effects.
  package func component() throws(ToneError) -> UnitComponent {
    let found = UnitComponent.named(name)
    let isEffect = { (component: UnitComponent) in
      component.description.componentType == kAudioUnitType_Effect
    }
    if let component = found.first(where: isEffect) ?? found.first {
      return component
    }
    let changesTime = { (component: UnitComponent) in
      Self.timeUnits.contains(component.description.componentSubType)
        && component.description.componentType == kAudioUnitType_FormatConverter
    }
    let all = UnitComponent.all()
    let names = all.filter { $0.isBuiltIn && (isEffect($0) || changesTime($0)) }.map(\.shortTitle)
    throw ToneError(
      "There is no unit \(Excerpt.quoted(name))"
        + UnitComponent.question(
          for: name, among: all, otherwise: "there are \(names.joined(separator: ", "))"))
  }

  /// The units that change the tempo, the pitch or the speed.
  private static let timeUnits = [
    kAudioUnitSubType_NewTimePitch, kAudioUnitSubType_TimePitch, kAudioUnitSubType_Varispeed,
    kAudioUnitSubType_AUiPodTime, kAudioUnitSubType_AUiPodTimeOther,
  ]

  /// [control thread] Applies the settings: a preset first, then parameters in their order.
  ///
  /// - Throws: If the unit does not have a preset, parameter or value, with the ones that it has.
  public func apply(to unit: AudioUnit) throws(ToneError) {
    for setting in settings where NameKey.of(setting.name) == "preset" {
      try setPreset(setting.value, of: unit)
    }
    let parameters = unit.parameterDescriptions().filter(\.isWritable)
    for setting in settings where NameKey.of(setting.name) != "preset" {
      let parameter = try parameter(setting.name, among: parameters)
      let value = try parameter.value(of: setting.value, unit: name)
      try ToneError.check(
        AudioUnitSetParameter(unit, parameter.id, kAudioUnitScope_Global, 0, value, 0),
        "Can't set \(parameter.name) of \(name)")
    }
  }

  private func setPreset(_ text: String, of unit: AudioUnit) throws(ToneError) {
    let key = NameKey.of(text)
    let presets = unit.presets
    let found = presets.first { NameKey.of($0.name) == key || "\($0.number)" == text }
    guard let found else {
      let names = presets.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
      throw ToneError(
        "\(name) has no preset \(Excerpt.quoted(text)); it has " + (names.isEmpty ? "none" : names))
    }
    var preset = AUPreset(presetNumber: found.number, presetName: nil)
    try setProperty(
      unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, &preset,
      "Can't set the preset \(text) of \(name)")
  }

  /// The parameter with a name or number; a unique prefix or part of a name is enough.
  private func parameter(
    _ text: String, among all: [ParameterDescription]
  ) throws(ToneError) -> ParameterDescription {
    let found = all.named(text)
    guard let first = found.first else {
      let names = all.map(\.name).joined(separator: ", ")
      throw ToneError(
        "\(name) has no parameter \(Excerpt.quoted(text)); it has "
          + (names.isEmpty ? "none" : names))
    }
    guard found.count == 1 else {
      let names = found.map(\.name).joined(separator: " or ")
      throw ToneError("\(name): \(Excerpt.quoted(text)) may be \(names)")
    }
    return first
  }
}

extension ParameterDescription {
  /// Reads a value: a number within the range, or the name of a value.
  fileprivate func value(of text: String, unit: String) throws(ToneError) -> Float {
    guard let value = value(of: text), info.minValue <= value, value <= info.maxValue else {
      throw ToneError("\(unit): \(name) is \(Excerpt.quoted(text)): expected \(expectation)")
    }
    return value
  }
}
