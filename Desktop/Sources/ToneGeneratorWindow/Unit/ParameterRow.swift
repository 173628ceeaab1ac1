// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import ToneTexts

/// A parameter in a row, with the control that fits its values.
final class ParameterRow {
  let widget: Widget

  private let parameter: UnitModel.Parameter
  private let session: UnitSession
  /// Shows a value in the control.
  private let display: (Float) -> Void
  private var shown: Float?

  init(_ parameter: UnitModel.Parameter, _ session: UnitSession) {
    (self.parameter, self.session) = (parameter, session)
    (widget, display) =
      switch parameter.control {
      case .meter: Self.meter(parameter)
      case .toggle: Self.toggle(parameter, session)
      case .menu(let names): Self.menu(parameter, names, session)
      case .wholeNumber: Self.wholeNumber(parameter, session)
      case .slider: Self.slider(parameter, session)
      }
  }

  /// Shows the value if it has changed.
  func refresh() {
    let value = parameter.value
    guard value != shown else { return }
    shown = value
    session.show { display(value) }
  }

  private typealias Made = (Widget, (Float) -> Void)

  private static func meter(_ parameter: UnitModel.Parameter) -> Made {
    let bar = made(gtk_level_bar_new_for_interval(0, 1))
    let text = label("", "number")
    gtk_widget_set_valign(bar, GTK_ALIGN_CENTER)
    gtk_widget_set_size_request(bar, 120, -1)
    gtk_widget_set_hexpand(bar, 1)
    gtk_label_set_width_chars(text.opaque, 10)
    gtk_label_set_xalign(text.opaque, 1)
    bar.setName(parameter.name)
    let row = plainRow(parameter.name, [bar, text])
    return (
      row,
      { value in
        let words = parameter.text(value)
        gtk_level_bar_set_value(bar.opaque, min(max(parameter.place(value), 0), 1))
        gtk_label_set_text(text.opaque, words)
        accessible_set_value(bar, words)
        accessible_set_description(bar, words)
      }
    )
  }

  private static func toggle(_ parameter: UnitModel.Parameter, _ session: UnitSession) -> Made {
    let toggle = made(gtk_switch_new())
    onChange(of: "active", toggle) {
      session.change { _ in parameter.set(Float(gtk_switch_get_active(toggle.opaque))) }
    }
    toggle.setName(parameter.name)
    let row = plainRow(parameter.name, [toggle])
    adw_action_row_set_activatable_widget(row.to(), toggle)
    return (row, { gtk_switch_set_active(toggle.opaque, $0 >= 0.5 ? 1 : 0) })
  }

  private static func menu(
    _ parameter: UnitModel.Parameter, _ names: [String], _ session: UnitSession
  ) -> Made {
    let row = made(adw_combo_row_new())
    adw_preferences_row_set_use_markup(row.to(), 0)
    adw_preferences_row_set_title(row.to(), parameter.name)
    setChoices(row, names)
    let lowest = parameter.range.lowerBound
    onChange(of: "selected", row) {
      let index = adw_combo_row_get_selected(row.to())
      guard index != GTK_INVALID_LIST_POSITION else { return }
      session.change { _ in parameter.set(lowest + Float(index)) }
    }
    return (
      row,
      { value in
        let index = Int((value - lowest).rounded())
        choose(row, names.indices.contains(index) ? index : nil)
      }
    )
  }

  private static func wholeNumber(
    _ parameter: UnitModel.Parameter, _ session: UnitSession
  ) -> Made {
    let range = Double(parameter.range.lowerBound)...Double(parameter.range.upperBound)
    let field = spin(range, step: 1, digits: 0) { value in
      session.change { _ in parameter.set(Float(value)) }
    }
    field.setName(parameter.name)
    return (
      plainRow(parameter.name, [field]), { gtk_spin_button_set_value(field.opaque, Double($0)) }
    )
  }

  private static func slider(_ parameter: UnitModel.Parameter, _ session: UnitSession) -> Made {
    let slider = ValueSlider(parameter, session)
    let field = ValueField(parameter, session)
    let row = plainRow(parameter.name, [slider.widget, field.widget])
    return (
      row,
      { value in
        let text = parameter.text(value)
        slider.show(value, text)
        field.show(text)
      }
    )
  }

  /// A row with a foreign text, which may contain characters of a markup.
  private static func plainRow(_ title: String, _ controls: [Widget]) -> Widget {
    let row = made(adw_action_row_new())
    adw_preferences_row_set_use_markup(row.to(), 0)
    adw_preferences_row_set_title(row.to(), title)
    wrapAtWords(in: row)
    for control in controls {
      gtk_widget_set_valign(control, GTK_ALIGN_CENTER)
      adw_action_row_add_suffix(row.to(), control)
    }
    return row
  }
}

/// The value of a parameter as text, which can be typed.
private final class ValueField {
  let widget: Widget
  private var text = ""

  init(_ parameter: UnitModel.Parameter, _ session: UnitSession) {
    let field = made(gtk_entry_new())
    widget = field
    gtk_editable_set_width_chars(field.opaque, 10)
    gtk_editable_set_max_width_chars(field.opaque, 10)
    gtk_entry_set_alignment(field.to(), 1)
    field.addClasses("number")
    field.setName(tr("{}, value", parameter.name))
    on(field, "activate") { [weak self] in
      let typed = gtk_editable_get_text(field.opaque).map { String(cString: $0) } ?? ""
      session.change { _ in try parameter.type(typed) }
      self?.restore()
    }
    // A text that was not confirmed is forgotten.
    guard let focus = gtk_event_controller_focus_new() else { return }
    on(Object(focus), "leave") { [weak self] in self?.restore() }
    gtk_widget_add_controller(field, focus)
  }

  private func restore() { gtk_editable_set_text(widget.opaque, text) }

  /// Shows the text of a value, unless somebody types.
  func show(_ text: String) {
    let shown = gtk_editable_get_text(widget.opaque).map { String(cString: $0) } ?? ""
    let isTyping = shown != self.text && gtk_widget_has_focus(widget) != 0
    self.text = text
    if !isTyping { restore() }
  }
}
