// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel

/// The application: one window, and the tone that it plays.
final class Application {
  /// The name by which the desktop knows it, its icon and its entry.
  static let identifier = "io.github.swift_audiotoolbox.ToneGenerator"

  private let session: Session
  private let state: WindowState?
  private var window: MainWindow?

  /// `state` is what the window was like when it was closed last.
  init(_ model: ToneModel, _ state: WindowState?) {
    session = Session(model)
    self.state = state
  }

  /// Runs until the window is closed, and ends the process.
  func run() -> Never {
    let raw = made(adw_application_new(Self.identifier, G_APPLICATION_NON_UNIQUE))
    let application = UnsafeMutableRawPointer(raw)
    on(application, "activate") { [self] in
      if window == nil { window = MainWindow(session, application, state) }
      window?.present()
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      onSystemSignal(signal) { [self] in
        window?.leave()
        g_application_quit(application.assumingMemoryBound(to: GApplication.self))
      }
    }
    let code = g_application_run(application.assumingMemoryBound(to: GApplication.self), 0, nil)
    exit(code)
  }
}

/// What the parts of the window share: the model, and the way to change it.
final class Session {
  let model: ToneModel
  /// Called when something went wrong, with a sentence.
  var onMessage: (String) -> Void = { _ in }
  /// Whether controls are being set to what the model says.
  private var isShowing = false

  init(_ model: ToneModel) { self.model = model }

  /// Changes the model, unless a control has merely been set to what the model says.
  func change(_ body: (ToneModel) throws -> Void) {
    guard !isShowing else { return }
    do { try body(model) } catch { onMessage("\(error)") }
  }

  /// Sets controls to what the model says.
  func show(_ body: () -> Void) {
    guard !isShowing else { return }
    isShowing = true
    body()
    isShowing = false
  }
}

/// A part of the window.
protocol Part: AnyObject {
  var widget: Widget { get }

  /// Shows what the model says.
  func show(_ model: ToneModel)
}
