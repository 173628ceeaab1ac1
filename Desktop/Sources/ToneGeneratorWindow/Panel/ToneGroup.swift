// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Frequency, level and wave of the tone that is looked at.
final class ToneGroup: Part {
  let widget: Widget

  private let frequency: Widget
  private let level: Widget
  private let levelSlider: Widget
  private let wave: Widget
  private let duty: Widget
  private let dutyRow: Widget
  private let tuning: Widget
  private let factors: Widget
  private let stepRow: Widget

  init(_ session: Session) {
    let frequency = spin(ToneModel.frequencies, step: 1, digits: 3) { value in
      session.change { $0.frequency = value }
    }
    gtk_editable_set_width_chars(frequency.opaque, 10)
    self.frequency = frequency
    let steps = [1, 0.1, 0.01, 0.001]
    stepRow = choiceRow(tr("Step"), ["1 Hz", "0.1 Hz", "0.01 Hz", "0.001 Hz"]) { index in
      gtk_spin_button_set_increments(frequency.opaque, steps[index], steps[index] * 10)
    }
    let half = button("×½") { session.change { $0.frequency /= 2 } }
    let double = button("×2") { session.change { $0.frequency *= 2 } }
    half.setName(tr("Half the frequency"))
    double.setName(tr("Twice the frequency"))
    factors = box(GTK_ORIENTATION_HORIZONTAL, [half, double])
    factors.addClasses("linked")
    level = spin(ToneModel.levels, step: 1, digits: 1) { value in
      session.change { $0.level = value }
    }
    let slider = made(
      gtk_scale_new_with_range(
        GTK_ORIENTATION_HORIZONTAL, ToneModel.levels.lowerBound, ToneModel.levels.upperBound, 0.5))
    levelSlider = slider
    gtk_scale_set_draw_value(slider.to(), 0)
    gtk_widget_set_hexpand(slider, 1)
    slider.setName(tr("Level"))
    slider.setMargins(6)
    for mark in [-60.0, -20, -6] {
      gtk_scale_add_mark(slider.to(), mark, GTK_POS_BOTTOM, "<small>−\(Int(-mark))</small>")
    }
    on(slider, "value-changed") {
      let value = (gtk_range_get_value(slider.to()) * 2).rounded() / 2
      session.change { $0.level = value }
    }
    wave = choiceRow(tr("Wave"), ToneWaveform.allCases.map(Texts.waveform)) { index in
      session.change { $0.waveform = ToneWaveform.allCases[index] }
    }
    duty = spin(1...99, step: 1, digits: 0) { value in
      session.change { $0.tone.dutyCycle = value }
    }
    dutyRow = row(tr("Duty cycle (%)"), duty)
    tuning = spin(ToneModel.tunings, step: 1, digits: 1) { value in
      session.change { $0.a4 = value }
    }
    widget = group(
      tr("Tone"),
      [
        row(tr("Frequency (Hz)"), frequency), stepRow, row(tr("Octave"), factors),
        row(tr("Level (dBFS)"), level), row(of: slider), wave, dutyRow, row(tr("A4 (Hz)"), tuning),
      ])
  }

  func show(_ model: ToneModel) {
    gtk_spin_button_set_value(frequency.opaque, model.frequency)
    gtk_spin_button_set_value(level.opaque, model.level)
    gtk_range_set_value(levelSlider.to(), model.level)
    accessible_set_value(levelSlider, Texts.level(model.level))
    choose(wave, ToneWaveform.allCases.firstIndex(of: model.waveform))
    gtk_spin_button_set_value(duty.opaque, model.tone.dutyCycle)
    dutyRow.show(model.waveform == .square)
    gtk_spin_button_set_value(tuning.opaque, model.a4)
    frequency.enable(model.waveform.isPeriodic)
    factors.enable(model.waveform.isPeriodic)
  }
}
