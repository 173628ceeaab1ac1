// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Tones under a name: to take, to keep, to forget.
final class PresetGroup: Part {
  let widget: Widget

  private let session: Session
  private let store = PresetStore()
  private let choice: Widget
  private let name: Widget
  private let forget: Widget
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
    forget = button(tr("Delete this preset"), icon: "user-trash-symbolic") {}
    gtk_widget_set_valign(forget, GTK_ALIGN_CENTER)
    forget.addClasses("flat")
    adw_action_row_add_suffix(choice.to(), forget)
    widget = group(tr("Presets"), [choice, name])
    onChange(of: "selected", choice) { [weak self] in self?.usePreset() }
    on(forget, "clicked") { [weak self] in self?.remove() }
    on(name, "apply") { [weak self] in self?.keep() }
    reload()
  }

  func show(_ model: ToneModel) {
    // What the tones have in common with a preset is shown as that preset.
    let index = presets.firstIndex { $0.tones == model.tones }
    choose(choice, index.map { $0 + 1 } ?? 0)
    forget.show((index ?? 0) >= TonePreset.builtIn.count)
  }

  private func reload() {
    let kept = (try? store.load()) ?? []
    presets = TonePreset.builtIn + kept
    let names = TonePreset.builtIn.map { tr($0.name) } + kept.map(\.name)
    session.show { setChoices(choice, [tr("None")] + names) }
  }

  private func usePreset() {
    let index = Int(adw_combo_row_get_selected(choice.to())) - 1
    guard presets.indices.contains(index) else { return }
    session.change { $0.replaceTones(presets[index].tones) }
  }

  private func keep() {
    let text = gtk_editable_get_text(name.opaque).map { String(cString: $0) } ?? ""
    guard !text.isEmpty else { return }
    session.change { model in
      try store.save(TonePreset(text, model.tones))
      reload()
      session.onMessage(tr("Saved as “{}”.", text))
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
