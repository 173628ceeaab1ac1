// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel

/// Colours of the pictures, in a light window and in a dark one.
struct Ink {
  private let isDark: Bool

  /// Those that fit the window as it is now.
  static var present: Ink {
    Ink(isDark: adw_style_manager_get_dark(adw_style_manager_get_default()) != 0)
  }

  /// The left channel.
  func left(_ context: OpaquePointer, alpha: Double = 1) {
    if isDark {
      cairo_set_source_rgba(context, 0.47, 0.68, 0.93, alpha)
    } else {
      cairo_set_source_rgba(context, 0.11, 0.44, 0.85, alpha)
    }
  }

  /// The right channel, where it differs.
  func right(_ context: OpaquePointer, alpha: Double = 1) {
    if isDark {
      cairo_set_source_rgba(context, 1, 0.64, 0.28, alpha)
    } else {
      cairo_set_source_rgba(context, 0.78, 0.33, 0, alpha)
    }
  }

  /// Lines of a grid, and small texts.
  func faint(_ context: OpaquePointer, alpha: Double) {
    let grey = isDark ? 1.0 : 0.0
    cairo_set_source_rgba(context, grey, grey, grey, alpha)
  }

  /// Writes a small text.
  func write(_ text: String, _ context: OpaquePointer, x: Double, y: Double) {
    faint(context, alpha: 0.65)
    cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, 11)
    cairo_move_to(context, x, y)
    cairo_show_text(context, text)
  }
}

/// An area that is drawn anew for each picture while something plays.
func picture(_ name: String, _ draw: @escaping (OpaquePointer, Double, Double) -> Void) -> Widget {
  let area = made(gtk_drawing_area_new())
  gtk_widget_set_size_request(area, 140, 96)
  gtk_widget_set_hexpand(area, 1)
  gtk_widget_set_vexpand(area, 1)
  area.addClasses("card")
  // The corners are round.
  gtk_widget_set_overflow(area, GTK_OVERFLOW_HIDDEN)
  area.setName(name)
  onDraw(area, draw)
  return area
}
