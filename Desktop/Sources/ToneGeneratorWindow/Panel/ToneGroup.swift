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
  private let lines: Widget
  private let order: Widget
  private let orderRow: Widget
  private let bits: Widget
  private let bitsRow: Widget
  private let tuning: Widget
  private let factors: Widget
  private let stepRow: Widget

  init(_ session: Session) {
    let frequency = spin(
      ToneModel.frequencies, step: 1, digits: 6, .frequency(a4: session.model.a4)
    ) { value in
      session.change { $0.frequency = value }
    }
    gtk_editable_set_width_chars(frequency.opaque, 13)
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
    // Also reads what a meter shows, such as 74dBSPL and 4dBu.
    level = spin(
      ToneModel.levels, step: 1, digits: 1,
      reads: { WrittenLevel($0)?.level(session.model.levelScale) }
    ) { value in
      session.change { $0.level = value }
    }
    duty = spin(1...99, step: 1, digits: 0, .percent) { value in
      session.change { $0.tone.dutyCycle = value }
    }
    dutyRow = row(tr("Duty cycle (%)"), duty)
    lines = choiceRow(
      tr("Lock to lines of a transform"), [tr("Off")] + Self.lineFrames.map { "\($0)" }
    ) { index in
      session.change { $0.tone.lineFrames = index == 0 ? nil : Self.lineFrames[index - 1] }
    }
    order = spin(4...20, step: 1, digits: 0) { value in
      session.change { $0.tone.noiseOrder = Int(value) }
    }
    orderRow = row(tr("Order: the period is 2^order frames"), order)
    bits = spin(8...24, step: 1, digits: 0) { value in
      session.change { $0.tone.sampleBits = Int(value) }
    }
    bitsRow = row(tr("Bits of a sample"), bits)
    tuning = spin(ToneModel.tunings, step: 1, digits: 1, .frequency()) { value in
      session.change { $0.a4 = value }
    }
    widget = group(
      tr("Tone"),
      [
        row(tr("Frequency (Hz)"), frequency), stepRow, row(tr("Octave"), factors),
        lines, row(tr("Level (dBFS)"), level), dutyRow, orderRow, bitsRow,
        row(tr("A4 (Hz)"), tuning),
      ])
  }

  /// The lengths of transforms, in frames.
  private static let lineFrames = (10...20).map { 1 << $0 }

  func show(_ model: ToneModel) {
    let frames = model.tone.lineFrames
    choose(
      lines, frames.flatMap(Self.lineFrames.firstIndex).map { $0 + 1 } ?? (frames == nil ? 0 : nil))
    gtk_spin_button_set_value(order.opaque, Double(model.tone.noiseOrder))
    orderRow.show([.maximumLengthSequence, .periodicPinkNoise].contains(model.waveform))
    gtk_spin_button_set_value(bits.opaque, Double(model.tone.sampleBits))
    bitsRow.show(model.waveform == .jitterTest)
    lines.enable(model.waveform.isPeriodic)
    gtk_spin_button_set_value(frequency.opaque, model.frequency)
    gtk_spin_button_set_value(level.opaque, model.level)
    gtk_spin_button_set_value(duty.opaque, model.tone.dutyCycle)
    dutyRow.show(model.waveform == .square)
    gtk_spin_button_set_value(tuning.opaque, model.a4)
    frequency.enable(model.waveform.isPeriodic)
    factors.enable(model.waveform.isPeriodic)
  }
}
