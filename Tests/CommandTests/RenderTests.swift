// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au render")
struct RenderTests {
  /// Renders a second of a tone through units.
  private func render(
    _ units: [String], _ options: [String] = [], tone: [String] = ["1k", "--seconds", "1"],
    _ body: (Run, String) throws -> Void
  ) throws {
    try withFolder { folder in
      let made = try Run("au", ["tone"] + tone + ["-o", "\(folder)/in.wav"])
      try #require(made.code == 0, "\(made.errors)")
      let run = try Run(
        "au", ["render"] + units + ["\(folder)/in.wav", "\(folder)/out.wav"] + options)
      try body(run, folder)
    }
  }

  @Test("sends a file through a unit, with parameters in usual notation")
  func filter() throws {
    try render(["lowpass,cutoff=0.1k,resonance=0dB"], ["--tail", "0"]) { run, folder in
      #expect(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/out.wav")
      #expect(file.frameCount == 48_000 && file.channels.count == 1)
      // 2 + 1.3 octaves above the cutoff, at 12 dB per octave.
      let level = 20 * log10(file.channels[0][9_600..<38_400].tone(at: 1_000).amplitude)
      #expect(abs(level + 60) < 0.7, "\(level)")
    }
  }

  @Test("keeps the channels and the rate, and removes the latency of the units")
  func latency() throws {
    let tone = ["1k", "--seconds", "0.5", "--channels", "2", "--rate", "44100", "--level", "-30"]
    try render(["lmtr"], ["--tail", "0"], tone: tone) { run, folder in
      #expect(run.code == 0, "\(run.errors)")
      let (before, after) = (
        try RecordedFile("\(folder)/in.wav"), try RecordedFile("\(folder)/out.wav")
      )
      #expect(after.sampleRate == 44_100 && after.channels.count == 2)
      #expect(after.frameCount == before.frameCount)
      let (first, second) = (before.channels[1].samples, after.channels[1].samples)
      let difference = zip(first, second).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 1e-4)
    }
  }

  @Test("continues after the end for --tail, through several units and a preset")
  func tail() throws {
    try render(["rvb2,preset=cathedral", "lpas,cutoff=5k"], ["--tail", "1.5s"]) { run, folder in
      #expect(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/out.wav")
      #expect(file.frameCount == 120_000)
      #expect(file.channels[0].samples[60_000...].contains { abs($0) > 1e-4 })
    }
    try render(["rvb2"], ["--preset", "plate", "--tail", "0"]) { run, _ in
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.contains("48000 frames, 1 s"))
    }
  }

  @Test("without --tail it uses the tail of the units")
  func unitTail() throws {
    try render(["dely,time=250ms,feedback=0"]) { run, folder in
      #expect(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/out.wav")
      #expect(file.frameCount >= 48_000 + 12_000)
    }
  }

  @Test("reports errors, and leaves no file")
  func mistakes() throws {
    for (units, options, code, part) in [
      (["nowhere"], [], 1, "There is no unit \"nowhere\""),
      (["lowpass,colour=3"], [], 1, "has no parameter \"colour\""),
      (["lowpass", "hipass"], ["--preset", "plate"], 2, "--preset is for one unit"),
      (["lowpass"], ["--tail", "-1"], 2, "--tail is \"-1\""),
      (["splt"], [], 1, "possible: as many out as in"),
    ] as [([String], [String], Int32, String)] {
      try render(units, options, tone: ["440", "--seconds", "0.1"]) { run, folder in
        #expect(run.code == code)
        #expect(run.errors.contains(part), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/out.wav"))
      }
    }
    let missing = try Run("au", ["render", "lowpass", "/nowhere/in.wav", "/tmp/never-made.wav"])
    #expect(missing.code == 1 && missing.errors.contains("/nowhere/in.wav"))
    let short = try Run("au", ["render", "lowpass", "in.wav"])
    #expect(short.code == 2 && short.errors.contains("OUT is missing"))
    let kind = try Run("au", ["render", "lowpass", "in.wav", "out.xyz"])
    #expect(kind.code == 2 && kind.errors.contains(".xyz"))
  }

  @Test(
    "explains why a unit cannot process sound, and suggests another",
    arguments: [
      ("dls", "dls is an instrument: it plays notes and has no input for sound. Name an effect"),
      ("tone", "tone is a generator: it makes sound itself and has no input. Name an effect"),
      ("rioc", "rioc is an output unit: it plays to a device, and passes nothing on. Name an"),
    ])
  func noEffects(unit: String, text: String) throws {
    // The file need not exist, because it is not opened.
    let run = try Run("au", ["render", unit, "/nowhere/in.wav", "/tmp/never-made.wav"])
    #expect(run.code == 1 && run.errors.hasPrefix("au: \(text)"), "\(run.errors)")
    #expect(run.errors.contains("`au list effect`"))
  }

  @Test("writes to a pipe, and to a full device with an error")
  func pipe() throws {
    try render(["lowpass"], ["--tail", "0"]) { _, folder in
      let program = Run.path("au")
      let line = "\(program) render lowpass --tail 0 \(folder)/in.wav - | cat >\(folder)/piped.wav"
      #expect(try Run(path: "/bin/sh", ["-c", line]).code == 0)
      let piped = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/piped.wav"))
      #expect(try piped == Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.wav")))
      let full = try Run("au", ["render", "lowpass", "\(folder)/in.wav", "/dev/full"])
      #expect(full.code == 75 && full.errors.contains("/dev/full"))
    }
  }
}
