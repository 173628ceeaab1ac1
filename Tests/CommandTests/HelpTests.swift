// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import Testing

@Suite("Help, errors and completions")
struct HelpTests {
  /// All commands, as `au help` lists them.
  static let commands: [String] = {
    let list = (try? Run("au", ["help"]).output) ?? ""
    let rows = list.components(separatedBy: "Options:")[0].components(separatedBy: "Commands:")
    return rows.last?.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: #/  ([a-z][a-z-]*) .*/#).map { String($0.1) }
    }.filter { !["help", "completions"].contains($0) } ?? []
  }()

  @Test("all commands are tested") func count() { #expect(Self.commands.count == 26) }

  @Test("every command explains itself, with examples", arguments: commands)
  func help(command: String) throws {
    let help = try Run("au", [command, "--help"])
    #expect(help.code == 0)
    #expect(help.output.contains("Usage: au \(command)"))
    #expect(help.output.contains("Examples:\n  au \(command)") || command == "compatibility")
    #expect(try Run("au", ["help", command]).output == help.output)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("every argument and option says a thing once", arguments: commands + ["ToneGenerator"])
  func doubles(command: String) throws {
    let words = command == "ToneGenerator" ? ["--help"] : [command, "--help"]
    let run = try Run(command == "ToneGenerator" ? command : "au", words)
    let rows = Self.rows(run.output)
    #expect(rows.count > 1 || command == "compatibility")
    for (name, meaning) in rows { #expect(Self.double(in: meaning) == nil, "\(name): \(meaning)") }
    // The pages of the manual say the same.
    let page =
      try command == "ToneGenerator"
      ? Run(command, ["--manual"]).output : Run("au", ["manual", command]).output
    let plain = Self.letters(page.replacing("\\", with: ""))
    for (name, meaning) in rows where !["--help", "--version"].contains(name) {
      #expect(plain.contains(Self.letters(meaning)), "\(name)")
    }
  }

  @Test(
    "finds what is said twice",
    arguments: [
      ("the frequency: a frequency from 20 to 20000 Hz", true),
      ("write a file instead: .wav, .flac: a path that ends in .wav, .flac", true),
      ("how many channels: a whole number of channels from 1 to 64", true),
      ("the file to write, or the folder to write to: the path of a file, or of a folder", true),
      ("the frequency, from 20 to 20000 Hz, such as 440, A4 or 1k (default: 440)", false),
      ("how many channels, from 1 to 64 (default: those of the input)", false),
    ])
  func doubles(meaning: String, isDouble: Bool) {
    #expect((Self.double(in: meaning) != nil) == isDouble)
  }

  /// The arguments and options of a help text with what they mean, each in one line.
  private static func rows(_ help: String) -> [(name: String, meaning: String)] {
    var rows: [(name: String, meaning: String)] = []
    let sections = ["Arguments:", "Options:"].compactMap { title in
      help.components(separatedBy: "\n\(title)\n").dropFirst().first?
        .components(separatedBy: "\n\n").first
    }
    for line in sections.flatMap({ $0.split(separator: "\n") }) {
      if line.hasPrefix("   "), !rows.isEmpty {
        rows[rows.count - 1].meaning += " " + line.drop { $0 == " " }
      } else {
        let parts = line.dropFirst(2).split(separator: "  ", maxSplits: 1)
        rows.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
      }
    }
    return rows.map { ($0.name, $0.meaning.trimmingCharacters(in: .whitespaces)) }
  }

  /// A word that a meaning has twice, without its default; short words and those that only join others
  /// do not count.
  private static func double(in meaning: String) -> String? {
    let said = meaning.components(separatedBy: " (default: ")[0].lowercased()
    var seen: Set<Substring> = []
    for word in said.split(whereSeparator: { " ,:;()".contains($0) }) {
      // Plurals are the same word.
      let stem = word.count > 4 && word.hasSuffix("s") ? word.dropLast() : word
      let isPart = stem.count < 4 || joining.contains(String(stem))
      if !isPart, !seen.insert(stem).inserted { return String(word) }
    }
    return nil
  }

  private static let joining: Set<String> = [
    "after", "from", "this", "that", "such", "each", "with", "than", "them", "those", "their",
  ]

  /// Letters and digits, which no formatter changes.
  private static func letters(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  @Test(
    "it explains itself", arguments: [["--help"], ["help"]])
  func overview(words: [String]) throws {
    let run = try Run("au", words)
    #expect(run.code == 0)
    #expect(run.output.contains("au tone"))
    #expect(run.output.contains("AUDIOTOOLBOX_DEVICE"))
  }

  @Test("the version is the package's", arguments: ["au", "ToneGenerator"])
  func version(program: String) throws {
    let makefile = try String(
      contentsOf: packageRoot.appendingPathComponent("Makefile"), encoding: .utf8)
    #expect(makefile.contains("VERSION := \(Program.packageVersion)\n"))
    let run = try Run(program, ["--version"])
    #expect(run.output == "\(program) \(Program.packageVersion)\n")
  }

  @Test(
    "an error names the argument, its value and what was expected, and ends with 2",
    arguments: [
      (["tone", "--level", "loud"], ["--level", "\"loud\"", "from -200 to 0 dB"]),
      (["tone", "--level=3"], ["--level", "\"3\"", "from -200 to 0 dB"]),
      (["tone", "-5"], ["FREQUENCY", "\"-5\"", "from 0.01 to 384000 Hz"]),
      (["tone", "nan"], ["FREQUENCY", "\"nan\"", "a frequency"]),
      (["tone", "--waveform", "cube"], ["--waveform", "\"cube\"", "sine, square"]),
      (["tone", "--levl", "3"], ["--levl", "--level"]),
      (["tone", "--wave", "square"], ["--wave", "did you mean --waveform?"]),
      (["tone", "--level"], ["--level", "needs a value", "dB"]),
      (["tone", "1", "2"], ["\"2\"", "too many"]),
      (["tone", "--stats=yes"], ["--stats", "\"=yes\"", "no value"]),
      (["manual", "nothing"], ["\"nothing\"", "no command"]),
      (["tone", "--rate", "1000.5"], ["--rate", "\"1000.5\"", "sample rate"]),
      (["tone", "30000", "--output", "/tmp/never.wav"], ["FREQUENCY", "\"30000\"", "24000 Hz"]),
      (["tone", "--output", "a.wav", "--device", "null"], ["--device", "\"null\"", "--output"]),
      (["tone", "--curve", "linear"], ["--curve", "--sweep"]),
      (["tone", "--add", "7k,loud"], ["--add", "\"7k,loud\"", "7k,-28dB"]),
      (["tone", "--burst", "0/5"], ["--burst", "\"0/5\"", "10/90"]),
      (["info"], ["WHAT", "missing", "lowpass"]),
      (["new"], ["FOLDER", "missing"]),
      (["explain"], ["CODE", "missing"]),
      (["explain", "nonsense"], ["CODE", "\"nonsense\"", "a number"]),
      (["lst"], ["\"lst\"", "\"list\""]),
      (["completions", "tcsh"], ["\"tcsh\"", "bash, zsh, fish"]),
    ])
  func wrongLine(words: [String], parts: [String]) throws {
    let run = try Run("au", words)
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    for part in parts { #expect(run.errors.contains(part), "\(run.errors)") }
  }

  @Test(
    "the application's command line is checked too",
    arguments: [["--frequency", "0.001"], ["--terminal"], ["440"]])
  func application(words: [String]) throws {
    #expect(try Run("ToneGenerator", words).code == 2)
  }

  @Test("completions and manual in the repository match the output of the programs")
  func written() throws {
    func file(_ path: String) throws -> String {
      try String(contentsOf: packageRoot.appendingPathComponent(path), encoding: .utf8)
    }
    #expect(try file("completions/au.bash") == Run("au", ["completions", "bash"]).output)
    #expect(try file("completions/_au") == Run("au", ["completions", "zsh"]).output)
    #expect(try file("completions/au.fish") == Run("au", ["completions", "fish"]).output)
    #expect(try file("man/au.1") == Run("au", ["manual"]).output)
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: packageRoot.appendingPathComponent("man").path
    ).filter { $0.hasPrefix("au-") }
    let overview = try Run("au", ["help"]).output.components(separatedBy: "Options:")[0]
    #expect(pages.count == overview.matches(of: /\n  [a-z]/).count - 2)
    for page in pages {
      let command = String(page.dropFirst(3).dropLast(2))
      #expect(try file("man/\(page)") == Run("au", ["manual", command]).output, "\(page)")
    }
    #expect(try file("man/ToneGenerator.1") == Run("ToneGenerator", ["--manual"]).output)
  }

  @Test(
    "no line of text in the manuals is taken for a request of the formatter",
    arguments: [("au", "manual"), ("ToneGenerator", "--manual")])
  func requests(program: String, word: String) throws {
    let requests = [".\\\"", ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".br"]
    for line in try Run(program, [word]).output.split(separator: "\n") where line.hasPrefix(".") {
      let request = line.prefix { $0 != " " }
      #expect(requests.contains(String(request)), "\(line)")
    }
  }

  @Test("bash completes commands, options and values")
  func bash() throws {
    let script = try Run("au", ["completions", "bash"]).output
    func completions(_ words: String) throws -> String {
      let last = words.split(separator: " ").count - 1
      let lines = """
        \(script)
        COMP_WORDS=(\(words)) COMP_CWORD=\(last)
        _au
        echo "${COMPREPLY[*]}"
        """
      return try Run(path: "/bin/bash", ["-c", lines]).output
        .trimmingCharacters(in: .newlines)
    }
    #expect(try completions("au to") == "tone")
    #expect(try completions("au tone --wav") == "--waveform")
    #expect(try completions("au tone --waveform s") == "sine square saw")
  }
}
