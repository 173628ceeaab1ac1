// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au graph")
struct GraphTests {
  private static let chord = packageRoot.appendingPathComponent("Examples/Graphs/chord.json").path
  private static let frequencies = [220, 277.18262, 329.62756]

  /// Runs `au graph` on a description.
  private func run(_ description: String, _ words: [String] = []) throws -> Run {
    try withFolder { folder in
      let path = "\(folder)/graph.json"
      try description.write(toFile: path, atomically: true, encoding: .utf8)
      return try Run(
        "au", ["graph", path] + words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    }
  }

  /// The chord: its lowest tone is on the left, its highest on the right, the other on both sides.
  private func expectChord(_ file: RecordedFile, _ range: Range<Int>) {
    #expect(file.channels.count == 2)
    let levels = file.channels.map { channel in
      Self.frequencies.map { channel[range].tone(at: $0).amplitude }
    }
    // 0.25 from the generator, 0.2 from the fader; a stereo tone that is panned to one side has
    // both of its channels there. The tones leak into each other by at most a thousandth.
    for (level, expected) in zip(levels.flatMap(\.self), [0.1, 0.05, 0, 0, 0.05, 0.1]) {
      #expect(abs(level - expected) < 2e-3, "\(levels)")
    }
  }

  @Test("renders to a file: length, rate, levels and sides are exact")
  func output() throws {
    try withFolder { folder in
      let run = try Run(
        "au",
        [
          "graph", Self.chord, "--output", "\(folder)/chord.wav", "--seconds", "1.5", "--rate",
          "44100",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/chord.wav")
      #expect(file.sampleRate == 44_100)
      #expect(file.frameCount == 66_150)
      expectChord(file, 4_410..<48_510)
    }
  }

  @Test("a graph whose structure makes it silent is reported, by --check and before it plays")
  func silence() throws {
    func graph(_ inputs: String) -> String {
      """
      {"nodes": {"io": {"unit": "auou rioc"\(inputs)}, "lp": {"unit": "lowpass"}},
       "connections": ["io:1 -> lp", "lp -> io"]}
      """
    }
    let deaf = try run(graph(""), ["--check"])
    #expect(deaf.code == 1)
    #expect(deaf.errors.contains("would be silent") && deaf.errors.contains("enableIO"))
    let played = try run(graph(""), ["--seconds", "0.05"])
    #expect(played.code == 0 && played.errors.contains("will be silent"))
    let capturing = #", "inputs": [{}, {"properties": {"enableIO": true}}]"#
    let check = try run(graph(capturing), ["--check"])
    #expect(check.code == 0, "\(check.errors)")
    let loose = try run(
      """
      {"nodes": {"io": {"unit": "auou rioc"}, "lp": {"unit": "lowpass"}},
        "connections": ["lp -> io"]}
      """, ["--check"])
    #expect(loose.code == 1 && loose.errors.contains("nothing is connected to \"lp\""))
  }

  @Test("a matrix mixer mixes by its matrix")
  func matrix() throws {
    try withFolder { folder in
      let path = packageRoot.appendingPathComponent("Examples/Graphs/crossed.json").path
      let run = try Run(
        "au", ["graph", path, "--output", "\(folder)/crossed.wav", "--seconds", "1"])
      #expect(run.code == 0, "\(run.errors)")
      let levels = try RecordedFile("\(folder)/crossed.wav").channels.flatMap { channel in
        [220, 330].map { channel[4_800..<40_800].tone(at: $0).amplitude }
      }
      // 0.25 from the generator, half of it by the master, a quarter for the other side.
      for (level, expected) in zip(levels, [0.03125, 0.125, 0.125, 0.03125]) {
        #expect(abs(level - expected) < 2e-3, "\(levels)")
      }
    }
  }

  @Test("plays to a device for as long as requested")
  func play() throws {
    try withFolder { folder in
      let run = try Run(
        "au",
        ["graph", Self.chord, "--seconds", "1", "--device", "file:\(folder)/chord.wav"],
        environment: ["AUDIOTOOLBOX_CLOCK": "fast"])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.isEmpty)
      let file = try RecordedFile("\(folder)/chord.wav")
      try #require(file.frameCount > 24_000)
      expectChord(file, 4_800..<24_000)
    }
  }

  @Test("reports whether a graph can play")
  func check() throws {
    let run = try Run(
      "au", ["graph", Self.chord, "--check"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "\(Self.chord) is ready to play\n")
  }

  @Test("prints the saved form, which describes the same graph")
  func json() throws {
    let first = try Run(
      "au", ["graph", Self.chord, "--json"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.output.contains("\"low -> mixer:0\", \"middle -> mixer:1\", \"high -> mixer:2\""))
    #expect(first.output.contains("\"frequency\": 277.18262"))
    #expect(try run(first.output, ["--json"]).output == first.output)
  }

  @Test("draws it as text and as a picture, with the format of every connection")
  func pictures() throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["graph", Self.chord, "--text", "--svg", "\(folder)/chord.svg"],
        environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code == 0, "\(run.errors)")
      let lines = run.output.split(separator: "\n").map(String.init)
      try #require(lines.count == 5)
      #expect(lines[0] == "out  Apple: DefaultOutputUnit")
      #expect(lines[1].hasPrefix("└─ 0 ← mixer:0  Apple: AUMultiChannelMixer"))
      for (line, name) in zip(lines[2...], ["├─ 0 ← low:0", "├─ 1 ← middle:0", "└─ 2 ← high:0"]) {
        #expect(line.hasPrefix("   \(name)  swift-audiotoolbox: "))
      }
      for line in lines[1...] { #expect(line.hasSuffix("(44100 Hz, 2 × 32-bit float)"), "\(line)") }
      let picture = try String(contentsOfFile: "\(folder)/chord.svg", encoding: .utf8)
      #expect(picture.hasPrefix("<svg") && picture.hasSuffix("</svg>\n"))
      for name in ["low", "middle", "high", "mixer", "out"] {
        #expect(picture.contains(">\(name)</text>"))
      }
      #expect(picture.components(separatedBy: "44100 Hz, 2 × 32-bit float").count == 5)
    }
  }

  @Test(
    "errors are reported with file, line, path and the names in the file",
    arguments: [
      ("{ \"nodes\": {},\n \"wires\": [] }", ": line 2, wires: ", "connections"),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\" }, \"out\": { \"unit\": \"genr\" } },\n"
          + "\"connections\": [\"a:7 -> out\"] }", ": line 2, connections[0]: ", "ToneGenerator"
      ),
      // These errors appear only when the graph is initialised.
      (
        "{ \"nodes\": { \"low\": { \"unit\": \"lpas\" }, \"high\": { \"unit\": \"hpas\" },\n"
          + "\"out\": { \"unit\": \"genr\" } }, \"connections\": [\n\"low -> high\",\n"
          + "\"high -> low\"] }", ": line 4, connections[1]: ",
        "\"low\" (AULowpass) → node 2 \"high\" (AUHipass) → node 1 \"low\" (AULowpass)"
      ),
      (
        "{ \"nodes\": {\n\"a\": { \"unit\": \"tone\" },\n\"both\": { \"unit\": \"merg\","
          + "\"outputs\": [{ \"format\": { \"channels\": 3 } }] },\n"
          + "\"out\": { \"unit\": \"genr\" } }, \"connections\": [\"a -> both\", \"both -> out\"] "
          + "}",
        ": line 3, nodes.both: ", "\"both\" (AUMerger)"
      ),
      (
        "{ \"nodes\": { \"a\": { \"unit\": \"tone\", \"outputs\": [{ \"format\": { \"channels\": 4 "
          + "} }] },\n"
          + "\"m\": { \"unit\": \"mcmx\" }, \"out\": { \"unit\": \"genr\" } },\n"
          + "\"connections\": [\"m -> out\",\n\"a -> m:1\"] }",
        ": line 4, connections[1]: node 1 \"a\" (ToneGenerator), output 0, to node 2 \"m\"",
        "expected 1 to 2 channels"
      ),
      ("{ \"nodes\": { \"a\": { \"unit\": \"tone\" } } }", ": line 1, nodes: ", "no output node"),
    ])
  func mistakes(description: String, place: String, part: String) throws {
    let run = try run(description, ["--check"])
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("/graph.json: "), "\(run.errors)")
    #expect(run.errors.contains(place), "\(run.errors)")
    #expect(run.errors.contains(part), "\(run.errors)")
  }

