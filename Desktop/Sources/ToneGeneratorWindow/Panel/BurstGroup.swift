// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The burst switch, and its numbers of periods.
final class BurstGroup: Part {
  let widget: Widget

  private let toggle: Widget
  private let on: Widget
  private let off: Widget
  private let draft: Draft

  /// The edited burst, which also exists while bursts are off.
  private final class Draft {
    var burst = ToneBurst(on: 10, off: 90)
  }

  init(_ session: Session) {
    let draft = Draft()
    self.draft = draft
    func edit(on: Int? = nil, off: Int? = nil) {
      session.change { model in
        draft.burst = ToneBurst(on: on ?? draft.burst.on, off: off ?? draft.burst.off)
        if model.tone.burst != nil { model.tone.burst = draft.burst }
      }
    }
    let burstRow = switchRow(tr("Bursts")) { isOn in
      session.change { $0.tone.burst = isOn ? draft.burst : nil }
    }
    toggle = burstRow.toggle
    let range = Double(ToneBurst.periods.lowerBound)...Double(ToneBurst.periods.upperBound)
    on = spin(range, step: 1, digits: 0) { edit(on: Int($0)) }
    off = spin(range, step: 1, digits: 0) { edit(off: Int($0)) }
    widget = group(
      tr("Bursts"), [burstRow.row, row(tr("Periods on"), on), row(tr("Periods off"), off)])
  }

  func show(_ model: ToneModel) {
    if let burst = model.tone.burst { draft.burst = burst }
    gtk_switch_set_active(toggle.opaque, model.tone.burst == nil ? 0 : 1)
    gtk_spin_button_set_value(on.opaque, Double(draft.burst.on))
    gtk_spin_button_set_value(off.opaque, Double(draft.burst.off))
    toggle.enable(model.waveform.crossesZero)
  }
}
