// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import PlainText

/// What a unit is called and how it is set, as people write it: "lpas,cutoff=800" or
/// "reverb2,preset=plate".
public struct UnitSpec: Equatable, Sendable, CustomStringConvertible {
  /// A name such as AULowpass, with or without the AU, or its codes.
  public let name: String
  /// As it was written.
  public let description: String
  /// Parameters by name or number, with a number or the name of a value; "preset" is a factory preset.
  private let settings: [Setting]

  private struct Setting: Equatable {
    let name: String
    let value: String
  }

  /// Reads a text; nil when it is not of the form NAME,PARAMETER=VALUE,… Whether there is such a unit
  /// shows when it is made.
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

  /// The component that is meant: an effect before others.
  ///
  /// - Throws: When there is none, and which effects there are.
  public func component() throws(ToneError) -> AudioComponent {
    var wanted = AudioComponentDescription()
    wanted.componentType = kAudioUnitType_Effect
    let effects = ComponentLookup.all(wanted)
    let found = ComponentLookup.components(name)
    if let component = found.first(where: { effects.contains($0) }) ?? found.first {
      return component
    }
    let names = effects.map { ComponentLookup.shortTitle($0) }.joined(separator: ", ")
    throw ToneError("There is no unit \(Excerpt.quoted(name)); there are \(names)")
  }

  /// [control thread] Sets what the text says: a preset first, then parameters in their order.
  ///
  /// - Throws: Which preset, parameter or value the unit does not have, and which it has.
  public func apply(to unit: AudioUnit) throws(ToneError) {
    for setting in settings where ComponentLookup.key(setting.name) == "preset" {
      try setPreset(setting.value, of: unit)
    }
    let parameters = Parameter.all(of: unit)
    for setting in settings where ComponentLookup.key(setting.name) != "preset" {
      let parameter = try parameter(setting.name, among: parameters)
      let value = try parameter.value(of: setting.value, unit: name)
      try ToneError.check(
        AudioUnitSetParameter(unit, parameter.id, kAudioUnitScope_Global, 0, value, 0),
        "Can't set \(parameter.name) of \(name)")
    }
  }

  private func setPreset(_ text: String, of unit: AudioUnit) throws(ToneError) {
    let list = array(unit, kAudioUnitProperty_FactoryPresets)
    let presets = (0..<CFArrayGetCount(list)).compactMap { index in
      CFArrayGetValueAtIndex(list, index)?.assumingMemoryBound(to: AUPreset.self).pointee
    }
    let named = presets.map { ($0, $0.presetName.map { "\($0.takeUnretainedValue())" } ?? "") }
    let found = named.first {
      ComponentLookup.key($0.1) == ComponentLookup.key(text) || "\($0.0.presetNumber)" == text
    }
    guard var preset = found?.0 else {
      let names = named.map { "\($0.0.presetNumber) \($0.1)" }.joined(separator: ", ")
      throw ToneError(
        "\(name) has no preset \(Excerpt.quoted(text)); it has " + (names.isEmpty ? "none" : names))
    }
    try setProperty(
      unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, &preset,
      "Can't set the preset \(text) of \(name)")
  }

  /// The parameter of a name or a number; the beginning of a name, or a part of it, is enough where
  /// only one has it.
  private func parameter(
    _ text: String, among all: [Parameter]
  ) throws(ToneError) -> Parameter {
    let wanted = ComponentLookup.key(text)
    let exact = all.filter { ComponentLookup.key($0.name) == wanted || "\($0.id)" == text }
    if let first = exact.first { return first }
    let beginning = all.filter { ComponentLookup.key($0.name).hasPrefix(wanted) }
    let within = all.filter { ComponentLookup.key($0.name).contains(wanted) }
    for found in [beginning, within] where !found.isEmpty {
      guard found.count == 1 else {
        let names = found.map(\.name).joined(separator: " or ")
        throw ToneError("\(name): \(Excerpt.quoted(text)) may be \(names)")
      }
      return found[0]
    }
    let names = all.map(\.name).joined(separator: ", ")
    throw ToneError(
      "\(name) has no parameter \(Excerpt.quoted(text)); it has "
        + (names.isEmpty ? "none" : names))
  }
}

/// A parameter of the global scope that can be set.
private struct Parameter {
  let id: AudioUnitParameterID
  let name: String
  let range: ClosedRange<Float>
  let isSwitch: Bool
  /// How its values are typed.
  let quantity: Quantity
  /// Names of the values from the lowest on; none where they are numbers.
  let valueNames: [String]

  static func all(of unit: AudioUnit) -> [Parameter] {
    var size: UInt32 = 0
    guard
      AudioUnitGetPropertyInfo(
        unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, nil) == noErr
    else { return [] }
    var ids = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
    guard
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &ids, &size) == noErr
    else { return [] }
    return ids.compactMap { Parameter($0, of: unit) }
  }

  /// Nil when there is none of this number that can be set.
  private init?(_ id: AudioUnitParameterID, of unit: AudioUnit) {
    guard
      let info = property(
        unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, AudioUnitParameterInfo(),
        id), info.minValue <= info.maxValue
    else { return nil }
    self.id = id
    name = info.cfNameString.map { String(describing: $0.takeRetainedValue()) } ?? ""
    guard info.flags.contains(.flag_IsWritable) else { return nil }
    range = info.minValue...info.maxValue
    isSwitch = info.unit == .boolean
    quantity =
      switch info.unit {
      case .hertz: .frequency()
      case .decibels: .decibels
      case .seconds: .seconds
      case .percent: .percent
      default: .number
      }
    let names = array(unit, kAudioUnitProperty_ParameterValueStrings, id)
    valueNames = (0..<CFArrayGetCount(names)).compactMap { names[$0] as? String }
  }

  /// What a text says: a number within the range, or the name of a value.
  func value(of text: String, unit: String) throws(ToneError) -> Float {
    if let index = valueNames.firstIndex(where: {
      ComponentLookup.key($0) == ComponentLookup.key(text)
    }) {
      return range.lowerBound + Float(index)
    }
    if isSwitch, let number: Float = ["on": 1, "off": 0][text] { return number }
    guard let number = quantity.value(of: text).map({ Float($0) }), range.contains(number) else {
      throw ToneError(
        "\(unit): \(name) is \(Excerpt.quoted(text)): expected a number from "
          + "\(plain(range.lowerBound)) to \(plain(range.upperBound)), such as \(quantity.examples)"
          + (valueNames.isEmpty ? "" : ", or one of " + valueNames.joined(separator: ", ")))
    }
    return number
  }
}

/// The array behind a property, empty where there is none; the unit hands over a reference.
private func array(
  _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ element: AudioUnitElement = 0
) -> CFArray {
  let array = property(unit, id, kAudioUnitScope_Global, Unmanaged<CFArray>?.none, element)
  return array??.takeRetainedValue() ?? NSArray()
}

/// A number without a fraction that says nothing.
private func plain(_ number: Float) -> String {
  number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
}
