// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@testable import au

@Suite("au midi keyboard")
struct MIDIKeyboardTests {
  private func press(_ text: String, _ keys: inout TypewriterKeys, at time: Double = 0) -> [[UInt8]]
  {
    TypewriterKeys.keys(Array(text.utf8)).flatMap { keys.press($0, at: time) }
  }

  @Test("the letters are the keys of a piano from C on, small or capital")
  func notes() {
    var keys = TypewriterKeys(channel: 0, duration: 1)
    #expect(press("awsedftgyhujkolp;']", &keys).map { $0[1] } == Array(60...78))
    #expect(press("QWERTY", &keys).isEmpty, "they sound already")
    var others = TypewriterKeys(channel: 9, duration: 1)
    #expect(press("AS", &others) == [[0x99, 60, 96], [0x99, 62, 96]])
    #expect(press("1\té\u{1B}[A\u{1B}[1;5D\u{1B}OC\u{1B}", &others).isEmpty, "arrows")
    #expect(others.velocity == 96)
  }

  @Test("a note ends after its duration, and later if its key repeats")
  func ends() {
    var keys = TypewriterKeys(channel: 0, duration: 0.5)
    #expect(press("a", &keys, at: 1).count == 1 && keys.nextEnd == 1.5)
    #expect(press("a", &keys, at: 1.4).isEmpty && keys.nextEnd == 1.9)
    #expect(keys.endNotes(at: 1.5).isEmpty)
    #expect(keys.endNotes(at: 1.9) == [[0x80, 60, 64]] && keys.nextEnd == nil)
    #expect(press("a", &keys, at: 2).count == 1)
  }

  @Test("octave, velocity and pedal stay within their limits; a held note ends as the key it was")
  func changes() {
    var keys = TypewriterKeys(channel: 0, duration: 0.5)
    _ = press("a", &keys)
    #expect(press("x", &keys).isEmpty && press("a", &keys) == [[0x90, 72, 96]])
    #expect(keys.endNotes(at: 1) == [[0x80, 60, 64], [0x80, 72, 64]])
    #expect(press(String(repeating: "x", count: 99) + "]", &keys).isEmpty, "above 127")
    #expect(press("a", &keys) == [[0x90, 120, 96]])
    #expect(press(String(repeating: "z", count: 99) + "a", &keys) == [[0x90, 0, 96]])
    _ = press(String(repeating: "v", count: 9), &keys)
    #expect(keys.velocity == 127)
    _ = press(String(repeating: "c", count: 99), &keys)
    #expect(keys.velocity == 16)
    #expect(press(" ", &keys) == [[0xB0, 64, 127]] && keys.isSustained)
    #expect(keys.endAll() == [[0x80, 0, 64], [0x80, 120, 64], [0xB0, 64, 0]])
    #expect(keys.endAll().isEmpty)
  }

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
    #expect(run.code == 64, "\(words): \(run.errors)")
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
