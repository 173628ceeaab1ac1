// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

/// The main screen: scope, frequency, slider, level, waveform, and the play button. Everything else
/// is in the panel at its side.
final class MainWindow {
  let session: Session
  let window: Widget
  let display: FrequencyDisplay
  let level: LevelAndWave
  let panelButton: Widget
  let panel: Panel
  let keys: KeyPlayer
  private let messages: Messages
  private let split: Widget
  private let scope: ScopeView
  private let spectrum: SpectrumView
  private let playButton: Widget
  /// Why nothing can be heard; hidden while there is a device.
  private let unheard: Widget
  private var parts: [any Part] = []
  private var isDrawing = false
  private var isWatching = false
  private var isConfirming = false
  /// The widths before and after the panel widened the window; nil if it did not.
  private var widening: (before: Int32, after: Int32)?
  private var isLeaving = false
  private var isLookingForDevice = false

  /// Makes the window with its last state.
  init(_ session: Session, _ application: Object, _ state: WindowState?) {
    let window = made(
      adw_application_window_new(application.assumingMemoryBound(to: GtkApplication.self)))
    let split = made(adw_flap_new())
    let playButton = made(gtk_button_new_with_label(tr("Play")))
    let panelButton = made(gtk_toggle_button_new())
    self.session = session
    (self.window, self.split) = (window, split)
    (self.playButton, self.panelButton) = (playButton, panelButton)
    unheard = label(Texts.unheard, "warning")
    gtk_label_set_wrap(unheard.opaque, 1)
    unheard.show(false)
    display = FrequencyDisplay(session)
    scope = ScopeView(session)
    spectrum = SpectrumView(session)
    level = LevelAndWave(session, window: window)
    keys = KeyPlayer(session)
    let slider = FrequencySlider(session)
    let plots = box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [scope.widget, spectrum.widget])
    // Messages cover the plots, and no button.
    messages = Messages(over: plots)
    spectrum.widget.show(state?.hasSpectrum ?? false)
    scope.scale.value.choice = state?.scopeScale
    panel = Panel(session, window: window, keys, .init(scope: scope, spectrum: spectrum))
    parts = [display, slider, level, panel]

