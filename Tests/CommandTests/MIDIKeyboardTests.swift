// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@testable import AudioUnitTool

@Suite("au midi keyboard")
struct MIDIKeyboardTests {
  @Test("without a terminal it says what it expects")
  func noTerminal() throws {
    let run = try Run("au", ["midi", "keyboard"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 1 && run.errors.contains("not a terminal"), "\(run.errors)")
  }

  @Test(
    "words and options that have no meaning are refused",
    arguments: [
      ["keyboard", "bus", "more"], ["keyboard", "bus", "--virtual", "v"],
      ["keyboard", "bus", "--bank", "b.sf2"], ["keyboard", "--json"], ["send", "--bank", "b.sf2"],
    ])
  func mistakes(words: [String]) throws {
    let run = try Run("au", ["midi"] + words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 2, "\(words): \(run.errors)")
  }

  @Test(
    "plays the letters of a terminal here, and leaves the terminal as it was",
    .enabled(if: TerminalSession.isPossible, "needs tmux"))
  func terminal() throws {
    try withFolder { folder in
      let session = try TerminalSession(
        environment: ["AUDIOTOOLBOX_DEVICE": "file:\(folder)/notes.wav"])
      try session.type("clear; \(Run.path("au")) midi keyboard --duration 1")
      try session.expect("A is C4  velocity 96")
      try session.press("a")
      try session.expect("velocity 96  C4")
      try session.press("x")
      try session.expect("A is C5")
      try session.press("q")
      try session.expect("READY>")
      try session.type("stty -a | grep -c -w -- '-icanon\\|-echo'; echo mode seen")
      #expect(try session.expect("\nmode seen").contains("\n0\n"))
      let file = try RecordedFile("\(folder)/notes.wav")
      #expect(file.channels[0].samples.contains { abs($0) > 0.001 })
    }
  }
}
