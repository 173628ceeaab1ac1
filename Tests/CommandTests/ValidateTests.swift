// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

/// The output of `au validate --json` for one unit.
private struct Verdict: Decodable {
  struct Finding: Decodable {
    let check: String
    let level: Int
    let outcome: String
    let reason: String
  }
  let type: String
  let subtype: String
  let name: String
  let findings: [Finding]

  var faults: [Finding] { findings.filter { !["pass", "skip"].contains($0.outcome) } }
}

@Suite("Validation of units")
struct ValidateTests {
  private func verdicts(_ program: String, _ words: [String], code: Int32 = 0) throws -> [Verdict] {
    let run = try Run(program, words)
    #expect(run.code == code, "\(run.errors)")
    return try JSONDecoder().decode([Verdict].self, from: Data(run.output.utf8))
  }

  @Test("a file that is not a bank is reported only by the library's own message")
  func noBank() throws {
    try withFolder { folder in
      try Data("RIFF0000WAVEfmt ".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.sf2"))
      let run = try Run(
        "au", ["validate", "MIDISynth", "--check", "instances"],
        environment: ["AUDIOTOOLBOX_BANK": "\(folder)/a.sf2"])
      #expect(run.code == 1 && run.output.contains("kAudioUnitErr_InvalidFile"), "\(run.output)")
      #expect(!run.errors.contains("CRITICAL"), "\(run.errors)")
    }
  }

  @Test("every unit of the catalogue passes at the strictest level")
  func catalogue() throws {
    let verdicts = try verdicts("au", ["validate", "--all", "--strictness", "10", "--json"])
    #expect(verdicts.count > 30)
    for verdict in verdicts {
      for fault in verdict.faults {
        Issue.record("\(verdict.name): \(fault.check): \(fault.outcome): \(fault.reason)")
      }
      // A check that is skipped for every unit would test nothing.
      #expect(verdict.findings.count { $0.outcome == "pass" } >= 18, "\(verdict.name)")
    }
    let names = Set(verdicts.flatMap(\.findings).map(\.check))
    let passed = Set(verdicts.flatMap(\.findings).filter { $0.outcome == "pass" }.map(\.check))
    #expect(names == passed, "checks that no unit passes: \(names.subtracting(passed))")
  }

  @Test("a third-party unit in C passes at the strictest level")
  func foreign() throws {
    let verdict = try #require(try verdicts("FaultyUnits", ["fine"]).first)
    #expect(verdict.faults.isEmpty, "\(verdict.faults)")
    #expect(verdict.findings.count { $0.outcome == "pass" } > 50)
  }

  @Test(
    "a program's subclass of AUAudioUnit passes at the strictest level",
    arguments: [("subclass", 40), ("filter", 40), ("instrument", 30)])
  func subclass(name: String, count: Int) throws {
    let verdict = try #require(try verdicts("FaultyUnits", [name]).first)
    #expect(verdict.faults.isEmpty, "\(verdict.faults)")
    #expect(verdict.findings.count { $0.outcome == "pass" } > count)
    if name == "instrument" {
      // It passes its 32 notes on, and the controllers that end them.
      let midi = try #require(verdict.findings.first { $0.check == "MIDI" })
      #expect(midi.outcome == "pass" && midi.reason.hasSuffix("messages sent"), "\(midi)")
      #expect(midi.reason != "0 messages sent")
    }
  }

  @Test("each check fails for the unit with its fault")
  func faults() throws {
    let checks = try Run("FaultyUnits", ["checks"]).output.split(separator: "\n").map(String.init)
    let verdicts = try verdicts("FaultyUnits", ["faults"])
    let found = verdicts.flatMap(\.findings)
    #expect(found.map(\.check) == checks)
    for finding in found {
      #expect(
        ["fail", "crash", "hang"].contains(finding.outcome),
        "\(finding.check): \(finding.outcome), \(finding.reason)")
      #expect(!finding.reason.isEmpty, "\(finding.check)")
    }
    #expect(found.first { $0.check == "damaged states" }?.outcome == "crash")
    #expect(found.first { $0.check == "times" }?.outcome == "hang")
  }

  @Test("strictness selects the checks, and a unit is named as everywhere")
  func strictness() throws {
    let low = try #require(
      try verdicts("au", ["validate", "lowpass", "--strictness", "2", "--json"]).first)
    #expect(low.subtype == "lpas")
    #expect(low.findings.allSatisfy { $0.level <= 2 })
    #expect(low.findings.contains { $0.check == "required properties" })
    let codes = try Run("au", ["validate", "aufx", "lpas", "appl", "--check", "latency"])
    #expect(codes.code == 0)
    #expect(codes.output.contains("pass  7  latency: 0 frames"), "\(codes.output)")
  }

  @Test(
    "errors are explained",
    arguments: [
      (["validate"], 2, "expected a unit, --all or --plug-in FILE"),
      (["validate", "lowpass", "--all"], 2, "expected a unit, --all or --plug-in FILE"),
      (["validate", "nothing"], 1, "there is no unit \"nothing\""),
      (["validate", "lowpass", "--check", "taste"], 1, "there is no check \"taste\""),
      (["validate", "lowpass", "--strictness", "11"], 2, "--strictness is \"11\""),
    ] as [([String], Int32, String)])
  func mistakes(words: [String], code: Int32, text: String) throws {
    let run = try Run("au", words)
    #expect(run.code == code)
    #expect(run.errors.contains(text), "\(run.errors)")
  }
}
