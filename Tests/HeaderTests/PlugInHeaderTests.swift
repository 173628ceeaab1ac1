// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The headers of plug-ins, and those of other implementations where they are installed (dpf-source,
/// lv2-dev).
@Suite("Headers of plug-ins")
struct PlugInHeaderTests {
  private static let ours = Repository.root.appending(path: "Sources/CPlugIns/include").path
  /// The folders of the other implementations, by the programs that compare them.
  private static let theirs = [
    "clap.c": "/usr/share/dpf/distrho/src", "lv2.c": "/usr/include",
  ]
  private static let installed = ["clap.c": "clap/entry.h", "lv2.c": "lv2/core/lv2.h"]
    .filter { FileManager.default.fileExists(atPath: "\(theirs[$0.key] ?? "")/\($0.value)") }
    .map(\.key)

  @Test("compile in C and C++", arguments: Compiler.everyStandard)
  func standards(compiler: Compiler) throws {
    let program = "#include <CLAPExtensions.h>\n#include <LV2.h>\nCLAPPlugIn plug_in;\n"
    // Nullability is an extension of clang.
    let complaints = try compiler.complaints(
      about: program, include: ["-I\(Self.ours)"], arguments: ["-Wall", "-Wextra", "-Werror"])
    #expect(complaints.isEmpty)
  }

  @Test(
    "have the layout, constants and identifiers of another implementation",
    arguments: installed, ["gcc", "clang"])
  func comparison(program: String, compiler: String) throws {
    let compiler = Compiler(program: compiler, language: ["-x", "c", "-std=c11"])
    let theirs = try #require(Self.theirs[program])
    let failure = try compiler.failure(
      of: Repository.tests.appending(path: program),
      include: ["-I\(theirs)", "-I\(Self.ours)", "-I\(Repository.tests.path)"])
    #expect(failure.isEmpty)
  }
}
