// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The installation tests build and play the program.
@Suite("au new")
struct NewTests {
  @Test("writes a program in seven steps, with a Makefile, named after its folder")
  func program() throws {
    try withFolder { folder in
      let path = "\(folder)/organ"
      let run = try Run("au", ["new", path])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output == "\(path)/main.c\n\(path)/Makefile\n")
      let source = try String(contentsOfFile: "\(path)/main.c", encoding: .utf8)
      var rest = source[...]
      for step in 1...7 {
        let place = try #require(rest.range(of: "\(step). "), "step \(step)")
        rest = rest[place.upperBound...]
      }
      #expect(!source.contains("@"))
      let makefile = try String(contentsOfFile: "\(path)/Makefile", encoding: .utf8)
      #expect(makefile.contains("organ: main.c\n\t"))
    }
  }

  @Test("overwrites nothing")
  func existing() throws {
    try withFolder { folder in
      let path = "\(folder)/main.c"
      try "mine".write(toFile: path, atomically: true, encoding: .utf8)
      let run = try Run("au", ["new", folder])
      #expect(run.code == 1)
      #expect(run.errors.contains(folder))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }
  }

  @Test(
    "refuses a name that make or a shell would not read literally", arguments: ["a b", "-x", "a$b"])
  func name(_ name: String) throws {
    try withFolder { folder in
      let run = try Run("au", ["new", "\(folder)/\(name)"])
      #expect(run.code == 1)
      #expect(run.errors.contains("letters"))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(name)"))
    }
  }
}
