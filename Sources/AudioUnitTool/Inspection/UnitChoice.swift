// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
import ToneModel

/// The unit that a word names.
enum UnitChoice {
  /// The only component with a name, codes, or the name of its constant.
  ///
  /// - Throws: If there is none, with the names that are near, or several.
  static func component(named text: String) throws(Failure) -> UnitComponent {
    let name = ComponentKeys.codes(named: text) ?? text
    let found = UnitComponent.named(name)
    guard let component = found.first else {
      throw Failure("there is no unit \(Excerpt.quoted(text))\(suggestion(for: text))")
    }
    guard found.count == 1 else {
      let titles = Excerpt.list(found.map(\.title))
      throw Failure("\(Excerpt.quoted(text)) names several units: \(titles)")
    }
    return component
  }

  /// What was probably meant, or else the names of all units.
  static func suggestion(for text: String) -> String {
    let all = UnitComponent.all()
    // Effects first, as they are looked for most often.
    let isEffect = { (unit: UnitComponent) in
      unit.description.componentType == kAudioUnitType_Effect
    }
    let names = (all.filter(isEffect) + all.filter { !isEffect($0) }).compactMap(\.words.first)
    return UnitComponent.question(
      for: text, among: all,
      otherwise: "there are \(names.prefix(8).joined(separator: ", ")) and "
        + "\(max(0, names.count - 8)) more: `au list` shows all units")
  }
}
