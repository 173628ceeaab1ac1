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
    setChoices(unit, Self.units.map(Self.title))
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
      let chosen = Self.units[Int(adw_combo_row_get_selected(unit.to()))]
      session.change { model in
        // A typed unit takes precedence over the chosen one.
        let number = Quantity.number.value(of: text).map { WrittenLevel($0, chosen) }
        guard let written = number ?? WrittenLevel(text),
          let calibration = Calibration(written, at: model.level, rms: model.levelScale.rms)
        else { throw ToneError(tr("“{}”: expected what was measured, such as 74 or 1.23.", text)) }
        try model.calibrate(calibration, shownIn: written.unit)
      }
    }
    // Afterwards, the level is shown in another unit of the same kind.
    onChange(of: "selected", unit) {
      let index = Int(adw_combo_row_get_selected(unit.to()))
      guard Self.units.indices.contains(index) else { return }
      session.change { model in
        if Self.units[index].calibrated == model.calibration?.unit {
          model.shownUnit = Self.units[index]
        }
      }
    }
  }

  private static let units = LevelUnit.allCases.filter { $0.calibrated != nil }

  private static func title(_ unit: LevelUnit) -> String {
    switch unit {
    case .soundPressure: tr("Sound pressure (dB SPL)")
    case .volts: tr("Volts (V), peak")
    case .pascals: tr("Pascals (Pa)")
    case .rmsVolts: tr("Volts (V), RMS")
    default: unit.rawValue
    }
  }

  func show(_ model: ToneModel) {
    fullScale.show(model.calibration != nil)
    guard let calibration = model.calibration else { return }
    let shown = model.shownUnit ?? calibration.unit.levelUnit
    choose(unit, Self.units.firstIndex(of: shown))
    adw_action_row_set_subtitle(
      fullScale.to(), Texts.measured(0, in: shown, LevelScale(calibration)) ?? "")
  }
}
