// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// A unit as it is written on a command line: `lpas,cutoff=800,resonance=6`, `rvb2,preset=cathedral`.
///
/// The subtype comes first, an effect's if there is one of that name. A parameter is named by words
/// that begin or lie in its name, as long as they mean one only, or by its number.
struct UnitSpec: Sendable, CustomStringConvertible {
  let subtype: FourCharacterCode
  /// Names and values in their order.
  let settings: [(name: String, value: String)]
  let description: String

  /// Reads the form; whether there is such a unit shows when it is made.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = parts.first, let code = FourCharacterCode(String(first)) else { return nil }
    subtype = code
    description = text
    var settings: [(String, String)] = []
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { return nil }
      settings.append((String(sides[0]), String(sides[1])))
    }
    self.settings = settings
  }

  /// The component that is meant: an effect before others, the library's own before those of others.
  func component() throws -> AudioComponent {
    let found =
      ComponentReport.components(type: .init(kAudioUnitType_Effect), subtype: subtype)
      + ComponentReport.components(subtype: subtype)
    guard let component = found.first else {
      throw Failure("there is no unit '\(subtype)'; `au list` shows those that there are")
    }
    return component
  }

  /// Sets what the line says: a preset first, then parameters in their order.
  func apply(to inspector: UnitInspector) throws {
    for (name, value) in settings where name == "preset" { try setPreset(value, inspector) }
    for (name, value) in settings where name != "preset" {
      let parameter = try parameter(name, of: inspector)
      let number = try parameter.value(of: value)
      try Failure.check(
        AudioUnitSetParameter(inspector.unit, parameter.id, kAudioUnitScope_Global, 0, number, 0),
        "\(subtype): \(parameter.name) = \(value)")
    }
  }

  private func setPreset(_ text: String, _ inspector: UnitInspector) throws {
    let presets = UnitReport.Preset.all(of: inspector)
    let wanted = presets.first { Self.plain($0.name) == Self.plain(text) || "\($0.number)" == text }
    guard let wanted else {
      let names = presets.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
      throw Failure(
        presets.isEmpty
          ? "\(subtype) has no presets"
          : "\(subtype) has no preset \"\(text)\"; there are \(names)")
    }
    var preset = AUPreset()
    preset.presetNumber = wanted.number
    try Failure.check(
      AudioUnitSetProperty(
        inspector.unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
        UInt32(MemoryLayout<AUPreset>.size)), "\(subtype): preset \(text)")
  }

  private func parameter(
    _ name: String, of inspector: UnitInspector
  ) throws -> UnitReport.Parameter {
    let all = inspector.parameters(kAudioUnitScope_Global).compactMap {
      UnitReport.Parameter(inspector, kAudioUnitScope_Global, $0)
    }.filter { $0.flags.contains("write") }
    let word = Self.plain(name)
    let exact = all.filter { Self.plain($0.name) == word || "\($0.id)" == name }
    let beginning = all.filter { Self.plain($0.name).hasPrefix(word) }
    let within = all.filter { Self.plain($0.name).contains(word) }
    for found in [exact, beginning, within] where !found.isEmpty {
      if found.count == 1 || found.map(\.name) == exact.map(\.name) { return found[0] }
      throw Failure(
        "\(subtype): \"\(name)\" may be " + found.map(\.name).joined(separator: " or "))
    }
    throw Failure(
      all.isEmpty
        ? "\(subtype) has no parameters"
        : "\(subtype) has no parameter \"\(name)\"; there are "
          + all.map(\.name).joined(separator: ", "))
  }

  /// Letters and digits, all small.
  fileprivate static func plain(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension UnitReport.Parameter {
  /// What a text says: a number within the range, or the name of a value.
  func value(of text: String) throws -> Float {
    let word = UnitSpec.plain(text)
    if let index = valueNames.firstIndex(where: { UnitSpec.plain($0) == word }) {
      return minimum + Float(index)
    }
    if unit == Words.unit(.boolean), let number: Float = ["on": 1, "off": 0][word] {
      return number
    }
    guard let number = Float(text), number >= minimum, number <= maximum else {
      let range = "from \(Numbers.plain(minimum)) to \(Numbers.plain(maximum)) \(unit)"
      let names = valueNames.isEmpty ? "" : ", or " + valueNames.joined(separator: ", ")
      throw Failure(
        "\(name) is \"\(text)\": expected a number "
          + range.trimmingCharacters(in: .whitespaces) + names)
    }
    return number
  }
}

extension ValueReader where Value == UnitSpec {
  /// A unit with its parameters.
  static var unitSpec: Self {
    Self(
      expected: "a subtype and its parameters, such as lpas,cutoff=800 or rvb2,preset=plate",
      read: UnitSpec.init)
  }
}
