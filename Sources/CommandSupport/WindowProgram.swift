// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The program of the windows, which is a separate one because it needs GTK.
public enum WindowProgram {
  private static let name = "ToneGeneratorWindow"

  /// [main thread] Replaces this process by the window, with other words, if it is installed and there is a display;
  /// otherwise returns.
  ///
  /// If the window cannot reach its display, it starts this program again with the same words, without a
  /// display.
  public static func start(_ words: [String]) {
    let environment = ProcessInfo.processInfo.environment
    let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0, default: ""] != "" }
    guard hasDisplay, let path = ownPath else { return }
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

  /// [any thread] The file name of this program.
  public static var ownName: String {
    ownPath.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  }

  private static var ownPath: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    return String(cString: program)
  }
}
