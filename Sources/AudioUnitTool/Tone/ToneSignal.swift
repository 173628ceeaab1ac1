// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The options of `au tone` that describe the signal.
enum ToneSignal {
  private static let frequency = Argument<Double>(
    "FREQUENCY", .frequency(in: 0.01...384_000), default: 440, "the frequency")
  private static let levels = -200.0...0
  private static let level = Option<WrittenLevel>(
    "level", "DB", .writtenLevel(in: levels), default: WrittenLevel(-20),
    "peak level, relative to full scale")
  private static let calibration = Option<Calibration?>(
    "calibration", "VALUE@DB", .calibration,
    "what one level of a sine measures outside (default: the one stored by ToneGenerator)")
  private static let waveform = Option<ToneWaveform>(
    "waveform", "WAVEFORM", default: .sine, "the shape of the wave")
  private static let file = Option<String?>(
    "file", "FILE", .path("the path of a sound file"),
    "play this sound file in a loop, instead of a wave")
  private static let duty = Option<Double>(
    "duty", "PERCENT", .percent(in: 1...99), default: 50,
    "the part of each period in which a square wave is high")
  private static let phase = Option<Double>(
    "phase", "DEGREES", .phase, default: 0,
    "the phase at the start; 0 is the rising zero crossing of a sine, 180 makes DC negative")
  private static let order = Option<Int>(
    "order", "BITS", .wholeNumber(of: "bits", in: 4...20), default: 16,
    "MLS and periodic pink noise repeat after two to this power frames; MLS after one less")
  private static let lock = Option<Int?>(
    "lock", "FRAMES", .wholeNumber(of: "frames", in: Tone.lineFrames),
    "move frequencies to the nearest line of a Fourier transform of this length")
  private static let on = Option<[Int]?>(
    "on", "CHANNELS", .toneChannels,
    "play on these channels only; the first eight are also named \(ToneChannels.names.joined(separator: ", "))"
  )
  private static let am = Option<AmplitudeModulation?>(
    "am", "HZ/PERCENT", .amplitudeModulation,
    "modulate the amplitude, below the level, by a sine of this frequency and depth")
  private static let fm = Option<FrequencyModulation?>(
    "fm", "HZ/HZ", .frequencyModulation,
    "modulate the frequency by a sine: how often, and how far at most")
  private static let sweep = Option<Double?>(
    "sweep", "HZ", .frequency(in: 0.01...384_000),
    "move the frequency to this one, from the beginning to the end")
  private static let curve = Option<ToneSweep.Shape>(
    "curve", "CURVE", default: .logarithmic, "how a sweep gets there")
  private static let steps = Option<Int?>(
    "steps", "COUNT", .wholeNumber(of: "steps", in: ToneSweep.steps),
    "sweep in steps of equal length instead of continuously")
  private static let dwell = Option<Double?>(
    "dwell", "SECONDS", .seconds(in: 0.001...3_600),
    "how long each step of a sweep sounds; the duration follows from it")
  private static let delay = Option<Double>(
    "delay", "SECONDS", .seconds(in: 0...86_400), default: 0, "silence before the tone begins")
  private static let times = Option<Int?>(
    "repeat", "COUNT", .wholeNumber(of: "times", in: 2...1_000_000),
    "play the tone so many times, each for the duration")
  private static let pause = Option<Double?>(
    "pause", "SECONDS", .seconds(in: 0...86_400),
    "silence between the repetitions (default: as long as the tone)")
  private static let endLevel = Option<WrittenLevel?>(
    "end-level", "DB", .writtenLevel(in: levels),
    "the level at the end of a sweep; it moves there evenly in decibels")
  private static let band = Option<NoiseBand?>(
    "band", "HZ/HZ", .band, "limit noise to a band between two frequencies")
  private static let crest = Option<ToneCrest.Target?>(
    "crest", "CREST", .crest,
    "the crest factor of several sines")
  private static let burst = Option<ToneBurst?>(
    "burst", "ON/OFF",
    .burst, "switch the tone on and off after so many periods; at zero crossings")
  private static let others = RepeatedOption<AddedTone>(
    "add", "HZ[,…]", .addedTone,
    "add another tone: its frequency, then its level, waveform and channels, as far as they differ "
      + "from the first; repeat the option for more, up to eight in all")
  private static let sameNoise = Flag(
    "same-noise", "the same noise on all channels, instead of one for each")

