// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("What people type by mistake, or expect")
struct MisleadingTests {
  @Test("a single file is converted again; files of a folder only with other options")
  func again() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o out.wav && $AU convert in.wav -o out.wav --rate 24000")
      #expect(try jobs.file("out.wav").frameCount == 48_000)
      try jobs.must("mkdir takes && cp in.wav takes/a.wav && touch -d '1 hour ago' takes/a.wav")
      #expect(try jobs.must("$AU convert takes -o to/").hasSuffix("/to/a.wav\n"))
      #expect(try jobs.must("$AU convert takes -o to/").hasSuffix("/to/a.wav (kept)\n"))
      #expect(
        try jobs.must("$AU convert takes -o to/ --rate 24000 --jobs 1").hasSuffix("/to/a.wav\n"))
      #expect(
        try jobs.must("$AU convert takes -o to/ --rate 24000").hasSuffix("/to/a.wav (kept)\n"))
      #expect(
        try jobs.must("$AU convert takes -o to/ --rate 24000 --overwrite").hasSuffix("/to/a.wav\n"))
    }
  }

  @Test("an input is only replaced with --force")
  func sameFile() throws {
    try Jobs.run { jobs in
      let refused = try jobs.shell("$AU convert in.wav -o ./in.wav --gain -6")
      #expect(refused.code == 1 && refused.errors.contains("--force"), "\(refused.errors)")
      let before = try jobs.samples("in.wav")
      try jobs.must("$AU convert in.wav -o in.wav --reverse --force")
      #expect(try jobs.samples("in.wav") == before.reversed())
      let joined = try jobs.shell("$AU join in.wav in.wav -o in.wav")
      #expect(joined.code == 1 && joined.errors.contains("--force"), "\(joined.errors)")
    }
  }

  @Test("the order of sox works if the output does not exist; otherwise a line says what to type")
  func order() throws {
    try Jobs.run { jobs in
      #expect(try jobs.must("$AU convert in.wav out.flac") == "out.flac\n")
      let exists = try jobs.shell("$AU convert in.wav out.flac")
      #expect(exists.code == 2)
      #expect(exists.errors.contains("au convert in.wav -o out.flac"), "\(exists.errors)")
    }
  }

  @Test("a folder with the name of a sound file, and one file for several inputs")
  func folders() throws {
    try Jobs.run { jobs in
      try jobs.must("mkdir c.flac")
      let folder = try jobs.shell("$AU convert in.wav -o c.flac")
      #expect(folder.code == 1 && folder.errors.contains("write c.flac/"), "\(folder.errors)")
      #expect(try jobs.must("$AU convert in.wav -o c.flac/").contains("c.flac/in.wav"))
      let many = try jobs.shell("cp in.wav b.wav; $AU convert in.wav b.wav -o all.wav")
      #expect(many.code == 1 && many.errors.contains("au join"), "\(many.errors)")
    }
  }

  @Test("a target that cannot be written is an error before anything is read")
  func readOnly() throws {
    try Jobs.run { jobs in
      let run = try jobs.shell("$AU convert in.wav -o /proc/au/out.wav --loudness -16")
      #expect(run.code == 1 && run.errors.contains("/proc/au/out.wav"), "\(run.errors)")
    }
  }

  @Test("a unit that does not exist: near names, and the names of time units too")
  func units() throws {
    for words in [["info", "lowpas"], ["info", "lopwass"]] {
      let run = try Run("au", words)
      #expect(run.code == 1 && run.errors.contains("did you mean lowpass?"), "\(run.errors)")
    }
    let other = try Run("au", ["info", "nowhere"])
    #expect(other.errors.contains("there are") && other.errors.contains("`au list`"))
    for words in [
      ["render", "lowpas", "a.wav", "b.wav"], ["plot", "lowpas"], ["validate", "lowpas"],
    ] {
      let run = try Run("au", words)
      #expect(run.code == 1 && run.errors.contains("did you mean lowpass?"), "\(run.errors)")
    }
    #expect(
      try Run("au", ["info", "pitch"]).errors.contains("did you mean timepitch or newtimepitch?"))
    let render = try Run("au", ["render", "nowhere", "in.wav", "out.wav"])
    #expect(render.errors.contains("nutp (AUNewTimePitch)"), "\(render.errors)")
    #expect(render.errors.contains("lpas (AULowpass)"))
  }

  @Test(
    "a list without a match says near names, types and formats",
    arguments: [
      (["lopass"], "no component matches 'lopass'; did you mean lowpass?"),
      (["efect"], "did you mean effect?"), (["effect", "lopass"], "did you mean lowpass?"),
      (["ladsap"], "did you mean ladspa?"), (["zzzzzzzz"], "there are the types aufc, aufx"),
      (["lowpass", "output"], "no component matches 'lowpass' 'output'; there are the types"),
    ])
  func list(words: [String], part: String) throws {
    let run = try Run("au", ["list"] + words)
    #expect(run.code == 1 && run.errors.contains(part), "\(run.errors)")
  }

  @Test("version, -v, and swapped letters")
  func words() throws {
    let version = try Run("au", ["--version"])
    for word in ["version", "-v"] { #expect(try Run("au", [word]).output == version.output) }
    let run = try Run("au", ["paly", "x.wav"])
    #expect(run.code == 2 && run.errors.contains("did you mean \"play\"?"), "\(run.errors)")
  }

  @Test("--trim says how to cut")
  func trim() throws {
    try Jobs.run { jobs in
      for words in ["--trim=0.5", "--trim 0.5 1"] {
        let run = try jobs.shell("$AU convert in.wav -o out.wav \(words)")
        #expect(run.code == 2 && run.errors.contains("--from"), "\(words): \(run.errors)")
      }
    }
  }

  @Test(
    "a graph that is rendered says how long the file is; one without output unit says what to add")
  func graphs() throws {
    try withFolder { folder in
      let chord = packageRoot.appendingPathComponent("Examples/Graphs/chord.json").path
      let run = try Run("au", ["graph", chord, "-o", "\(folder)/chord.wav"])
      #expect(run.code == 0 && run.output.contains("10 s; --seconds changes"), "\(run.output)")
      let path = "\(folder)/none.json"
      try Data(#"{"nodes": {"a": {"unit": "augn tone"}}}"#.utf8).write(
        to: URL(fileURLWithPath: path))
      let none = try Run("au", ["graph", path, "-o", "\(folder)/none.wav"])
      #expect(none.code == 1 && none.errors.contains("has no output unit: add"), "\(none.errors)")
    }
  }

  @Test("a closed matrix mixer is told")
  func matrix() throws {
    try withFolder { folder in
      let path = "\(folder)/m.json"
      let text = #"""
        {"nodes": {"a": {"unit": "augn tone"}, "m": {"unit": "aumx mxmx"}, "out": {"unit": "auou def"}},
         "connections": ["a -> m", "m -> out"]}
        """#
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let run = try Run("au", ["graph", path, "--check"])
      #expect(run.code == 1 && run.errors.contains("matrix mixer \"m\" is closed"), "\(run.errors)")
    }
  }

  @Test(
    "au render: the length follows a unit that changes time",
    arguments: [
      ("nutp,rate=0.5", 4.0), ("nutp,rate=2", 1), ("vari,rate=2", 1), ("tmpt,rate=0.5", 4),
      ("iptm,rate=2", 1), ("vari,rate=0.5 nutp,rate=2", 2), ("lowpass", 2),
    ])
  func lengths(units: String, seconds: Double) throws {
    try Jobs.run { jobs in
      try jobs.must("$AU render \(units) in.wav out.wav --tail 0")
      let file = try jobs.file("out.wav")
      #expect(file.frameCount == Int(seconds * 48_000), "\(file.frameCount)")
      // The tone lasts from a twentieth of the sound to nine tenths of it.
      let loud = file.channels[1].samples.indices.filter {
        abs(file.channels[1].samples[$0]) > 0.05
      }
      let (first, last) = (Double(loud.first ?? 0), Double(loud.last ?? 0))
      #expect(abs(first / 48_000 - seconds * 0.05) < 0.03, "\(first)")
      #expect(abs(last / 48_000 - seconds * 0.9) < 0.05, "\(last)")
    }
  }

  @Test("short options for the frequent ones")
  func short() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o out.wav -r 24000 -c 1 -b 16")
      #expect(try jobs.file("out.wav").frameCount == 48_000)
    }
  }

  @Test("au alone is ten lines by job; the help of a command begins with examples")
  func help() throws {
    let run = try Run("au", [])
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }.count == 10)
    let help = try Run("au", ["convert", "--help"]).output
    let (examples, options) = (help.range(of: "Examples:"), help.range(of: "Options:"))
    #expect(try #require(examples).lowerBound < #require(options).lowerBound)
    #expect(help.contains("the sample rate, from 1000 to 768000 Hz"), "\(help)")
    #expect(help.contains("(default: that of the input)"))
  }

  @Test("au list --keys shows the constants, which are names of units, too")
  func keys() throws {
    let list = try Run("au", ["list", "effect", "--keys"]).output
    let block = try #require(
      list.components(separatedBy: "\n\n").first { $0.contains("kAudioUnitSubType_AUiPodEQ") })
    #expect(block.contains("AUiPodEQ\n  A choice of named curves.\n"), "\(block)")
    for row in [
      "  'aufx'  kAudioUnitType_Effect", "  'ipeq'  kAudioUnitSubType_AUiPodEQ",
      "  'appl'  kAudioUnitManufacturer_Apple",
    ] { #expect(block.contains(row), "\(block)") }
    struct Entry: Decodable {
      struct Keys: Decodable { let type, subtype, manufacturer, sentence: String? }
      let type, subtype, manufacturer, format: String
      let keys: Keys?
    }
    let json = try Run("au", ["list", "--keys", "--json"]).output
    for entry in try JSONDecoder().decode([Entry].self, from: Data(json.utf8))
    where entry.format == "built in" {
      let keys = try #require(entry.keys)
      for key in [keys.type, keys.subtype, keys.manufacturer, keys.sentence] {
        #expect(key?.isEmpty == false, "\(entry)")
      }
    }
    let plain = try Run("au", ["list", "--json"]).output
    #expect(
      try JSONDecoder().decode([Entry].self, from: Data(plain.utf8)).allSatisfy { $0.keys == nil })
    let byKey = try Run("au", ["info", "kAudioUnitSubType_AUiPodEQ"])
    #expect(try byKey.output == Run("au", ["info", "ipeq"]).output)
    #expect(byKey.code == 0)
    let byKeys = try Run(
      "au",
      [
        "info", "kAudioUnitType_Effect", "kAudioUnitSubType_AUiPodEQ",
        "kAudioUnitManufacturer_Apple",
      ])
    #expect(byKeys.output == byKey.output)
    // Every component of the library has all three.
    #expect(try !Run("au", ["list", "--keys"]).output.contains("'  -\n"))
  }
}
