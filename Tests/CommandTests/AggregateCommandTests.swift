// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au aggregate")
struct AggregateCommandTests {
  /// Runs `body` for a user without aggregate devices.
  private func withUser(_ body: ([String: String], String) throws -> Void) throws {
    try withFolder { folder in
      try body(["XDG_CONFIG_HOME": folder, "AUDIOTOOLBOX_DEVICE": "null"], folder)
    }
  }

  @Test("makes a device that other programs can use, and destroys it")
  func life() throws {
    try withUser { environment, _ in
      let made = try Run(
        "au", ["aggregate", "make", "both", "--title", "Two", "--part", "null", "--json"],
        environment: environment)
      #expect(made.code == 0, "\(made.errors)")
      let list = try Run("au", ["aggregate"], environment: environment)
      #expect(list.output.contains("aggregate:both  Two   null (clock)"), "\(list.output)")
      let report = try Run("au", ["devices", "aggregate:both"], environment: environment)
      #expect(report.output.contains("made of others"), "\(report.output)\(report.errors)")
      #expect(
        try Run("au", ["devices"], environment: environment).output.contains("aggregate:both"))
      #expect(try Run("au", ["aggregate", "destroy", "both"], environment: environment).code == 0)
      let empty = try Run("au", ["aggregate", "list", "--json"], environment: environment)
      #expect(empty.output.filter { !$0.isWhitespace } == "[]")
    }
  }

  @Test("a device with missing parts is listed with them, and can be destroyed")
  func absentParts() throws {
    try withUser { environment, folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/audiotoolbox", withIntermediateDirectories: true)
      try "device old\nname Old\nmain pulse:gone\nstacked no\ncorrected pulse:gone\n".write(
        toFile: "\(folder)/audiotoolbox/aggregates", atomically: true, encoding: .utf8)
      let list = try Run("au", ["aggregate"], environment: environment)
      #expect(list.output.contains("pulse:gone (clock) (missing)"), "\(list.output)")
      #expect(
        try Run("au", ["aggregate", "destroy", "aggregate:old"], environment: environment).code == 0
      )
      #expect(
        try Run("au", ["aggregate"], environment: environment).output.contains("There is no"))
    }
  }

  @Test("reports errors in parts, names and command lines")
  func mistakes() throws {
    try withUser { environment, _ in
      for (words, code, text) in [
        (["make", "x", "--part", "null:none"], 1, "the part null:none"),
        (
          ["make", "x", "--part", "null", "--main", "null:none"], 1,
          "which is not one of its parts"
        ),
        (["make", "x", "--part", "null", "--part", "null"], 1, "twice"),
        (["destroy", "x"], 1, "the UID x"), (["make", "x"], 2, "--part is missing"),
        (["make"], 2, "NAME is missing"), (["destroy"], 2, "NAME is missing"),
        (["make", "a+b", "--part", "null"], 2, "such as desk"), (["list", "x"], 2, "after list"),
        (["make", "x", "--part", "null", "--uncorrected", "y"], 2, "one of the parts"),
      ] {
        let run = try Run("au", ["aggregate"] + words, environment: environment)
        #expect(run.code == Int32(code), "\(words)")
        #expect(run.errors.contains(text), "\(words): \(run.errors)")
      }
    }
  }
}
