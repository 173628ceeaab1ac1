// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Signals of au tone")
struct ToneSignalTests {
  private func write(_ words: [String]) throws -> RecordedFile {
    try withFolder { folder in
      let run = try Run("au", ["tone"] + words + ["--output", "\(folder)/tone.wav"])
      #expect(run.code == 0, "\(run.errors)")
      return try RecordedFile("\(folder)/tone.wav")
    }
  }

  @Test(
    "a level is an RMS, or what a calibrated meter shows",
    arguments: [
      (["--level", "-23.0103dBrms"], -23.0103),
      (["--waveform", "mls", "--level", "-10dBrms"], -10),
      (["--level", "4dBu", "--calibration", "24dBu@0"], -23.0103),
      (["--level", "1Vrms", "--calibration", "10V@0"], -20),
      (["--level", "0.2Pa", "--calibration", "94dBSPL@-20"], -37.01),
      (["--waveform", "pink", "--level", "80dBSPL", "--calibration", "94dBSPL@-20"], -37.01),
      (["--waveform", "square", "--level", "-3dBV", "--calibration", "0dBV@-6dB"], -12.01),
    ] as [([String], Double)])
  func levels(words: [String], rms: Double) throws {
    let tone = try write(["500", "--seconds", "20"] + words).channels[0]
    #expect(abs(20 * log10(tone.rms) - rms) < (words.contains("pink") ? 0.2 : 0.01))
  }

  @Test("a frequency is locked to the line of a transform")
  func lock() throws {
    let tone = try write(["997", "--lock", "4096", "--seconds", "1"]).channels[0]
    #expect(abs(tone.tone(near: 996.1).frequency - 48_000.0 * 85 / 4_096) < 1e-6)
  }

  @Test("a sweep stays at each of its steps, and its duration follows from them")
  func steps() throws {
    let file = try write(["100", "--sweep", "1600", "--steps", "5", "--dwell", "200ms"])
    #expect(file.frameCount == 48_000)
    for (step, frequency) in [100.0, 200, 400, 800, 1_600].enumerated() {
      let part = file.channels[0][step * 9_600 + 480..<(step + 1) * 9_600 - 10]
      #expect(part.distortionAndNoise(at: frequency) < -110)
    }
  }

  @Test("a file plays in a loop, at its level and on its channels, with other tones beside it")
  func file() throws {
    try withFolder { folder in
      let path = "\(folder)/ten periods.wav"
      // Ten periods at another rate.
      let made = try Run(
        "au", ["tone", "1k", "--rate", "44100", "--seconds", "0.01", "--output", path])
      #expect(made.code == 0, "\(made.errors)")
      let alone = try write(["--file", path, "--level", "-23.0103dBrms", "--seconds", "1"])
      #expect(alone.channels.count == 1 && alone.frameCount == 48_000)
      #expect(alone.channels[0].distortionAndNoise(at: 1_000) < -110)
      #expect(abs(20 * log10(alone.channels[0].rms) + 23.0103) < 0.001)
      let both = try write([
        "--file", path, "--on", "R", "--level", "-30", "--add", "300,L", "--seconds", "1",
      ])
      #expect(both.channels[0].distortionAndNoise(at: 300) < -130)
      #expect(both.channels[1].distortionAndNoise(at: 1_000) < -110)
      for (words, reason) in [
        (["--file", "\(folder)/none.wav"], "--file: Can't read “none.wav”"),
        (["440", "--file", path], "FREQUENCY has no effect with --file"),
        (["--file", path, "--waveform", "sine"], "--waveform has no effect with --file"),
        (["--file", path, "--sweep", "2k"], "--sweep has no effect without"),
      ] {
        let run = try Run("au", ["tone"] + words + ["--output", "\(folder)/never.wav"])
        #expect(run.code == 2 && run.errors.contains(reason), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/never.wav"))
      }
    }
  }

