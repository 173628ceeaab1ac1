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
    #expect(Self.headers.contains("CoreServices/CoreServices.h"))
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

  @Test("are all in the module")
  func moduleIsComplete() throws {
    let map = try String(
      contentsOf: Repository.headers.appending(path: "module.modulemap"), encoding: .utf8)
    let listed = map.split(separator: "\n").compactMap { line -> String? in
      guard line.contains("header \"") else { return nil }
      return line.split(separator: "\"").dropFirst().first.map(String.init)
    }
    #expect(listed.sorted() == Self.headers)
  }
}
