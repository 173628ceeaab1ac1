// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares the installed CoreFoundation headers for C with the toolchain's, whose code the library
/// contains.
@Suite("CoreFoundation headers of the install")
struct CoreFoundationHeaderTests {
  @Test("declares functions as the toolchain does")
  func functionsAgree() throws {
    let functions = try Self.functions()
    #expect(functions.count > 100)
    try expectAgreement(functions.map { "\($0);" })
  }

  @Test("declares data as the toolchain does")
  func dataAgree() throws {
    let data = try Self.data()
    #expect(data.count > 10)
    try expectAgreement(data.map { "\($0);" })
  }

  @Test("declares constants with the toolchain's values")
  func constantsAgree() throws {
    let constants = try Self.header().matches(of: /\b(k\w+) = (-?\w+)(,|\n)/)
    #expect(constants.count > 50)
    try expectAgreement(
      constants.map { "_Static_assert((long)\($0.1) == (long)\($0.2), \"\($0.1)\");" })
  }

  @Test("declares exactly the symbols that the library exports")
  func symbols() throws {
    let file = Repository.root.appending(path: "Install/corefoundation.symbols")
    let list = try String(contentsOf: file, encoding: .utf8)
    let declared = (try Self.functions() + Self.data()).compactMap { declaration in
      declaration.firstMatch(of: /(\w+)(\(|$)/).map { String($0.1) }
    }
    #expect(list.split(separator: "\n").map(String.init) == declared.sorted())
  }

  /// Compiles declarations again after the toolchain's: one that differs from the first is an
  /// error.
  private func expectAgreement(_ declarations: [String]) throws {
    let toolchain = Compiler(program: "clang", language: ["-x", "c", "-std=gnu11", "-fblocks"])
    let complaints = try toolchain.complaints(
      about: "#include <CoreFoundation/CoreFoundation.h>\n"
        + declarations.joined(separator: "\n") + "\n",
      include: ["-I\(Toolchain.library.path)"], arguments: ["-w"])
    #expect(complaints.isEmpty)
  }

  /// All headers of CoreFoundation, without comments, preprocessor lines and inline functions.
  private static func header() throws -> String {
    let folder = Repository.installed.appending(path: "CoreFoundation")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "CFSystemNames.h" }.sorted()
    return try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .joined()
      .replacing(/\/\/[^\n]*/, with: "")
      .replacing(/\\\n/, with: " ")
      .replacing(/(?m)^#[^\n]*/, with: "")
      .replacing(/(?m)^CF_EXTERN_C_(BEGIN|END)$/, with: "")
      .replacing(/CF_INLINE[^}]*}/, with: "")
  }

  /// Each statement of the header on one line.
  private static func statements() throws -> [String] {
    try header().split(separator: ";").map {
      $0.replacing(/\s+/, with: " ").trimmingCharacters(in: .whitespaces)
    }
  }

  private static func functions() throws -> [String] {
    try statements().filter {
      $0.contains(/^[^={}]*\b_*CF\w+\([^{}]*\)$/) && !$0.hasPrefix("typedef")
        && !$0.hasPrefix("return") && !$0.hasPrefix("CF_")
    }
  }

  private static func data() throws -> [String] {
    try statements().filter { $0.hasPrefix("CF_EXPORT const ") }
      .map { $0.replacing("CF_EXPORT", with: "extern") }
  }
}