  @Test("a device that takes floating point gets no dither", arguments: ["none", "triangular"])
  func undithered(dither: String) throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["tone", "1k", "--seconds", "0.5", "--dither", dither],
        environment: ["AUDIOTOOLBOX_DEVICE": "file:\(folder)/tone.wav"])
      #expect(run.code == 0, "\(run.errors)")
      let tone = try RecordedFile("\(folder)/tone.wav").channels[0]
      #expect(tone[4_800..<19_200].distortionAndNoise(at: 1_000) < -145)
    }
  }

  @Test("each channel has a signal of its own")
  func channels() throws {
    let file = try write([
      "1000", "--on", "L", "--add", "1500,R", "--add", "100,-30dB,LFE", "--seconds", "1",
      "--add", "400,square,ch6", "--channels", "6",
    ])
    for (channel, frequency) in [(0, 1_000.0), (1, 1_500), (3, 100)] {
      #expect(file.channels[channel].distortionAndNoise(at: frequency) < -130)
    }
    #expect(abs(20 * log10(file.channels[3].peak) + 30) < 1e-3)
    #expect(file.channels[2].peak == 0 && file.channels[4].peak == 0)
    #expect(file.channels[5].tone(at: 1_200).amplitude > 0.03)
    // The file has as many channels as the tone needs.
    #expect(try write(["--on", "C", "--seconds", "10ms"]).channels.count == 3)
  }

  @Test("a J-test is exact to the bit, without dither", arguments: [16, 24])
  func jitter(bits: Int) throws {
    let data = try withFolder { folder in
      let path = "\(folder)/tone.wav"
      let run = try Run(
        "au", ["tone", "--waveform", "jtest", "--bits", "\(bits)", "--seconds", "0.1", "-o", path])
      #expect(run.code == 0, "\(run.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let start = try #require(data.range(of: Data("data".utf8))).upperBound + 4
    let samples = [UInt8](data[start...])
    let bytes = bits / 8
    let half = 1 << (bits - 2)
    #expect(samples.count == 4_800 * bytes)
    for frame in 0..<4_800 {
      let word = (0..<bytes).reduce(0) { $0 | Int(samples[frame * bytes + $1]) << (8 * $1) }
      let sample = word >= 1 << (bits - 1) ? word - (1 << bits) : word
      #expect(sample == (frame % 4 < 2 ? -half : half) - (frame % 192 < 96 ? 0 : 1))
    }
  }

  @Test("a sequence repeats after its order, an impulse after its period, and DC is constant")
  func signals() throws {
    let sequence = try write(["--waveform", "mls", "--order", "12", "--seconds", "1"]).channels[0]
    #expect(
      sequence.samples[..<4_095].elementsEqual(sequence.samples[4_095..<8_190]))
    let impulse = try write(["10", "--waveform", "impulse", "--seconds", "1"]).channels[0]
    #expect(impulse.samples.indices.filter { impulse.samples[$0] != 0 }.count == 10)
    let constant = try write(["--waveform", "dc", "--level", "-6", "--phase", "180"]).channels[0]
    #expect(constant.samples.allSatisfy { abs($0 + pow(10, -6.0 / 20)) < 1e-6 })
  }

  @Test("a tone begins later, and is repeated with pauses")
  func timing() throws {
    let file = try write([
      "--waveform", "mls", "--seconds", "0.1", "--delay", "0.2", "--repeat", "3", "--pause", "50ms",
    ])
    #expect(file.frameCount == 28_800)
    for (frame, sample) in file.channels[0].samples.enumerated() {
      let place = frame - 9_600
      #expect((sample != 0) == (place >= 0 && place % 7_200 < 4_800), "frame \(frame)")
    }
  }

  @Test("amplitude and frequency are modulated")
  func modulation() throws {
    let tone = try write(["3k", "--am", "100/50%", "--level", "-6", "--seconds", "1"]).channels[0]
    let carrier = tone.tone(at: 3_000).amplitude
    #expect(abs(tone.tone(at: 3_100).amplitude / carrier - 0.25) < 1e-4)
    let vibrato = try write(["3k", "--fm", "100/200", "--level", "-6", "--seconds", "1"]).channels[
      0]
    #expect(abs(vibrato.tone(at: 3_100).amplitude / pow(10, -0.3) - j1(2)) < 1e-4)
  }

  @Test(
    "what a waveform or the others make useless is refused",
    arguments: [
      (["--steps", "3"], "--steps has no effect without --sweep"),
      (["--sweep", "2k", "--dwell", "1"], "--dwell has no effect without --steps"),
      (["--sweep", "2k", "--steps", "3", "--dwell", "1", "--seconds", "9"], "leave out --seconds"),
      (["--waveform", "mls", "--lock", "1024"], "--lock has no effect without"),
      (["--pause", "1"], "--pause has no effect without --repeat"),
      (["--sweep", "2k", "--repeat", "2"], "--repeat does not repeat a --sweep"),
      (["--order", "9"], "--order has no effect without"),
      (["--waveform", "pink", "--fm", "5/5"], "--fm has no effect without"),
      (["--waveform", "impulse", "--burst", "1/1"], "--burst has no effect without"),
      (["--on", "C", "--channels", "2"], "--on has channel 3: expected at most 2"),
      (["--level", "4dBu"], "there is no calibration"),
      (["--level", "1dBrms"], "which is a peak of 4.01 dBFS"),
      (["--am", "5/101"], "expected a frequency and a depth"),
      (["--on", "Q"], "expected channels"), (["--add", "1k,-3dB,-4dB"], "expected a frequency"),
      (["--lock", "1"], "expected a whole number of frames"),
    ])
  func refusals(words: [String], reason: String) throws {
    let run = try Run(
      "au", ["tone"] + words + ["-o", "never.wav"],
      environment: ["XDG_STATE_HOME": "/dev/null/nowhere"])
    #expect(run.code == 2 && run.errors.contains(reason), "\(run.errors)")
  }

  @Test("a device must have the channels")
  func device() throws {
    let run = try Run("au", ["tone", "--on", "C", "--device", "null"])
    #expect(run.code == 2 && run.errors.contains("--on has channel 3: expected at most 2"))
  }

  @Test("six channels are played to a device with six")
  func played() throws {
    try withFolder { folder in
      let run = try Run(
        "au",
        [
          "tone", "1000", "--on", "Rs", "--seconds", "1", "--channels", "6", "--device",
          "file:\(folder)/tone.wav",
        ], environment: ["AUDIOTOOLBOX_CLOCK": "fast"])
      #expect(run.code == 0, "\(run.errors)")
      let channels = try RecordedFile("\(folder)/tone.wav").channels
      #expect(channels.count == 6)
      #expect(channels[5][4_000..<40_000].distortionAndNoise(at: 1_000) < -130)
      #expect(channels[..<5].allSatisfy { $0.peak == 0 })
    }
  }
}
