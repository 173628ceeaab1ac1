// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText

// Shell completions for a unit.

extension UnitSpec {
  /// [control thread] The completions of a text such as "lowpass,cut": first units, then parameters
  /// and "preset", then the names of a value.
  public static func completions(_ text: String) -> [String] {
    guard let first = text.firstIndex(of: ","), let last = text.lastIndex(of: ",") else {
      return effects
    }
    guard let component = try? UnitSpec(String(text[..<first]))?.component(),
      let temporary = try? TemporaryUnit(component)
    else { return [] }
    let presets = temporary.unit.presets.map { NameKey.of($0.name) }
    let parameters = temporary.unit.parameterDescriptions().filter(\.isWritable)
    let piece = text[text.index(after: last)...]
    guard let equals = piece.firstIndex(of: "=") else {
      let names = parameters.map { NameKey.of($0.name) } + (presets.isEmpty ? [] : ["preset"])
      return names.map { "\(text[...last])\($0)=" }
    }
    let name = NameKey.of(piece[..<equals])
    let named = parameters.first { NameKey.of($0.name) == name }
    let values = name == "preset" ? presets : named?.valueNames.map { NameKey.of($0) } ?? []
    return values.map { "\(text[...last])\(piece[...equals])\($0)" }
  }

  /// The short names and the codes of all effects.
  private static var effects: [String] {
    var pattern = AudioComponentDescription()
    pattern.componentType = kAudioUnitType_Effect
    return UnitComponent.all(matching: pattern).flatMap(\.words)
  }
}
