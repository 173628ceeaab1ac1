// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The modulation of amplitude and frequency by sines.
final class ModulationGroup: Part {
  let widget: Widget

  private let amplitude: Widget
  private let amplitudeFrequency: Widget
  private let depth: Widget
  private let frequency: Widget
  private let frequencyFrequency: Widget
  private let deviation: Widget
  private let draft: Draft

  /// The edited modulations, which also exist while they are off.
  private final class Draft {
    var am = AmplitudeModulation(frequency: 5, depth: 50)
    var fm = FrequencyModulation(frequency: 5, deviation: 20)
  }

  init(_ session: Session) {
    let draft = Draft()
    self.draft = draft
    func edit(_ body: @escaping (Draft) -> Void) {
      session.change { model in
        body(draft)
        if model.tone.amplitudeModulation != nil { model.tone.amplitudeModulation = draft.am }
        if model.tone.frequencyModulation != nil { model.tone.frequencyModulation = draft.fm }
      }
    }
    let am = switchRow(tr("Amplitude modulation")) { isOn in
      session.change { $0.tone.amplitudeModulation = isOn ? draft.am : nil }
    }
    let fm = switchRow(tr("Frequency modulation")) { isOn in
      session.change { $0.tone.frequencyModulation = isOn ? draft.fm : nil }
    }
    (amplitude, frequency) = (am.toggle, fm.toggle)
    amplitudeFrequency = spin(0.01...20_000, step: 1, digits: 2, .frequency()) { value in
      edit { $0.am.frequency = value }
    }
    depth = spin(0...100, step: 1, digits: 1, .percent) { value in edit { $0.am.depth = value } }
    frequencyFrequency = spin(0.01...20_000, step: 1, digits: 2, .frequency()) { value in
      edit { $0.fm.frequency = value }
    }
    deviation = spin(0...192_000, step: 1, digits: 2, .frequency()) { value in
      edit { $0.fm.deviation = value }
    }
    widget = group(
      tr("Modulation"),
      [
        am.row, row(tr("AM frequency (Hz)"), amplitudeFrequency), row(tr("AM depth (%)"), depth),
        fm.row, row(tr("FM frequency (Hz)"), frequencyFrequency),
        row(tr("FM deviation (Hz)"), deviation),
      ])
  }

  func show(_ model: ToneModel) {
    let (am, fm) = (model.tone.amplitudeModulation, model.tone.frequencyModulation)
    if let am { draft.am = am }
    if let fm { draft.fm = fm }
    gtk_switch_set_active(amplitude.opaque, am == nil ? 0 : 1)
    gtk_switch_set_active(frequency.opaque, fm == nil ? 0 : 1)
    gtk_spin_button_set_value(amplitudeFrequency.opaque, draft.am.frequency)
    gtk_spin_button_set_value(depth.opaque, draft.am.depth)
    gtk_spin_button_set_value(frequencyFrequency.opaque, draft.fm.frequency)
    gtk_spin_button_set_value(deviation.opaque, draft.fm.deviation)
    frequency.enable(model.waveform.isPeriodic)
  }
}
