// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The keys that play the tone: those of a MIDI source, and the letters of the keyboard.
final class KeysGroup: Part {
  let widget: Widget

  private let session: Session
  private let player: KeyPlayer
  private let source: Widget
  private let letters: Widget
  private let lettersRow: Widget
  private var shown: [ToneMIDISources.Choice]?

  init(_ session: Session, _ player: KeyPlayer) {
    (self.session, self.player) = (session, player)
    let source = made(adw_combo_row_new())
    self.source = source
    adw_preferences_row_set_title(source.to(), tr("MIDI source"))
    let letters = switchRow(tr("The letters play")) { player.playsLetters = $0 }
    (self.letters, lettersRow) = (letters.toggle, letters.row)
    letters.toggle.setName(tr("The letters play"))
    widget = group(tr("Keys"), [source, letters.row])
    onChange(of: "selected", source) { [weak self] in self?.choose() }
    // MIDI is used once the group is shown.
    on(widget, "map") { player.watch() }
    player.onChange = { [weak self] in
      guard let self else { return }
      session.show { self.show(session.model) }
    }
  }

  private func choose() {
    let index = Int(adw_combo_row_get_selected(source.to())) - 1
    let all = shown ?? []
    session.change { _ in player.listen(to: all.indices.contains(index) ? all[index] : nil) }
  }

  func show(_ model: ToneModel) {
    if shown != player.choices {
      shown = player.choices
      setChoices(source, [tr("None")] + player.choices.map(\.name))
    }
    let index = player.source.flatMap { player.choices.firstIndex(of: $0) }
    ToneGeneratorWindow.choose(source, index.map { $0 + 1 } ?? 0)
    gtk_switch_set_active(letters.opaque, player.playsLetters ? 1 : 0)
    let note = Note(nearestTo: 440 * exp2(Double(player.letterA - 69) / 12))
    adw_action_row_set_subtitle(
      lettersRow.to(), tr("White keys A to ’ from {}, black keys above; Z X: octave", note.name))
  }
}
