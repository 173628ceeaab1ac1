// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel

/// The device that is really played to.
final class DeviceGroup: Part {
  let widget: Widget

  private let used: Widget

  init(_ session: Session) {
    guard let used = adw_action_row_new() else { fatalError("Adwaita makes no row") }
    self.used = used
    adw_action_row_set_title_lines(used.to(), 2)
    adw_action_row_set_subtitle_lines(used.to(), 2)
    widget = group(tr("Device"), [used])
  }

  func show(_ model: ToneModel) {
    let device = model.device
    adw_preferences_row_set_title(used.to(), device?.name ?? tr("Default output"))
    adw_preferences_row_set_use_markup(used.to(), 0)
    adw_action_row_set_subtitle(used.to(), device.map(Texts.device) ?? tr("Found when it plays"))
  }
}
