// SPDX-License-Identifier: Apache-2.0

/// The names of controllers in MIDI 1.0.
enum MIDIControllerNames {
  /// The name of a controller; nil for one without a meaning.
  static func name(of number: UInt8) -> String? {
    if let name = names[number] { return name }
    // Controllers 32 to 63 are the lower seven bits of the first 32.
    guard (32..<64).contains(number) else { return nil }
    return names[number - 32].map { "\($0), fine" }
  }

  private static let names: [UInt8: String] = [
    0: "bank", 1: "modulation", 2: "breath", 4: "foot", 5: "portamento time", 6: "data entry",
    7: "volume", 8: "balance", 10: "pan", 11: "expression", 12: "effect 1", 13: "effect 2",
    16: "general 1", 17: "general 2", 18: "general 3", 19: "general 4",
    64: "sustain pedal", 65: "portamento", 66: "sostenuto pedal", 67: "soft pedal",
    68: "legato", 69: "hold 2", 70: "variation", 71: "resonance", 72: "release time",
    73: "attack time", 74: "cutoff", 75: "decay time", 76: "vibrato rate", 77: "vibrato depth",
    78: "vibrato delay", 80: "general 5", 81: "general 6", 82: "general 7", 83: "general 8",
    84: "portamento control", 91: "reverb", 92: "tremolo", 93: "chorus", 94: "detune",
    95: "phaser", 96: "data increment", 97: "data decrement", 98: "NRPN, fine", 99: "NRPN",
    100: "RPN, fine", 101: "RPN", 120: "all sound off", 121: "reset all controllers",
    122: "local control", 123: "all notes off", 124: "omni off", 125: "omni on", 126: "mono",
    127: "poly",
  ]
}
