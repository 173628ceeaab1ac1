// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Commands of ToneGenerator", .enabled(if: TerminalSession.isPossible, "needs tmux"))
struct TerminalPromptTests {
  @Test("levels, lines, modulation, steps and channels are typed")
  func laboratory() throws {
    let session = try startToneGenerator()
    for (line, expected) in [
      (":calibrate 24dBu", "24.0 dBu"), (":level 4dBu", "+4.0 dBu"), (":unit dBrms", "dB RMS"),
      (":unit Pa", "There is no calibration for Pa"), (":lock 65536", "locked to lines of 65536"),
      (":am 5 50%", "AM 5 Hz, 50 %"), (":fm 5 20", "FM 5 Hz, ±20 Hz"),
      (":am 6/40%", "AM 6 Hz, 40 %"), (":fm 6/30", "FM 6 Hz, ±30 Hz"),
      (":sweep 20 20k 10 31steps", "31 steps"), (":channels LFE", "channels LFE"),
      (":lock one", "Expected: lock FRAMES"), (":am 5 101", "Expected: am HZ PERCENT"),
      (":channels Q", "Expected: channels"), (":order 3", "Expected: order"),
    ] {
      try session.press(line, "Enter")
      try session.expect(expected)
    }
  }

  @Test("commands are typed after a colon, with their help on the screen")
  func prompt() throws {
    try withFolder { folder in
      let session = try startToneGenerator(environment: ["XDG_CONFIG_HOME": folder])
      func run(_ line: String, _ expected: String) throws {
        try session.press(":")
        try session.expect("calibrate")
        try session.type(line)
        try session.expect(expected)
      }
      try run("a4 442", "A4  −7.85 cents")
      try run("sweep 100 900 5 linear back", "sweep 100 to 900 Hz")
      try run("preset beat", "Preset: Beat, 440 and 442 Hz")
      try run("save Mine", "Saved as “Mine”.")
      try run("preset Mine", "Preset: Mine")
      try run("delete Mine", "Deleted “Mine”.")
      try run("delete Mine", "There is no “Mine”")
      try run("export \(folder)/beat.wav 1", "1.000000 s")
      let file = try RecordedFile("\(folder)/beat.wav")
      #expect(file.channels.count == 2 && file.channels[0].count == 48_000)
      try run("export \(folder)/beat.xyz", ".xyz cannot be written")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/beat.xyz"))
      try run("export \(folder)/beat.aiff 1s 16bit", "Saved \(folder)/beat.aiff")
      try run("burst 10 90", "burst 10, pause 90")
      try run("device nowhere", "There is no “nowhere”; there are: ")
      try run("a4 600", "Expected: a4 HZ")
      try run("rate 10", "Expected: rate HZ")
      try run("cycle 7", "Expected: cycle FRAMES")
      try run("dance", "There is no “dance”; there are: device, level")
      try run("calibration 1V", "There is no “calibration”; there are: calibrate")
      try session.press("q")
      try expectRestored(session)
    }
  }

  @Test("levels, noise and crests are typed in usual notation")
  func signals() throws {
    try withFolder { folder in
      let environment = ["XDG_STATE_HOME": folder]
      let session = try startToneGenerator(environment: environment)
      func run(_ line: String, _ expected: String) throws {
        try session.press(":")
        // The help on commands fits into 80 by 24.
        try session.expect("calibrate")
        try session.type(line)
        try session.expect(expected)
      }
      try run("level -30dB", "−30.0 dBFS")
      try run("level 74dBSPL", "expected a level such as -20")
      try run("calibrate 94 dB SPL", "0 dBFS is 124.0 dB SPL.")
      try session.expect("−30.0 dBFS  94.0 dB SPL")
      try run("level 74dBSPL", "−50.0 dBFS  74.0 dB SPL")
      try run("sweep A3 2k 250ms hold -40dB", "sweep 220 to 2000 Hz  to −40.0 dBFS")
      try run("440", "A4  +0.00 cents")
      try run("band 500 2k", "It is for noise: w selects it.")
      try session.press("w", "w", "w", "w")
      try session.expect("band 500 to 2000 Hz")
      try run("band", "White noise   Pink noise")
      try run("crest lowest", "A crest needs at least two tones")
      try session.press("W", "W", "W", "W", "n")
      try session.expect("2 of 2")
      try run("crest highest", "Crest: 6.02 dB")
      try run("crest 99", "These tones can have crests from")
      try session.press("q")
      try expectRestored(session)
      // The calibration is stored for the next start and for au tone.
      let next = try startToneGenerator(environment: environment)
      try next.expect("104.0 dB SPL")
      let tone = try Run(
        "au", ["tone", "1k", "--level", "94dBSPL", "--stats", "-o", "\(folder)/tone.wav"],
        environment: environment)
      #expect(tone.output.contains("(-30.0000 dBFS)"), "\(tone.output)\(tone.errors)")
    }
  }

  @Test("timing, dither and a sound file are typed")
  func timing() throws {
    try withFolder { folder in
      let path = "\(folder)/a sound.wav"
      let made = try Run("au", ["tone", "1k", "--seconds", "0.1", "--output", path])
      #expect(made.code == 0, "\(made.errors)")
      let recording = "\(folder)/recording.wav"
      let session = try startToneGenerator(
        device: "file:\(recording)", environment: ["XDG_STATE_HOME": folder])
      func run(_ line: String, _ expected: String) throws {
        try session.press(":")
        try session.expect("calibrate")
        try session.type(line)
        try session.expect(expected)
      }
      try run("timing 200ms delay 2 repeat 5 pause 1", "0.2 s, after 2 s, 5 times, pause 1 s")
      try run("timing 3 repeat", "3 s, again and again, pause 3 s")
      try run("timing pause 3", "Expected: timing")
      try run("timing 0.5", "0.5 s")
      try run("file \(path)", "a sound.wav")
      try run("file /nowhere.wav", "Can't read “nowhere.wav”")
      try run("dither loud", "Expected: dither")
      try run("dither shaped", "Dither: shaped")
      // It stops by itself at the end of the only sound.
      try session.press("Space")
      let sound = try #require(
        (1...1_200).lazy.compactMap { _ in
          usleep(50_000)
          return try? RecordedFile(recording).channels[0]
        }.first { $0.samples.count >= 24_000 })
      let end = sound.samples.lastIndex { $0 != 0 } ?? 0
      #expect(abs(end - 24_000) < 64)
      #expect(sound[4_800..<19_200].tone(at: 1_000).amplitude > 0.09)
      try run("file", "A4  +0.00 cents")
      try session.press("q")
      try expectRestored(session)
    }
  }
}
