// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Presets: using, saving and deleting them.
final class PresetGroup: Part {
  let widget: Widget

  private let session: Session
  private let store = PresetStore()
  private let choice: Widget
  private let name: Widget
  private let deleteButton: Widget
  private var presets: [TonePreset] = []

  init(_ session: Session) {
    let name = made(adw_entry_row_new())
    let choice = made(adw_combo_row_new())
    self.session = session
    self.name = name
    self.choice = choice
    adw_preferences_row_set_title(choice.to(), tr("Preset"))
    adw_preferences_row_set_title(name.to(), tr("Save as"))
    adw_entry_row_set_show_apply_button(name.to(), 1)
    deleteButton = button(tr("Delete this preset"), icon: "user-trash-symbolic") {}
    gtk_widget_set_valign(deleteButton, GTK_ALIGN_CENTER)
    deleteButton.addClasses("flat")
    adw_action_row_add_suffix(choice.to(), deleteButton)
    widget = group(tr("Presets"), [choice, name])
    onChange(of: "selected", choice) { [weak self] in self?.usePreset() }
    on(deleteButton, "clicked") { [weak self] in self?.remove() }
    on(name, "apply") { [weak self] in self?.savePreset() }
    reload()
  }

  func show(_ model: ToneModel) {
    // If the tones equal those of a preset, it is selected.
    let index = presets.firstIndex { $0.tones == model.tones }
    choose(choice, index.map { $0 + 1 } ?? 0)
    deleteButton.show((index ?? 0) >= TonePreset.builtIn.count)
  }

  private func reload() {
    let stored = (try? store.load()) ?? []
    presets = TonePreset.builtIn + stored
    let names = TonePreset.builtIn.map { tr($0.name) } + stored.map(\.name)
    session.show { setChoices(choice, [tr("None")] + names) }
  }

  private func usePreset() {
    let index = Int(adw_combo_row_get_selected(choice.to())) - 1
    guard presets.indices.contains(index) else { return }
    session.change { try $0.replaceTones(presets[index].tones) }
  }

  private func savePreset() {
    let text = gtk_editable_get_text(name.opaque).map { String(cString: $0) } ?? ""
    guard !text.isEmpty else { return }
    session.change { model in
      try store.save(TonePreset(text, model.tones))
      reload()
      session.onMessage(tr("Saved as “{}”.", text), .soon)
      session.show { show(model) }
    }
    gtk_editable_set_text(name.opaque, "")
  }

  private func remove() {
    let index = Int(adw_combo_row_get_selected(choice.to())) - 1
    guard presets.indices.contains(index) else { return }
    session.change { model in
      try store.remove(presets[index].name)
      reload()
      session.show { show(model) }
    }
  }
}
