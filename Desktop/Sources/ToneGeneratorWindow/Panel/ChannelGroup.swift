// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Left and right: linked, with the differences of the right; or with separate tones.
final class ChannelGroup: Part {
  let widget: Widget

  private let link: Widget
  private let side: Widget
  private let phase: Widget
  private let phaseRow: Widget
  private let inverted: Widget
  private let invertedRow: Widget
  private let channels: Widget

  init(_ session: Session) {
    let linkRow = switchRow(tr("Left and right linked")) { isOn in
      session.change { $0.isLinked = isOn }
    }
    link = linkRow.toggle
    side = choiceRow(tr("Side"), ToneSide.allCases.map(Texts.side)) { index in
      session.change { $0.tone.side = ToneSide.allCases[index] }
    }
    phase = spin(-180...180, step: 1, digits: 1, .degrees) { value in
      session.change { $0.tone.phase = value }
    }
    phaseRow = row(tr("Phase offset (°)"), phase)
    let invertRow = switchRow(tr("Right inverted")) { isOn in
      session.change { $0.tone.isInverted = isOn }
    }
    inverted = invertRow.toggle
    invertedRow = invertRow.row
    let channels = made(adw_entry_row_new())
    self.channels = channels
    adw_preferences_row_set_title(channels.to(), tr("Channels, such as L+R, LFE or 3"))
    adw_entry_row_set_show_apply_button(channels.to(), 1)
    widget = group(tr("Channels"), [linkRow.row, side, channels, phaseRow, invertRow.row])
    on(channels, "apply") {
      let text = gtk_editable_get_text(channels.opaque).map { String(cString: $0) } ?? ""
      session.change { model in
        guard !text.allSatisfy(\.isWhitespace) else {
          model.tone.channels = []
          return
        }
        guard let numbers = ToneChannels.numbers(text) else {
          throw ToneError(tr("“{}”: expected channels, such as L+R, LFE or 3.", text))
        }
        model.tone.channels = numbers
      }
    }
  }

  private var shownChannels: [Int] = []

  func show(_ model: ToneModel) {
    gtk_switch_set_active(link.opaque, model.isLinked ? 1 : 0)
    link.enable(!model.isLinked || model.tones.count < ToneMix.capacity)
    choose(side, ToneSide.allCases.firstIndex(of: model.tone.side))
    side.enable(model.tone.channels.isEmpty)
    if gtk_widget_has_focus(channels) == 0, shownChannels != model.tone.channels {
      shownChannels = model.tone.channels
      gtk_editable_set_text(channels.opaque, ToneChannels.text(model.tone.channels))
    }
    gtk_spin_button_set_value(phase.opaque, model.tone.phase)
    gtk_switch_set_active(inverted.opaque, model.tone.isInverted ? 1 : 0)
    phaseRow.enable(model.isLinked)
    invertedRow.enable(model.isLinked)
  }
}
