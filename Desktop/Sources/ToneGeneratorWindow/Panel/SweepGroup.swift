// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The sweep of the frequency.
final class SweepGroup: Part {
  let widget: Widget

  private let toggle: Widget
  private let start: Widget
  private let end: Widget
  private let seconds: Widget
  private let steps: Widget
  private let stepCount: Widget
  private let stepCountRow: Widget
  private let shape: Widget
  private let atEnd: Widget
  private let ramp: Widget
  private let endLevel: Widget
  private let endLevelRow: Widget

  init(_ session: Session) {
    let draft = Draft()
    func edit(_ body: @escaping (inout ToneSweep) -> Void) {
      session.change { model in
        body(&draft.sweep)
        if model.sweep != nil { model.sweep = draft.sweep }
      }
    }
    self.draft = draft
    let sweepRow = switchRow(tr("Sweep")) { isOn in
      session.change { $0.sweep = isOn ? draft.sweep : nil }
    }
    toggle = sweepRow.toggle
    start = spin(ToneModel.frequencies, step: 1, digits: 2, .frequency(a4: session.model.a4)) {
      value in
      edit { $0.start = value }
    }
    end = spin(ToneModel.frequencies, step: 1, digits: 2, .frequency(a4: session.model.a4)) {
      value in
      edit { $0.end = value }
    }
    seconds = spin(0.1...3_600, step: 1, digits: 1, .seconds) { value in
      edit { $0.seconds = value }
    }
    let stepsRow = switchRow(tr("In steps")) { isOn in
      edit { $0.steps = isOn ? draft.steps : nil }
      // Updates the controls even while the sweep is off and the model does not change.
      session.model.onChange()
    }
    steps = stepsRow.toggle
    let counts = Double(ToneSweep.steps.lowerBound)...Double(ToneSweep.steps.upperBound)
    stepCount = spin(counts, step: 1, digits: 0) { value in
      draft.steps = Int(value)
      edit { if $0.steps != nil { $0.steps = Int(value) } }
    }
    stepCountRow = row(tr("Number of steps"), stepCount)
    let shapes = [tr("Logarithmic"), tr("Linear")]
    shape = choiceRow(tr("Curve"), shapes) { index in
      edit { $0.shape = ToneSweep.Shape.allCases[index] }
    }
    let ends = [tr("Hold the end"), tr("Repeat"), tr("Back and forth")]
    atEnd = choiceRow(tr("At the end"), ends) { index in
      edit { $0.atEnd = ToneSweep.End.allCases[index] }
    }
    let rampRow = switchRow(tr("Level moves too")) { isOn in
      edit { $0.endLevel = isOn ? draft.endLevel : nil }
      // Updates the controls even while the sweep is off and the model does not change.
      session.model.onChange()
    }
    ramp = rampRow.toggle
    endLevel = spin(ToneModel.levels, step: 1, digits: 1, .decibels) { value in
      draft.endLevel = value
      edit { if $0.endLevel != nil { $0.endLevel = value } }
    }
    endLevelRow = row(tr("Level at the end (dBFS)"), endLevel)
    widget = group(
      tr("Sweep"),
      [
        sweepRow.row, row(tr("Start (Hz)"), start), row(tr("End (Hz)"), end),
        row(tr("Time (s)"), seconds), stepsRow.row, stepCountRow, shape, atEnd, rampRow.row,
        endLevelRow,
      ])
  }

  /// The edited sweep, which also exists while it is off.
  private final class Draft {
    var sweep = ToneSweep()
    var endLevel = -40.0
    var steps = 31
  }

  private let draft: Draft

  func show(_ model: ToneModel) {
    if let sweep = model.sweep { draft.sweep = sweep }
    let sweep = draft.sweep
    gtk_switch_set_active(toggle.opaque, model.sweep == nil ? 0 : 1)
    gtk_spin_button_set_value(start.opaque, sweep.start)
    gtk_spin_button_set_value(end.opaque, sweep.end)
    gtk_spin_button_set_value(seconds.opaque, sweep.seconds)
    if let steps = sweep.steps { draft.steps = steps }
    gtk_switch_set_active(steps.opaque, sweep.steps == nil ? 0 : 1)
    gtk_spin_button_set_value(stepCount.opaque, Double(draft.steps))
    stepCountRow.enable(sweep.steps != nil)
    choose(shape, ToneSweep.Shape.allCases.firstIndex(of: sweep.shape))
    if let level = sweep.endLevel { draft.endLevel = level }
    gtk_switch_set_active(ramp.opaque, sweep.endLevel == nil ? 0 : 1)
    gtk_spin_button_set_value(endLevel.opaque, draft.endLevel)
    endLevelRow.enable(sweep.endLevel != nil)
    choose(atEnd, ToneSweep.End.allCases.firstIndex(of: sweep.atEnd))
  }
}