  @Test("a file that is not text is reported, with the line of the first invalid byte")
  func unreadable() throws {
    try withFolder { folder in
      func errors(_ path: String) throws -> String {
        let run = try Run("au", ["graph", path, "--check"])
        #expect(run.code == 1 && run.output.isEmpty)
        return run.errors
      }
      let path = "\(folder)/graph.json"
      try Data("{\n\"nodes\"\n".utf8 + [0xFF, 0x0A]).write(to: URL(fileURLWithPath: path))
      #expect(try errors(path).contains("graph.json: line 3: not UTF-8"))
      #expect(try errors(folder).contains("Is a directory"))
      #expect(try errors("\(folder)/none.json").contains("No such file"))
      #expect(try errors("/dev/zero").contains("64 MiB"))
    }
  }

  @Test("a description may come by a pipe")
  func pipe() throws {
    let words = "cat '\(Self.chord)' | '\(Run.path("au"))' graph /dev/stdin --check"
    let run = try Run(
      path: "/bin/sh", ["-c", words], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "/dev/stdin is ready to play\n")
  }

  private static let loop = """
    {
      "nodes": {
        "io": { "unit": "ahal", "inputs": [{}, { "properties": { "enableIO": true } }] },
        "mixer": { "unit": "mcmx" }
      },
      "connections": ["io:1 -> mixer", "mixer -> io"]
    }
    """

