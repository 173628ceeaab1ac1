// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Selects, adds and removes tones, up to eight.
final class TonesGroup: Part {
  let widget: Widget

  private let choice: Widget
  private let add: Widget
  private let remove: Widget
  private let crest: CrestRows
  private var shown: [String] = []

  init(_ session: Session) {
    choice = choiceRow(tr("Tone shown"), []) { index in session.change { $0.select(index) } }
    add = button(tr("Add a tone"), icon: "list-add-symbolic") {
      session.change { model in
        let before = model.tones
        model.addTone()
        if let text = Texts.added(before, model.tones) { session.onMessage(text, .change) }
      }
    }
    remove = button(tr("Remove this tone"), icon: "list-remove-symbolic") {
      session.change { $0.removeTone() }
    }
    let buttons = box(GTK_ORIENTATION_HORIZONTAL, [remove, add])
    buttons.addClasses("linked")
    crest = CrestRows(session)
    widget = group(
      tr("Mix"), [choice, row(tr("Number of tones (up to eight)"), buttons)] + crest.widgets)
  }

  func show(_ model: ToneModel) {
    let names = model.tones.enumerated().map { index, tone in
      let what =
        tone.sweep != nil
        ? tr("Sweep")
        : tone.waveform.isPeriodic
          ? "\(Texts.frequency(tone.frequency)) Hz" : Texts.waveform(tone.waveform)
      let side = tone.side == .both ? "" : " " + Texts.side(tone.side)
      return "\(index + 1): \(what)\(side)"
    }
    if names != shown {
      shown = names
      setChoices(choice, names)
    }
    choose(choice, model.selection)
    add.enable(model.tones.count < ToneMix.capacity)
    remove.enable(model.tones.count > 1)
    crest.show(model)
  }
}