  /// All of them.
  static let parameters: [any Parameter] = [
    frequency, level, calibration, waveform, file, duty, phase, order, band, am, fm, lock, on,
    sweep,
    curve, steps, dwell, endLevel, burst, others, crest, sameNoise, delay, times, pause,
  ]

  /// The tones that the options describe. `seconds` is the duration if it was chosen.
  static func tones(
    _ values: Values, seconds: Double?, sampleRate: Int?
  ) throws(UsageError) -> [Tone] {
    var tone = Tone(
      frequency: values[frequency], waveform: values[waveform], dutyCycle: values[duty])
    if let path = values[file] {
      for (name, isGiven) in [
        ("FREQUENCY", values.has(frequency)), ("--waveform", values.has(waveform)),
      ] where isGiven { throw UsageError("\(name) has no effect with --file") }
      do { tone.sound = try ToneSound(path: path) } catch { throw UsageError("--file: \(error)") }
      tone.waveform = .file
    }
    tone.hasSameNoise = values[sameNoise]
    tone.burst = values[burst]
    tone.startPhase = values[phase]
    tone.noiseOrder = values[order]
    tone.band = values[band]
    tone.amplitudeModulation = values[am]
    tone.frequencyModulation = values[fm]
    tone.lineFrames = values[lock]
    tone.channels = values[on] ?? []
    if let bits = values[SampleOptions.bits].flatMap({ Int($0.rawValue) }) {
      tone.sampleBits = bits
    }
    tone.timing = try timing(values, seconds: seconds ?? 3)
    tone.level = try peakLevel(values, of: tone, sampleRate)
    tone.sweep = try sweep(values, of: tone, seconds: seconds, sampleRate)
    try checkEffects(values, on: tone)
    var tones = [tone]
    for other in values[others] {
      let added = other.tone(like: tone)
      tones.append(added)
      guard let written = other.level else { continue }
      tones[tones.count - 1].level = try decibels(values, written, "--add", of: added, sampleRate)
    }
    guard tones.count <= ToneMix.capacity else {
      throw UsageError(
        "--add: there are \(tones.count) tones: expected at most \(ToneMix.capacity)")
    }
    guard let target = values[crest] else { return tones }
    do {
      let phases = try ToneCrest(tones).phases(for: target)
      for (index, phase) in phases.enumerated() { tones[index].startPhase = phase }
    } catch { throw UsageError("--crest: \(error)") }
    return tones
  }

  /// The delay and the repetitions, if there are any.
  private static func timing(_ values: Values, seconds: Double) throws(UsageError) -> ToneTiming? {
    if values[pause] != nil, values[times] == nil {
      throw UsageError("--pause has no effect without --repeat")
    }
    guard values[delay] > 0 || values[times] != nil else { return nil }
    if values[times] != nil, values[sweep] != nil {
      throw UsageError("--repeat does not repeat a --sweep: use one of them")
    }
    guard let count = values[times] else { return ToneTiming(delay: values[delay]) }
    return ToneTiming(
      delay: values[delay], duration: seconds, pause: values[pause] ?? seconds, count: count)
  }

  /// The seconds from the beginning to the end, with delay and repetitions.
  static func length(_ tones: [Tone], seconds: Double) -> Double {
    let tone = tones[0]
    return tone.timing?.end ?? (tone.timing?.delay ?? 0) + (tone.sweep?.seconds ?? seconds)
  }

  /// The channels that a file needs for a tone.
  static func channelCount(_ tone: Tone) -> Int {
    tone.channels.max() ?? tone.sound?.channelCount ?? 1
  }

