// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The level and the waveform on the main screen, below each other.
final class LevelAndWave: Part {
  let widget: Widget

  private let level: Widget
  private let number = label("", "number")
  private let wave: Widget

  init(_ session: Session, window: Widget) {
    let slider = made(
      gtk_scale_new_with_range(
        GTK_ORIENTATION_HORIZONTAL, ToneModel.levels.lowerBound, ToneModel.levels.upperBound, 0.5))
    let wave = made(gtk_drop_down_new_from_strings(nil))
    (level, self.wave) = (slider, wave)
    gtk_scale_set_draw_value(slider.to(), 0)
    gtk_widget_set_hexpand(slider, 1)
    slider.setName(tr("Level"))
    // As wide as the longest level, so that the layout does not change with the number.
    gtk_label_set_width_chars(number.opaque, 10)
    gtk_label_set_xalign(number.opaque, 1)
    gtk_label_set_justify(number.opaque, GTK_JUSTIFY_RIGHT)
    let list = gtk_string_list_new(nil)
    for waveform in ToneWaveform.allCases {
      gtk_string_list_append(list, Texts.waveform(waveform))
    }
    gtk_string_list_append(list, tr("Sound file…"))
    gtk_drop_down_set_model(wave.opaque, list)
    g_object_unref(list.map { Object($0) })
    wave.setName(tr("Wave"))
    // The focus is on the button inside.
    gtk_widget_get_first_child(wave)?.setName(tr("Wave"))
    gtk_widget_set_hexpand(wave, 1)

    let grid = made(gtk_grid_new())
    widget = grid
    gtk_grid_set_column_spacing(grid.to(), 12)
    gtk_grid_set_row_spacing(grid.to(), 6)
    for (row, text) in [tr("Level"), tr("Wave")].enumerated() {
      let title = label(text)
      gtk_widget_set_halign(title, GTK_ALIGN_START)
      gtk_grid_attach(grid.to(), title, 0, Int32(row), 1, 1)
    }
    gtk_grid_attach(grid.to(), slider, 1, 0, 1, 1)
    gtk_grid_attach(grid.to(), number, 2, 0, 1, 1)
    gtk_grid_attach(grid.to(), wave, 1, 1, 2, 1)
    connect(session, window)
  }

  private func connect(_ session: Session, _ window: Widget) {
    let (level, wave) = (level, wave)
    on(level, "value-changed") {
      let value = (gtk_range_get_value(level.to()) * 2).rounded() / 2
      session.change { $0.level = value }
    }
    onWheel(level) { notches, isShift in
      session.change { $0.step(decibels: notches * (isShift ? 0.1 : 1)) }
    }
    onChange(of: "selected", wave) {
      let index = Int(gtk_drop_down_get_selected(wave.opaque))
      session.change { model in
        if ToneWaveform.allCases.indices.contains(index) {
          model.waveform = ToneWaveform.allCases[index]
        } else {
          SoundGroup.choose(session, window)
        }
      }
    }
  }

  /// Whether the arrow keys move the level slider.
  var usesArrowKeys: Bool { gtk_widget_has_focus(level) != 0 }

  func show(_ model: ToneModel) {
    gtk_range_set_value(level.to(), model.level)
    accessible_set_value(level, Texts.level(model.level))
    let measured =
      model.shownUnit.flatMap {
        Texts.measured(model.level, in: $0, model.levelScale)
      }.map { "\n" + $0 } ?? ""
    gtk_label_set_text(number.opaque, Texts.level(model.level) + measured)
    let index =
      ToneWaveform.allCases.firstIndex(of: model.waveform)
      ?? ToneWaveform.allCases.count
    if gtk_drop_down_get_selected(wave.opaque) != UInt32(index) {
      gtk_drop_down_set_selected(wave.opaque, UInt32(index))
    }
  }
}
