// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import Foundation

/// Components by what people call them: the one way to name a unit, in graphs and command lines.
package enum ComponentLookup {
  /// [control thread] The component that `text` means: codes ("aumx mcmx appl", "aumx mcmx",
  /// "mcmx"), or a name with or without its maker and "AU" ("Apple: AUMultiChannelMixer",
  /// "multichannel mixer").
  ///
  /// - Returns: every component that fits; more than one when the text is not enough.
  package static func components(_ text: String) -> [AudioComponent] {
    let byCodes = codes(text).map(all) ?? []
    guard byCodes.isEmpty else { return byCodes }
    let wanted = key(text)
    return all(AudioComponentDescription()).filter { component in
      let name = name(of: component)
      let own = name.split(separator: ": ", maxSplits: 1).last.map { key(String($0)) } ?? ""
      return [key(name), own, bare(own)].contains(wanted)
    }
  }

  /// "aumx mcmx appl: Apple: AUMultiChannelMixer".
  package static func title(_ component: AudioComponent) -> String {
    "\(codes(of: component)): \(name(of: component))"
  }

  /// "mcmx (AUMultiChannelMixer)".
  package static func shortTitle(_ component: AudioComponent) -> String {
    var description = AudioComponentDescription()
    _ = AudioComponentGetDescription(component, &description)
    let own = name(of: component).split(separator: ": ", maxSplits: 1).last ?? ""
    return "\(letters(description.componentSubType)) (\(own))"
  }

  /// "aumx mcmx appl"; a code keeps its spaces.
  package static func codes(of component: AudioComponent) -> String {
    var description = AudioComponentDescription()
    _ = AudioComponentGetDescription(component, &description)
    return codes(description)
  }

  /// "aumx mcmx appl"; a space at the end of a code may be left out when it is read again.
  static func codes(_ description: AudioComponentDescription) -> String {
    [description.componentType, description.componentSubType, description.componentManufacturer]
      .map { letters($0) }.joined(separator: " ")
  }

  /// A name without what all have: "AULowpass" is "lowpass", "DefaultOutputUnit" "defaultoutput".
  private static func bare(_ key: String) -> String {
    let tail = key.hasPrefix("au") ? key.dropFirst(2) : key[...]
    return String(tail.hasSuffix("unit") ? tail.dropLast(4) : tail)
  }

  /// What a name is compared by: its letters and digits, without case.
  package static func key(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// The name of a component, with its maker's: "Apple: AULowpass".
  package static func name(of component: AudioComponent) -> String {
    var name: Unmanaged<CFString>?
    guard AudioComponentCopyName(component, &name) == noErr, let name else { return "" }
    return String(describing: name.takeRetainedValue())
  }

  /// Every component that a description fits; zeros fit any.
  package static func all(_ description: AudioComponentDescription) -> [AudioComponent] {
    var description = description
    var found: [AudioComponent] = []
    while let next = AudioComponentFindNext(found.last, &description) { found.append(next) }
    return found
  }

  /// One code is a subtype, two are a type and a subtype, three all there are.
  private static func codes(_ text: String) -> AudioComponentDescription? {
    let words = text.split(separator: " ").map { $0.filter { $0 != "'" } }
    let codes = words.compactMap { code($0) }
    guard codes.count == words.count, (1...3).contains(codes.count) else { return nil }
    var description = AudioComponentDescription()
    description.componentType = codes.count > 1 ? codes[0] : 0
    description.componentSubType = codes.count > 1 ? codes[1] : codes[0]
    description.componentManufacturer = codes.count > 2 ? codes[2] : 0
    return description
  }

  private static func code(_ word: String) -> OSType? {
    let letters = Array(word.utf8)
    guard (1...4).contains(letters.count), letters.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return nil }
    return (letters + [0x20, 0x20, 0x20]).prefix(4).reduce(0) { $0 << 8 | OSType($1) }
  }

  private static func letters(_ code: OSType) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
