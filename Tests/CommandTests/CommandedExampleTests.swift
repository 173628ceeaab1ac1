// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Examples that follow commands")
struct CommandedExampleTests {
  /// The output of an example, and the recording of what it plays while it follows commands.
  private func play(
    _ program: String, _ language: ExampleLanguage, _ words: [String] = [], _ commands: String...
  ) throws -> (shown: String, left: Signal, right: Signal) {
    try withFolder { own in
      let file = "\(own)/played.wav"
      let line =
        "printf '\(commands.joined(separator: "\\n"))\\n' | "
        + ([Run.path(language.program(program))] + words).map { "'\($0)'" }.joined(separator: " ")
      let run = try Run(
        path: "/bin/sh", ["-c", line], environment: ["AUDIOTOOLBOX_DEVICE": "file:\(file)"])
      #expect(run.code == 0, "\(run.errors)")
      let channels =
        FileManager.default.fileExists(atPath: file) ? try RecordedFile(file).channels : []
      return (
        run.output, channels.first ?? Signal([] as [Double]),
        channels.last ?? Signal([] as [Double])
      )
    }
  }

  /// The steady part of a recording.
  private func steady(_ signal: Signal, seconds: Double = 0.3) throws -> Signal {
    let begin = try #require(signal.samples.firstIndex { $0 != 0 })
    let frames = Int(48_000 * seconds)
    try #require(signal.count >= begin + 4_800 + frames)
    return signal[begin + 4_800..<begin + 4_800 + frames]
  }

  @Test(
    "the equaliser's curve changes before and while it plays, without a click",
    arguments: ExampleLanguage.allCases)
  func presets(language: ExampleLanguage) throws {
    // Beside the volumes, and the complaint about an empty command.
    let names = try play("MixerEQ", language).shown.split(separator: "\n").filter {
      !$0.contains("=") && !$0.hasPrefix("\"")
    }
    #expect(names.count == 23)
    let changes = names.flatMap { ["preset \($0)", "wait 0.1"] }
    // The tone of 100 Hz alone.
    let tone = try play(
      "MixerEQ", language, [],
      (["preset Bass Booster", "enable 0 0", "play", "wait 1"] + changes).joined(
        separator: "\\n"),
      "preset Flat", "wait 1"
    ).left
    let begin = try #require(tone.samples.firstIndex { $0 != 0 })
    let sound = tone.samples[(begin + 4_800)...]
    // The second difference of the tone itself is below 2e-5; that of a click has its height.
    let bends = sound.indices.dropFirst(2).map {
      abs(sound[$0] - 2 * sound[$0 - 1] + sound[$0 - 2])
    }
    // The end of the recording is no part of it.
    #expect(try #require(bends.dropLast(4_800).max()) < 1e-3)
    let first = try steady(tone, seconds: 0.2).tone(at: 100).amplitude
    let last = Signal(Array(sound.suffix(14_400).prefix(9_600))).tone(at: 100).amplitude
    #expect(abs(decibels(first / last) + 2.3) < 1)
  }

  @Test(
    "a volume and a switch of the mixer belong to the bus that they name",
    arguments: ExampleLanguage.allCases)
  func mixerBuses(language: ExampleLanguage) throws {
    let soft = try play("MixerEQ", language, [], "volume 1 0.5", "play", "wait 0.6").left
    let other = try play("MixerEQ", language, [], "enable 1 0", "play", "wait 0.6").left
    let plain = try play("MixerEQ", language, [], "play", "wait 0.6").left
    func level(_ signal: Signal, _ frequency: Double) throws -> Double {
      try steady(signal).tone(at: frequency).amplitude
    }
    #expect(abs(try level(soft, 100) / level(plain, 100) - 0.5) < 1e-3)
    #expect(abs(try level(soft, 3_000) / level(plain, 3_000) - 1) < 1e-3)
    #expect(try level(other, 100) < 1e-5)
  }

  @Test(
    "what is none of the commands is reported, and the program continues",
    arguments: ExampleLanguage.allCases)
  func mistakes(language: ExampleLanguage) throws {
    for program in ["MixerEQ", "Mixer3D", "MixerHost"] {
      let shown = try play(
        program, language, [], "preset", "volume x y", "azimuth 0", "wait soon", "quit"
      )
      .shown
      #expect(shown.contains("\"azimuth 0\": expected one of the commands above"), "\(program)")
      #expect(shown.contains("SECONDS is \"soon\": expected a number"), "\(program)")
    }
    let loud = try play("MixerEQ", language, [], "preset Loudest", "volume 0 7", "volume -1 0")
      .shown
    #expect(loud.contains("PRESET is \"Loudest\": expected a preset"))
    #expect(loud.contains("volume is 7.0: expected a number from 0.00 to 1.00"))
    #expect(loud.contains("BUS is \"-1\": expected 0, 1, …"))
  }

