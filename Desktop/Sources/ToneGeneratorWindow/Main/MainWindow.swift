// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The first screen: a scope, the frequency, a slider, and a button that plays. Everything else is in
/// the panel at its side.
final class MainWindow {
  private let session: Session
  private let window: Widget
  private let toasts: Widget
  private let split: Widget
  private let display: FrequencyDisplay
  private let scope: ScopeView
  private let spectrum: SpectrumView
  private let playButton: Widget
  private let panelButton: Widget
  private let panel: Panel
  private var parts: [any Part] = []
  private var isDrawing = false
  private var isWatching = false
  private var isAsking = false
  private var isWidened = false

  init(_ session: Session, _ application: Object) {
    let window = made(
      adw_application_window_new(application.assumingMemoryBound(to: GtkApplication.self)))
    let toasts = made(adw_toast_overlay_new())
    let split = made(adw_flap_new())
    let playButton = made(gtk_button_new_with_label(tr("Play")))
    let panelButton = made(gtk_toggle_button_new())
    self.session = session
    (self.window, self.toasts, self.split) = (window, toasts, split)
    (self.playButton, self.panelButton) = (playButton, panelButton)
    display = FrequencyDisplay(session)
    scope = ScopeView(session)
    spectrum = SpectrumView(session)
    let slider = FrequencySlider(session)
    let pictures = box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [scope.widget, spectrum.widget])
    let spectrumWidget = spectrum.widget
    spectrumWidget.show(false)
    panel = Panel(session, window: window) { spectrumWidget.show($0) }
    parts = [display, slider, panel]

