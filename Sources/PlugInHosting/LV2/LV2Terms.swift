// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The URIs of LV2 by which plug-ins are described.
enum LV2Terms {
  static let core = "http://lv2plug.in/ns/lv2core#"
  static let units = "http://lv2plug.in/ns/extensions/units#"
  static let groups = "http://lv2plug.in/ns/ext/port-groups#"
  static let properties = "http://lv2plug.in/ns/ext/port-props#"
  static let presets = "http://lv2plug.in/ns/ext/presets#"
  static let atomPort = "http://lv2plug.in/ns/ext/atom#AtomPort"
  static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
  static let position = "http://lv2plug.in/ns/ext/time#Position"
  static let loadDefaultState = "http://lv2plug.in/ns/ext/state#loadDefaultState"
  static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"

  /// The units of measure that have a constant.
  private static let constants: [String: AudioUnitParameterUnit] = [
    "ms": .milliseconds, "s": .seconds, "hz": .hertz, "pc": .percent, "db": .decibels,
    "coef": .ratio, "degree": .degrees, "bpm": .BPM, "beat": .beats, "cent": .cents,
    "semitone12TET": .relativeSemiTones, "oct": .octaves, "midiNote": .midiNoteNumber,
    "m": .meters, "frame": .sampleFrames,
  ]
  private static let names = [
    "khz": "kHz", "mhz": "MHz", "cm": "cm", "mm": "mm", "km": "km", "min": "min", "bar": "bars",
    "inch": "in", "mile": "mi",
  ]

  /// A unit of measure by its URI; nil if it is none of LV2's.
  static func unit(_ uri: String) -> (unit: AudioUnitParameterUnit, name: String?)? {
    guard uri.hasPrefix(units) else { return nil }
    let key = String(uri.dropFirst(units.count))
    if let unit = constants[key] { return (unit, nil) }
    return names[key].map { (.customUnit, $0) }
  }
}