  @Test(
    "energy follows the azimuth", arguments: ExampleLanguage.allCases,
    [(90, 1.0), (-90, -1), (0, 0)] as [(Int, Double)])
  func azimuth(language: ExampleLanguage, place: (degrees: Int, side: Double)) throws {
    let (degrees, side) = place
    let sound = try play(
      "Mixer3D", language, [], "enable 1 0", "azimuth 0 \(degrees)", "play", "wait 0.6")
    // One of the channels may be silent.
    let begin = try #require(
      sound.left.samples.indices.first {
        sound.left.samples[$0] != 0 || sound.right.samples[$0] != 0
      })
    try #require(sound.left.count >= begin + 14_400)
    let steady = begin + 4_800..<begin + 14_400
    let balance = decibels(
      sound.right[steady].tone(at: 300).amplitude
        / max(sound.left[steady].tone(at: 300).amplitude, 1e-9))
    #expect(side == 0 ? abs(balance) < 0.1 : balance * side > 10, "\(balance) dB")
  }

  @Test(
    "the rate moves the pitch, the distance the level",
    arguments: ExampleLanguage.allCases)
  func rateAndDistance(language: ExampleLanguage) throws {
    let near = try play("Mixer3D", language, [], "enable 1 0", "rate 0 1.5", "play", "wait 0.6")
      .left
    #expect(abs(try steady(near).tone(near: 450).frequency - 450) < 0.1)
    let far = try play(
      "Mixer3D", language, [], "enable 1 0", "rate 0 1.5", "distance 0 10", "play", "wait 0.6")
    #expect(try steady(far.left).rms < 0.5 * steady(near).rms)
  }

  @Test(
    "a sound moves from one side to the other while it plays",
    arguments: ExampleLanguage.allCases)
  func motion(language: ExampleLanguage) throws {
    let sound = try play(
      "Mixer3D", language, [], "enable 1 0", "azimuth 0 -90", "play", "wait 0.5",
      "azimuth 0 90 0.5",
      "wait 1.2")
    let begin = try #require(sound.left.samples.firstIndex { $0 != 0 })
    let end = try #require(sound.right.samples.lastIndex { $0 != 0 })
    func balance(_ frames: Range<Int>) -> Double {
      decibels(sound.right[frames].rms / max(sound.left[frames].rms, 1e-9))
    }
    #expect(balance(begin + 2_400..<begin + 4_800) < -10)
    #expect(balance(end - 4_800..<end - 2_400) > 10)
  }

  @Test(
    "a file plays through a mixer and an effect, which leaves and returns without a gap",
    arguments: ExampleLanguage.allCases)
  func chain(language: ExampleLanguage) throws {
    try withFolder { folder in
      let take = "\(folder)/take.wav"
      let made = try Run("au", ["tone", "2000", "--rate", "44100", "--seconds", "1", "-o", take])
      try #require(made.code == 0, "\(made.errors)")
      let sound = try play(
        "FileChain", language, [take], "cutoff 200", "wait 0.7", "effect 0", "wait 0.7", "effect 1",
        "wait 0.7")
      let tone = sound.left
      let levels = stride(from: 0, through: tone.count - 4_800, by: 2_400).map {
        tone[$0..<$0 + 4_800].tone(at: 2_000).amplitude
      }
      // Filtered, then not, then filtered again. Mono goes to both sides at equal power.
      let open = levels.indices.filter { abs(levels[$0] - 0.0707) < 0.002 }
      let (first, last) = (try #require(open.first), try #require(open.last))
      #expect(levels[..<first].contains { $0 > 1e-4 && $0 < 0.01 })
      #expect(levels[last...].contains { $0 > 1e-4 && $0 < 0.01 })
    }
  }

  @Test("the graph of the file example plays a file beside it")
  func chainDescription() throws {
    try withFolder { folder in
      let graph = packageRoot.appendingPathComponent("Examples/Graphs/file.json")
      try FileManager.default.copyItem(atPath: graph.path, toPath: "\(folder)/file.json")
      let made = try Run("au", ["tone", "440", "--seconds", "1", "-o", "\(folder)/take.wav"])
      try #require(made.code == 0, "\(made.errors)")
      let run = try Run(
        path: "/bin/sh",
        [
          "-c",
          "cd '\(folder)' && '\(Run.path("au"))' graph file.json --seconds 2.5 --output out.wav",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let sound = try RecordedFile("\(folder)/out.wav").channels[0]
      // Repeated, at half the volume; 440 Hz passes the filter of 1 kHz.
      let fit = sound[96_000..<110_000].tone(near: 440)
      #expect(abs(fit.frequency - 440) < 0.1 && abs(decibels(fit.amplitude / 0.05)) < 2)
    }
  }
}
