// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel
import ToneTexts

/// The settings that are not on the main screen, on pages.
final class Panel: Part {
  /// The smallest width.
  static let width: Int32 = 330

  let widget: Widget

  private let parts: [any Part]
  private let tabs: [Widget]

  private struct Page {
    let title: String
    let icon: String
    let parts: [any Part]
  }

  init(_ session: Session, window: Widget, _ keys: KeyPlayer, _ views: ViewGroup.Views) {
    let pages = [
      Page(
        title: tr("Tone"), icon: "audio-volume-high-symbolic",
        parts: [
          ToneGroup(session), SoundGroup(session, window: window), NoiseGroup(session),
          ModulationGroup(session), TonesGroup(session), KeysGroup(session, keys),
        ]),
      Page(
        title: tr("Sweep"), icon: "media-playlist-repeat-symbolic",
        parts: [SweepGroup(session), BurstGroup(session), TimingGroup(session)]),
      Page(
        title: tr("Channels"), icon: "audio-headphones-symbolic", parts: [ChannelGroup(session)]),
      Page(
        title: tr("Device"), icon: "audio-card-symbolic",
        parts: [DeviceGroup(session), CalibrationGroup(session)]),
      Page(
        title: tr("View"), icon: "view-reveal-symbolic", parts: [ViewGroup(session, views)]),
      Page(
        title: tr("Files"), icon: "document-save-symbolic",
        parts: [PresetGroup(session), ExportGroup(session, window: window)]),
    ]
    let stack = made(gtk_stack_new())
    gtk_stack_set_vhomogeneous(stack.opaque, 0)
    tabs = pages.map { Self.tab($0.title, icon: $0.icon) }
    for (page, tab) in zip(pages, tabs) {
      let child = Self.scroller(page.parts.map(\.widget))
      gtk_stack_add_child(stack.opaque, child)
      if tab != tabs[0] { gtk_toggle_button_set_group(tab.to(), tabs[0].to()) }
      on(tab, "toggled") {
        if gtk_toggle_button_get_active(tab.to()) != 0 {
          gtk_stack_set_visible_child(stack.opaque, child)
        }
      }
    }
    gtk_toggle_button_set_active(tabs[0].to(), 1)
    let row = box(GTK_ORIENTATION_HORIZONTAL, tabs)
    for tab in tabs { gtk_widget_set_hexpand(tab, 1) }
    row.setMargins(6)
    parts = pages.flatMap(\.parts)
    widget = box(GTK_ORIENTATION_VERTICAL, [row, stack])
    gtk_widget_set_size_request(widget, Self.width, -1)
    // The plots get the remaining width.
    gtk_widget_set_hexpand(widget, 0)
    widget.addClasses("panel")
  }

  private static func tab(_ title: String, icon: String) -> Widget {
    let tab = made(gtk_toggle_button_new())
    let text = label(title, "caption")
    let picture = made(gtk_image_new_from_icon_name(icon))
    gtk_button_set_child(
      tab.to(), box(GTK_ORIENTATION_VERTICAL, spacing: 3, [picture, text]))
    tab.addClasses("flat", "tab")
    tab.setName(title)
    return tab
  }

  private static func scroller(_ groups: [Widget]) -> Widget {
    let scroller = made(gtk_scrolled_window_new())
    let column = box(GTK_ORIENTATION_VERTICAL, spacing: 18, groups)
    column.setMargins(14)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(scroller.opaque, column)
    gtk_widget_set_vexpand(scroller, 1)
    return scroller
  }

  /// Opens a page by its index.
  func open(_ page: Int) {
    guard tabs.indices.contains(page) else { return }
    gtk_toggle_button_set_active(tabs[page].to(), 1)
    gtk_widget_grab_focus(tabs[page])
  }

  /// Moves the focus to the visible page.
  func grabFocus() {
    let shown = tabs.first { gtk_toggle_button_get_active($0.to()) != 0 }
    gtk_widget_grab_focus(shown ?? widget)
  }

  func show(_ model: ToneModel) { for part in parts { part.show(model) } }
}
