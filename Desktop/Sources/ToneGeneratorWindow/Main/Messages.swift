// SPDX-License-Identifier: Apache-2.0
import CAdwaita

/// Messages that cover a widget, one at a time: a new one replaces the former one.
final class Messages {
  /// How long a message stays.
  enum End {
    /// A few seconds.
    case soon
    /// Until something is changed: it is about the last change.
    case change
    /// Until the device plays, or playback stops.
    case device
  }

  let widget: Widget
  private var shown: (toast: OpaquePointer, end: End)?

  init(over child: Widget) {
    widget = made(adw_toast_overlay_new())
    adw_toast_overlay_set_child(widget.opaque, child)
  }

  deinit { forget() }

  func show(_ text: String, until end: End = .soon) {
    dismiss()
    let toast = made(adw_toast_new(text))
    if end != .soon { adw_toast_set_timeout(toast, 0) }
    g_object_ref(UnsafeMutableRawPointer(toast))
    shown = (toast, end)
    adw_toast_overlay_add_toast(widget.opaque, toast)
  }

  /// Dismisses the message that stays until this.
  func reach(_ end: End) {
    if shown?.end == end { dismiss() }
  }

  private func dismiss() {
    if let shown { adw_toast_dismiss(shown.toast) }
    forget()
  }

  private func forget() {
    if let shown { g_object_unref(UnsafeMutableRawPointer(shown.toast)) }
    shown = nil
  }
}
