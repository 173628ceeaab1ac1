// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The slider: equal distances are equal ratios of frequency.
final class FrequencySlider: Part {
  let widget: Widget

  private let range = ToneModel.frequencies
  /// From one end to the other.
  private let octaves = log2(ToneModel.frequencies.upperBound / ToneModel.frequencies.lowerBound)

  init(_ session: Session) {
    let scale = made(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, octaves, 1.0 / 1_200))
    widget = scale
    gtk_range_set_increments(scale.to(), 1.0 / 12, 1)
    gtk_range_set_round_digits(scale.to(), -1)
    gtk_scale_set_draw_value(scale.to(), 0)
    gtk_widget_set_hexpand(scale, 1)
    scale.setName(tr("Frequency"))
    let marks = [
      (20.0, "20"), (50, ""), (100, "100"), (200, ""), (500, ""), (1_000, "1k"), (2_000, ""),
      (5_000, ""), (10_000, "10k"), (20_000, "20k"),
    ]
    for (frequency, text) in marks {
      let place = log2(frequency / range.lowerBound)
      gtk_scale_add_mark(
        scale.to(), place, GTK_POS_BOTTOM, text.isEmpty ? nil : "<small>\(text)</small>")
    }
    on(scale, "value-changed") { [range] in
      session.change { model in
        let wanted = range.lowerBound * exp2(gtk_range_get_value(scale.to()))
        // Hundredths of a hertz are finer than a pixel.
        model.frequency = (wanted * 100).rounded() / 100
      }
    }
  }

  func show(_ model: ToneModel) {
    gtk_range_set_value(widget.to(), log2(model.frequency / range.lowerBound))
    accessible_set_value(widget, "\(Texts.frequency(model.frequency)) Hz")
    widget.enable(model.waveform.isPeriodic)
  }
}
