// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
import ToneModel
import ToneTexts

// The frequency or note that is being typed.

extension TerminalView {
  /// Handles a key of the number being typed; false if it is not part of a number.
  func handleInEntry(_ key: Key) -> Bool {
    var entry = state.entry ?? ""
    switch key {
    case .character(let character) where ("0"..."9").contains(character) && entry.count < 15:
      entry.append(character)
    // A note: A4, C♯5, Bb3.
    case .character(let character) where entry.isEmpty && Self.noteLetters.contains(character):
      entry = character.uppercased()
    case .character(let character) where isNote(entry) && "#♯b♭-".contains(character):
      if entry.count < 5 { entry.append(character) }
    case .character(".") where !entry.contains("."):
      entry += entry.isEmpty ? "0." : "."
    // Units as engineers write them: 1k, 2.5kHz.
    case .character(let character)
    where !entry.isEmpty && !isNote(entry) && "khzHKZ".contains(character):
      if entry.count < 15 { entry.append(character) }
    case .backspace where state.entry != nil:
      entry.removeLast()
    case .escape where state.entry != nil:
      entry = ""
    case .enter where state.entry != nil:
      // A refused number stays, to be corrected.
      if setFrequency(entry) { entry = "" }
    // A key without any function does nothing here either.
    case .character(let character)
    where state.entry != nil && !Self.knownCharacters.contains(character):
      return true
    default:
      // Any other key cancels the number.
      if key != .character(" ") { state.entry = nil }
      return false
    }
    state.entry = entry.isEmpty ? nil : entry
    return true
  }

  /// The characters with a function.
  private static let knownCharacters = " +=-_wWvot:?qQ<>nNcpPisk"
  /// The letters that begin a note; c has another function.
  private static let noteLetters = "ABCDEFGabdefg"

  private func isNote(_ entry: String) -> Bool { entry.first?.isLetter == true }

  /// Sets the typed frequency; false, without a change, if it is invalid.
  private func setFrequency(_ text: String) -> Bool {
    let range = model.possibleFrequencies
    guard let frequency = Quantity.frequency(a4: model.a4).value(of: text) else {
      state.message = tr(
        "“{}”: expected a frequency such as 440, 1k or A4.", Excerpt.name(text))
      return false
    }
    guard range.contains(frequency) else {
      state.message = tr(
        "{} Hz is outside {} to {} Hz.", Texts.plain(frequency), Texts.plain(range.lowerBound),
        Texts.plain(range.upperBound))
      return false
    }
    model.frequency = frequency
    return true
  }
}
