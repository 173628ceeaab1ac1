// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The crest factor of several sines, and its settings.
final class CrestRows {
  /// The rows for a group.
  let widgets: [Widget]

  private let shown: Widget
  private let last: LastCrest

  /// The latest crest factor, and the tones that have it.
  private final class LastCrest {
    var crest = 0.0
    var tones: [Tone] = []
  }

  init(_ session: Session) {
    let last = LastCrest()
    self.last = last
    func choose(_ target: ToneCrest.Target) {
      session.change { model in
        last.crest = try model.setCrest(target)
        last.tones = model.tones
      }
      // The tones have changed, and their observers were called, before the crest was stored.
      session.model.onChange()
    }
    let buttons = box(
      GTK_ORIENTATION_HORIZONTAL,
      [
        button(tr("Lowest")) { choose(.lowest) }, button(tr("Highest")) { choose(.highest) },
      ])
    buttons.addClasses("linked")
    gtk_widget_set_valign(buttons, GTK_ALIGN_CENTER)
    let shown = made(adw_action_row_new())
    self.shown = shown
    adw_preferences_row_set_title(shown.to(), tr("Crest"))
    wrapAtWords(in: shown)
    adw_action_row_add_suffix(shown.to(), buttons)
    let entry = made(adw_entry_row_new())
    adw_preferences_row_set_title(entry.to(), tr("Chosen crest (dB)"))
    adw_entry_row_set_show_apply_button(entry.to(), 1)
    widgets = [shown, entry]
    on(entry, "apply") {
      let text = gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
      guard let crest = Quantity.decibels.value(of: text) else {
        return session.onMessage(
          tr("“{}”: expected a crest, such as 6.", Excerpt.name(text)), .change)
      }
      choose(.decibels(crest))
    }
  }

  func show(_ model: ToneModel) {
    for widget in widgets { widget.show(model.tones.count > 1) }
    let isKnown = last.tones == model.tones
    adw_action_row_set_subtitle(
      shown.to(), isKnown ? String(format: "%.2f dB", last.crest) : tr("As the phases are"))
  }
}
