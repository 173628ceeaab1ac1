// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import PlainText
import ToneModel
import ToneTexts

/// The sound file of the tone, shown only while it plays one.
final class SoundGroup: Part {
  let widget: Widget

  private let file: Widget

  init(_ session: Session, window: Widget) {
    let file = made(adw_action_row_new())
    self.file = file
    adw_preferences_row_set_use_markup(file.to(), 0)
    adw_action_row_set_title_lines(file.to(), 2)
    let choose = button(tr("Choose…")) { Self.choose(session, window) }
    gtk_widget_set_valign(choose, GTK_ALIGN_CENTER)
    adw_action_row_add_suffix(file.to(), choose)
    widget = group(tr("Sound file"), [file])
  }

  /// Asks for a file and plays it. If there is none, or if it is refused, the tone stays.
  static func choose(_ session: Session, _ window: Widget) {
    guard let dialog = open_dialog(window.to(), tr("Play a sound file")) else { return }
    onNativeResponse(Object(dialog)) { response in
      defer { g_object_unref(Object(dialog)) }
      defer { session.model.onChange() }
      guard response == GTK_RESPONSE_ACCEPT.rawValue,
        let file = gtk_file_chooser_get_file(dialog)
      else { return }
      defer { g_object_unref(Object(file)) }
      guard let path = g_file_get_path(file) else { return }
      defer { g_free(path) }
      let text = String(cString: path)
      session.change { try $0.play(file: text) }
    }
    gtk_native_dialog_show(Object(dialog).assumingMemoryBound(to: GtkNativeDialog.self))
  }

  func show(_ model: ToneModel) {
    widget.show(model.waveform == .file)
    guard let sound = model.tone.sound else { return }
    adw_preferences_row_set_title(file.to(), Excerpt.name(sound.name))
    adw_action_row_set_subtitle(
      file.to(),
      tr(
        "{} s, {} Hz, channels: {}", String(format: "%.3f", sound.seconds),
        String(Int(sound.sampleRate)), String(sound.channelCount)))
  }
}
