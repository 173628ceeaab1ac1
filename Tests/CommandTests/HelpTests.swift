// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import Testing

@Suite("Help, errors and completions")
struct HelpTests {
  @Test(
    "every command explains itself, with examples",
    arguments: [
      "list", "info", "devices", "loopback", "tone", "render", "graph", "plot", "new", "explain",
      "validate", "compatibility", "aggregate", "session", "record", "play", "midi", "convert",
      "join", "mix", "split", "stats", "compare", "spectrogram",
    ])
  func help(command: String) throws {
    let help = try Run("au", [command, "--help"])
    #expect(help.code == 0)
    #expect(help.output.contains("Usage: au \(command)"))
    #expect(help.output.contains("Examples:\n  au \(command)"))
    #expect(try Run("au", ["help", command]).output == help.output)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
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