    playButton.addClasses("pill", "suggested-action")
    gtk_widget_set_halign(playButton, GTK_ALIGN_CENTER)
    let content = box(
      GTK_ORIENTATION_VERTICAL, spacing: 12,
      [unheard, messages.widget, display.widget, slider.widget, level.widget, playButton])
    content.setMargins(18)
    gtk_window_set_default_size(
      window.to(), Int32(state?.width ?? 560), Int32(state?.height ?? 600))
    arrange(content, Menu.button(application, window))
    connect()
    show()
  }

  func present() {
    gtk_window_present(window.to())
    gtk_widget_grab_focus(playButton)
    // A device that the environment names is there or reported.
    guard !ToneDevices.isNamed else { return }
    // After the first picture of the window, because servers may take their time to answer.
    let box = WeakBox(self)
    later { box.window?.session.watchDevices() }
  }

  private final class WeakBox: @unchecked Sendable {
    // Read only on the window's thread.
    weak var window: MainWindow?
    init(_ window: MainWindow) { self.window = window }
  }

  // MARK: Layout

  private func arrange(_ content: Widget, _ menu: Widget) {
    Style.install()
    gtk_window_set_title(window.to(), tr("ToneGenerator"))
    gtk_widget_set_size_request(window, 340, 400)
    gtk_window_set_default_icon_name(Application.identifier)
    guard let header = adw_header_bar_new() else { return }
    gtk_button_set_icon_name(panelButton.to(), "sidebar-show-right-symbolic")
    gtk_widget_set_tooltip_text(panelButton, tr("Settings (F9)"))
    panelButton.setName(tr("Settings"))
    adw_header_bar_pack_end(header.opaque, menu)
    adw_header_bar_pack_end(header.opaque, panelButton)
    adw_flap_set_flap_position(split.opaque, GTK_PACK_END)
    adw_flap_set_content(split.opaque, content)
    adw_flap_set_flap(split.opaque, panel.widget)
    adw_flap_set_separator(split.opaque, gtk_separator_new(GTK_ORIENTATION_VERTICAL))
    adw_flap_set_reveal_flap(split.opaque, 0)
    adw_flap_set_swipe_to_open(split.opaque, 0)
    adw_flap_set_locked(split.opaque, 1)
    gtk_widget_set_vexpand(split, 1)
    adw_application_window_set_content(
      window.to(), box(GTK_ORIENTATION_VERTICAL, [header, split]))
  }

  private func connect() {
    let window = window
    on(playButton, "clicked") { [weak self] in self?.toggle() }
    on(panelButton, "toggled") { [weak self] in self?.showPanel() }
    onChange(of: "reveal-flap", split) { [weak self] in self?.followPanel() }
    onKey(window) { [weak self] key, code, state in self?.handle(key, code, state) ?? false }
    onKeyRelease(window) { [weak self] code in self?.keys.release(code: code) }
    onChange(of: "is-active", window) { [weak self] in
      if gtk_window_is_active(window.to()) == 0 { self?.keys.releaseLetters() }
    }
    onRequest(window, "close-request") { [weak self] in
      self?.leave()
      return false
    }
    keys.onLetters = { [weak self] in self?.display.cancelTyping() }
    session.onMessage = { [weak self] in self?.messages.show($0, until: $1) }
    session.willChange = { [weak self] in self?.messages.reach(.change) }
    session.model.onChange = { [weak self] in self?.show() }
    session.onDevices = { [weak self] in self?.followDevices() }
  }

  /// Reads the list of devices, which has changed.
  private func followDevices() {
    guard !isLeaving, let devices = session.devices else { return }
    if session.model.fallBackToDefaultDevice(unlessIn: devices) {
      session.onMessage(tr("The device is gone."), .soon)
    }
    show()
  }

  /// Says why nothing can be heard for as long as that is so, and looks for a device meanwhile: a server
  /// that starts may be seen before it has any.
  private func showUnheard() {
    let isUnheard = session.model.isUnheard(of: session.devices)
    if isUnheard { gtk_label_set_text(unheard.opaque, Texts.unheard) }
    unheard.show(isUnheard)
    guard isUnheard, !isLookingForDevice else { return }
    isLookingForDevice = true
    every(milliseconds: 2_000) { [weak self] in
      guard let self, !self.isLeaving else { return false }
      self.session.devices?.refresh()
      self.isLookingForDevice = self.session.model.isUnheard(of: self.session.devices)
      if !self.isLookingForDevice { self.show() }
      return self.isLookingForDevice
    }
  }

  /// Stops playback and stores the state of the window. Nothing is updated afterwards, because the
  /// widgets are destroyed.
  func leave() {
    guard !isLeaving else { return }
    isLeaving = true
    session.model.onChange = {}
    session.onDevices = {}
    session.onMessage = { _, _ in }
    session.willChange = {}
    keys.end()
    // The stop fades out, so closing the window does not click.
    session.model.stop()
    var state = WindowState(session.model)
    if gtk_window_is_maximized(window.to()) == 0 {
      var (width, height) = (Int32(0), Int32(0))
      gtk_window_get_default_size(window.to(), &width, &height)
      state.width = Int(widening.map { width == $0.after ? $0.before : width } ?? width)
      state.height = Int(height)
    }
    state.hasSpectrum = gtk_widget_get_visible(spectrum.widget) != 0
    state.scopeScale = scope.scale.value.choice
    do { try state.save() } catch {
      FileHandle.standardError.write(Data("ToneGenerator: \(error)\n".utf8))
    }
  }

  private func showPanel() {
    let isOpen = gtk_toggle_button_get_active(panelButton.to()) != 0
    makeRoom(isOpen)
    adw_flap_set_reveal_flap(split.opaque, isOpen ? 1 : 0)
    if isOpen { panel.grabFocus() } else { gtk_widget_grab_focus(playButton) }
  }

  /// Widens the window for the panel, so that it covers nothing, and reverts that.
  private func makeRoom(_ isOpen: Bool) {
    var (width, height) = (Int32(0), Int32(0))
    gtk_window_get_default_size(window.to(), &width, &height)
    guard width > 0, gtk_window_is_maximized(window.to()) == 0 else { return }
    if isOpen, width < 2 * panelWidth {
      widening = (width, width + panelWidth)
      gtk_window_set_default_size(window.to(), width + panelWidth, height)
    } else if !isOpen, let widening {
      self.widening = nil
      // A size that was changed since then stays.
      guard width == widening.after else { return }
      gtk_window_set_default_size(window.to(), widening.before, height)
    }
  }

  /// The width of the panel in pixels, which depends on the text size.
  private var panelWidth: Int32 {
    var width: Int32 = 0
    gtk_widget_measure(panel.widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
    return max(width, Panel.width)
  }

  private func followPanel() {
    gtk_toggle_button_set_active(panelButton.to(), adw_flap_get_reveal_flap(split.opaque))
  }

  // MARK: Playing

  /// Plays or stops. A stored device may be gone.
  func toggle() {
    session.change { model in
      do { try model.toggle() } catch {
        guard model.deviceChoice != nil else { throw error }
        model.deviceChoice = nil
        try model.toggle()
        session.onMessage(tr("The device is gone. Playing on {}.", model.device?.name ?? ""), .soon)
      }
    }
  }

  private func show() {
    guard !isLeaving else { return }
    let model = session.model
    session.show { for part in parts { part.show(model) } }
    showPlaying(model.isPlaying)
    showUnheard()
    if model.pendingLevel != nil { confirmLoudLevel() }
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
      messages.reach(.device)
      redraw()
    }
  }

  private func redraw() {
    gtk_widget_queue_draw(scope.widget)
    gtk_widget_queue_draw(spectrum.widget)
  }

  /// Redraws with each refresh during playback; otherwise nothing is redrawn.
  private func draw() {
    guard !isDrawing else { return }
    isDrawing = true
    onTick(scope.widget) { [weak self] in
      guard let self, !self.isLeaving, self.session.model.isPlaying else {
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

  /// Monitors the device, even while the window is hidden and does not redraw.
  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    every(milliseconds: 500) { [weak self] in
      guard let self, !self.isLeaving, self.session.model.isPlaying else {
        self?.isWatching = false
        return false
      }
      self.reportDevice()
      return true
    }
  }

  private func reportDevice() {
    let name = session.model.device?.name ?? ""
    switch session.model.nextDeviceChange() {
    case .interrupted:
      messages.show(tr("The device does not play. Waiting for it."), until: .device)
    case .resumed: messages.show(tr("Playing on {}.", name))
    case .replaced: messages.show(tr("The device is gone. Playing on {}.", name))
    case .gone: messages.show(tr("The device is gone."))
    case nil: break
    }
  }

  /// Asks for confirmation before a loud level.
  private func confirmLoudLevel() {
    guard !isConfirming, let level = session.model.pendingLevel else { return }
    isConfirming = true
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
      self?.isConfirming = false
      self?.session.change { $0.confirm(loud: response == "yes") }
      self?.show()
    }
    gtk_window_present(dialog.to())
  }
}
