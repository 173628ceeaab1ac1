// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// Writes the tones to a file.
final class ExportGroup: Part {
  let widget: Widget

  private let session: Session
  private let window: Widget
  private let seconds: Widget
  private let loop: Widget
  private let length: Widget
  private let format: Widget
  private let samples: Widget

  init(_ session: Session, window: Widget) {
    self.session = session
    self.window = window
    let length = made(adw_action_row_new())
    self.length = length
    let box = WeakBox()
    seconds = spin(0.1...600, step: 1, digits: 1, .seconds) { _ in
      box.group?.showLength()
    }
    gtk_spin_button_set_value(seconds.opaque, 10)
    let loopRow = switchRow(tr("Seamless loop")) { _ in box.group?.showLength() }
    loop = loopRow.toggle
    format = choiceRow(tr("Format"), ToneExport.kinds.map { $0.uppercased() }) { _ in }
    samples = choiceRow(
      tr("Samples"),
      [
        tr("Float (FLAC: 24 bits)"), tr("24 bits, dithered"), tr("16 bits, dithered"),
        tr("16 bits, shaped dither"),
      ]
    ) { _ in }
    let save = button(tr("Save…")) { box.group?.save() }
    gtk_widget_set_valign(save, GTK_ALIGN_CENTER)
    adw_preferences_row_set_title(length.to(), tr("Exact length"))
    adw_action_row_add_suffix(length.to(), save)
    widget = group(
      tr("Export"), [row(tr("Length (s)"), seconds), loopRow.row, format, samples, length])
    box.group = self
    on(widget, "map") { [weak self] in self?.showLength() }
  }

  private final class WeakBox {
    weak var group: ExportGroup?
  }

  private var export: ToneExport {
    var export = ToneExport(
      session.model.tones, seconds: gtk_spin_button_get_value(seconds.opaque),
      sampleRate: session.model.device?.sampleRate ?? 48_000,
      isLoop: gtk_switch_get_active(loop.opaque) != 0)
    let choice = Int(adw_combo_row_get_selected(samples.to()))
    export.bits = [nil, 24, 16, 16][choice]
    export.hasShapedDither = choice == 3
    return export
  }

  func show(_ model: ToneModel) { showLength() }

  private func showLength() {
    // The search for the length takes time, so it runs only while the group is visible.
    guard gtk_widget_get_mapped(widget) != 0 else { return }
    let export = export
    let seconds = String(format: "%.6f", Double(export.frameCount) / export.sampleRate)
    adw_action_row_set_subtitle(
      length.to(), tr("{} frames, {} s", String(export.frameCount), seconds))
  }

  private func save() {
    guard let dialog = save_dialog(window.to(), tr("Save the tone")) else { return }
    let kind = ToneExport.kinds[Int(adw_combo_row_get_selected(format.to()))]
    gtk_file_chooser_set_current_name(dialog, "tone.\(kind)")
    onNativeResponse(Object(dialog)) { [self] response in
      defer { g_object_unref(Object(dialog)) }
      guard response == GTK_RESPONSE_ACCEPT.rawValue,
        let file = gtk_file_chooser_get_file(dialog), let path = g_file_get_path(file)
      else { return }
      write(to: String(cString: path))
      g_free(path)
      g_object_unref(Object(file))
    }
    gtk_native_dialog_show(Object(dialog).assumingMemoryBound(to: GtkNativeDialog.self))
  }

  private func write(to path: String) {
    session.change { _ in
      try export.write(to: path)
      session.onMessage(tr("Saved {}.", path), .soon)
    }
  }
}
