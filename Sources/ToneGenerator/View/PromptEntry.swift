// SPDX-License-Identifier: Apache-2.0
import ToneModel
import ToneTexts

/// A command after a colon: its word, its arguments, and its effect.
struct PromptEntry {
  let word: String
  let arguments: String
  let meaning: String

  /// All commands.
  static var all: [PromptEntry] {
    [
      PromptEntry(
        word: "device", arguments: "NAME", meaning: tr("play to it; alone, to the default")),
      PromptEntry(word: "level", arguments: "DB", meaning: tr("-20, -23dBrms, 4dBu, 74dBSPL")),
      PromptEntry(
        word: "unit", arguments: "dBrms|dBu|dBV|V|Vrms|dBSPL|Pa",
        meaning: tr("show levels in it; alone, the usual")),
      PromptEntry(
        word: "calibrate", arguments: "74dBSPL|1.23V|4dBu",
        meaning: tr("what this level is; alone, none")),
      PromptEntry(
        word: "lock", arguments: "FRAMES", meaning: tr("to lines of a transform; alone, none")),
      PromptEntry(
        word: "channels", arguments: "L+R|LFE|3", meaning: tr("play there; alone, both sides")),
      PromptEntry(
        word: "file", arguments: "PATH", meaning: tr("a sound file in a loop; alone, a sine")),
      PromptEntry(
        word: "timing", arguments: "[SECONDS] [delay S] [repeat [COUNT]] [pause S]",
        meaning: tr("when it sounds; alone, always")),
      PromptEntry(
        word: "dither", arguments: "triangular|shaped|none",
        meaning: tr("for 16 and 24 bits; alone, the usual")),
      PromptEntry(word: "a4", arguments: "HZ", meaning: tr("tune the notes, 400 to 480")),
      PromptEntry(
        word: "rate", arguments: "HZ", meaning: tr("ask the device for it; alone, its own")),
      PromptEntry(word: "cycle", arguments: "FRAMES", meaning: tr("16 to 65536; alone, the usual")),
      PromptEntry(
        word: "sweep", arguments: "HZ HZ SECONDS [31steps] [linear] [hold|back] [DB]",
        meaning: tr("from, to, in")),
      PromptEntry(
        word: "am", arguments: "HZ PERCENT", meaning: tr("amplitude modulation; alone, none")),
      PromptEntry(word: "fm", arguments: "HZ HZ", meaning: tr("frequency modulation; alone, none")),
      PromptEntry(
        word: "order", arguments: "4…20", meaning: tr("of noise that repeats: 2^order frames")),
      PromptEntry(
        word: "bits", arguments: "8…24", meaning: tr("of the samples that a J-test is for")),
      PromptEntry(
        word: "burst", arguments: "ON OFF", meaning: tr("periods on and off; alone, none")),
      PromptEntry(word: "band", arguments: "HZ HZ", meaning: tr("limits of noise; alone, none")),
      PromptEntry(
        word: "crest", arguments: "lowest|highest|DB", meaning: tr("of the sum of sines")),
      PromptEntry(
        word: "export", arguments: "FILE [SECONDS] [16bit|24bit] [loop]",
        meaning: tr("write WAV, FLAC, …")),
      PromptEntry(word: "save", arguments: "NAME", meaning: tr("save the tones as a preset")),
      PromptEntry(word: "preset", arguments: "NAME", meaning: tr("use a preset")),
      PromptEntry(word: "delete", arguments: "NAME", meaning: tr("delete a preset")),
      PromptEntry(word: "help", arguments: "", meaning: tr("all keys")),
    ]
  }

  /// An error with the syntax of a command.
  static func usage(_ word: String) -> ToneError {
    let entry = all.first { $0.word == word }
    return ToneError(tr("Expected: {}", "\(word) \(entry?.arguments ?? "")"))
  }
}
