// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The window, which is a separate program because it needs GTK.
enum WindowProgram {
  private static let name = "ToneGeneratorWindow"

  /// Replaces this process by the window if it is installed and there is a display; otherwise
  /// returns.
  ///
  /// If the window cannot reach its display, it starts this program again, without a display.
  static func start(_ words: [String]) {
    let environment = ProcessInfo.processInfo.environment
    let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0, default: ""] != "" }
    guard hasDisplay, let program = realpath("/proc/self/exe", nil) else { return }
    defer { free(program) }
    let path = String(cString: program)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    setenv("TONE_GENERATOR_PROGRAM", path, 1)
    // In the folder of this program when built, below libexec when installed.
    for place in [name, "../libexec/audiotoolbox/\(name)"] {
      let window = folder.appendingPathComponent(place).path
      guard access(window, X_OK) == 0 else { continue }
      var arguments = ([window] + words).map { strdup($0) } + [nil]
      execv(window, &arguments)
      for text in arguments { free(text) }
    }
  }
}
