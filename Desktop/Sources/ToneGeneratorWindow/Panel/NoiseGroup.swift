// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The limits of noise, shown only for noise.
final class NoiseGroup: Part {
  let widget: Widget

  private let toggle: Widget
  private let lowest: Widget
  private let highest: Widget
  private let draft: Draft

  /// The edited limits, which also exist while they are off.
  private final class Draft {
    var (lowest, highest) = (500.0, 2_000.0)
  }

  init(_ session: Session) {
    let draft = Draft()
    self.draft = draft
    func edit(_ body: @escaping (Draft) -> Void) {
      session.change { model in
        body(draft)
        guard model.tone.band != nil else { return }
        guard let band = NoiseBand(from: draft.lowest, to: draft.highest) else {
          throw ToneError(tr("The upper limit of a band lies above the lower one."))
        }
        model.tone.band = band
      }
    }
    let switched = switchRow(tr("Band limits")) { isOn in
      session.change { model in
        model.tone.band = isOn ? NoiseBand(from: draft.lowest, to: draft.highest) : nil
      }
    }
    toggle = switched.toggle
    func limit(_ action: @escaping (Double) -> Void) -> Widget {
      spin(ToneModel.frequencies, step: 1, digits: 2, .frequency(a4: session.model.a4), action)
    }
    lowest = limit { value in edit { $0.lowest = value } }
    highest = limit { value in edit { $0.highest = value } }
    widget = group(
      tr("Noise"),
      [
        switched.row, row(tr("Lower limit (Hz)"), lowest), row(tr("Upper limit (Hz)"), highest),
      ])
  }

  func show(_ model: ToneModel) {
    widget.show(model.waveform.isNoise)
    if let band = model.tone.band { (draft.lowest, draft.highest) = (band.lowest, band.highest) }
    gtk_switch_set_active(toggle.opaque, model.tone.band == nil ? 0 : 1)
    gtk_spin_button_set_value(lowest.opaque, draft.lowest)
    gtk_spin_button_set_value(highest.opaque, draft.highest)
  }
}
