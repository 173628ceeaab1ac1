// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import ToneTexts

/// The presets of the unit and of the user, and the two settings that are compared.
final class SettingsGroup {
  let widget: Widget

  private let session: UnitSession
  private let choice = made(adw_combo_row_new())
  private let name = made(adw_entry_row_new())
  private let sides: [Widget]
  private let deleteButton: Widget
  private var shownPresets: [String]?

  init(_ session: UnitSession) {
    self.session = session
    adw_preferences_row_set_title(choice.to(), tr("Preset"))
    adw_preferences_row_set_title(name.to(), tr("Save as"))
    adw_entry_row_set_show_apply_button(name.to(), 1)
    deleteButton = button(tr("Delete this preset"), icon: "user-trash-symbolic") {}
    gtk_widget_set_valign(deleteButton, GTK_ALIGN_CENTER)
    deleteButton.addClasses("flat")
    adw_action_row_add_suffix(choice.to(), deleteButton)
    sides = (["A", "B"] as [String]).map { made(gtk_toggle_button_new_with_label($0)) }
    gtk_toggle_button_set_group(sides[1].to(), sides[0].to())
    sides[0].setName(tr("Setting A"))
    sides[1].setName(tr("Setting B"))
    let pair = box(GTK_ORIENTATION_HORIZONTAL, sides)
    pair.addClasses("linked")
    let copy = button(tr("Make both the same")) {
      session.change { $0.copySetting() }
      session.onMessage(tr("A and B are the same now."))
    }
    let compare = row(tr("Compare"), pair)
    gtk_widget_set_valign(copy, GTK_ALIGN_CENTER)
    adw_action_row_add_suffix(compare.to(), copy)
    let defaults = button(tr("Defaults")) { session.change { $0.setDefaults() } }
    gtk_widget_set_valign(defaults, GTK_ALIGN_CENTER)
    adw_action_row_add_suffix(compare.to(), defaults)
    widget = group(tr("Settings"), [choice, name, compare])
    connect()
  }

  private func connect() {
    onChange(of: "selected", choice) { [weak self] in self?.usePreset() }
    on(deleteButton, "clicked") { [weak self] in self?.remove() }
    on(name, "apply") { [weak self] in self?.savePreset() }
    for (index, side) in sides.enumerated() {
      on(side, "toggled") { [weak self] in
        guard gtk_toggle_button_get_active(side.to()) != 0 else { return }
        self?.use(setting: index)
      }
    }
  }

  /// Shows the presets, and which setting is in use.
  func refresh() {
    let model = session.model
    session.show {
      if shownPresets != model.presets {
        shownPresets = model.presets
        setChoices(choice, [tr("None")] + model.presets)
      }
      choose(choice, model.presetIndex.map { $0 + 1 } ?? 0)
      deleteButton.show(model.presetIndex.map(model.isOfUser) ?? false)
      gtk_toggle_button_set_active(sides[model.setting].to(), 1)
    }
  }

  /// Changes to the other of the two settings.
  func exchange() { use(setting: 1 - session.model.setting) }

  private func use(setting: Int) {
    session.change { model in
      guard model.setting != setting else { return }
      if !model.exchangeSettings() { session.onMessage(tr("The unit refuses the other setting.")) }
    }
    refresh()
  }

  private var selected: Int { Int(adw_combo_row_get_selected(choice.to())) - 1 }

  private func usePreset() {
    session.change { model in
      guard model.presets.indices.contains(selected) else { return }
      if !model.selectPreset(selected) { session.onMessage(tr("The unit refuses the preset.")) }
    }
  }

  private func savePreset() {
    let text = gtk_editable_get_text(name.opaque).map { String(cString: $0) } ?? ""
    guard !text.isEmpty else { return }
    session.change { model in
      try model.savePreset(text)
      session.onMessage(tr("Saved as “{}”.", text))
    }
    gtk_editable_set_text(name.opaque, "")
  }

  private func remove() {
    session.change { model in
      guard model.presets.indices.contains(selected) else { return }
      try model.deletePreset(selected)
    }
  }
}
