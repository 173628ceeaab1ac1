// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import ToneModel

// The keys of the main screen, and those that work everywhere in the window.

extension MainWindow {
  /// Whether the focus is on something with its own keys: the panel, an open list, the text field.
  private var isFocusElsewhere: Bool {
    guard let focus = gtk_window_get_focus(window.to()) else { return false }
    if let native = gtk_widget_get_native(focus), native != OpaquePointer(window) { return true }
    return display.isTyping || gtk_widget_is_ancestor(focus, panel.widget) != 0
  }

  /// Whether letters belong to the focus: an open list, or something to write in.
  private var isWriting: Bool {
    guard let focus = gtk_window_get_focus(window.to()) else { return false }
    if let native = gtk_widget_get_native(focus), native != OpaquePointer(window) { return true }
    let instance: UnsafeMutablePointer<GTypeInstance> = focus.to()
    return g_type_check_instance_is_a(instance, gtk_editable_get_type()) != 0
  }

  /// Handles a key pressed in the window; false passes it to the focused widget.
  func handle(_ key: UInt32, _ code: UInt32, _ state: GdkModifierType) -> Bool {
    let isShift = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
    let isControl = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
    let isAlt = state.rawValue & GDK_ALT_MASK.rawValue != 0
    if key == UInt32(GDK_KEY_F9) {
      gtk_toggle_button_set_active(
        panelButton.to(), 1 - gtk_toggle_button_get_active(panelButton.to()))
      return true
    }
    if isControl, [GDK_KEY_q, GDK_KEY_w].contains(Int32(bitPattern: key)) {
      gtk_window_close(window.to())
      return true
    }
    if key == UInt32(GDK_KEY_F1) || isControl && key == UInt32(GDK_KEY_question) {
      Menu.showShortcuts(window)
      return true
    }
    if isControl, key == UInt32(GDK_KEY_k) {
      keys.playsLetters.toggle()
      return true
    }
    if isAlt, case GDK_KEY_1...GDK_KEY_6 = Int32(bitPattern: key) {
      gtk_toggle_button_set_active(panelButton.to(), 1)
      panel.open(Int(key) - Int(GDK_KEY_1))
      return true
    }
    if !isAlt, !isControl, !isWriting, keys.press(key, code: code) { return true }
    // Other keys with Alt belong to the menu or to GTK.
    if isAlt || isFocusElsewhere { return false }
    return handleOnMainScreen(key, isShift, isControl)
  }

  private static let arrows = [
    GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Page_Up, GDK_KEY_Page_Down,
  ]

  private func handleOnMainScreen(_ key: UInt32, _ isShift: Bool, _ isControl: Bool) -> Bool {
    if level.usesArrowKeys, Self.arrows.contains(Int32(bitPattern: key)) { return false }
    let hertz = isControl ? (isShift ? 0.001 : 0.01) : (isShift ? 0.1 : 1)
    switch Int32(bitPattern: key) {
    case GDK_KEY_space: toggle()
    case GDK_KEY_Up: session.change { $0.step(hertz: hertz) }
    case GDK_KEY_Down: session.change { $0.step(hertz: -hertz) }
    case GDK_KEY_Right: session.change { $0.step(semitones: isShift ? 0.01 : 1) }
    case GDK_KEY_Left: session.change { $0.step(semitones: isShift ? -0.01 : -1) }
    case GDK_KEY_Page_Up: session.change { $0.frequency *= 2 }
    case GDK_KEY_Page_Down: session.change { $0.frequency /= 2 }
    case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: session.change { $0.step(decibels: 1) }
    case GDK_KEY_minus, GDK_KEY_KP_Subtract: session.change { $0.step(decibels: -1) }
    case GDK_KEY_0...GDK_KEY_9 where !isControl:
      display.type(String(key - UInt32(GDK_KEY_0)))
    case GDK_KEY_KP_0...GDK_KEY_KP_9 where !isControl:
      display.type(String(key - UInt32(GDK_KEY_KP_0)))
    case GDK_KEY_a...GDK_KEY_g where !isControl:
      typeNote(key - UInt32(GDK_KEY_a))
    case GDK_KEY_A...GDK_KEY_G where !isControl:
      typeNote(key - UInt32(GDK_KEY_A))
    default: return false
    }
    return true
  }

  /// Opens the text field with the letter of a note: 0 is A.
  private func typeNote(_ letter: UInt32) {
    display.type(String(Array("ABCDEFG")[Int(letter)]))
  }
}
