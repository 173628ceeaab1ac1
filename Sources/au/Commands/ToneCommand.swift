// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import ToneModel

/// `au tone`.
enum ToneCommand {
  private static let frequency = Argument<Double>(
    "FREQUENCY", .number(of: "Hz", in: 0.01...384_000), default: 440, "the frequency")
  private static let seconds = Option<Double>(
    "seconds", "SECONDS", .number(of: "seconds", in: 0.001...604_800), default: 3,
    "how long, fades included")
  private static let level = Option<Double>(
    "level", "DB", .number(of: "dB", in: -200...0), default: -20,
    "the peak of the wave, below full scale")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine, "the shape of the wave")
  private static let duty = Option<Double>(
    "duty", "PERCENT", .number(of: "percent", in: 1...99), default: 50,
    "how long a square is high")
  private static let fade = Option<Double?>(
    "fade", "SECONDS", .number(of: "seconds", in: 0...10),
    "how long it takes to begin and to end; to a device \(ToneSource.standardFade), "
      + "to a file nothing, when it is not said")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE"), "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .path("the path of a WAV file"), "write 32-bit float to a file instead")
  private static let rate = Option<Int?>(
    "rate", "HZ", .wholeNumber(of: "frames per second", in: 1_000...768_000),
    "the sample rate of the file, or of devices null and file (48000, when it is not said)")
  private static let channels = Option<Int?>(
    "channels", "COUNT", .wholeNumber(of: "channels", in: 1...256),
    "the channels of the file (1, when it is not said), or of devices null and file (2)")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "an effect by name or subtype, with parameters by name; several stand one after another")
  private static let stats = Flag(
    "stats", "print what was rendered, and how fast; while it plays, how the device fares")

  /// Plays a tone, or writes it.
  static let command = Command(
    "tone", "play a tone, or write it to a file",
    discussion: """
      The frequency is exact to a billionth of a hertz. A sine has its level exactly: where a sample \
      meets the crest, it is the largest. The other waves are free of aliases; noise has no \
      frequency.

      With --output nothing is heard: the file gets exactly SECONDS times HZ frames, as fast as \
      they can be rendered, and each is the same in every run.

      An effect is written EFFECT,PARAMETER=VALUE,…: the effects that `au list aufx` shows, by name \
      (lowpass) or subtype (lpas), the parameters that `au info aufx lpas` shows, by as much of \
      the name as tells them apart. A value may be a name where values have names, and preset=NAME \
      chooses a factory preset.
      """,
    parameters: [
      frequency, seconds, level, waveform, duty, fade, device, output, rate, channels, effects,
      stats,
    ],
    examples: [
      .init("au tone", "The A above middle C, for three seconds."),
      .init(
        "au tone 997 --seconds 10 --level -6 --output tone.wav",
        "A test tone in a file, at exactly -6 dBFS."),
      .init(
        "au tone 100 --waveform square --duty 25 --device null --stats",
        "A narrow square to nowhere, and what it costs."),
      .init("au tone --waveform pink --level -12 --seconds 60", "A minute of pink noise."),
      .init(
        "au tone 110 --waveform saw --effect lpas,cutoff=800,resonance=12",
        "A saw through a low-pass filter that resonates."),
    ]
  ) { values in
    let tone = Tone(
      frequency: values[frequency], level: values[level], waveform: values[waveform],
      dutyCycle: values[duty])
    let statistics: ToneStatistics
    if let path = values[output] {
      if let device = values[device] {
        throw UsageError(
          "--device is \"\(device)\": a tone goes to a device or, by --output, to a file")
      }
      let file = ToneFile(
        path: path, sampleRate: values[rate] ?? 48_000, channelCount: values[channels] ?? 1)
      try check(tone, sampleRate: Double(file.sampleRate))
      statistics = try file.write(
        tone, seconds: values[seconds], fade: values[fade] ?? 0, effects: values[effects])
    } else {
      set("AUDIOTOOLBOX_DEVICE", values[device])
      set("AUDIOTOOLBOX_RATE", values[rate].map(String.init))
      set("AUDIOTOOLBOX_CHANNELS", values[channels].map(String.init))
      statistics = try TonePlayback.play(
        tone, seconds: values[seconds], fade: values[fade] ?? ToneSource.standardFade,
        effects: values[effects], showsFigures: values[stats]
      ) { try check(tone, sampleRate: $0) }
    }
    if values[stats] { Console.print(statistics.text) }
  }

  /// What is above half the sample rate cannot be heard, and would be another tone.
  private static func check(_ tone: Tone, sampleRate: Double) throws(UsageError) {
    guard !tone.waveform.isPeriodic || tone.frequency <= sampleRate / 2 else {
      throw UsageError(
        "FREQUENCY is \"\(Numbers.plain(tone.frequency))\": expected at most half the sample rate, "
          + "\(Numbers.plain(sampleRate / 2)) Hz")
    }
  }

  /// The environment is where the library looks for devices.
  private static func set(_ variable: String, _ value: String?) {
    if let value { setenv(variable, value, 1) }
  }
}
