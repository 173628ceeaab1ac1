// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import ToneModel

/// `au tone`.
enum ToneCommand {
  private static let frequency = Argument<Double>(
    "FREQUENCY", .frequency(in: 0.01...384_000), default: 440, "the frequency")
  private static let seconds = Option<Double>(
    "seconds", "SECONDS", .seconds(in: 0.001...604_800), default: 3,
    "duration, fades included")
  private static let level = Option<Double>(
    "level", "DB", .level(in: -200...0), default: -20,
    "peak level, relative to full scale")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine, "the shape of the wave")
  private static let duty = Option<Double>(
    "duty", "PERCENT", .percent(in: 1...99), default: 50,
    "how much of a period a square wave is high")
  private static let fade = Option<Double?>(
    "fade", "SECONDS", .seconds(in: 0...10),
    "duration of the fade in and the fade out (default: \(ToneSource.standardFade) on a device, "
      + "none in a file)")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE", .asked("device")),
    "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .path(Recording.paths), "write a file instead: .wav (32-bit float) or .flac")
  private static let rate = Option<Int?>(
    "rate", "HZ", .wholeSampleRate(in: 1_000...768_000),
    "sample rate of the file, or of the devices null and file (default: 48000)")
  private static let channels = Option<Int?>(
    "channels", "COUNT", .wholeNumber(of: "channels", in: 1...256),
    "channels of the file (default: 1), or of the devices null and file (default: 2)")
  private static let sweep = Option<Double?>(
    "sweep", "HZ", .frequency(in: 0.01...384_000),
    "move the frequency to this one, from the beginning to the end")
  private static let curve = Option<ToneSweep.Shape>(
    "curve", "CURVE", default: .logarithmic, "how a sweep gets there")
  private static let burst = Option<ToneBurst?>(
    "burst", "ON/OFF",
    ValueReader(expected: "periods on and off, such as 10/90") { text in
      let parts = text.split(separator: "/").map { Int($0) }
      guard parts.count == 2, let on = parts[0], let off = parts[1],
        ToneBurst.periods.contains(on), ToneBurst.periods.contains(off)
      else { return nil }
      return ToneBurst(on: on, off: off)
    }, "switch the tone on and off, at zeros of the wave")
  private static let others = RepeatedOption<AddedTone>(
    "add", "HZ[,DB]", .addedTone,
    "add another tone, with its level (default: that of the first); repeat the option for more, up "
      + "to eight in all")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "apply an effect; repeat the option to apply several, in their order")
  private static let sameNoise = Flag(
    "same-noise", "give all channels the same noise, not one for each")
  private static let stats = Flag(
    "stats", "print what was rendered, how fast, and while it plays the state of the device")

  /// Plays a tone, or writes it.
  static let command = Command(
    "tone", "play a tone, or write it to a file",
    discussion: """
      The frequency is exact to a billionth of a hertz, and the level of a sine is exact to the last \
      bit. The other waves are band-limited, without aliases, and peak within 0.05 dB of the level; \
      noise has no frequency, and differs from channel to channel.

      With --output the tone is rendered to a file, as fast as possible: exactly SECONDS times HZ \
      frames, the same in every run. An existing file is replaced only when the new one is \
      complete. `--output -` writes WAV to standard output.

      A sweep takes the whole duration. Tones that are added have the waveform of the first; together \
      they go to one channel or two.

      An effect is written EFFECT,PARAMETER=VALUE,…: `au list effect` shows the effects, which can be \
      given by name (lowpass) or code (lpas); `au info lowpass` shows the parameters, whose names \
      can be shortened. Values may have units (cutoff=1k, time=250ms, gain=-6dB), or be names where \
      the values have names. preset=NAME selects a factory preset. A peak limiter (lmtr) \
      limits true peaks unless it is given true=0.
      """,
    parameters: [
      frequency, seconds, level, waveform, duty, sweep, curve, burst, others, fade, device, output,
      rate, channels, effects, sameNoise, stats,
    ],
    examples: [
      .init("au tone", "The A above middle C, for three seconds."),
      .init(
        "au tone 997 --seconds 10 --level -6 --output tone.wav",
        "A test tone in a file, at exactly -6 dBFS."),
      .init("au tone C#5 --seconds 250ms --output - | aplay", "A short note, to another program."),
      .init(
        "au tone 100 --waveform square --duty 25 --device null --stats",
        "A narrow square wave without a sound card, with statistics."),
      .init("au tone --waveform pink --level -12 --seconds 60", "A minute of pink noise."),
      .init(
        "au tone 20 --sweep 20k --seconds 10 -o sweep.wav", "A logarithmic sweep, in a file."),
      .init(
        "au tone 60 --level -16dB --add 7k,-28dB", "Two tones for intermodulation, four to one."),
      .init(
        "au tone 110 --waveform saw --effect lpas,cutoff=800,resonance=12",
        "A saw wave through a resonant low-pass filter."),
    ]
  ) { values in
    var tone = Tone(
      frequency: values[frequency], level: values[level], waveform: values[waveform],
      dutyCycle: values[duty])
    tone.hasSameNoise = values[sameNoise]
    tone.burst = values[burst]
    tone.sweep = values[sweep].map {
      ToneSweep(
        from: tone.frequency, to: $0, seconds: values[seconds], shape: values[curve], atEnd: .hold)
    }
    if values.has(curve), tone.sweep == nil {
      throw UsageError("--curve has no effect without --sweep")
    }
    let tones = [tone] + values[others].map { $0.tone(like: tone) }
    guard tones.count <= ToneMix.capacity else {
      throw UsageError(
        "--add: there are \(tones.count) tones: expected at most \(ToneMix.capacity)")
    }
    let statistics: ToneStatistics
    if let path = values[output] {
      if let device = values[device] {
        throw UsageError(
          "--device is \"\(device)\", but --output writes to a file: use one of them")
      }
      try Recording.check(path)
      let file = ToneFile(
        path: path, sampleRate: values[rate] ?? 48_000, channelCount: values[channels] ?? 1)
      if tones.count > 1, file.channelCount > 2 {
        throw UsageError("--channels is \"\(file.channelCount)\": several tones go to at most two")
      }
      try check(tones, sampleRate: Double(file.sampleRate))
      statistics = try file.write(
        tones, seconds: values[seconds], fade: values[fade] ?? 0, effects: values[effects])
    } else {
      set("AUDIOTOOLBOX_DEVICE", values[device])
      set("AUDIOTOOLBOX_RATE", values[rate].map(String.init))
      set("AUDIOTOOLBOX_CHANNELS", values[channels].map(String.init))
      statistics = try TonePlayback.play(
        tones, seconds: values[seconds], fade: values[fade] ?? ToneSource.standardFade,
        effects: values[effects], showsFigures: values[stats]
      ) { try check(tones, sampleRate: $0) }
    }
    guard values[stats] else { return }
    // Samples on the standard output are not followed by text.
    if values[output] == "-" {
      Console.error(statistics.text)
    } else {
      Console.print(statistics.text)
    }
  }

  /// What is above half the sample rate cannot be heard, and would be another tone.
  private static func check(_ tones: [Tone], sampleRate: Double) throws(UsageError) {
    for (index, tone) in tones.enumerated() where tone.waveform.isPeriodic {
      let name = index == 0 ? "FREQUENCY" : "--add"
      for (name, frequency) in [(name, tone.frequency), ("--sweep", tone.sweep?.end ?? 0)]
      where frequency > sampleRate / 2 {
        throw UsageError(
          "\(name) is \"\(Numbers.plain(frequency))\": expected at most half the sample rate, "
            + "\(Numbers.plain(sampleRate / 2)) Hz")
      }
    }
  }

  /// The environment is where the library looks for devices.
  private static func set(_ variable: String, _ value: String?) {
    if let value { setenv(variable, value, 1) }
  }
}
