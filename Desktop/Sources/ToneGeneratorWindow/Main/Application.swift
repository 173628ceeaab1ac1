// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation
import ToneModel

/// The application: one window, and the tone that it plays.
final class Application {
  /// The application ID, which the desktop uses for its icon and its entry.
  static let identifier = "io.github.swift_audiotoolbox.ToneGenerator"

  private let session: Session
  private let state: WindowState?
  private let source: String?
  private var window: MainWindow?

  init(_ initial: InitialState) {
    session = Session(initial.model)
    (state, source) = (initial.state, initial.source)
  }

  /// Runs until the window is closed, and ends the process.
  func run() -> Never {
    let raw = made(adw_application_new(Self.identifier, G_APPLICATION_NON_UNIQUE))
    let application = UnsafeMutableRawPointer(raw)
    on(application, "activate") { [self] in
      let isFirst = window == nil
      if isFirst { window = MainWindow(session, application, state) }
      window?.present()
      if isFirst, let source { window?.keys.listen(toName: source) }
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

/// Shared by the parts of the window: the model, and a way to change it.
final class Session {
  let model: ToneModel
  /// Called with a message for the user, and how long it stays.
  var onMessage: (String, Messages.End) -> Void = { _, _ in }
  /// Called before a change.
  var willChange: () -> Void = {}
  /// The devices; nil until `watchDevices`.
  private(set) var devices: ToneDevices?
  /// Called when devices have come or gone.
  var onDevices: () -> Void = {}
  /// Whether controls are being updated from the model.
  private var isShowing = false

  init(_ model: ToneModel) { self.model = model }

  /// Reads the list of devices, and follows it from now on.
  func watchDevices() {
    guard devices == nil else { return }
    let box = WeakBox(self)
    devices = ToneDevices { later { box.session?.onDevices() } }
    onDevices()
  }

  private final class WeakBox: @unchecked Sendable {
    // Read only on the window's thread.
    weak var session: Session?
    init(_ session: Session) { self.session = session }
  }

  /// Changes the model, unless the change comes from updating a control.
  func change(_ body: (ToneModel) throws -> Void) {
    guard !isShowing else { return }
    willChange()
    do { try body(model) } catch { onMessage("\(error)", .change) }
  }

  /// Updates controls from the model.
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

  /// Shows the state of the model.
  func show(_ model: ToneModel)
}
