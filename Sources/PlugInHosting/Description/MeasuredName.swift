// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Names of controls that end with their unit of measure, such as "Gain (dB)".
enum MeasuredName {
  /// A unit of measure; the custom one has a name.
  struct Unit: Equatable {
    var unit: AudioUnitParameterUnit
    var name: String?
  }

  /// By the usual abbreviations in small letters.
  static let units: [String: Unit] = [
    "db": .init(unit: .decibels), "hz": .init(unit: .hertz), "ms": .init(unit: .milliseconds),
    "s": .init(unit: .seconds), "sec": .init(unit: .seconds), "seconds": .init(unit: .seconds),
    "%": .init(unit: .percent), "khz": .init(unit: .customUnit, name: "kHz"),
    "cents": .init(unit: .cents), "semitones": .init(unit: .relativeSemiTones),
    "octaves": .init(unit: .octaves), "degrees": .init(unit: .degrees),
    "deg": .init(unit: .degrees),
    "bpm": .init(unit: .BPM), "beats": .init(unit: .beats), "samples": .init(unit: .sampleFrames),
  ]

  /// The name without its unit, and the unit; nil if it ends with none.
  static func split(_ text: String) -> (name: String, unit: Unit?) {
    let opening: Character
    switch text.last {
    case ")": opening = "("
    case "]": opening = "["
    default: return (text, nil)
    }
    guard let start = text.lastIndex(of: opening),
      let unit = units[text[text.index(after: start)...].dropLast().lowercased()]
    else { return (text, nil) }
    let name = text[..<start]
    guard let end = name.lastIndex(where: { $0 != " " }) else { return (text, nil) }
    return (String(name[...end]), unit)
  }
}
