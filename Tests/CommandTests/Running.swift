// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// A program, run to its end.
struct Run {
  /// What the process ended with.
  let code: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String

  /// Runs a program that was built with the tests, without any of the caller's devices.
  init(_ program: String, _ words: [String], environment: [String: String] = [:]) throws {
    try self.init(path: Self.path(program), words, environment: environment)
  }

  /// Runs any program.
  init(path: String, _ words: [String], environment: [String: String] = [:]) throws {
    // Files, as the end of a pipe would be kept open by a process that another test starts.
    let captures = try [Capture(), Capture()]
    // Not Foundation's Process: it takes a program for running as long as anything that the program
    // has started, such as a terminal server, lives.
    let process = try spawn(
      [path] + words, environment: Self.environment(environment),
      output: captures[0].handle.fileDescriptor, errors: captures[1].handle.fileDescriptor)
    code = Self.end(of: process)
    output = try captures[0].text()
    errors = try captures[1].text()
  }

  /// Waits for the end of a program; its exit code, or what ended it as a shell would say it.
  private static func end(of process: pid_t) -> Int32 {
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    return end & 0x7F == 0 ? end >> 8 & 0xFF : 128 + end & 0x7F
  }

  /// The environment without what it says of devices and displays, and with some more.
  static func environment(_ more: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("AUDIOTOOLBOX_") && !$0.key.hasSuffix("DISPLAY")
    }.merging(more) { $1 }
  }

  /// Where a program is: beside the tests.
  static func path(_ program: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(program).path
  }
}

/// A file that takes what a process writes.
private struct Capture {
  let handle: FileHandle
  private let path = NSTemporaryDirectory() + "output-\(UUID().uuidString)"

  init() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// All of it; the file is removed.
  func text() throws -> String {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try handle.close()
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// The root of the package.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// A folder that lasts as long as a body runs.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = NSTemporaryDirectory() + "command-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}
