// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A terminal of 80 by 24 with a shell, on a private tmux server.
final class TerminalSession {
  private let folder: String
  private let socket: String

  private static let program = "/usr/bin/tmux"

  /// Whether tmux is installed.
  static let isPossible = FileManager.default.isExecutableFile(atPath: program)

  /// Starts a shell whose prompt is "READY>".
  init(environment: [String: String] = [:]) throws {
    folder = NSTemporaryDirectory() + "terminal-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    socket = folder + "/tmux"
    let hidden = ["DISPLAY=", "WAYLAND_DISPLAY=", "PS1=READY> "]
    let variables = environment.map { "\($0)=\($1)" } + hidden
    _ = try tmux(
      ["new-session", "-d", "-x", "80", "-y", "24", "-s", "t", "env"] + variables + ["/bin/sh"])
    try expect("READY>")
  }

  deinit {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Presses keys, by their tmux names.
  func press(_ keys: String...) throws { _ = try tmux(["send-keys", "-t", "t"] + keys) }

  /// Types a line.
  func type(_ line: String) throws {
    _ = try tmux(["send-keys", "-t", "t", "-l", line])
    try press("Enter")
  }

  /// Resizes the terminal.
  func resize(columns: Int, rows: Int) throws {
    _ = try tmux(["resize-window", "-t", "t", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The contents of the screen.
  func screen() throws -> String { try tmux(["capture-pane", "-p", "-t", "t"]) }

  /// A tmux variable of the terminal, such as `#{alternate_on}`.
  func ask(_ format: String) throws -> String {
    try tmux(["display-message", "-p", "-t", "t", format])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until a text is on the screen; fails after half a minute, with the contents of the
  /// screen.
  @discardableResult
  func expect(_ text: String) throws -> String {
    var seen = ""
    for _ in 1...600 {
      seen = try screen()
      if seen.contains(text) { return seen }
      usleep(50_000)
    }
    throw Failure(description: "\"\(text)\" did not come; there is:\n\(seen)")
  }

  /// The expected text that did not appear.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private func tmux(_ words: [String]) throws -> String {
    try Run(
      path: Self.program, ["-u", "-f", "/dev/null", "-S", socket] + words,
      environment: ["TERM": "xterm-256color"]
    ).output
  }
}