    playButton.addClasses("pill", "suggested-action")
    gtk_widget_set_halign(playButton, GTK_ALIGN_CENTER)
    let content = box(
      GTK_ORIENTATION_VERTICAL, spacing: 12, [pictures, display.widget, slider.widget, playButton])
    content.setMargins(18)
    arrange(content)
    connect()
    show()
  }

  func present() {
    gtk_window_present(window.to())
    gtk_widget_grab_focus(playButton)
  }

  // MARK: Arranging

  private func arrange(_ content: Widget) {
    Style.install()
    gtk_window_set_title(window.to(), tr("ToneGenerator"))
    gtk_window_set_default_size(window.to(), 560, 520)
    gtk_widget_set_size_request(window, 340, 400)
    gtk_window_set_default_icon_name(Application.identifier)
    guard let header = adw_header_bar_new() else { return }
    gtk_button_set_icon_name(panelButton.to(), "sidebar-show-right-symbolic")
    gtk_widget_set_tooltip_text(panelButton, tr("Settings (F9)"))
    panelButton.setName(tr("Settings"))
    adw_header_bar_pack_end(header.opaque, panelButton)
    adw_flap_set_flap_position(split.opaque, GTK_PACK_END)
    adw_flap_set_content(split.opaque, content)
    adw_flap_set_flap(split.opaque, panel.widget)
    adw_flap_set_separator(split.opaque, gtk_separator_new(GTK_ORIENTATION_VERTICAL))
    adw_flap_set_reveal_flap(split.opaque, 0)
    adw_flap_set_swipe_to_open(split.opaque, 0)
    adw_flap_set_locked(split.opaque, 1)
    gtk_widget_set_vexpand(split, 1)
    adw_toast_overlay_set_child(toasts.opaque, box(GTK_ORIENTATION_VERTICAL, [header, split]))
    adw_application_window_set_content(window.to(), toasts)
  }

  private func connect() {
    on(playButton, "clicked") { [weak self] in self?.toggle() }
    on(panelButton, "toggled") { [weak self] in self?.showPanel() }
    onChange(of: "reveal-flap", split) { [weak self] in self?.followPanel() }
    onKey(window) { [weak self] key, state in self?.take(key, state) ?? false }
    onRequest(window, "close-request") { [session] in
      session.model.stop()
      return false
    }
    session.onMessage = { [weak self] in self?.say($0) }
    session.model.onChange = { [weak self] in self?.show() }
  }

  private func showPanel() {
    let isWanted = gtk_toggle_button_get_active(panelButton.to()) != 0
    makeRoom(isWanted)
    adw_flap_set_reveal_flap(split.opaque, isWanted ? 1 : 0)
    if isWanted { panel.grabFocus() } else { gtk_widget_grab_focus(playButton) }
  }

  /// Widens the window by the panel, so that it covers nothing, and takes that back.
  private func makeRoom(_ isWanted: Bool) {
    let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
    guard width > 0, gtk_window_is_maximized(window.to()) == 0 else { return }
    if isWanted, width < 2 * Panel.width {
      isWidened = true
      gtk_window_set_default_size(window.to(), width + Panel.width, height)
    } else if !isWanted, isWidened {
      isWidened = false
      gtk_window_set_default_size(window.to(), width - Panel.width, height)
    }
  }

  private func followPanel() {
    gtk_toggle_button_set_active(panelButton.to(), adw_flap_get_reveal_flap(split.opaque))
  }

  private func say(_ message: String) {
    adw_toast_overlay_add_toast(toasts.opaque, adw_toast_new(message))
  }

  // MARK: Playing

  private func toggle() { session.change { try $0.toggle() } }

  private func show() {
    let model = session.model
    session.show { for part in parts { part.show(model) } }
    showPlaying(model.isPlaying)
    if model.askedLevel != nil { ask() }
  }

  private func showPlaying(_ isPlaying: Bool) {
    gtk_button_set_label(playButton.to(), isPlaying ? tr("Stop") : tr("Play"))
    if isPlaying {
      gtk_widget_remove_css_class(playButton, "suggested-action")
      playButton.addClasses("destructive-action")
      draw()
      watch()
    } else {
      gtk_widget_remove_css_class(playButton, "destructive-action")
      playButton.addClasses("suggested-action")
      redraw()
    }
  }

  private func redraw() {
    gtk_widget_queue_draw(scope.widget)
    gtk_widget_queue_draw(spectrum.widget)
  }

  /// Draws with each picture of the screen, as long as it plays: a silent window draws nothing.
  private func draw() {
    guard !isDrawing else { return }
    isDrawing = true
    onTick(scope.widget) { [weak self] in
      guard let self, self.session.model.isPlaying else {
        self?.isDrawing = false
        return false
      }
      self.redraw()
      if self.session.model.sweep != nil {
        self.session.show { for part in self.parts.prefix(2) { part.show(self.session.model) } }
      }
      return true
    }
  }

  /// Looks after the device, also while the window is hidden and draws nothing.
  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    every(milliseconds: 500) { [weak self] in
      guard let self, self.session.model.isPlaying else {
        self?.isWatching = false
        return false
      }
      self.tellOfDevice()
      return true
    }
  }

  private func tellOfDevice() {
    let name = session.model.device?.name ?? ""
    switch session.model.takeDeviceNews() {
    case .interrupted: say(tr("The device does not play. Waiting for it."))
    case .playsAgain: say(tr("Playing on {}.", name))
    case .replaced: say(tr("The device is gone. Playing on {}.", name))
    case .gone: say(tr("The device is gone."))
    case nil: break
    }
  }

  /// Asks before it becomes loud.
  private func ask() {
    guard !isAsking, let level = session.model.askedLevel else { return }
    isAsking = true
    guard
      let dialog = adw_message_dialog_new(
        window.to(), tr("Play this loud?"),
        tr(
          "{} can hurt ears and loudspeakers. Turn the volume of the device down first.",
          Texts.level(level)))
    else { return }
    adw_message_dialog_add_response(
      dialog.to(), "no", tr("Stay at {}", Texts.level(ToneModel.loudLevel)))
    adw_message_dialog_add_response(dialog.to(), "yes", tr("Louder"))
    adw_message_dialog_set_response_appearance(dialog.to(), "yes", ADW_RESPONSE_DESTRUCTIVE)
    adw_message_dialog_set_default_response(dialog.to(), "no")
    adw_message_dialog_set_close_response(dialog.to(), "no")
    onResponse(dialog) { [weak self] response in
      self?.isAsking = false
      self?.session.change { $0.answer(loud: response == "yes") }
      self?.show()
    }
    gtk_window_present(dialog.to())
  }

  // MARK: Keys

  /// Whether the focus is on something that has keys of its own.
  private var isElsewhere: Bool {
    guard let focus = gtk_window_get_focus(window.to()) else { return false }
    return display.isTyping || gtk_widget_is_ancestor(focus, panel.widget) != 0
  }

  private func take(_ key: UInt32, _ state: GdkModifierType) -> Bool {
    let isShift = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
    let isControl = state.rawValue & GDK_CONTROL_MASK.rawValue != 0
    if key == UInt32(GDK_KEY_F9) {
      gtk_toggle_button_set_active(
        panelButton.to(), 1 - gtk_toggle_button_get_active(panelButton.to()))
      return true
    }
    if isControl, key == UInt32(GDK_KEY_q) {
      gtk_window_close(window.to())
      return true
    }
    if isElsewhere { return false }
    return takeOnFirstScreen(key, isShift, isControl)
  }

  private func takeOnFirstScreen(_ key: UInt32, _ isShift: Bool, _ isControl: Bool) -> Bool {
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
    default: return false
    }
    return true
  }
}

/// What the style sheet of Adwaita does not say.
enum Style {
  private static let sheet = """
    .frequency { font-size: 2.6em; font-weight: 300; font-feature-settings: "tnum"; }
    .note { opacity: 0.7; font-feature-settings: "tnum"; }
    .pill { min-width: 8em; }
    .panel { background: alpha(currentColor, 0.03); }
    """

  /// Adds it to all windows.
  static func install() {
    guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else {
      return
    }
    gtk_css_provider_load_from_data(provider, sheet, -1)
    gtk_style_context_add_provider_for_display(
      display, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }
}
