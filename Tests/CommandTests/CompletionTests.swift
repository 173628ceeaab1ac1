// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Completions as the shells themselves compute them.
@Suite("Completion in shells")
struct CompletionTests {
  /// The folder of the programs is first in the path, because the scripts run `au`.
  private var environment: [String: String] {
    let folder = URL(fileURLWithPath: Run.path("au")).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": "\(folder):\(path)", "AUDIOTOOLBOX_DEVICE": "null"]
  }

  private func run(_ shell: String, _ words: [String]) throws -> Set<String> {
    let path = "/usr/bin/\(shell)"
    let output = try Run(path: path, words, environment: environment).output
    return Set(output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
  }

  /// The replacements for the word under the cursor in bash, which also ends words at "=" and ":".
  private func bash(_ line: String) throws -> Set<String> {
    let script = packageRoot.appendingPathComponent("completions/au.bash").path
    let lines = """
      source '\(script)'
      COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
      spaced=${COMP_LINE//=/ = }
      read -ra COMP_WORDS <<<"$spaced"
      [[ $spaced == *' ' ]] && [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _au
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try run("bash", ["-c", lines])
  }

  private func fish(_ line: String) throws -> Set<String> {
    let script = packageRoot.appendingPathComponent("completions/au.fish").path
    return try run("fish", ["-N", "-c", "source '\(script)'; complete -C '\(line)'"])
  }

  /// Types a line and a tab into a private zsh, and waits until the line has changed.
  private func zsh(_ line: String, _ completed: String) throws -> Bool {
    let folder = packageRoot.appendingPathComponent("completions").path
    let lines = """
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PATH='$PATH'; PS1='>'; fpath=('\(folder)' \\$fpath)"
      zpty -w z "autoload -U compinit; compinit -u -D; print READ''Y"
      zpty -r -m z seen '*READY*'
      zpty -n -w z $'\(line)\\t'
      zpty -r -m z seen '*\(completed)*' && print found
      zpty -d z
      """
    let run = try Run(
      path: "/usr/bin/timeout", ["30", "zsh", "-f", "-c", lines], environment: environment)
    return run.output.contains("found")
  }

  @Test("bash completes units, parameters, presets, devices and results")
  func bashWords() throws {
    #expect(try bash("au info lowp").contains("lowpass"))
    #expect(try bash("au tone --effect lowpass,cut") == ["lowpass,cutofffrequency="])
    #expect(try bash("au plot rvb2,preset=cath") == ["cathedral"])
    #expect(try bash("au tone -d nu") == ["null"])
    #expect(
      try bash("au explain kAudioUnitErr_InvalidPar") == [
        "kAudioUnitErr_InvalidParameter", "kAudioUnitErr_InvalidParameterValue",
      ])
    #expect(try bash("au list eff").contains("effect"))
    #expect(try bash("au tone --wav") == ["--waveform"])
  }

  /// The words that are offered, and some that are not.
  static let values: [(line: String, offered: [String], missing: [String])] = [
    ("au convert a.wav --tag ti", ["title=", "time"], []),
    ("au info kAudioUnitSubType_AUiPodE", ["kAudioUnitSubType_AUiPodEQ"], []),
    ("au info lowp", ["lowpass"], ["kAudioUnitSubType_LowPassFilter"]),
    ("au tone C#", ["C#4"], ["440"]),
    ("au tone --sweep 2", ["20k"], ["C4"]),
    ("au tone --add A", ["A4"], []),
    ("au tone --add 1k,s", ["1k,sine", "1k,square", "1k,saw"], ["1k,pink"]),
    ("au tone --add 1k,-28dB,L", ["1k,-28dB,L", "1k,-28dB,LFE"], []),
    ("au convert --rate 4", ["44100", "48000"], ["96000"]),
    ("au midi se", ["send"], ["list"]),
    ("au midi send x n", ["note"], ["send", "list"]),
    ("au midi send x note E", ["E4"], ["note"]),
    ("au midi send x ", ["cc", "note", "wait"], ["send", "keyboard", "--json"]),
    ("au devices se", ["set"], []),
    ("au record --bits 32", ["32f"], ["64f"]),
  ]

  @Test("bash completes every value, and only what may follow", arguments: values)
  func bashValues(line: String, offered: [String], missing: [String]) throws {
    let words = try bash(line)
    for word in offered { #expect(words.contains { $0.hasPrefix(word) }, "\(line): \(words)") }
    for word in missing { #expect(!words.contains(word), "\(line): \(words)") }
  }

  @Test(
    "fish completes every value, and only what may follow",
    .enabled(if: exists("fish"), "needs fish"),
    arguments: values)
  func fishValues(line: String, offered: [String], missing: [String]) throws {
    let words = try fish(line)
    for word in offered { #expect(words.contains { $0.hasPrefix(word) }, "\(line): \(words)") }
    for word in missing where !word.hasPrefix("--") {
      #expect(!words.contains(word), "\(line): \(words)")
    }
  }

  @Test("files are offered where a command takes files, and only there")
  func files() throws {
    try withFolder { folder in
      try Data().write(to: URL(fileURLWithPath: "\(folder)/song file.mid"))
      func offers(_ line: String) throws -> Bool {
        try [bash("\(line) \(folder)/so"), fish("\(line) \(folder)/so")].allSatisfy {
          $0.contains { $0.contains("song") }
        }
      }
      for line in ["au play", "au midi play", "au midi record", "au info", "au convert -o"] {
        #expect(try offers(line), "\(line)")
      }
      for line in ["au midi send", "au midi monitor", "au explain"] {
        #expect(try !bash("\(line) \(folder)/so").contains { $0.contains("song") }, "\(line)")
      }
    }
  }

  @Test("fish completes the same", .enabled(if: exists("fish"), "needs fish"))
  func fishWords() throws {
    #expect(try fish("au info lowp").contains("lowpass"))
    #expect(try fish("au tone --effect lowpass,cut").contains("lowpass,cutofffrequency="))
    #expect(try fish("au plot rvb2,preset=cath").contains("rvb2,preset=cathedral"))
    #expect(try fish("au tone --device nu").contains("null"))
    #expect(try fish("au tone --waveform squ").contains("square"))
  }

  @Test("zsh completes the same", .enabled(if: exists("zsh"), "needs zsh"))
  func zshWords() throws {
    #expect(try zsh("au info lowp", "lowpass"))
    #expect(try zsh("au tone --effect lowpass,cut", "lowpass,cutofffrequency="))
    #expect(try zsh("au plot rvb2,preset=cath", "rvb2,preset=cathedral"))
    #expect(try zsh("au tone -d nul", "null"))
    #expect(try zsh("au convert --tag tit", "title="))
    #expect(try zsh("au tone --add 1k,squ", "1k,square"))
    #expect(try zsh("au midi send x aftert", "aftertouch"))
    let script = packageRoot.appendingPathComponent("completions/_au").path
    #expect(try Run(path: "/usr/bin/zsh", ["-n", script]).code == 0)
  }
}

/// Whether a shell is installed.
private func exists(_ shell: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
}
