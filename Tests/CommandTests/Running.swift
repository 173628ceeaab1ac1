// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program of this package, run to its end.
struct Run {
  /// What the process ended with.
  let code: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String

  /// Runs a program that was built with the tests.
  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path(program))
    process.arguments = arguments
    process.environment = Self.environment(environment)
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    code = process.terminationStatus
    self.output = String(decoding: text, as: UTF8.self)
    self.errors = String(decoding: complaint, as: UTF8.self)
  }

  /// The environment without what it says of devices, and with some more.
  static func environment(_ more: [String: String]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AUDIOTOOLBOX_") }
      .merging(more) { $1 }
  }

  /// Where a program is: beside the tests.
  static func path(_ program: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(program).path
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
