// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Headers in C and C++")
struct CompilerTests {
  /// The paths of all public headers, as an include line spells them.
  static let headers: [String] = {
    let files = FileManager.default.enumerator(atPath: Repository.headers.path)
    let paths = files?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".h") }.sorted()
  }()

  @Test("are there")
  func headersExist() {
    #expect(Self.headers.contains("AudioToolbox/AudioToolbox.h"))
    #expect(Self.headers.contains("AudioUnit/AudioUnit.h"))
    #expect(Self.headers.contains("CoreAudio/CoreAudio.h"))
  }

  @Test("need nothing before them", arguments: headers, Compiler.all)
  func selfContained(header: String, compiler: Compiler) throws {
    #expect(try compiler.complaints(about: "#include <\(header)>\n").isEmpty)
  }

  @Test(
    "give types and constants the layout and values of the tables",
    arguments: ["layout.c", "constants.c", "channels.c"], Compiler.all)
  func tables(file: String, compiler: Compiler) throws {
    // Static assertions are newer than C99; gcc has them there, and says so when asked for
    // pedantry.
    let complaints = try compiler.complaints(
      about: "#include \"\(Repository.tests.path)/\(file)\"\n",
      arguments: ["-Wall", "-Wextra", "-Werror"])
    #expect(complaints.isEmpty)
  }

  @Test("are at most 400 lines long", arguments: headers)
  func length(header: String) throws {
    let text = try String(
      contentsOf: Repository.headers.appending(path: header), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401)
  }

  @Test("are in the module of their framework, which is whatever its folder holds")
  func modules() throws {
    let frameworks = Set(Self.headers.compactMap { $0.split(separator: "/").first })
    let map = try String(
      contentsOf: Repository.headers.appending(path: "module.modulemap"), encoding: .utf8)
    for framework in frameworks {
      #expect(map.contains("extern module C\(framework) \"\(framework)/module.modulemap\""))
      let module = try String(
        contentsOf: Repository.headers.appending(path: "\(framework)/module.modulemap"),
        encoding: .utf8)
      #expect(module.contains("module C\(framework) [system] {\n  umbrella \".\"\n"))
    }
  }
}
