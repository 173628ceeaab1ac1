// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing

@Suite("Examples of hosting")
struct HostingExampleTests {
  /// The recording of an example, and the input that it captured.
  private struct Session {
    let run: Run
    let left: Signal
    let right: Signal
  }

  /// Runs an example on the file device, whose input is a sine at half of full scale: 440 Hz on the
  /// left, 660 Hz on the right.
  private func play(
    _ program: String, _ words: [String], typed: String = "", rate: Double = 48_000
  ) throws -> Session {
    try withFolder { folder in
      try writeInput("\(folder)/in.wav", rate)
      let environment = [
        "AUDIOTOOLBOX_DEVICE": "file:\(folder)/out.wav,\(folder)/in.wav",
        "AUDIOTOOLBOX_RATE": "\(Int(rate))",
      ]
      let line = "printf '\(typed)' | " + ([Run.path(program)] + words).joined(separator: " ")
      let run = try Run(path: "/bin/sh", ["-c", line], environment: environment)
      #expect(run.code == 0, "\(run.errors)")
      let channels =
        FileManager.default.fileExists(atPath: "\(folder)/out.wav")
        ? try RecordedFile("\(folder)/out.wav").channels : []
      return Session(
        run: run, left: channels.first ?? Signal([] as [Double]),
        right: channels.last ?? Signal([] as [Double]))
    }
  }

  private func writeInput(_ path: String, _ rate: Double) throws {
    let count = 4 * 48_000
    let sines = [440.0, 660.0].map { Signal.sine($0, amplitude: 0.5, count: count).floats }
    var writer = try SoundFileRecorder(path: path, sampleRate: rate, channelCount: 2)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
    for (channel, sine) in sines.enumerated() {
      channels.advanced(by: channel).initialize(to: .allocate(capacity: count))
      channels[channel].initialize(from: sine, count: count)
    }
    defer {
      for channel in 0..<2 { channels[channel].deallocate() }
      channels.deallocate()
    }
    try writer.write(channels, frameCount: count)
    try writer.flush()
  }

  /// The steady part of a recording.
  private func steady(_ signal: Signal) throws -> Signal {
    let begin = try #require(signal.samples.firstIndex { $0 != 0 })
    try #require(signal.count > begin + 24_000)
    return signal[begin + 4_800..<begin + 24_000]
  }

  @Test("a pass-through plays the input's samples unchanged, with a fixed delay and no callback")
  func passThrough() throws {
    let session = try play("PassThrough", ["1"])
    let source = Signal.sine(440, amplitude: 0.5, count: 4 * 48_000).floats
    let begin = try #require(session.left.samples.firstIndex { $0 != 0 })
    // The first sample of the sine is zero.
    let played = session.left.samples[begin..<begin + 24_000].map(Float.init)
    #expect(Array(source[1...24_000]) == played)
    #expect(abs(try steady(session.right).tone(near: 660).amplitude - 0.5) < 1e-4)
  }

