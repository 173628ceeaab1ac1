// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The slider: equal distances are equal ratios of frequency.
///
/// GTK's slider has one scale for its place and for what it tells assistive technology. So there are
/// two: the one that is seen moves by octaves, and lies below one of hertz, which nobody sees and
/// the pointer passes through.
final class FrequencySlider: Part {
  let widget: Widget

  private let range = ToneModel.frequencies
  /// What is seen, in octaves above the lowest frequency.
  private let seen: Widget
  /// What is accessible, in hertz.
  private let accessible: Widget

  init(_ session: Session) {
    let octaves = log2(range.upperBound / range.lowerBound)
    let seen = made(
      unspoken_scale(made(gtk_adjustment_new(0, 0, octaves, 1.0 / 12, 1, 0))))
    let accessible = made(
      gtk_scale_new_with_range(
        GTK_ORIENTATION_HORIZONTAL, range.lowerBound, range.upperBound, 1))
    let widget = made(gtk_overlay_new())
    (self.seen, self.accessible, self.widget) = (seen, accessible, widget)
    gtk_range_set_round_digits(seen.to(), -1)
    gtk_scale_set_draw_value(seen.to(), 0)
    gtk_widget_set_can_focus(seen, 0)
    gtk_widget_set_hexpand(seen, 1)
    addMarks()
    gtk_scale_set_draw_value(accessible.to(), 0)
    gtk_range_set_round_digits(accessible.to(), -1)
    gtk_widget_set_opacity(accessible, 0)
    gtk_widget_set_can_target(accessible, 0)
    accessible.setName(tr("Frequency"))
    gtk_overlay_set_child(widget.opaque, seen)
    gtk_overlay_add_overlay(widget.opaque, accessible)
    connect(session)
  }

  private func addMarks() {
    let marks = [
      (20.0, "20"), (50, ""), (100, "100"), (200, ""), (500, ""), (1_000, "1k"), (2_000, ""),
      (5_000, ""), (10_000, "10k"), (20_000, "20k"),
    ]
    for (frequency, text) in marks {
      let place = log2(frequency / range.lowerBound)
      gtk_scale_add_mark(
        seen.to(), place, GTK_POS_BOTTOM, text.isEmpty ? nil : "<small>\(text)</small>")
    }
  }

  private func connect(_ session: Session) {
    let (seen, accessible) = (seen, accessible)
    on(seen, "value-changed") { [range] in
      session.change { model in
        let wanted = range.lowerBound * exp2(gtk_range_get_value(seen.to()))
        // Hundredths of a hertz are finer than a pixel.
        model.frequency = (wanted * 100).rounded() / 100
      }
    }
    on(accessible, "value-changed") {
      session.change { $0.frequency = gtk_range_get_value(accessible.to()) }
    }
    onWheel(widget) { notches, isShift in
      session.change { $0.step(semitones: notches * (isShift ? 0.01 : 1)) }
    }
    // The ring around what has the focus is drawn where it is seen.
    onChange(of: "has-focus", accessible) {
      if gtk_widget_has_focus(accessible) != 0 {
        seen.addClasses("focused")
      } else {
        gtk_widget_remove_css_class(seen, "focused")
      }
    }
  }

  func show(_ model: ToneModel) {
    gtk_range_set_value(seen.to(), log2(model.frequency / range.lowerBound))
    gtk_range_set_value(accessible.to(), model.frequency)
    let text = "\(Texts.frequency(model.frequency)) Hz, \(Texts.note(model.note))"
    accessible_set_value(accessible, text)
    accessible_set_description(accessible, text)
    widget.enable(model.waveform.isPeriodic)
  }
}
