// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// The result of running a program.
struct Run {
  /// The exit code of the process.
  let code: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String

  /// Runs a program that was built with the tests, without the caller's device settings.
  init(_ program: String, _ words: [String], environment: [String: String] = [:]) throws {
    try self.init(path: Self.path(program), words, environment: environment)
  }

  /// Runs any program.
  init(path: String, _ words: [String], environment: [String: String] = [:]) throws {
    // Files instead of pipes, because a process that another test starts could keep the end of a
    // pipe open.
    let captures = try [Capture(), Capture()]
    // Not Foundation's Process, which counts a program as running while anything that it has
    // started, such as a terminal server, still runs.
    let process = try spawn(
      [path] + words, environment: Self.environment(environment),
      output: captures[0].handle.fileDescriptor, errors: captures[1].handle.fileDescriptor)
    code = Self.end(of: process)
    output = try captures[0].text()
    errors = try captures[1].text()
  }

  /// Waits for the end of a program; returns its exit code, or the signal that ended it as a shell
  /// reports it.
  private static func end(of process: pid_t) -> Int32 {
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    return end & 0x7F == 0 ? end >> 8 & 0xFF : 128 + end & 0x7F
  }

  /// The environment without variables for devices and displays, but with the bank and the plug-ins
  /// of the tests, plus some others.
  static func environment(_ more: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      ["AUDIOTOOLBOX_BANK", "AUDIOTOOLBOX_PLUGINS"].contains(name)
        || !name.hasPrefix("AUDIOTOOLBOX_") && !name.hasSuffix("DISPLAY")
    }.merging(more) { $1 }
  }

  /// The path of a program, which is next to the tests.
  static func path(_ program: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(program).path
  }
}

/// A file that captures the output of a process.
private struct Capture {
  let handle: FileHandle
  private let path = NSTemporaryDirectory() + "output-\(UUID().uuidString)"

  init() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// The captured text; removes the file.
  func text() throws -> String {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try handle.close()
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// The root of the package.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// Runs `body` with a temporary folder.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = NSTemporaryDirectory() + "command-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}
