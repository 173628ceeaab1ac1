// SPDX-License-Identifier: Apache-2.0
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
    code = try Self.spawn(
      [path] + words, Self.environment(environment), output: captures[0].handle.fileDescriptor,
      errors: captures[1].handle.fileDescriptor)
    output = try captures[0].text()
    errors = try captures[1].text()
  }

  /// Runs a program to its end; the exit code, or what ended it as a shell would say it.
  private static func spawn(
    _ words: [String], _ environment: [String: String], output: Int32, errors: Int32
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    // The threads that run tests block most signals, and what they start would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    let status = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
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
