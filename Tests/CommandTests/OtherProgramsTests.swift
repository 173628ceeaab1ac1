// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("What users of sox and ffmpeg type")
struct OtherProgramsTests {
  @Test(
    "options of other programs are explained",
    arguments: [
      ("-i", "without an option"), ("-y", "--force"), ("-ss", "--from"), ("-to", "--to"),
      ("-ar", "--rate"), ("-ac", "--channels"), ("-b:a", "--bitrate"), ("-c:a", "--codec"),
      ("-q:a", "--vbr"), ("-af", "--gain"), ("-metadata", "--tag"), ("-e", "--bits"),
      ("-m", "au mix"), ("--norm", "--normalize"),
    ])
  func options(option: String, expected: String) throws {
    let run = try Run("au", ["convert", "in.wav", option, "1", "-o", "out.wav"])
    #expect(run.code == 2)
    #expect(run.errors.contains("there is no option \(option): "), "\(run.errors)")
    #expect(run.errors.contains(expected), "\(run.errors)")
  }

  @Test(
    "effects after the output are explained, and what the line says can be typed",
    arguments: [
      "gain", "vol", "norm", "loudnorm", "trim", "fade", "silence", "reverse", "speed", "tempo",
      "pitch", "rate", "channels", "remix", "dither",
    ])
  func edits(effect: String) throws {
    try Jobs.run { jobs in
      try jobs.must("$AU tone 440 --seconds 25 --rate 8k --channels 2 -o long.wav")
      let run = try jobs.shell("$AU convert long.wav out.wav \(effect) 1")
      #expect(run.code == 2 && run.errors.contains("no file \"\(effect)\""), "\(run.errors)")
      let parts = run.errors.components(separatedBy: "such as ")
      let options = parts.last?.prefix { $0 != "," && $0 != "\n" } ?? ""
      try jobs.must("$AU convert long.wav -o out.wav \(options)")
    }
  }

  @Test(
    "effects that are units are explained, and what the line says can be typed",
    arguments: [
      "highpass", "bass", "treble", "equalizer", "reverb", "echo", "compand",
      "overdrive", "alimiter",
    ])
  func units(effect: String) throws {
    try Jobs.run { jobs in
      for line in ["$AU convert in.wav out.wav \(effect) 1", "$AU render \(effect) in.wav out.wav"]
      {
        let run = try jobs.shell(line)
        #expect(run.code == 2, "\(run.errors)")
        let unit =
          run.errors.components(separatedBy: "a unit such as ").last?
          .components(separatedBy: "such a unit is ").last?.prefix { $0 != "\n" } ?? ""
        try jobs.must("$AU render \(unit) in.wav out.wav")
      }
    }
  }

  @Test(
    "edits that are no unit are explained", arguments: ["gain", "gain=-6", "fade,in=1", "reverse"])
  func noUnit(text: String) throws {
    let run = try Run("au", ["render", text, "in.wav", "out.wav"])
    #expect(run.code == 2 && run.errors.contains("`au convert` does that"), "\(run.errors)")
  }

  @Test("a file that has the name of an effect is a file")
  func file() throws {
    try Jobs.run { jobs in
      try jobs.must("cp in.wav reverse && $AU convert reverse -o to/")
    }
  }

  @Test("several files and an output without -o: a line says what to type")
  func outputs() throws {
    try Jobs.run { jobs in
      try jobs.must("cp in.wav two.wav")
      for (line, words) in [
        ("convert in.wav two.wav all.wav", ["au join", "au mix", "-o all.wav"]),
        ("join in.wav two.wav all.wav", ["\"all.wav\" does not exist", "-o all.wav"]),
        ("mix in.wav two.wav all.wav", ["-o all.wav"]),
        ("spectrogram in.wav out.png", ["one argument too many", "-o out.png"]),
      ] {
        let run = try jobs.shell("$AU \(line)")
        #expect(run.code == 2, "\(line)")
        for word in words { #expect(run.errors.contains(word), "\(line): \(run.errors)") }
      }
    }
  }

  @Test("a bit rate may have a k")
  func bitRate() throws {
    try Jobs.run { jobs in
      try jobs.must(
        "$AU convert in.wav -o a.mp3 --bitrate 128k && $AU convert in.wav -o b.mp3 --bitrate 128")
      try jobs.must("cmp a.mp3 b.mp3")
      #expect(try jobs.shell("$AU convert in.wav -o a.mp3 --bitrate kk").code == 2)
    }
  }

  @Test("edits of what is played are those of au convert")
  func play() throws {
    for (option, part) in [
      ("--reverse", "au convert FILE -o - --reverse"), ("-ss", "--from is the time to begin at"),
      ("-t", "--to is the time to end at"),
    ] {
      let run = try Run("au", ["play", "in.wav", option, "1"])
      #expect(run.code == 2 && run.errors.contains(part), "\(run.errors)")
    }
  }

  @Test("a path is named once")
  func once() throws {
    try Jobs.run { jobs in
      let run = try jobs.shell("printf abc > text && $AU info text")
      #expect(run.code == 1 && run.errors.hasPrefix("au: text: ends after"), "\(run.errors)")
    }
  }

  @Test("a number too many is no output")
  func numbers() throws {
    let run = try Run("au", ["tone", "440", "2.5"])
    #expect(run.code == 2 && run.errors.hasPrefix("au tone: \"2.5\": one argument too many\n"))
  }

  @Test("an option that several begin with")
  func beginning() throws {
    let run = try Run("au", ["convert", "in.wav", "--fade", "1"])
    #expect(
      run.errors.contains("did you mean --fade-in, --fade-out or --fade-curve?"), "\(run.errors)")
  }
}
