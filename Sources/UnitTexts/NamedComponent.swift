// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import PlainText

/// A kind of unit, which people find by name or code: in the description of a graph, or on a command
/// line.
package protocol NamedComponent {
  /// Its codes.
  var description: AudioComponentDescription { get }
  /// "Manufacturer: Name".
  var name: String { get }
}

extension NamedComponent {
  /// The components that match `text`: codes ("aumx mcmx appl", "aumx mcmx", "mcmx"), or a name,
  /// with or without its manufacturer and "AU" ("Apple: AUMultiChannelMixer", "multichannel mixer").
  ///
  /// - Parameters:
  ///   - text: The codes or the name.
  ///   - matches: The components with some codes, where zero matches all.
  /// - Returns: every match; more than one if the text is ambiguous.
  package static func named(
    _ text: String, among matches: (AudioComponentDescription) -> [Self]
  ) -> [Self] {
    let byCodes = codes(text).map(matches) ?? []
    guard byCodes.isEmpty else { return byCodes }
    let key = NameKey.of(text)
    return matches(AudioComponentDescription()).filter { component in
      let own = NameKey.of(component.ownName)
      return [NameKey.of(component.name), own, bare(own)].contains(key)
    }
  }

  /// What follows in a message that there is no unit with a name: near names of units, or `instead`.
  ///
  /// - Parameters:
  ///   - text: The name.
  ///   - components: The units that there are, the usual ones first.
  ///   - instead: What follows if no name is near.
  /// - Returns: Such as "; did you mean lowpass?".
  package static func question(
    for text: String, among components: [Self], otherwise instead: String
  ) -> String {
    let word = NameKey.of(text)
    let builtIn = components.filter(\.isBuiltIn)
    // Those of plug-ins only if no other is near.
    for some in [builtIn, components] {
      let question = NearWords.question(for: word, in: some.flatMap(\.words))
      if !question.isEmpty { return question }
    }
    return "; \(instead)"
  }

  /// Whether it is a unit of this library.
  package var isBuiltIn: Bool {
    ["appl", "swat"].contains(FourCharacterCode(description.componentManufacturer).description)
  }

  /// A key without common parts: "aulowpass" gives "lowpass", "defaultoutputunit" gives
  /// "defaultoutput".
  private static func bare(_ key: String) -> String {
    let tail = key.hasPrefix("au") ? key.dropFirst(2) : key[...]
    return String(tail.hasSuffix("unit") ? tail.dropLast(4) : tail)
  }

  /// Reads one code as a subtype, two as type and subtype, three as type, subtype and manufacturer.
  private static func codes(_ text: String) -> AudioComponentDescription? {
    let words = text.split(separator: " ").map { $0.filter { $0 != "'" } }
    let codes = words.compactMap { FourCharacterCode($0)?.rawValue }
    guard codes.count == words.count, (1...3).contains(codes.count) else { return nil }
    var description = AudioComponentDescription()
    description.componentType = codes.count > 1 ? codes[0] : 0
    description.componentSubType = codes.count > 1 ? codes[1] : codes[0]
    description.componentManufacturer = codes.count > 2 ? codes[2] : 0
    return description
  }

  /// The name without the manufacturer: "AULowpass".
  package var ownName: String {
    let parts = name.split(separator: ":", maxSplits: 1)
    return parts.last.map { String($0.drop { $0 == " " }) } ?? name
  }

  /// Single words that match it: "lowpass", and the code of its subtype, "lpas".
  package var words: [String] {
    let code = FourCharacterCode(description.componentSubType).description.filter { $0 != " " }
    return [Self.bare(NameKey.of(ownName)), code].filter { !$0.isEmpty }
  }

  /// "aumx mcmx appl"; `named` also accepts codes without the space at their end.
  package var codes: String { description.codes }

  /// "aumx mcmx appl: Apple: AUMultiChannelMixer".
  package var title: String { "\(codes): \(name)" }

  /// "mcmx (AUMultiChannelMixer)".
  package var shortTitle: String {
    "\(FourCharacterCode(description.componentSubType)) (\(ownName))"
  }
}

extension AudioComponentDescription {
  /// "aumx mcmx appl".
  package var codes: String {
    [componentType, componentSubType, componentManufacturer]
      .map { FourCharacterCode($0).description }.joined(separator: " ")
  }
}
