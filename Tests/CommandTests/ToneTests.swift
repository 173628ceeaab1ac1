// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing

@Suite("au tone")
struct ToneTests {
  private func write(_ words: [String]) throws -> RecordedFile {
    try withFolder { folder in
      let run = try Run("au", ["tone"] + words + ["--output", "\(folder)/tone.wav"])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.isEmpty)
      return try RecordedFile("\(folder)/tone.wav")
    }
  }

  @Test("writes exact length, peak and frequency, pure to -145 dB")
  func file() throws {
    let file = try write(["997", "--seconds", "10", "--level", "-6"])
    #expect(file.frameCount == 480_000)
    #expect(file.channels.count == 1)
    let tone = file.channels[0]
    #expect(Float(tone.peak) == Float(pow(10, -6.0 / 20)))
    #expect(tone.distortionAndNoise(at: 997) < -145)
    #expect(abs(tone.tone(near: 997).frequency - 997) < 1e-6)
    // There is no fade: the first sample is that of a sine at its start.
    #expect(
      tone[0..<480].largestDifference(
        from: .sine(997, amplitude: pow(10, -6.0 / 20), count: 480)) < 1e-6)
  }

  @Test("any length, rate and number of channels is exact")
  func shape() throws {
    let file = try write([
      "440", "--seconds", "0.12345", "--rate", "44100", "--channels", "3", "--level=-20",
    ])
    #expect(file.frameCount == Int((0.12345 * 44_100).rounded()))
    #expect(file.sampleRate == 44_100)
    #expect(file.channels.count == 3)
    #expect(file.channels[0].samples == file.channels[2].samples)
  }

  @Test("every waveform has its power", arguments: ["square", "triangle", "saw", "white", "pink"])
  func waveforms(name: String) throws {
    // The RMS relative to the peak; pink noise at full level has a fifth. Without the partials
    // above half the sample rate, square and saw overshoot: the level is that peak.
    let shares = ["square": 0.845, "triangle": 0.5773, "saw": 0.496, "white": 0.5773, "pink": 0.2]
    let tone = try write(["500", "--waveform", name, "--level", "-6", "--seconds", "20"])
    let share = tone.channels[0].rms / pow(10, -6.0 / 20)
    #expect(abs(share / (shares[name] ?? 0) - 1) < 0.06)
  }

  @Test("the duty cycle of a square is its share of high samples")
  func duty() throws {
    let tone = try write(["100", "--waveform", "square", "--duty", "25", "--level", "-20"])
    let high = tone.channels[0].samples.filter { $0 > 0 }.count
    #expect(abs(Double(high) / Double(tone.frameCount) - 0.25) < 0.01)
  }

  @Test("a fade is within the length")
  func fade() throws {
    let tone = try write(["1000", "--fade", "0.1", "--seconds", "1"]).channels[0]
    #expect(tone.count == 48_000)
    #expect(tone[0..<480].peak < 1e-3)
    #expect(tone[47_520..<48_000].peak < 1e-3)
    #expect(tone[24_000..<30_000].peak > 0.099)
  }

  @Test("is the same in every run")
  func repetition() throws {
    let words = ["--waveform", "pink", "--seconds", "0.5"]
    #expect(try write(words).channels[0].samples == write(words).channels[0].samples)
  }

  @Test("a file that is not audio is not overwritten")
  func document() throws {
    try withFolder { folder in
      let path = "\(folder)/letter.wav"
      try "Dear reader, this is no sound.".write(toFile: path, atomically: true, encoding: .utf8)
      let run = try Run("au", ["tone", "--output", path])
      #expect(run.code == 1)
      #expect(run.errors.contains("letter.wav"))
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("Dear reader"))
    }
  }

  @Test("plays to a device for the requested time, fades included")
  func device() throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["tone", "1000", "--seconds", "2", "--device", "file:\(folder)/tone.wav", "--stats"],
        environment: ["AUDIOTOOLBOX_CLOCK": "fast"])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.contains("96000 frames, 2 s"))
      let tone = try RecordedFile("\(folder)/tone.wav").channels[0]
      // A device that runs as fast as possible stops with the cycle in which the tone ends.
      #expect(tone.count < 96_000 + 3 * 512)
      let end = tone.samples.lastIndex { $0 != 0 } ?? 0
      #expect((96_000 - 64..<96_000).contains(end))
      #expect(tone[4_000..<90_000].distortionAndNoise(at: 1_000) < -145)
    }
  }

  @Test("musical and engineering numbers are read")
  func quantities() throws {
    let file = try write(["A5", "--seconds", "250ms", "--rate", "44.1k", "--level", "-6dB"])
    #expect(file.sampleRate == 44_100)
    #expect(file.frameCount == 11_025)
    #expect(abs(file.channels[0].tone(near: 880).frequency - 880) < 1e-3)
    let run = try Run("au", ["tone", "1x"])
    #expect(run.code == 2)
    #expect(
      run.errors.hasPrefix(
        "au tone: FREQUENCY is \"1x\": expected a frequency from 0.01 to 384000 Hz, such as 440, A4"
      ))
  }

  @Test("noise is limited to a band, and keeps its level")
  func band() throws {
    let noise = try write(
      ["--waveform", "pink", "--band", "500/2k", "--level", "-6dB", "--seconds", "8s"]
    ).channels[0]
    #expect(abs(20 * log10(noise.rms) + 20) < 0.3)
    let levels = noise.powerDensities(between: [245, 255, 900, 1_100])
    #expect(levels[0] - levels[1] < -40)
  }

  @Test("a sweep's level moves to its end level")
  func endLevel() throws {
    let sweep = try write(
      ["1k", "--sweep", "2k", "--level", "-6", "--end-level", "-46dB", "--seconds", "2"]
    ).channels[0]
    #expect(abs(20 * log10(sweep[47_760..<48_240].peak) + 26) < 0.4)
  }

  @Test("several sines have the chosen crest factor")
  func crest() throws {
    let words = [
      "100", "--add", "200", "--add", "300", "--add", "400", "--seconds", "1", "--crest",
    ]
    for (crest, expected) in [("highest", 9.03), ("6dB", 6)] {
      let sum = try write(words + [crest]).channels[0]
      #expect(abs(20 * log10(sum.peak / sum.rms) - expected) < 0.05)
    }
    let run = try Run("au", ["tone", "100", "--crest", "lowest", "-o", "never.wav"])
    #expect(run.code == 2)
    #expect(run.errors.contains("--crest: A crest needs at least two tones"))
  }

  @Test("samples of 16 or 24 bits are rounded with a dither", arguments: [16, 24])
  func bits(bits: Int) throws {
    try withFolder { folder in
      let path = "\(folder)/tone.aiff"
      let run = try Run("au", ["tone", "997", "--bits", "\(bits)", "--output", path])
      #expect(run.code == 0, "\(run.errors)")
      let info = try Run("au", ["info", path])
      #expect(info.output.contains("Int\(bits) big-endian"))
      #expect(info.output.contains("AIFF"))
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(file.starts(with: Data("FORM".utf8)) && file[8..<12].elementsEqual("AIFF".utf8))
    }
    let none = try Run("au", ["tone", "--dither", "none", "--output", "never.wav"])
    #expect(none.code == 2 && none.errors.contains("--dither has no effect without --bits"))
    let float = try Run("au", ["tone", "--bits", "32f", "--output", "never.flac"])
    #expect(float.code == 2 && float.errors.contains("it holds 16 or 24 bits"))
    for bits in ["16", "32f"] {
      let lossy = try Run("au", ["tone", "--bits", bits, "--output", "never.mp3"])
      #expect(lossy.code == 2)
      #expect(lossy.errors.contains("never.mp3: MPEG Layer 3 is lossy"))
    }
  }

  @Test("a level may be a measured value, with a calibration")
  func calibration() throws {
    let words = ["1k", "--seconds", "0.1", "--level", "74dBSPL"]
    let tone = try write(words + ["--calibration", "94dBSPL@-12dB"]).channels[0]
    #expect(abs(20 * log10(tone.peak) + 32) < 1e-3)
    let volts = try write(["1k", "--level", "100mV", "--calibration", "1.0V@0"]).channels[0]
    #expect(abs(20 * log10(volts.peak) + 20) < 1e-3)
    let run = try Run(
      "au", ["tone"] + words + ["-o", "never.wav"],
      environment: ["XDG_STATE_HOME": "/dev/null/nowhere"])
    #expect(run.code == 2)
    #expect(run.errors.contains("--level is \"74 dB SPL\": there is no calibration"))
  }

  @Test("options without an effect are refused")
  func idle() throws {
    for (words, option) in [
      (["--band", "100/200"], "--band"), (["--end-level", "-20"], "--end-level"),
      (["--bits", "16"], "--bits"),
    ] {
      let run = try Run("au", ["tone"] + words)
      #expect(run.code == 2 && run.errors.contains("\(option) has no effect without"))
    }
  }

  @Test("file types that cannot be written are refused before rendering")
  func kinds() throws {
    let run = try Run("au", ["tone", "--seconds", "604800", "--output", "tone.wma"])
    #expect(run.code == 2)
    #expect(run.errors.contains(".wma cannot be written; choose .wav, .flac"))
  }

  @Test("a full disk is reported, and a device file is not replaced")
  func full() throws {
    let run = try Run("au", ["tone", "--output", "/dev/full"])
    #expect(run.code == 75)
    #expect(run.errors.contains("No space left on device"))
    let list = try Run(path: "/bin/sh", ["-c", "\(Run.path("au")) list >/dev/full"])
    #expect(list.code == 1)
    #expect(list.errors.contains("No space left on device"))
    var status = stat()
    #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test("a pipe gets a header with the number of frames, and no text after them")
  func pipe() throws {
    try withFolder { folder in
      let run = try Run(
        path: "/bin/sh",
        [
          "-c",
          "\(Run.path("au")) tone 100 --seconds 0.5 --stats --output - | cat >\(folder)/tone.wav",
        ])
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.errors.contains("24000 frames"))
      let tone = try RecordedFile("\(folder)/tone.wav")
      #expect(tone.frameCount == 24_000)
    }
  }

  @Test(
    "ended while it writes, it leaves only the old file", arguments: [SIGINT, SIGTERM])
  func ended(signal: Int32) throws {
    try withFolder { folder in
      let path = "\(folder)/tone.wav"
      #expect(try Run("au", ["tone", "--seconds", "0.1", "--output", path]).code == 0)
      let run = try Run(path: "/bin/sh", ["-c", ended(path, by: signal)])
      #expect(run.output == "\(128 + signal)\n", "\(run.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["tone.wav"])
      #expect(try RecordedFile(path).frameCount == 4_800)
    }
  }

  @Test("killed while it writes, it leaves the old file, and a valid partial one")
  func killed() throws {
    try withFolder { folder in
      let path = "\(folder)/tone.wav"
      #expect(try Run("au", ["tone", "--seconds", "0.1", "--output", path]).code == 0)
      let run = try Run(path: "/bin/sh", ["-c", ended(path, by: SIGKILL)])
      #expect(run.output == "137\n", "\(run.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names.count == 2)
      #expect(try RecordedFile(path).frameCount == 4_800)
      let partial = try #require(names.first { $0.hasPrefix("tone.wav.partial-") })
      // The last moments may be after the end that the header declares.
      #expect(try SoundFileReader(path: "\(folder)/\(partial)").frameCount > 0)
    }
  }

  /// A shell command that writes hours of a tone, ends that once it has begun, and prints the exit
  /// code.
  private func ended(_ path: String, by signal: Int32) -> String {
    """
    \(Run.path("au")) tone --seconds 100000 --output \(path) & it=$!
    until [ "$(find \(URL(fileURLWithPath: path).deletingLastPathComponent().path) \
      -name 'tone.wav.partial-*' -size +1000k)" ]; do sleep 0.01; done
    kill -\(signal) $it; wait $it 2>/dev/null; echo $?
    """
  }

  @Test("a missing device is reported")
  func noDevice() throws {
    let run = try Run("au", ["tone", "--device", "theremin"])
    #expect(run.code == 1)
    #expect(run.errors.contains("theremin"))
  }

  @Test("interrupted, it fades out and ends by the signal")
  func interrupt() throws {
    try withFolder { folder in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Run.path("au"))
      process.arguments = ["tone", "--seconds", "60", "--level", "-6"]
      process.environment = Run.environment(["AUDIOTOOLBOX_DEVICE": "file:\(folder)/tone.wav"])
      try process.run()
      // A tenth of a second of two channels.
      let plays = (1...3_000).contains { _ in
        usleep(10_000)
        let file = try? FileManager.default.attributesOfItem(atPath: "\(folder)/tone.wav")
        return (file?[.size] as? Int ?? 0) > 40_000
      }
      #expect(plays)
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == SIGINT)
      let tone = try RecordedFile("\(folder)/tone.wav").channels[0]
      #expect(tone.samples.last == 0)
      #expect(tone.largestBend(frequency: 440, amplitude: pow(10, -6.0 / 20)) < 1.01)
    }
  }

  @Test("effects are applied to the file, in their order")
  func effects() throws {
    func level(_ words: [String]) throws -> Double {
      let tone = try write(["1000", "--seconds", "1"] + words).channels[0]
      return decibels(tone[24_000..<48_000].tone(at: 1_000).amplitude / 0.1)
    }
    #expect(abs(try level([])) < 0.01)
    // Two poles are a little more than 12 dB down an octave above their corner.
    let once = try level(["--effect", "lpas,cutoff=500,resonance=-3.01"])
    #expect(abs(once + 12.3) < 0.2)
    let twice = try level([
      "--effect", "AULowpass,cutoff frequency=500,resonance=-3.01", "--effect",
      "lowpass,0=500,1=-3.01",
    ])
    #expect(abs(twice - 2 * once) < 0.05)
    #expect(abs(try level(["--effect=pmeq,center=1000,gain=9"]) - 9) < 0.01)
    #expect(abs(try level(["--effect", "ipeq,preset=Vocal Booster"]) + 0.5) < 0.3)
    #expect(abs(try level(["--effect", "nbeq,bypass1=0,gain1=6,type 1=Parametric"]) - 6) < 0.01)
  }

  @Test(
    "reports errors in an effect",
    arguments: [
      (["nope"], "lpas (AULowpass)"), (["lpas,depth=3"], "cutoff frequency, resonance"),
      (["lpas,cutoff=1"], "from 10"), (["lpas,cutoff=low"], "a number"),
      (["ipeq,preset=Loud"], "Loudness"), (["lpas,cutoff"], "such as lpas,cutoff=800"),
    ])
  func wrongEffect(words: [String], hint: String) throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["tone", "--output", "\(folder)/tone.wav", "--effect"] + words)
      #expect(run.code != 0)
      #expect(run.errors.contains(hint), "\(run.errors)")
    }
  }

  @Test("effects are applied before a device, too")
  func effectBeforeDevice() throws {
    try withFolder { folder in
      let run = try Run(
        "au",
        [
          "tone", "1000", "--seconds", "0.5", "--device", "file:\(folder)/tone.wav", "--effect",
          "hpas,cutoff=8000,resonance=0", "--stats",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let tone = try RecordedFile("\(folder)/tone.wav").channels[0][4_800..<19_200]
      let expected = CookbookFilter.highPass(8_000, q: 1, rate: tone.sampleRate)
      let gain = tone.tone(at: 1_000).amplitude / 0.1
      #expect(abs(decibels(gain / expected.magnitude(at: 1_000))) < 0.05)
    }
  }
}
