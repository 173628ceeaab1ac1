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
  private static let levels = -200.0...0
  private static let level = Option<WrittenLevel>(
    "level", "DB", .writtenLevel(in: levels), default: .fullScale(-20),
    "peak level, relative to full scale, or as measured outside: 74dBSPL, 1.23V")
  private static let calibration = Option<Calibration?>(
    "calibration", "VALUE@DB", .calibration,
    "what one level measures outside, such as 94dBSPL@-20dB or 1.23V@0 (default: the one stored by "
      + "ToneGenerator)")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine, "the shape of the wave")
  private static let duty = Option<Double>(
    "duty", "PERCENT", .percent(in: 1...99), default: 50,
    "the part of each period in which a square wave is high")
  private static let fade = Option<Double?>(
    "fade", "SECONDS", .seconds(in: 0...10),
    "duration of the fade in and the fade out (default: \(ToneSource.standardFade) on a device, "
      + "none in a file)")
  private static let device = Option<String?>(
    "device", "DEVICE", .text("a device as in AUDIOTOOLBOX_DEVICE", .dynamic("device")),
    "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .path(Recording.paths), "write a file instead: " + Recording.endings)
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
  private static let endLevel = Option<WrittenLevel?>(
    "end-level", "DB", .writtenLevel(in: levels),
    "the level at the end of a sweep: it moves there by as many dB in each second")
  private static let band = Option<NoiseBand?>(
    "band", "HZ/HZ", .band, "limit noise to a band between two frequencies")
  private static let crest = Option<ToneCrest.Target?>(
    "crest", "CREST", .crest,
    "the crest factor of several sines: lowest, highest, or in dB")
  private static let burst = Option<ToneBurst?>(
    "burst", "ON/OFF",
    .burst, "switch the tone on and off, at zero crossings")
  private static let others = RepeatedOption<AddedTone>(
    "add", "HZ[,DB]", .addedTone,
    "add another tone, with its level (default: that of the first); repeat the option for more, up "
      + "to eight in all")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "apply an effect; repeat the option to apply several, in their order")
  private static let sameNoise = Flag(
    "same-noise", "give all channels the same noise instead of independent noise")
  private static let stats = Flag(
    "stats", "print what was rendered and how fast, and the state of the device while it plays")

  /// Plays a tone, or writes it.
  static let command = Command(
    "tone", "play a tone, or write it to a file",
    discussion: """
      The frequency is exact to a billionth of a hertz, and the level of a sine is exact to the last \
      bit. The other waves are band-limited, without aliases, and their peak is within 0.05 dB of \
      the level. Noise has no frequency, and differs between channels.

      With --output the tone is rendered to a file, as fast as possible: exactly SECONDS times HZ \
      frames, the same in every run. An existing file is replaced only when the new one is \
      complete. `--output -` writes WAV to standard output.

      A sweep takes the whole duration; with --end-level its level moves too. Noise with --band \
      falls by 48 dB per octave beyond the band; its RMS is 14 dB below the level, like that of \
      pink noise. With --bits 16 or 24, samples are dithered.

      Added tones have the waveform of the first; several tones go to one or two channels. --crest \
      chooses the initial phases of sines: lowest is the lowest crest factor that a search finds, \
      highest puts all peaks at the beginning.

      After a calibration, here with --calibration or once in the window or terminal of \
      ToneGenerator, --level may be what a microphone or a voltmeter shows: dB of sound pressure \
      (SPL), or peak volts.

      An effect is written EFFECT,PARAMETER=VALUE,…: `au list effect` shows the effects, which can \
      be given by name (lowpass) or code (lpas); `au info lowpass` shows the parameters, whose \
      names can be shortened. Values may have units (cutoff=1k, time=250ms, gain=-6dB); named \
      values can be given by name. preset=NAME selects a factory preset. A peak limiter (lmtr) \
      limits true peaks unless it is given true=0.
      """,
    parameters: [
      frequency, seconds, level, calibration, waveform, duty, band, sweep, curve, endLevel, burst,
      others,
      crest, fade, device, output, rate, channels, SampleOptions.bits, SampleOptions.dither,
      effects, sameNoise, stats,
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
        "au tone --waveform pink --band 500/2k --bits 24 -o band.wav",
        "Pink noise from 500 Hz to 2 kHz, in 24 bits."),
      .init(
        "au tone 20 --sweep 20k --seconds 10 -o sweep.wav", "A logarithmic sweep, in a file."),
      .init(
        "au tone 60 --level -16dB --add 7k,-28dB",
        "Two tones for intermodulation, at a ratio of 4:1."),
      .init(
        "au tone 200 --add 400 --add 600 --add 800 --crest lowest -o multitone.wav",
        "Four harmonics with a low peak."),
      .init(
        "au tone 1k --level 74dBSPL --calibration 94dBSPL@-12dB",
        "At 74 dB SPL, where -12 dBFS has been measured as 94 dB."),
      .init(
        "au tone 110 --waveform saw --effect lpas,cutoff=800,resonance=12",
        "A saw wave through a resonant low-pass filter."),
    ]
  ) { values in
    var tone = Tone(
      frequency: values[frequency], level: try decibels(values, values[level], "--level"),
      waveform: values[waveform], dutyCycle: values[duty])
    tone.hasSameNoise = values[sameNoise]
    tone.burst = values[burst]
    tone.sweep = values[sweep].map {
      ToneSweep(
        from: tone.frequency, to: $0, seconds: values[seconds], shape: values[curve], atEnd: .hold)
    }
    for (option, isGiven) in [
      ("--curve", values.has(curve)), ("--end-level", values.has(endLevel)),
    ]
    where isGiven && tone.sweep == nil {
      throw UsageError("\(option) has no effect without --sweep")
    }
    tone.sweep?.endLevel = try values[endLevel].map { try decibels(values, $0, "--end-level") }
    tone.band = values[band]
    if tone.band != nil, tone.waveform.isPeriodic {
      throw UsageError("--band has no effect without --waveform white or pink")
    }
    var tones = [tone] + values[others].map { $0.tone(like: tone) }
    guard tones.count <= ToneMix.capacity else {
      throw UsageError(
        "--add: there are \(tones.count) tones: expected at most \(ToneMix.capacity)")
    }
    if let target = values[crest] {
      do {
        let phases = try ToneCrest(tones).phases(for: target)
        for (index, phase) in phases.enumerated() { tones[index].startPhase = phase }
      } catch { throw UsageError("--crest: \(error)") }
    }
    let samples = try SampleOptions.samples(values, path: values[output])
    let statistics: ToneStatistics
    if let path = values[output] {
      if let device = values[device] {
        throw UsageError(
          "--device is \"\(device)\", but --output writes to a file: use one of them")
      }
      try Recording.check(path)
      let file = ToneFile(
        path: path, sampleRate: values[rate] ?? 48_000, channelCount: values[channels] ?? 1,
        samples: samples)
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
    // When samples go to standard output, no text may follow them there.
    if values[output] == "-" {
      Console.error(statistics.text)
    } else {
      Console.print(statistics.text)
    }
  }

  /// A level in dBFS, converted by the calibration if it is given in SPL or volts.
  private static func decibels(
    _ values: Values, _ written: WrittenLevel, _ option: String
  ) throws(UsageError) -> Double {
    let calibration = values[calibration] ?? Calibration.stored
    guard let level = written.level(calibration) else {
      throw UsageError(
        "\(option) is \"\(written)\": there is no calibration: give one, such as --calibration "
          + "94dBSPL@-20dB or --calibration 1.23V@0")
    }
    guard levels.contains(level) else {
      throw UsageError(
        "\(option) is \"\(written)\", which is \(Numbers.rounded(level, digits: 2)) dBFS: expected "
          + "-200 to 0 dBFS")
    }
    return level
  }

  /// Refuses frequencies above half the sample rate, which would alias to other ones.
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

  /// The library reads its choice of device from the environment.
  private static func set(_ variable: String, _ value: String?) {
    if let value { setenv(variable, value, 1) }
  }
}
