// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au list, info, explain and compatibility")
struct InspectionTests {
  private func json<Value>(_ words: [String], as: Value.Type) throws -> Value {
    let run = try Run("au", words + ["--json"])
    #expect(run.code == 0)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? Value)
  }

  @Test("lists every component with its codes")
  func list() throws {
    let run = try Run("au", ["list"])
    #expect(run.code == 0)
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    for codes in [["auou", "output", "rioc", "appl"], ["augn", "generator", "tone", "swat"]] {
      #expect(rows.contains { Array($0.prefix(4)) == codes })
    }
    // The units that voice-call programs use are listed, by type, subtype and manufacturer.
    let known = [
      ("aufc", "conv"), ("aufx", "ipeq"), ("aumx", "3dem"), ("aumx", "mcmx"), ("auou", "genr"),
      ("auou", "rioc"), ("auou", "vpio"), ("augn", "afpl"),
    ]
    for (type, subtype) in known {
      let row = rows.first { $0.first == type && $0.contains(subtype) && $0.contains("appl") }
      #expect(row?.contains("Apple:") == true, "\(type) \(subtype)")
    }
    #expect(try Run("au", ["list", "auou"]).output.contains("def "))
    #expect(try !Run("au", ["list", "auou"]).output.contains("augn"))
  }

  @Test("lists components in JSON")
  func listJSON() throws {
    let components = try json(["list", "augn"], as: [[String: Any]].self)
    #expect(components.allSatisfy { $0["type"] as? String == "augn" })
    let tone = try #require(components.first { $0["subtype"] as? String == "tone" })
    #expect(tone["version"] as? String == "1.0.0")
  }

  @Test("an unknown type is reported, with the known ones")
  func noType() throws {
    let run = try Run("au", ["list", "aufz"])
    #expect(run.code == 1)
    #expect(run.errors.contains("'aufz'"))
    #expect(run.errors.contains("auou"))
  }

  @Test("describes the tone generator")
  func info() throws {
    let report = try json(["info", "augn", "tone"], as: [String: Any].self)
    let parameters = try #require(report["parameters"] as? [[String: Any]])
    #expect(parameters.count == 15)
    #expect(parameters[0]["unit"] as? String == "Hz")
    #expect(parameters[0]["defaultValue"] as? Double == 440)
    #expect(parameters[3]["valueNames"] as? [String] != [])
    let properties = try #require(report["properties"] as? [[String: Any]])
    let rate = properties.first { $0["name"] as? String == "kAudioUnitProperty_SampleRate" }
    #expect(rate?["type"] as? String == "Float64")
    #expect(rate?["size"] as? Int == 8)
    #expect(rate?["isWritable"] as? Bool == true)
  }

  @Test("a subtype may be written without its space")
  func shortCode() throws {
    let run = try Run("au", ["info", "auou", "def"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 0)
    #expect(run.output.contains("'def '"))
    #expect(run.output.contains("kAudioOutputUnitProperty_EnableIO"))
    #expect(run.output.contains("48000 Hz"))
  }

  @Test("a missing component is reported")
  func noComponent() throws {
    let run = try Run("au", ["info", "aufx", "nope"])
    #expect(run.code == 1)
    #expect(run.errors.contains("there is no unit \"aufx nope\""))
  }

  @Test(
    "a unit is named by codes, by its name, or by a short name, everywhere",
    arguments: ["lowpass", "AULowpass", "Apple: AULowpass", "lpas", "aufx lpas", "aufx lpas appl"])
  func names(name: String) throws {
    #expect(try Run("au", ["info"] + [name]).output.contains("AULowpass"))
    try withFolder { folder in
      let plot = try Run("au", ["plot", name, "--output", "\(folder)/plot.svg"])
      #expect(plot.code == 0, "\(plot.errors)")
      let graph = "{ \"nodes\": { \"a\": { \"unit\": \"\(name)\" } } }"
      try graph.write(toFile: "\(folder)/graph.json", atomically: true, encoding: .utf8)
      let json = try Run("au", ["graph", "\(folder)/graph.json", "--json"])
      #expect(json.output.contains("lpas"), "\(json.errors)")
    }
  }

  @Test("a type is named by its code or in words", arguments: ["aufx", "effect", "Effects"])
  func types(name: String) throws {
    let list = try Run("au", ["list", name]).output
    #expect(list.contains("AULowpass") && !list.contains("AUMultiChannelMixer"))
  }

  @Test("a name with control characters is reported without them, and shortened")
  func excerpt() throws {
    let run = try Run("au", ["info", "\u{1b}[2J" + String(repeating: "x", count: 10_000)])
    #expect(run.code == 1)
    #expect(!run.errors.contains("\u{1b}") && run.errors.count < 300)
  }

  @Test(
    "explains a result in any of its forms",
    arguments: [
      "-10868", "4294956428", "0xffffd58c", "0xFFFFD58C", "kAudioUnitErr_FormatNotSupported",
      "formatNotSupported",
    ])
  func explain(code: String) throws {
    let run = try Run("au", ["explain", code])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("kAudioUnitErr_FormatNotSupported (-10868, 0xffffd58c)\n"))
  }

  @Test("explains four letters", arguments: ["!pth", "'!pth'"])
  func explainLetters(code: String) throws {
    #expect(try Run("au", ["explain", code]).output.hasPrefix("kAudio_BadFilePathError"))
  }

  @Test(
    "explains a result of four letters by its name",
    arguments: ["kAudioFileUnsupportedFileTypeError", "kAudioConverterErr_FormatNotSupported"])
  func explainNameOfLetters(name: String) throws {
    #expect(try Run("au", ["explain", name]).output.hasPrefix(name + " ("))
  }

  @Test("explains a number for each family that uses it")
  func explainShared() throws {
    let output = try Run("au", ["explain", "fmt?"]).output
    for name in [
      "kAudioConverterErr_FormatNotSupported", "kAudioFileUnsupportedDataFormatError",
      "kAudioFormatUnsupportedDataFormatError",
    ] { #expect(output.contains(name)) }
    let reports = try Run("au", ["explain", "fmt?", "--json"]).output
    #expect(reports.hasPrefix("[") && reports.contains("kAudioFileUnsupportedDataFormatError"))
  }

  @Test("a code that is not the library's is reported", arguments: ["5", "-12345", "abcd"])
  func explainUnknown(code: String) throws {
    let run = try Run("au", ["explain", code])
    #expect(run.code == 1)
    #expect(run.errors.contains("not a code of this library"))
  }

  @Test("the compatibility page has each section")
  func compatibility() throws {
    try withFolder { folder in
      try "AudioUnitRender\n_hidden\n".write(
        toFile: "\(folder)/functions", atomically: true, encoding: .utf8)
      try "## Differences\n\nNone.\n".write(
        toFile: "\(folder)/notes", atomically: true, encoding: .utf8)
      let run = try Run(
        "au",
        ["compatibility", "--functions", "\(folder)/functions", "--notes", "\(folder)/notes"],
        environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code == 0)
      for part in [
        "# Compatibility\n", "## Differences\n", "- `AudioUnitRender`\n", "## Components\n",
        "| `kAudioUnitProperty_StreamFormat` |", "## Parameters\n", "`AUDIOTOOLBOX_DEVICE`",
      ] { #expect(run.output.contains(part)) }
      #expect(!run.output.contains("_hidden"))
    }
  }
}
