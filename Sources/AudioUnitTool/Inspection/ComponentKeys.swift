// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText

/// The constants for the codes of a component, as programs write them; nil where there is none.
struct ComponentKeys: Codable, Equatable {
  let type: String?
  let subtype: String?
  let manufacturer: String?
  /// What a unit with this subtype does, in a sentence.
  let sentence: String?

  init(type: OSType, subtype: OSType, manufacturer: OSType) {
    func constant(_ list: [ComponentConstant], _ code: OSType) -> ComponentConstant? {
      list.first { $0.code == code }
    }
    self.type = constant(ComponentConstant.types, type)?.name
    self.manufacturer = constant(ComponentConstant.manufacturers, manufacturer)?.name
    // A plug-in may have a subtype that a unit has, too.
    let unit = self.manufacturer == nil ? nil : constant(ComponentConstant.subtypes, subtype)
    (self.subtype, sentence) = (unit?.name, unit?.sentence)
  }

  private static let all =
    ComponentConstant.types + ComponentConstant.subtypes + ComponentConstant.manufacturers

  /// All names.
  static var names: [String] { all.map(\.name) }

  /// The codes that constants stand for, as text: "ipeq" for kAudioUnitSubType_AUiPodEQ; nil if a word
  /// is not such a constant.
  static func codes(named text: String) -> String? {
    let words = text.split(separator: " ").map { word in
      all.first { $0.name == word }.map { FourCharacterCode($0.code).description }
    }
    let found = words.compactMap(\.self)
    return found.count == words.count ? found.joined(separator: " ") : nil
  }
}
