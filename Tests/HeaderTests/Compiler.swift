// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A C or C++ compiler that reads the headers as an installed program does.
struct Compiler: Sendable, CustomTestStringConvertible {
  /// The name of the program.
  let program: String
  /// The arguments that choose language and standard.
  let language: [String]

  /// The compilers that the headers support.
  static let all = [
    Compiler(program: "gcc", language: ["-x", "c", "-std=c99"]),
    Compiler(program: "g++", language: ["-x", "c++", "-std=c++11"]),
    Compiler(program: "clang", language: ["-x", "c", "-std=c11"]),
    Compiler(program: "clang", language: ["-x", "c++", "-std=c++17"]),
  ]

  /// The compilers with each standard of their language.
  static let everyStandard = ["gcc", "clang"].flatMap { program in
    ["c99", "gnu99", "c11", "c17", "gnu17", "c2x"].map { standard in
      Compiler(program: program, language: ["-x", "c", "-std=\(standard)"])
    }
      + ["c++11", "c++14", "c++17", "c++20", "gnu++20", "c++23"].map { standard in
        Compiler(
          program: program == "gcc" ? "g++" : program, language: ["-x", "c++", "-std=\(standard)"])
      }
  }

  var testDescription: String { "\(program) \(language.last ?? "")" }

  /// The compiler's errors and warnings about a program; empty when there are none.
  func complaints(
    about source: String, include folders: [String] = Repository.installedFlags,
    arguments: [String] = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
  ) throws -> String {
    let output = try run(
      try path(), language + arguments + folders + ["-fsyntax-only", "-"], input: source)
    return output.succeeded ? "" : "\(testDescription):\n\(output.errors)"
  }

  /// The compiler's errors and warnings about several programs, in one run; empty when there are
  /// none.
  func complaints(aboutEach sources: [(name: String, text: String)]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for source in sources {
      try Data(source.text.utf8).write(to: folder.appending(path: source.name))
    }
    let output = try run(
      try path(),
      ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"] + Repository.installedFlags
        + language + sources.map { folder.appending(path: $0.name).path })
    return output.succeeded ? "" : "\(testDescription):\n\(output.errors)"
  }

  /// Compiles a program and runs it: the compiler's errors, "fails" if the program fails, or empty.
  func failure(of source: URL, include folders: [String]) throws -> String {
    let program = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: program) }
    let output = try run(try path(), language + ["-w", "-o", program.path, source.path] + folders)
    guard output.succeeded else { return output.errors }
    return try run(program.path, []).succeeded ? "" : "fails"
  }

  /// The path of the compiler; clang is the one of the Swift toolchain.
  private func path() throws -> String {
    if program == "clang" {
      return Toolchain.library.appending(path: "../../bin/clang").standardizedFileURL.path
    }
    return try find(program)
  }
}

/// The folders of the repository, found from the path of this file.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let tests = root.appending(path: "Tests/HeaderTests")
  /// The headers of the C API.
  static let headers = root.appending(path: "Sources/CAudioToolbox")
  /// The additional headers that are installed for C programs.
  static let installed = root.appending(path: "Install/include")
  /// Headers that a system may already have; they are searched last.
  static let platform = root.appending(path: "Install/platform")
  /// Headers of vectors, and of the log and locks, which are installed beside these.
  static let vectors = root.appending(path: "Sources/CAccelerate/include")
  static let system = root.appending(path: "Sources/COperatingSystem/include")
  /// The compiler flags that pkg-config returns for the installed library.
  static let installedFlags = [
    "-I\(headers.path)", "-I\(vectors.path)", "-I\(installed.path)", "-idirafter", platform.path,
    "-idirafter", system.path,
  ]
}

/// The Swift toolchain, which has headers of CoreFoundation and a clang.
enum Toolchain {
  private struct Info: Decodable {
    struct Paths: Decodable { let runtimeResourcePath: String }
    let paths: Paths
  }

  /// The folder `lib/swift` of the toolchain.
  static let library: URL = {
    do {
      let output = try run(try find("swiftc"), ["-print-target-info"])
      let info = try JSONDecoder().decode(Info.self, from: Data(output.text.utf8))
      return URL(filePath: info.paths.runtimeResourcePath)
    } catch {
      return URL(filePath: "/no-toolchain-found")
    }
  }()
}

/// A compiler is not installed, or could not be run.
struct MissingCompiler: Error, CustomStringConvertible {
  let name: String
  var description: String { "\(name) is needed by the tests of the headers and is not installed" }
}

private struct Output {
  let succeeded: Bool
  let text: String
  let errors: String
}

/// The path of a program in the folders of PATH.
private func find(_ name: String) throws -> String {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  let paths = folders.map { "\($0)/\(name)" }
  guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
    throw MissingCompiler(name: name)
  }
  return path
}

private func run(_ path: String, _ arguments: [String], input: String = "") throws -> Output {
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw MissingCompiler(name: path)
  }
  // Files instead of pipes: a compiler with much output would fill a pipe and wait forever.
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let files = ["in", "out", "err"].map { folder.appending(path: $0) }
  try Data(input.utf8).write(to: files[0])
  try Data().write(to: files[1])
  try Data().write(to: files[2])

  let process = Process()
  process.executableURL = URL(filePath: path)
  process.arguments = arguments
  process.standardInput = try FileHandle(forReadingFrom: files[0])
  process.standardOutput = try FileHandle(forWritingTo: files[1])
  process.standardError = try FileHandle(forWritingTo: files[2])
  try process.run()
  process.waitUntilExit()
  return Output(
    succeeded: process.terminationStatus == 0,
    text: try String(contentsOf: files[1], encoding: .utf8),
    errors: try String(contentsOf: files[2], encoding: .utf8))
}
