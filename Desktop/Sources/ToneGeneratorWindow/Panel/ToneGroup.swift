// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The exact frequency and level of the selected tone, and the settings of its waveform.
final class ToneGroup: Part {
  let widget: Widget

  private let frequency: Widget
  private let level: Widget
  private let duty: Widget
  private let dutyRow: Widget
  private let tuning: Widget
  private let factors: Widget
  private let stepRow: Widget

  init(_ session: Session) {
    let frequency = spin(
      ToneModel.frequencies, step: 1, digits: 3, .frequency(a4: session.model.a4)
    ) { value in
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
    // Also reads calibrated values, such as 74dBSPL and 1.23V.
    level = spin(
      ToneModel.levels, step: 1, digits: 1,
      reads: { WrittenLevel($0)?.level(session.model.calibration) }
    ) { value in
      session.change { $0.level = value }
    }
    duty = spin(1...99, step: 1, digits: 0, .percent) { value in
      session.change { $0.tone.dutyCycle = value }
    }
    dutyRow = row(tr("Duty cycle (%)"), duty)
    tuning = spin(ToneModel.tunings, step: 1, digits: 1, .frequency()) { value in
      session.change { $0.a4 = value }
    }
    widget = group(
      tr("Tone"),
      [
        row(tr("Frequency (Hz)"), frequency), stepRow, row(tr("Octave"), factors),
        row(tr("Level (dBFS)"), level), dutyRow, row(tr("A4 (Hz)"), tuning),
      ])
  }

  func show(_ model: ToneModel) {
    gtk_spin_button_set_value(frequency.opaque, model.frequency)
    gtk_spin_button_set_value(level.opaque, model.level)
    gtk_spin_button_set_value(duty.opaque, model.tone.dutyCycle)
    dutyRow.show(model.waveform == .square)
    gtk_spin_button_set_value(tuning.opaque, model.a4)
    frequency.enable(model.waveform.isPeriodic)
    factors.enable(model.waveform.isPeriodic)
  }
}
