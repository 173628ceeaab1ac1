// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import PlainText
import ToneModel
import ToneTexts

/// The calibration of the level, from one measured point.
final class CalibrationGroup: Part {
  let widget: Widget

  private let unit: Widget
  private let measured: Widget
  private let fullScale: Widget
  private let clearButton: Widget

  init(_ session: Session) {
    let unit = made(adw_combo_row_new())
    let measured = made(adw_entry_row_new())
    let fullScale = made(adw_action_row_new())
    (self.unit, self.measured, self.fullScale) = (unit, measured, fullScale)
    adw_preferences_row_set_title(unit.to(), tr("Unit"))
    setChoices(unit, [tr("Sound pressure (dB SPL)"), tr("Volts (V), peak")])
    adw_preferences_row_set_title(measured.to(), tr("Measured at the present level"))
    adw_entry_row_set_show_apply_button(measured.to(), 1)
    adw_preferences_row_set_title(fullScale.to(), tr("0 dBFS"))
    clearButton = button(tr("Remove the calibration"), icon: "edit-clear-symbolic") {
      session.change { try $0.calibrate(nil) }
    }
    clearButton.addClasses("flat")
    gtk_widget_set_valign(clearButton, GTK_ALIGN_CENTER)
    adw_action_row_add_suffix(fullScale.to(), clearButton)
    widget = group(tr("Calibration"), [unit, measured, fullScale])
    on(measured, "apply") {
      let text = gtk_editable_get_text(measured.opaque).map { String(cString: $0) } ?? ""
      let chosen = Calibration.Unit.allCases[Int(adw_combo_row_get_selected(unit.to()))]
      session.change { model in
        // A typed unit takes precedence over the chosen one.
        var (value, unit) = (Quantity.number.value(of: text), chosen)
        if case .measured(let typed, let typedUnit) = WrittenLevel(text) {
          (value, unit) = (typed, typedUnit)
        }
        guard let value,
          let calibration = Calibration(unit: unit, measured: value, at: model.level)
        else { throw ToneError(tr("“{}”: expected what was measured, such as 74 or 1.23.", text)) }
        try model.calibrate(calibration)
      }
    }
  }

  func show(_ model: ToneModel) {
    fullScale.show(model.calibration != nil)
    guard let calibration = model.calibration else { return }
    adw_action_row_set_subtitle(fullScale.to(), Texts.measured(0, calibration))
  }
}
