// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// Everything but the first screen, in groups below each other.
final class Panel: Part {
  /// As wide as it is at least.
  static let width: Int32 = 330

  let widget: Widget

  private let parts: [any Part]

  /// `showSpectrum` is called when the spectrum is to be shown, or left out.
  init(_ session: Session, window: Widget, showSpectrum: @escaping (Bool) -> Void) {
    let scroller = made(gtk_scrolled_window_new())
    parts = [
      ToneGroup(session), ChannelGroup(session), TonesGroup(session), SweepGroup(session),
      DeviceGroup(session), PresetGroup(session), ExportGroup(session, window: window),
    ]
    let spectrum = switchRow(tr("Spectrum"), showSpectrum)
    var widgets = parts.map(\.widget)
    widgets.insert(group(tr("View"), [spectrum.row]), at: 4)
    let groups = box(GTK_ORIENTATION_VERTICAL, spacing: 18, widgets)
    groups.setMargins(14)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(scroller.opaque, groups)
    gtk_widget_set_size_request(scroller, Self.width, -1)
    // The pictures take what is left over.
    gtk_widget_set_hexpand(scroller, 0)
    scroller.addClasses("background", "panel")
    widget = scroller
  }

  /// Moves the focus to the first control.
  func grabFocus() { gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }

  func show(_ model: ToneModel) { for part in parts { part.show(model) } }
}
