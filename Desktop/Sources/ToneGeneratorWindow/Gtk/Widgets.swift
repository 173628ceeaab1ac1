// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import PlainText

/// Any widget. GTK retains it as long as it has a parent.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// The same object, cast to a class.
  func to<Class>() -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
  }

  /// The same object, cast to a class with a private layout.
  var opaque: OpaquePointer { OpaquePointer(self) }

  /// Sets the space around it on all sides.
  func setMargins(_ margin: Int32) {
    gtk_widget_set_margin_start(self, margin)
    gtk_widget_set_margin_end(self, margin)
    gtk_widget_set_margin_top(self, margin)
    gtk_widget_set_margin_bottom(self, margin)
  }

  /// Adds classes of the style sheet.
  func addClasses(_ names: String...) {
    for name in names { gtk_widget_add_css_class(self, name) }
  }

  /// Shows or hides it.
  func show(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }

  /// Enables or disables it.
  func enable(_ isEnabled: Bool) { gtk_widget_set_sensitive(self, isEnabled ? 1 : 0) }

  /// Sets its name for assistive technology.
  func setName(_ name: String) { accessible_set_label(self, name) }
}

/// Unwraps a new object. GTK aborts if memory runs out; nil means wrong types, which is an error in
/// this program.
func made<Made>(_ object: Made?) -> Made {
  guard let object else { fatalError("GTK made nothing") }
  return object
}

/// Widgets below or next to each other.
func box(
  _ orientation: GtkOrientation, spacing: Int32 = 0, _ children: [Widget] = []
) -> Widget {
  let box = made(gtk_box_new(orientation, spacing))
  for child in children { gtk_box_append(box.to(), child) }
  return box
}

/// A line of text.
func label(_ text: String, _ classes: String...) -> Widget {
  let label = made(gtk_label_new(text))
  for name in classes { gtk_widget_add_css_class(label, name) }
  return label
}

/// A button with a text, or an icon and a name.
func button(_ text: String, icon: String? = nil, _ action: @escaping () -> Void) -> Widget {
  let button = made(
    icon.map { gtk_button_new_from_icon_name($0) } ?? gtk_button_new_with_label(text))
  if icon != nil {
    gtk_widget_set_tooltip_text(button, text)
    button.setName(text)
  }
  on(button, "clicked", action)
  return button
}

/// A spin button. Its number can be typed in the notations of its quantity (1k, A4, 250ms) or as
/// read by `reads`, and changed in steps. Its row sets its accessible name.
func spin(
  _ range: ClosedRange<Double>, step: Double, digits: UInt32,
  _ kind: @escaping @autoclosure () -> Quantity = .number,
  reads: ((String) -> Double?)? = nil, _ action: @escaping (Double) -> Void
) -> Widget {
  let spin = made(gtk_spin_button_new_with_range(range.lowerBound, range.upperBound, step))
  gtk_spin_button_set_digits(spin.opaque, digits)
  gtk_editable_set_width_chars(spin.opaque, 7)
  onInput(spin, reads ?? { kind().value(of: $0) })
  gtk_spin_button_set_update_policy(spin.opaque, GTK_UPDATE_IF_VALID)
  gtk_widget_set_valign(spin, GTK_ALIGN_CENTER)
  on(spin, "value-changed") { action(gtk_spin_button_get_value(spin.opaque)) }
  return spin
}

/// A row of the panel: a title with a control at its end.
func row(_ title: String, _ control: Widget) -> Widget {
  let row = made(adw_action_row_new())
  adw_preferences_row_set_title(row.to(), title)
  wrapAtWords(in: row)
  gtk_widget_set_valign(control, GTK_ALIGN_CENTER)
  adw_action_row_add_suffix(row.to(), control)
  adw_action_row_set_activatable_widget(row.to(), control)
  return row
}

/// Makes the texts of a row break only between words, at any text size: the row gets wider instead.
func wrapAtWords(in widget: Widget) {
  var child = gtk_widget_get_first_child(widget)
  while let present = child {
    if g_type_check_instance_is_a(
      UnsafeMutableRawPointer(present).assumingMemoryBound(to: GTypeInstance.self),
      gtk_label_get_type()) != 0
    {
      gtk_label_set_wrap_mode(present.opaque, PANGO_WRAP_WORD)
    }
    wrapAtWords(in: present)
    child = gtk_widget_get_next_sibling(present)
  }
}

/// A row with a switch.
func switchRow(
  _ title: String, _ action: @escaping (Bool) -> Void
) -> (row: Widget, toggle: Widget) {
  let toggle = made(gtk_switch_new())
  onChange(of: "active", toggle) { action(gtk_switch_get_active(toggle.opaque) != 0) }
  return (row(title, toggle), toggle)
}

/// A row with a list of choices.
func choiceRow(
  _ title: String, _ choices: [String], _ action: @escaping (Int) -> Void
) -> Widget {
  let row = made(adw_combo_row_new())
  adw_preferences_row_set_title(row.to(), title)
  wrapAtWords(in: row)
  setChoices(row, choices)
  onChange(of: "selected", row) {
    let index = adw_combo_row_get_selected(row.to())
    if index != GTK_INVALID_LIST_POSITION { action(Int(index)) }
  }
  return row
}

/// Replaces the choices of a row.
func setChoices(_ row: Widget, _ choices: [String]) {
  let list = gtk_string_list_new(nil)
  for choice in choices { gtk_string_list_append(list, choice) }
  adw_combo_row_set_model(row.to(), list)
  g_object_unref(list.map { Object($0) })
}

/// Selects a choice by its index.
func choose(_ row: Widget, _ index: Int?) {
  let position = index.map(UInt32.init) ?? UInt32(GTK_INVALID_LIST_POSITION)
  if adw_combo_row_get_selected(row.to()) != position {
    adw_combo_row_set_selected(row.to(), position)
  }
}

/// Rows under a title.
func group(_ title: String, _ rows: [Widget]) -> Widget {
  let group = made(adw_preferences_group_new())
  adw_preferences_group_set_title(group.to(), title)
  for row in rows { adw_preferences_group_add(group.to(), row) }
  return group
}
