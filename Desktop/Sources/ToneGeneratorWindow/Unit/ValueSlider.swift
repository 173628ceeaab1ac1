// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita

/// A slider for a parameter, on the scale that the parameter has.
///
/// A GTK slider has the same scale on screen and for assistive technology, so there are two: the visible one shows
/// places, and above it is an invisible one with the values, which the pointer passes through.
final class ValueSlider {
  let widget: Widget

  private let visible: Widget
  private let accessible: Widget
  private let parameter: UnitModel.Parameter

  /// The parts of the slider by which keys move it, and with Shift.
  private static let (step, page, fineStep) = (0.01, 0.1, 0.001)

  init(_ parameter: UnitModel.Parameter, _ session: UnitSession) {
    self.parameter = parameter
    let (low, high) = (Double(parameter.range.lowerBound), Double(parameter.range.upperBound))
    let visible = made(
      presentation_scale(made(gtk_adjustment_new(0, 0, 1, Self.step, Self.page, 0))))
    let accessible = made(
      gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, low, high, (high - low) * Self.step))
    let widget = made(gtk_overlay_new())
    (self.visible, self.accessible, self.widget) = (visible, accessible, widget)
    for scale in [visible, accessible] {
      gtk_range_set_round_digits(scale.to(), -1)
      gtk_scale_set_draw_value(scale.to(), 0)
    }
    gtk_widget_set_can_focus(visible, 0)
    gtk_widget_set_size_request(visible, 120, -1)
    gtk_widget_set_hexpand(widget, 1)
    gtk_widget_set_opacity(accessible, 0)
    gtk_widget_set_can_target(accessible, 0)
    accessible.setName(parameter.name)
    gtk_overlay_set_child(widget.opaque, visible)
    gtk_overlay_add_overlay(widget.opaque, accessible)
    on(visible, "value-changed") {
      session.change { _ in parameter.set(parameter.value(at: gtk_range_get_value(visible.to()))) }
    }
    on(accessible, "value-changed") {
      session.change { _ in parameter.set(Float(gtk_range_get_value(accessible.to()))) }
    }
    onKey(accessible) { key, _, state in
      guard let part = Self.part(of: key, state) else { return false }
      session.change { _ in parameter.move(by: part) }
      return true
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

  private static func part(of key: UInt32, _ state: GdkModifierType) -> Double? {
    guard state.rawValue & (GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue) == 0 else {
      return nil
    }
    let isFine = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
    return switch Int32(bitPattern: key) {
    case GDK_KEY_Right, GDK_KEY_Up: isFine ? fineStep : step
    case GDK_KEY_Left, GDK_KEY_Down: isFine ? -fineStep : -step
    case GDK_KEY_Page_Up: page
    case GDK_KEY_Page_Down: -page
    default: nil
    }
  }

  /// Shows a value.
  func show(_ value: Float, _ text: String) {
    gtk_range_set_value(visible.to(), parameter.place(value))
    gtk_range_set_value(accessible.to(), Double(value))
    accessible_set_value(accessible, text)
    accessible_set_description(accessible, text)
  }
}
