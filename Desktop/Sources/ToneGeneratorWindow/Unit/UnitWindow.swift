// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import ToneModel
import ToneTexts

/// The window of a unit: its plot, its settings and its parameters in their groups.
final class UnitWindow {
  let widget: Widget

  /// Milliseconds between two refreshes: meters move, and units change values by themselves.
  private static let refreshInterval: UInt32 = 50
  /// How fast the level falls, in decibels per refresh.
  private static let fall = 2.0

  private let session: UnitSession
  private let messages: Messages
  private let settings: SettingsGroup
  private let plot: UnitPlot?
  private let rows: [ParameterRow]
  private let playButton: Widget
  private let bypassButton = made(gtk_toggle_button_new_with_label(tr("Bypass")))
  private let level = made(gtk_level_bar_new_for_interval(0, 1))
  private var peak = -Double.infinity
  private var isClosed = false

  /// The level at the left end of the meter, in dBFS.
  private static let floor = -60.0

  init(_ session: UnitSession, _ application: Object) {
    let model = session.model
    let widget = made(
      adw_application_window_new(application.assumingMemoryBound(to: GtkApplication.self)))
    (self.session, self.widget) = (session, widget)
    settings = SettingsGroup(session)
    plot = UnitPlot(session)
    var rows: [ParameterRow] = []
    let groups = model.groups.map { part in
      let own = part.parameters.map { ParameterRow($0, session) }
      rows += own
      return group(escaped(part.name), own.map(\.widget))
    }
    self.rows = rows
    let column = box(GTK_ORIENTATION_VERTICAL, spacing: 18, [settings.widget] + groups)
    messages = Messages(over: Self.scroller(column))
    playButton = made(gtk_button_new_from_icon_name("media-playback-start-symbolic"))
    var parts = [messages.widget]
    if let plot {
      plot.widget.setMargins(12)
      gtk_widget_set_vexpand(plot.widget, 0)
      parts.insert(plot.widget, at: 0)
    }
    if model.canPlay { parts.append(meter()) }
    adw_application_window_set_content(
      widget.to(), box(GTK_ORIENTATION_VERTICAL, [header()] + parts))
    Style.install()
    gtk_window_set_title(widget.to(), model.name)
    gtk_window_set_default_size(widget.to(), 640, 760)
    gtk_widget_set_size_request(widget, 360, 400)
    connect()
    refresh()
    if model.canPlay { togglePlaying() }
  }

  // MARK: Layout

  private static func scroller(_ column: Widget) -> Widget {
    let scroller = made(gtk_scrolled_window_new())
    let clamp = made(adw_clamp_new())
    column.setMargins(14)
    adw_clamp_set_maximum_size(clamp.opaque, 760)
    adw_clamp_set_child(clamp.opaque, column)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(scroller.opaque, clamp)
    gtk_widget_set_vexpand(scroller, 1)
    return scroller
  }

  private func header() -> Widget {
    let model = session.model
    let header = made(adw_header_bar_new())
    adw_header_bar_set_title_widget(header.opaque, adw_window_title_new(model.name, model.maker))
    if model.canPlay {
      adw_header_bar_pack_start(header.opaque, playButton)
      if model.playsNotes {
        let note = button(tr("Play a note"), icon: "audio-x-generic-symbolic") { [weak self] in
          self?.playNote()
        }
        adw_header_bar_pack_start(header.opaque, note)
      }
    }
    gtk_widget_set_tooltip_text(bypassButton, "Ctrl+B")
    if model.isBypassed != nil { adw_header_bar_pack_end(header.opaque, bypassButton) }
    return header
  }

  private func meter() -> Widget {
    level.setName(tr("Output level"))
    level.setMargins(12)
    return level
  }

  // MARK: Actions

  private func connect() {
    session.onMessage = { [weak self] in self?.messages.show($0) }
    on(playButton, "clicked") { [weak self] in self?.togglePlaying() }
    on(bypassButton, "toggled") { [weak self] in self?.session.change { $0.toggleBypass() } }
    onKey(widget) { [weak self] key, _, state in self?.handle(key, state) ?? false }
    onRequest(widget, "close-request") { [weak self] in
      self?.isClosed = true
      return false
    }
    every(milliseconds: Self.refreshInterval) { [weak self] in
      guard let self, !isClosed else { return false }
      refresh()
      return true
    }
  }

  private func handle(_ key: UInt32, _ state: GdkModifierType) -> Bool {
    guard state.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
    switch Int32(bitPattern: key) {
    case GDK_KEY_q, GDK_KEY_w: gtk_window_close(widget.to())
    case GDK_KEY_p where session.model.canPlay: togglePlaying()
    case GDK_KEY_b: session.change { $0.toggleBypass() }
    case GDK_KEY_e: settings.exchange()
    default: return false
    }
    return true
  }

  private func togglePlaying() {
    session.change { try $0.togglePlaying() }
    let isPlaying = session.model.isPlaying
    let text = isPlaying ? tr("Stop") : tr("Play")
    gtk_button_set_icon_name(
      playButton.to(), isPlaying ? "media-playback-stop-symbolic" : "media-playback-start-symbolic")
    playButton.setName(text)
    gtk_widget_set_tooltip_text(playButton, "\(text) \(session.model.source) (Ctrl+P)")
  }

  private func playNote() {
    if !session.model.playNote() { session.onMessage(tr("It plays no notes, or is not playing.")) }
  }

  // MARK: Refreshes

  private func refresh() {
    let model = session.model
    for row in rows { row.refresh() }
    settings.refresh()
    plot?.refresh()
    session.show {
      gtk_toggle_button_set_active(bypassButton.to(), model.isBypassed == true ? 1 : 0)
    }
    if let error = model.takeRenderError() { session.onMessage(error) }
    guard model.canPlay else { return }
    peak = max(model.takePeak(), peak - Self.fall, Self.floor)
    gtk_level_bar_set_value(level.opaque, 1 - peak / Self.floor)
  }
}

/// A foreign text for a label with markup.
private func escaped(_ text: String) -> String {
  guard let made = g_markup_escape_text(text, -1) else { return "" }
  defer { g_free(made) }
  return String(cString: made)
}