  /// The level; that of a J-test is by default the one at which it is defined.
  private static func peakLevel(
    _ values: Values, of tone: Tone, _ sampleRate: Int?
  ) throws(UsageError) -> Double {
    if tone.waveform == .jitterTest, !values.has(level) { return Decibels.level(0.5) }
    return try decibels(values, values[level], "--level", of: tone, sampleRate)
  }

  private static func sweep(
    _ values: Values, of tone: Tone, seconds: Double?, _ sampleRate: Int?
  ) throws(UsageError) -> ToneSweep? {
    guard let end = values[sweep] else {
      for (option, isGiven) in [
        ("--curve", values.has(curve)), ("--steps", values.has(steps)),
        ("--end-level", values.has(endLevel)), ("--dwell", values.has(dwell)),
      ] where isGiven { throw UsageError("\(option) has no effect without --sweep") }
      return nil
    }
    var duration = seconds ?? 3
    if let dwell = values[dwell] {
      guard let steps = values[steps] else {
        throw UsageError("--dwell has no effect without --steps")
      }
      guard seconds == nil else {
        throw UsageError("--dwell and --steps give the duration: leave out --seconds")
      }
      duration = dwell * Double(steps)
    }
    return ToneSweep(
      from: tone.frequency, to: end, seconds: duration, shape: values[curve], atEnd: .hold,
      endLevel: try values[endLevel].map { written throws(UsageError) in
        try decibels(values, written, "--end-level", of: tone, sampleRate)
      }, steps: values[steps])
  }

  /// Refuses options that the waveform ignores.
  private static func checkEffects(_ values: Values, on tone: Tone) throws(UsageError) {
    let wave = tone.waveform
    let refusals: [(String, isGiven: Bool, works: Bool, String)] = [
      ("--band", values.has(band), wave.isNoise, "--waveform white or pink"),
      ("--same-noise", values[sameNoise], wave.isNoise, "--waveform white or pink"),
      ("--duty", values.has(duty), wave == .square, "--waveform square"),
      (
        "--order", values.has(order),
        wave == .maximumLengthSequence || wave == .periodicPinkNoise,
        "--waveform mls or periodic-pink"
      ),
      ("--burst", values.has(burst), wave.crossesZero, "a wave that crosses zero"),
      ("--fm", values.has(fm), wave.isPeriodic, "a wave that has a frequency"),
      ("--lock", values.has(lock), wave.isPeriodic, "a wave that has a frequency"),
      ("--sweep", values.has(sweep), wave.isPeriodic, "a wave that has a frequency"),
      (
        "--phase", values.has(phase), wave.isPeriodic || wave == .constant,
        "a wave that has a phase"
      ),
      ("--phase", values.has(phase), !values.has(crest), "leaving out --crest, which chooses it"),
    ]
    for refusal in refusals where refusal.isGiven && !refusal.works {
      throw UsageError("\(refusal.0) has no effect without \(refusal.3)")
    }
  }

  /// A level in dBFS, converted from what a meter would show for the tone.
  private static func decibels(
    _ values: Values, _ written: WrittenLevel, _ option: String, of tone: Tone, _ sampleRate: Int?
  ) throws(UsageError) -> Double {
    let scale = LevelScale(
      values[calibration] ?? Calibration.stored,
      rms: tone.rmsRatio(sampleRate: Double(sampleRate ?? 48_000)))
    guard let level = written.level(scale) else {
      throw UsageError(
        "\(option) is \"\(written)\": there is no calibration: give one, such as --calibration "
          + (written.unit.calibrated == .soundPressure ? "94dBSPL@-20dB" : "1.23V@0 or 4dBu@-18dB"))
    }
    // A level that is typed as a limit is that limit.
    guard level > levels.lowerBound - 1e-9, level < levels.upperBound + 1e-9 else {
      throw UsageError(
        "\(option) is \"\(written)\", which is a peak of \(Numbers.rounded(level, digits: 2)) dBFS: "
          + "expected -200 to 0 dBFS")
    }
    return min(max(level, levels.lowerBound), levels.upperBound)
  }
}
