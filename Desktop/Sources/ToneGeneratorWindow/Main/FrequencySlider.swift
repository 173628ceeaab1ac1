// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The slider, with a logarithmic scale of frequency.
///
/// A GTK slider has the same scale on screen and for assistive technology, so there are two: the
/// visible one counts octaves, and above it is an invisible one in hertz, which the pointer passes
/// through.
final class FrequencySlider: Part {
  let widget: Widget

  private let range = ToneModel.audible
  /// The visible slider, in octaves above the lowest frequency.
  private let visible: Widget
  /// The accessible slider, in hertz.
  private let accessible: Widget

  init(_ session: Session) {
    let octaves = log2(range.upperBound / range.lowerBound)
    let visible = made(
      presentation_scale(made(gtk_adjustment_new(0, 0, octaves, 1.0 / 12, 1, 0))))
    let accessible = made(
      gtk_scale_new_with_range(
        GTK_ORIENTATION_HORIZONTAL, range.lowerBound, range.upperBound, 1))
    let widget = made(gtk_overlay_new())
    (self.visible, self.accessible, self.widget) = (visible, accessible, widget)
    gtk_range_set_round_digits(visible.to(), -1)
    gtk_scale_set_draw_value(visible.to(), 0)
    gtk_widget_set_can_focus(visible, 0)
    gtk_widget_set_hexpand(visible, 1)
    addMarks()
    gtk_scale_set_draw_value(accessible.to(), 0)
    gtk_range_set_round_digits(accessible.to(), -1)
    gtk_widget_set_opacity(accessible, 0)
    gtk_widget_set_can_target(accessible, 0)
    accessible.setName(tr("Frequency"))
    gtk_overlay_set_child(widget.opaque, visible)
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
        visible.to(), place, GTK_POS_BOTTOM, text.isEmpty ? nil : "<small>\(text)</small>")
    }
  }

  private func connect(_ session: Session) {
    let (visible, accessible) = (visible, accessible)
    on(visible, "value-changed") { [range] in
      session.change { model in
        let frequency = range.lowerBound * exp2(gtk_range_get_value(visible.to()))
        // A hundredth of a hertz is less than a pixel.
        model.frequency = (frequency * 100).rounded() / 100
      }
    }
    on(accessible, "value-changed") {
      session.change { $0.frequency = gtk_range_get_value(accessible.to()) }
    }
    onWheel(widget) { notches, isShift in
      session.change { $0.step(semitones: notches * (isShift ? 0.01 : 1)) }
    }
    // The focus ring is drawn around the visible slider.
    onChange(of: "has-focus", accessible) {
      if gtk_widget_has_focus(accessible) != 0 {
        visible.addClasses("focused")
      } else {
        gtk_widget_remove_css_class(visible, "focused")
      }
    }
  }

  func show(_ model: ToneModel) {
    gtk_range_set_value(visible.to(), log2(model.frequency / range.lowerBound))
    gtk_range_set_value(accessible.to(), model.frequency)
    let text = "\(Texts.frequency(model.frequency)) Hz, \(Texts.note(model.note))"
    accessible_set_value(accessible, text)
    accessible_set_description(accessible, text)
    widget.enable(model.waveform.isPeriodic)
  }
}
