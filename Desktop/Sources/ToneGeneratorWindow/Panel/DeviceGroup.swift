// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The device to play to, the rate and cycle to request from it, and the device in use.
final class DeviceGroup: Part {
  let widget: Widget

  private let session: Session
  private let choice: Widget
  private let rate: Widget
  private let cycle: Widget
  private let dither: Widget
  private let used: Widget
  private var shown: [ToneDevices.Choice]?

  init(_ session: Session) {
    self.session = session
    let used = made(adw_action_row_new())
    self.used = used
    adw_action_row_set_title_lines(used.to(), 2)
    adw_action_row_set_subtitle_lines(used.to(), 2)
    let choice = made(adw_combo_row_new())
    self.choice = choice
    adw_preferences_row_set_title(choice.to(), tr("Play to"))
    let rates = ToneDevicePreferences.usualSampleRates, cycles = ToneDevicePreferences.usualCycles
    rate = choiceRow(
      tr("Sample rate"), [tr("The device's own")] + rates.map { "\(Int($0)) Hz" }
    ) { index in
      session.change { $0.devicePreferences.sampleRate = index > 0 ? rates[index - 1] : nil }
    }
    cycle = choiceRow(
      tr("Buffer size"), [tr("The usual one")] + cycles.map { tr("{} frames", "\($0)") }
    ) { index in
      session.change { $0.devicePreferences.cycleFrames = index > 0 ? cycles[index - 1] : nil }
    }
    dither = choiceRow(
      tr("Dither for 16 and 24 bits"),
      [tr("The usual one"), tr("Triangular"), tr("Shaped"), tr("None")]
    ) { index in
      session.change { $0.dither = Self.dithers[index] }
    }
    widget = group(tr("Device"), [choice, rate, cycle, dither, used])
    onChange(of: "selected", choice) { [weak self] in self?.choose() }
    // The list is needed now at the latest.
    on(widget, "map") { session.watchDevices() }
  }

  /// The choices of the noise for devices with integers.
  private static let dithers: [ToneDither?] = [nil, .triangular, .shaped, ToneDither.none]

  private func choose() {
    let index = Int(adw_combo_row_get_selected(choice.to())) - 1
    let all = shown ?? []
    session.change { $0.deviceChoice = all.indices.contains(index) ? all[index].uid : nil }
  }

  func show(_ model: ToneModel) {
    showChoices(model)
    let preferences = model.devicePreferences
    let rates = ToneDevicePreferences.usualSampleRates, cycles = ToneDevicePreferences.usualCycles
    ToneGeneratorWindow.choose(
      rate, preferences.sampleRate.flatMap(rates.firstIndex(of:)).map { $0 + 1 } ?? 0)
    ToneGeneratorWindow.choose(
      cycle, preferences.cycleFrames.flatMap(cycles.firstIndex(of:)).map { $0 + 1 } ?? 0)
    ToneGeneratorWindow.choose(dither, Self.dithers.firstIndex { $0 == model.dither })
    let device = model.device
    adw_preferences_row_set_title(used.to(), device?.name ?? tr("Default output"))
    adw_preferences_row_set_use_markup(used.to(), 0)
    adw_action_row_set_subtitle(used.to(), device.map(Texts.device) ?? tr("Found when it plays"))
  }

  private func showChoices(_ model: ToneModel) {
    let all = session.devices?.all ?? []
    if shown != all {
      shown = all
      setChoices(choice, [tr("Default output")] + all.map(\.name))
    }
    let index = all.firstIndex { $0.uid == model.deviceChoice }
    ToneGeneratorWindow.choose(choice, index.map { $0 + 1 } ?? 0)
  }
}
