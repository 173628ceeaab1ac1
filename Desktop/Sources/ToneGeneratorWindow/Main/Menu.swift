// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import CommandSupport
import ToneTexts

/// The menu of the window, with its dialogs.
enum Menu {
  /// The button that opens the menu, like F10.
  static func button(_ application: Object, _ window: Widget) -> Widget {
    let menu = g_menu_new()
    g_menu_append(menu, tr("Keyboard Shortcuts"), "win.show-help-overlay")
    g_menu_append(menu, tr("About ToneGenerator"), "app.about")
    let button = made(gtk_menu_button_new())
    gtk_menu_button_set_icon_name(button.opaque, "open-menu-symbolic")
    gtk_menu_button_set_menu_model(
      button.opaque,
      menu.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMenuModel.self) })
    gtk_menu_button_set_primary(button.opaque, 1)
    gtk_widget_set_tooltip_text(button, tr("Menu (F10)"))
    button.setName(tr("Menu"))
    g_object_unref(menu.map { Object($0) })
    addAbout(application, window)
    if let shortcuts = shortcuts() {
      gtk_application_window_set_help_overlay(window.to(), shortcuts)
    }
    return button
  }

  /// Opens the list of shortcuts.
  static func showShortcuts(_ window: Widget) {
    gtk_widget_activate_action_variant(window, "win.show-help-overlay", nil)
  }

  private static func addAbout(_ application: Object, _ window: Widget) {
    guard let action = g_simple_action_new("about", nil) else { return }
    onActivate(Object(action)) { showAbout(window) }
    g_action_map_add_action(OpaquePointer(application), action)
    g_object_unref(Object(action))
  }

  private static func showAbout(_ window: Widget) {
    let about = made(adw_about_window_new())
    adw_about_window_set_application_name(about.opaque, tr("ToneGenerator"))
    adw_about_window_set_application_icon(about.opaque, Application.identifier)
    adw_about_window_set_version(about.opaque, Program.packageVersion)
    adw_about_window_set_comments(about.opaque, tr("A tone that follows a slider while it plays."))
    adw_about_window_set_license_type(about.opaque, GTK_LICENSE_APACHE_2_0)
    gtk_window_set_transient_for(about.to(), window.to())
    gtk_window_set_modal(about.to(), 1)
    gtk_window_present(about.to())
  }

  // MARK: Shortcuts

  /// The keys in groups, as GTK accelerators.
  private static var groups: [(title: String, keys: [(key: String, meaning: String)])] {
    [
      (
        tr("Tone"),
        [
          ("space", tr("Play, stop")), ("0...9", tr("Type a frequency")),
          ("Left Right", tr("A semitone")), ("<Shift>Left <Shift>Right", tr("A cent")),
          ("Up Down", tr("1 Hz")), ("<Shift>Up <Shift>Down", tr("0.1 Hz")),
          ("<Ctrl>Up <Ctrl>Down", tr("0.01 Hz")),
          ("<Ctrl><Shift>Up <Ctrl><Shift>Down", tr("0.001 Hz")),
          ("Page_Up Page_Down", tr("An octave")), ("plus minus", tr("A decibel")),
          ("<Ctrl>k", tr("The letters play")),
        ]
      ),
      (
        tr("Window"),
        [
          ("F9", tr("Settings")), ("<Alt>1...6", tr("A page of the settings")),
          ("F10", tr("Menu")), ("F1 <Ctrl>question", tr("Keyboard Shortcuts")),
          ("<Ctrl>w <Ctrl>q", tr("Close the window")),
        ]
      ),
    ]
  }

  /// GTK can make the window of shortcuts only from an XML description.
  private static func shortcuts() -> OpaquePointer? {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
    let groups = groups.map { group in
      let keys = group.keys.map { key, meaning in
        """
        <child><object class="GtkShortcutsShortcut">
        <property name="accelerator">\(escaped(key))</property>
        <property name="title">\(escaped(meaning))</property>
        </object></child>
        """
      }
      return """
        <child><object class="GtkShortcutsGroup">
        <property name="title">\(escaped(group.title))</property>
        \(keys.joined(separator: "\n"))
        </object></child>
        """
    }
    let description = """
      <interface><object class="GtkShortcutsWindow" id="shortcuts">
      <property name="modal">1</property>
      <child><object class="GtkShortcutsSection">
      <property name="section-name">shortcuts</property>
      \(groups.joined(separator: "\n"))
      </object></child></object></interface>
      """
    guard let builder = gtk_builder_new_from_string(description, -1) else { return nil }
    defer { g_object_unref(Object(builder)) }
    return gtk_builder_get_object(builder, "shortcuts").map { OpaquePointer($0) }
  }
}
