// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// When the tone sounds, counted from the start of playback.
final class TimingGroup: Part {
  let widget: Widget

  private let delay: Widget
  private let limit: Widget
  private let duration: Widget
  private let durationRow: Widget
  private let again: Widget
  private let againRow: Widget
  private let pause: Widget
  private let pauseRow: Widget
  private let count: Widget
  private let countRow: Widget
  private let draft: Draft

  /// The edited timing, whose parts also exist while they are off.
  private final class Draft {
    var delay = 0.0
    var (isLimited, duration) = (false, 1.0)
    var (repeats, pause, count) = (false, 1.0, 0)

    var timing: ToneTiming? {
      guard isLimited else { return delay > 0 ? ToneTiming(delay: delay) : nil }
      return ToneTiming(
        delay: delay, duration: duration, pause: repeats ? pause : nil,
        count: count > 0 ? count : nil)
    }

    func follow(_ timing: ToneTiming?) {
      delay = timing?.delay ?? 0
      isLimited = timing?.duration != nil
      if let timing, isLimited {
        duration = timing.duration ?? duration
        repeats = timing.pause != nil
        pause = timing.pause ?? pause
        if repeats { count = timing.count ?? 0 }
      }
    }
  }

  init(_ session: Session) {
    let draft = Draft()
    self.draft = draft
    func edit(_ body: @escaping (Draft) -> Void) {
      session.change { model in
        body(draft)
        model.tone.timing = draft.timing
      }
    }
    func time(_ range: ClosedRange<Double>, _ action: @escaping (Double) -> Void) -> Widget {
      spin(range, step: 0.1, digits: 3, .seconds, action)
    }
    let times = ToneTiming.times
    delay = time(times) { value in edit { $0.delay = value } }
    let limitRow = switchRow(tr("Limited duration")) { isOn in edit { $0.isLimited = isOn } }
    limit = limitRow.toggle
    duration = time(0.001...times.upperBound) { value in edit { $0.duration = value } }
    durationRow = row(tr("Duration (s)"), duration)
    let again = switchRow(tr("Repeated")) { isOn in edit { $0.repeats = isOn } }
    (self.again, againRow) = (again.toggle, again.row)
    pause = time(times) { value in edit { $0.pause = value } }
    pauseRow = row(tr("Pause (s)"), pause)
    count = spin(0...1_000_000, step: 1, digits: 0) { value in edit { $0.count = Int(value) } }
    countRow = row(tr("Times (0: without end)"), count)
    widget = group(
      tr("Timing"),
      [row(tr("Start after (s)"), delay), limitRow.row, durationRow, againRow, pauseRow, countRow])
  }

  func show(_ model: ToneModel) {
    draft.follow(model.tone.timing)
    gtk_spin_button_set_value(delay.opaque, draft.delay)
    gtk_switch_set_active(limit.opaque, draft.isLimited ? 1 : 0)
    gtk_spin_button_set_value(duration.opaque, draft.duration)
    gtk_switch_set_active(again.opaque, draft.repeats ? 1 : 0)
    gtk_spin_button_set_value(pause.opaque, draft.pause)
    gtk_spin_button_set_value(count.opaque, Double(draft.count))
    // Only what has an effect takes space.
    for row in [durationRow, againRow] { row.show(draft.isLimited) }
    for row in [pauseRow, countRow] { row.show(draft.isLimited && draft.repeats) }
  }
}