  @Test("a unit may play what it captures: that is drawn and saved, but not rendered")
  func loop() throws {
    let text = try run(Self.loop, ["--text"])
    #expect(text.code == 0, "\(text.errors)")
    let lines = text.output.split(separator: "\n")
    try #require(lines.count == 3, "\(text.output)")
    #expect(lines[0].hasPrefix("io  Apple: "))
    #expect(lines[1].hasPrefix("└─ 0 ← mixer:0  "))
    #expect(lines[2].hasPrefix("   └─ 0 ← io:1  ") && lines[2].hasSuffix("see above"))
    #expect(try run(Self.loop, ["--json"]).output.contains("{ \"enableIO\": true }"))
    try withFolder { folder in
      let run = try run(Self.loop, ["--output", "\(folder)/loop.wav"])
      #expect(run.code == 1)
      #expect(run.errors.contains("\"io\" also captures"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/loop.wav"))
    }
  }

  @Test(
    "exclusive options, and options without an effect, are refused",
    arguments: [
      (["--check", "--output", "z.wav"], ["--check", "--output"]),
      (["--json", "--text"], ["--json", "--text"]), (["--svg", "z.svg", "--check"], ["--svg"]),
      (["--text", "--seconds", "3"], ["--seconds", "--text"]),
      (["--check", "--rate", "8000"], ["--rate", "--check"]), (["--rate", "8000"], ["--output"]),
      (["--output", "z.wav", "--device", "null"], ["--device", "--output"]),
    ])
  func pairs(words: [String], parts: [String]) throws {
    let run = try Run("au", ["graph", Self.chord] + words)
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    for part in parts { #expect(run.errors.contains(part), "\(run.errors)") }
    #expect(!FileManager.default.fileExists(atPath: "z.wav"))
  }
}
