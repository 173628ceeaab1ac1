// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Whether the tone comes in bursts, and of how many periods.
final class BurstGroup: Part {
  let widget: Widget

  private let toggle: Widget
  private let on: Widget
  private let off: Widget
  private let kept: Kept

  /// The burst that is edited, also while it is off.
  private final class Kept {
    var burst = ToneBurst(on: 10, off: 90)
  }

  init(_ session: Session) {
    let kept = Kept()
    self.kept = kept
    func edit(on: Int? = nil, off: Int? = nil) {
      session.change { model in
        kept.burst = ToneBurst(on: on ?? kept.burst.on, off: off ?? kept.burst.off)
        if model.tone.burst != nil { model.tone.burst = kept.burst }
      }
    }
    let burstRow = switchRow(tr("Bursts")) { isOn in
      session.change { $0.tone.burst = isOn ? kept.burst : nil }
    }
    toggle = burstRow.toggle
    let range = Double(ToneBurst.periods.lowerBound)...Double(ToneBurst.periods.upperBound)
    on = spin(range, step: 1, digits: 0) { edit(on: Int($0)) }
    off = spin(range, step: 1, digits: 0) { edit(off: Int($0)) }
    widget = group(
      tr("Bursts"), [burstRow.row, row(tr("Periods on"), on), row(tr("Periods off"), off)])
  }

  func show(_ model: ToneModel) {
    if let burst = model.tone.burst { kept.burst = burst }
    gtk_switch_set_active(toggle.opaque, model.tone.burst == nil ? 0 : 1)
    gtk_spin_button_set_value(on.opaque, Double(kept.burst.on))
    gtk_spin_button_set_value(off.opaque, Double(kept.burst.off))
    toggle.enable(model.waveform.isPeriodic)
  }
}