  @Test(
    "a program takes the rate that is granted, so that nothing is converted",
    arguments: [44_100, 96_000])
  func grantedRate(rate: Double) throws {
    let session = try play("PassThrough", ["1"], rate: rate)
    let source = Signal.sine(440, amplitude: 0.5, count: 4 * 48_000).floats
    let begin = try #require(session.left.samples.firstIndex { $0 != 0 })
    #expect(session.left.sampleRate == rate)
    #expect(
      Array(source[1...24_000]) == session.left.samples[begin..<begin + 24_000].map(Float.init))
  }

  @Test("in a pass-through with a mixer, pan moves the sound and volume scales it")
  func passThroughMixer() throws {
    let full = try play("PassThroughMixer", ["0", "1", "1"])
    let half = try play("PassThroughMixer", ["0", "0.5", "1"])
    let left = try play("PassThroughMixer", ["-1", "1", "1"])
    let level = try steady(full.left).tone(near: 440).amplitude
    #expect(level > 0.2)
    #expect(abs(try steady(half.left).tone(near: 440).amplitude / level - 0.5) < 1e-4)
    #expect(left.right.peak < 1e-6)
    #expect(try steady(left.left).rms > 0.2)
  }

  @Test("the ring modulator turns 440 Hz times 100 Hz into 340 and 540 Hz")
  func ringModulator() throws {
    let sound = try steady(try play("RingModulator", ["100", "1"]).left)
    // Mono is the mean of the two channels: a quarter of full scale each, half of it in each
    // sideband.
    for frequency in [340.0, 540, 560, 760] {
      #expect(abs(sound.tone(at: frequency).amplitude - 0.125) < 0.002, "\(frequency) Hz")
    }
    #expect(sound.tone(at: 440).amplitude < 1e-3)
  }

  /// The two input tones after a callback: each is at a quarter of full scale in mono.
  private func effect(_ name: String) throws -> Signal {
    let left = try play("CallbackEffects", [name, "1.5"]).left
    let begin = try #require(left.samples.firstIndex { $0 != 0 })
    // A whole second contains whole periods of 5 Hz and of all sidebands.
    try #require(left.count >= begin + 58_000)
    return left[begin + 9_600..<begin + 57_600]
  }

  @Test("a tremolo in a render callback adds two sidebands to each tone")
  func tremolo() throws {
    let sound = try effect("tremolo")
    for frequency in [440.0, 660] {
      // 0.25 · (1 − 0.8 · (½ − ½ cos)): a carrier of 0.6, sidebands of 0.2.
      #expect(abs(sound.tone(at: frequency).amplitude - 0.15) < 1e-3)
      for side in [-5.0, 5] {
        #expect(abs(sound.tone(at: frequency + side).amplitude - 0.05) < 1e-3)
      }
      #expect(sound.tone(at: frequency + 10).amplitude < 1e-3)
    }
  }

  @Test("a vibrato in a render callback spreads each tone as frequency modulation does")
  func vibrato() throws {
    let sound = try effect("vibrato")
    for frequency in [440.0, 660] {
      // Half a millisecond to each side is the deviation in radians; Bessel functions give the
      // levels.
      let swing = 2 * .pi * frequency * 0.0005
      for (order, side) in [(Int32(0), 0.0), (1, 5), (2, 10), (3, 15)] {
        let expected = 0.25 * abs(jn(order, swing))
        #expect(abs(sound.tone(at: frequency + side).amplitude - expected) < 2e-3, "\(side) Hz")
      }
    }
  }

  @Test("an echo in a render callback adds the output of a quarter of a second before")
  func echo() throws {
    let left = try play("CallbackEffects", ["echo", "1.5"]).left
    let begin = try #require(left.samples.firstIndex { $0 != 0 })
    let input = [440.0, 660].map { Signal.sine($0, amplitude: 0.25, count: 60_000).samples }
    // The first sample of the sines is zero, so the first nonzero sample is the second.
    let dry = (0..<60_000).map { input[0][$0] + input[1][$0] }
    for frame in stride(from: 0, to: 36_000, by: 37) {
      var expected = dry[frame + 1]
      if frame >= 12_000 { expected += 0.5 * dry[frame + 1 - 12_000] }
      if frame >= 24_000 { expected += 0.25 * dry[frame + 1 - 24_000] }
      #expect(abs(left.samples[begin + frame] - expected) < 1e-4, "frame \(frame)")
    }
  }

  @Test("Fourier transforms in a render callback pass only 500 to 1000 Hz")
  func spectrum() throws {
    let sound = try effect("spectrum")
    #expect(abs(sound.tone(at: 660).amplitude - 0.25) < 2e-3)
    #expect(sound.tone(at: 440).amplitude < 2e-3)
  }

  @Test("a convolution in a render callback has the echoes of the room's walls")
  func convolution() throws {
    let sound = try effect("convolution")
    let walls = [(0.0, 0.6), (561.0 / 48_000, 0.3), (1_262.0 / 48_000, -0.15)]
    for frequency in [440.0, 660] {
      let angles = walls.map { 2 * .pi * frequency * $0.0 }
      let real = zip(walls, angles).reduce(0) { $0 + $1.0.1 * cos($1.1) }
      let imaginary = zip(walls, angles).reduce(0) { $0 + $1.0.1 * sin($1.1) }
      let gain = (real * real + imaginary * imaginary).squareRoot()
      #expect(abs(sound.tone(at: frequency).amplitude - 0.25 * gain) < 1e-3, "\(frequency) Hz")
    }
  }

  @Test("the input meter shows the level of the input, and plays nothing")
  func inputMeter() throws {
    let session = try play("InputMeter", ["1"])
    let lines = session.run.output.split(separator: "\n")
    #expect(lines.count == 10)
    // The mean of two sines of 0.5 peaks near 0.5.
    #expect(lines.dropFirst(3).allSatisfy { $0.contains("-6.") }, "\(lines)")
    #expect(session.left.peak == 0)
  }

  @Test("an offline render has the chord, the exact length, and the same samples each time")
  func offline() throws {
    try withFolder { folder in
      let files = ["a.wav", "b.wav"].map { "\(folder)/\($0)" }
      for file in files {
        // With a device that does not exist: none is opened.
        let run = try Run(
          "OfflineRender", [file, "1"], environment: ["AUDIOTOOLBOX_DEVICE": "jack:none"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == "48000 frames\n")
      }
      #expect(FileManager.default.contentsEqual(atPath: files[0], andPath: files[1]))
      let sound = try RecordedFile(files[0]).channels[0]
      #expect(sound.count == 48_000)
      let levels = [220, 277.183, 329.628].map { sound[4_800..<43_200].tone(at: $0).amplitude }
      #expect(levels.allSatisfy { abs($0 - levels[0]) < 1e-3 && $0 > 0.15 }, "\(levels)")
    }
  }

  @Test(
    "the mixer host's controls change the bus that they name", arguments: ExampleLanguage.allCases)
  func mixerHost(language: ExampleLanguage) throws {
    let typed = "enable 1 0\\npan 0 -1\\nwait 1\\nmaster 0\\nwait 1\\nquit\\n"
    let session = try play(language.program("MixerHost"), [], typed: typed)
    let early = 14_400..<43_200
    #expect(session.left[early].rms > 0.01)
    #expect(session.right[early].peak < 1e-6)
    #expect(session.left[67_200..<91_200].peak < 1e-6)
  }

  @Test(
    "the mixer host shows every value, and each change made by its own thread",
    arguments: ExampleLanguage.allCases)
  func display(language: ExampleLanguage) throws {
    try withFolder { folder in
      // It continues when the end of the fade has been shown, and gives up after half a minute.
      let line = """
        { echo 'fade 1 0.25 0.2'; n=0
          until grep -qx 'beat volume: 0.25' '\(folder)/shown' || [ $n = 600 ]
          do sleep 0.05; n=$((n + 1)); done; echo show; echo quit
        } | '\(Run.path(language.program("MixerHost")))' >'\(folder)/shown'
        """
      let run = try Run(
        path: "/bin/sh", ["-c", line], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code == 0, "\(run.errors)")
      let shown = try String(contentsOfFile: "\(folder)/shown", encoding: .utf8)
        .split(separator: "\n").map(String.init)
      let begin = ["guitar volume: 1.00", "guitar enable: 1.00", "guitar pan: 0.00"]
      #expect(begin.allSatisfy { shown.contains($0) }, "\(shown)")
      let end = try #require(shown.firstIndex(of: "beat volume: 0.25"), "\(shown)")
      let listing = try #require(shown.lastIndex(of: "guitar volume: 1.00"), "\(shown)")
      #expect(end < listing, "\(shown)")
      #expect(shown[listing...].contains("beat volume: 0.25"), "\(shown)")
    }
  }

  @Test(
    "the mixer host reports invalid commands, and continues", arguments: ExampleLanguage.allCases)
  func mistakes(language: ExampleLanguage) throws {
    let mistakes = [
      ("louder", "\"louder\": expected one of the commands above"),
      ("", "\"\": expected one of the commands above"),
      ("volume 0", "\"volume 0\": expected one of the commands above"),
      ("volume nan 1", "BUS is \"nan\": expected 0, 1, …"),
      ("volume 1e30 1", "BUS is \"1e30\": expected 0, 1, …"),
      ("pan -1 1", "BUS is \"-1\": expected 0, 1, …"),
      ("volume 0 loud", "VALUE is \"loud\": expected a number"),
      ("volume 0 nan", "volume is nan: expected a number from 0.00 to 1.00"),
      ("fade 0 7 1", "volume is 7.0: expected a number from 0.00 to 1.00"),
      ("fade 0 0 -inf", "SECONDS is \"-inf\": expected a number from 0 to 3600"),
      ("master 1e39", "volume is inf: expected a number from 0.00 to 1.00"),
      ("wait -1", "SECONDS is \"-1\": expected a number from 0 to 3600"),
      (
        "enable 9 1",
        "AUParameterSet: kAudioUnitErr_InvalidElement (-10877): AUMultiChannelMixer: parameter 1: "
          + "element 9 of the input scope does not exist"
      ),
    ]
    let typed = mistakes.map { $0.0 + "\\n" }.joined() + "show\\n"
    let lines = try play(language.program("MixerHost"), [], typed: typed).run.output
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (line, answer) in mistakes { #expect(lines.contains(answer), "\(line)") }
    #expect(lines.count { $0 == "guitar volume: 1.00" } == 2, "\(lines)")
  }
}
