// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import Foundation

/// The application that shows a unit in a window.
final class UnitApplication {
  /// The application ID.
  static let identifier = "io.github.swift_audiotoolbox.UnitView"

  private let session: UnitSession
  private var window: UnitWindow?

  init(_ model: UnitModel) { session = UnitSession(model) }

  /// Runs until the window is closed.
  func run() {
    let raw = made(adw_application_new(Self.identifier, G_APPLICATION_NON_UNIQUE))
    let application = UnsafeMutableRawPointer(raw)
    on(application, "activate") { [self] in
      let window = window ?? UnitWindow(session, application)
      self.window = window
      gtk_window_present(window.widget.to())
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      onSystemSignal(signal) {
        g_application_quit(application.assumingMemoryBound(to: GApplication.self))
      }
    }
    g_application_run(application.assumingMemoryBound(to: GApplication.self), 0, nil)
  }
}

/// Shared by the parts of the window: the unit, and a way to change it.
final class UnitSession {
  let model: UnitModel
  /// Called with a message for the user.
  var onMessage: (String) -> Void = { _ in }
  /// Whether controls are being updated from the unit.
  private var isShowing = false

  init(_ model: UnitModel) { self.model = model }

  /// Changes the unit, unless the change comes from updating a control.
  func change(_ body: (UnitModel) throws -> Void) {
    guard !isShowing else { return }
    do { try body(model) } catch { onMessage("\(error)") }
  }

  /// Updates controls from the unit.
  func show(_ body: () -> Void) {
    guard !isShowing else { return body() }
    isShowing = true
    body()
    isShowing = false
  }
}
