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

  @Test("writes a package in Swift, which depends on this one, in the same seven steps")
  func package() throws {
    try withFolder { folder in
      let path = "\(folder)/organ"
      let run = try Run("au", ["new", "--swift", path])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output == "\(path)/Package.swift\n\(path)/main.swift\n")
      let source = try String(contentsOfFile: "\(path)/main.swift", encoding: .utf8)
      var rest = source[...]
      for step in 1...7 {
        let place = try #require(rest.range(of: "\(step). "), "step \(step)")
        rest = rest[place.upperBound...]
      }
      let manifest = try String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8)
      #expect(manifest.contains("name: \"organ\""))
      #expect(manifest.contains("path: \"\(packageRoot.path)\""))
      #expect(!(source + manifest).contains("@NAME@") && !manifest.contains("@PACKAGE@"))
    }
  }

  @Test("writes a unit in Swift, in a module named after it", arguments: ["gain", "2-x"])
  func swiftUnit(_ name: String) throws {
    try withFolder { folder in
      let path = "\(folder)/\(name)"
      let run = try Run("au", ["new", "--swift", "--plug-in", path])
      #expect(run.code == 0, "\(run.errors)")
      let module = name == "gain" ? "gain" : "_2_x"
      #expect(
        run.output == """
          \(path)/Package.swift
          \(path)/Sources/\(module)/GainUnit.swift
          \(path)/Sources/\(module)-au/main.swift

          """)
      let texts = try run.output.split(separator: "\n").map {
        try String(contentsOfFile: String($0), encoding: .utf8)
      }
      #expect(texts[0].contains("path: \"\(packageRoot.path)\""))
      #expect(texts[1].contains("code(\"\(name == "gain" ? "gain" : "2x__")\")"))
      #expect(texts[2].contains("import \(module)\n"))
      let places = ["@NAME@", "@MODULE@", "@CODE@", "@PACKAGE@"]
      #expect(!places.contains { place in texts.contains { $0.contains(place) } })
    }
  }

  @Test("writes a unit, whose codes follow from its name", arguments: ["gain", "x1", "my-unit.2"])
  func unit(_ name: String) throws {
    try withFolder { folder in
      let path = "\(folder)/\(name)"
      let run = try Run("au", ["new", "--plug-in", path])
      #expect(run.code == 0, "\(run.errors)")
      let files = run.output.split(separator: "\n").map(String.init)
      #expect(files.contains("\(path)/\(name).component/Contents/Info.plist"))
      for file in files {
        #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("@NAME@"))
      }
      // Programs find it, and what is missing is said.
      let list = try Run(
        "au", ["list", "--all", "--json"],
        environment: ["AUDIO_UNIT_PATH": path, "AUDIOTOOLBOX_PLUGINS": "au"])
      let object = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
      let unusable = try #require((object as? [String: Any])?["unusable"] as? [[String: Any]])
      let unit = try #require(unusable.first { $0["name"] as? String == "Demo: \(name)" })
      #expect((unit["subtype"] as? String)?.utf8.count == 4)
      #expect((unit["reason"] as? String)?.contains("\(name).so") == true)
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
