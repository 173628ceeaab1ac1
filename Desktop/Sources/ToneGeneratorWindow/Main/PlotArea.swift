// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel

/// The colours of the plots, in light and in dark windows.
struct Ink {
  private let isDark: Bool

  /// The colours for the current style.
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

  /// The right channel, if it differs.
  func right(_ context: OpaquePointer, alpha: Double = 1) {
    if isDark {
      cairo_set_source_rgba(context, 1, 0.64, 0.28, alpha)
    } else {
      cairo_set_source_rgba(context, 0.78, 0.33, 0, alpha)
    }
  }

  /// Grid lines and small texts.
  func faint(_ context: OpaquePointer, alpha: Double) {
    let grey = isDark ? 1.0 : 0.0
    cairo_set_source_rgba(context, grey, grey, grey, alpha)
  }

  /// What lies behind a text, so that it can be read on a curve: nearly that of the plot.
  private func paper(_ context: OpaquePointer) {
    let grey = isDark ? 0.21 : 1.0
    cairo_set_source_rgba(context, grey, grey, grey, 0.8)
  }

  /// Writes a small text in a widget's font, so that it scales with the desktop's text size. It covers
  /// what was drawn before.
  ///
  /// - Returns: Its width and height.
  @discardableResult
  func write(
    _ text: String, _ widget: Widget, _ context: OpaquePointer, at place: TextAnchor
  ) -> (width: Double, height: Double) {
    guard let layout = gtk_widget_create_pango_layout(widget, text) else { return (0, 0) }
    defer { g_object_unref(Object(layout)) }
    let attributes = pango_attr_list_new()
    pango_attr_list_insert(attributes, pango_attr_scale_new(0.82))
    pango_layout_set_attributes(layout, attributes)
    pango_attr_list_unref(attributes)
    var (width, height) = (Int32(0), Int32(0))
    pango_layout_get_pixel_size(layout, &width, &height)
    let size = (width: Double(width), height: Double(height))
    let x = (place.x - place.across * size.width).rounded()
    let y = (place.y - place.down * size.height).rounded()
    paper(context)
    cairo_rectangle(context, x - 2, y, size.width + 4, size.height)
    cairo_fill(context)
    faint(context, alpha: 0.65)
    cairo_move_to(context, x, y)
    pango_cairo_show_layout(context, layout)
    return size
  }
}

/// The position of a text: a point, and the part of the text that lies on it.
struct TextAnchor {
  var x: Double
  var y: Double
  /// 0: its left edge; 1: its right edge.
  var across = 0.0
  /// 0: its top; 1: its bottom.
  var down = 0.0
}

/// An area that is redrawn with each refresh during playback.
func plotArea(
  _ name: String, _ draw: @escaping (Widget, OpaquePointer, Double, Double) -> Void
) -> Widget {
  let area = made(gtk_drawing_area_new())
  gtk_widget_set_size_request(area, 140, 96)
  gtk_widget_set_hexpand(area, 1)
  gtk_widget_set_vexpand(area, 1)
  area.addClasses("card")
  // Clips the plot to the rounded corners.
  gtk_widget_set_overflow(area, GTK_OVERFLOW_HIDDEN)
  area.setName(name)
  onDraw(area) { draw(area, $0, $1, $2) }
  return area
}
