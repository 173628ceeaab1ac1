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
    widget = group(tr("Channels"), [linkRow.row, side, phaseRow, invertRow.row])
  }

  func show(_ model: ToneModel) {
    gtk_switch_set_active(link.opaque, model.isLinked ? 1 : 0)
    link.enable(!model.isLinked || model.tones.count < ToneMix.capacity)
    choose(side, ToneSide.allCases.firstIndex(of: model.tone.side))
    gtk_spin_button_set_value(phase.opaque, model.tone.phase)
    gtk_switch_set_active(inverted.opaque, model.tone.isInverted ? 1 : 0)
    phaseRow.enable(model.isLinked)
    invertedRow.enable(model.isLinked)
  }
}
