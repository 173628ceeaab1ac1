// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import ToneModel

/// `au tone`.
enum ToneCommand {
  private static let seconds = Option<Double>(
    "seconds", "SECONDS", .seconds(in: 0.001...604_800), default: 3,
    "duration, fades included")
  private static let fade = Option<Double?>(
    "fade", "SECONDS", .seconds(in: 0...10),
    "duration of each fade, in and out (default: \(ToneSource.standardFade) on a device, "
      + "none in a file)")
  private static let device = Option<String?>(
    "device", "DEVICE", .deviceName,
    "play to this device")
  private static let output = Option<String?>(
    "output", "FILE", .recordingPath, "write a file instead")
  private static let rate = Option<Int?>(
    "rate", "HZ", .wholeSampleRate(in: 1_000...768_000),
    "the sample rate, unless a real device has its own (default: 48000)")
  private static let channels = Option<Int?>(
    "channels", "COUNT", .wholeNumber(of: "channels", in: 1...256),
    "how many channels (default: 1 in a file, 2 on the devices null and file)")
  private static let effects = RepeatedOption<UnitSpec>(
    "effect", "EFFECT", .unitSpec,
    "apply an effect; repeat the option for several, in their order")
  private static let stats = Flag(
    "stats", "print what was rendered and how fast, and the state of the device while it plays")

  /// Plays a tone, or writes it.
  static let command = Command(
    "tone", "play a tone, or write it to a file",
    discussion: """
      The frequency is exact to a billionth of a hertz, and the level of a sine is exact to the last \
      bit. The other waves are band-limited, without aliases, and their peak is within 0.05 dB of \
      the level. Noise has no frequency, and differs between channels. mls is a maximum-length \
      sequence: its spectrum is flat, line by line. periodic-pink is pink noise whose lines fall by \
      exactly 3 dB per octave; both repeat after the time that --order chooses. jtest is Dunn's \
      test for jitter, by default at its level of -6 dB and for 24 bits (for 16 with --bits 16), \
      without dither; impulse has one frame in each period; dc is a constant.

      --delay begins with silence, and --repeat plays the tone several times, each for SECONDS, with \
      --pause between; the phase goes on meanwhile.

      --lock moves frequencies to the lines of a Fourier transform, so that an analyser of that \
      length needs no window. --am and --fm modulate by sines; the peak stays at the level.

      With --output the tone is rendered to a file, as fast as possible: exactly SECONDS times HZ \
      frames, the same in every run. An existing file is replaced only when the new one is \
      complete. `--output -` writes WAV to standard output.

      A sweep takes the whole duration; with --end-level its level moves too, and with --steps it \
      stays at each of so many frequencies, for --dwell. Noise with --band \
      falls by 48 dB per octave beyond the band; its RMS is 14 dB below the level, like that of \
      pink noise.

      Samples that are rounded to integers, with --bits 16 or 24 or by a device that has so many, \
      are dithered: by default with triangular noise, as measurements expect, because rounding alone \
      distorts quiet signals. A J-test is not, and nothing is with --dither none. Sound servers take \
      floating point, which is never dithered.

      --file plays a sound file instead of a wave, again and again: its end meets its beginning as \
      in the file. --level is the largest sample, or the RMS of the loudest channel, and a file at \
      another rate is converted. It may have 64 Mi samples: 23 minutes of one channel at 48 kHz, 11 of \
      two. Its channels are those of the output, in order; an output of one \
      channel gets their mean. With --delay and --repeat it begins at its first frame each time.

      Added tones have the waveform and channels of the first, unless they name their own: \
      `au tone 1k --on L --add 1.1k,R` has a tone on each side. --crest \
      chooses the initial phases of sines: lowest is the lowest crest factor that a search finds, \
      highest puts all peaks at the beginning.

      --level is the peak in dB; with dBrms it is the RMS of the waveform, relative to full scale \
      (a sine of 0 dB has -3 dBrms). After a calibration by a sine, here with --calibration or once \
      in the window or terminal of ToneGenerator, it may be what a meter shows: sound pressure in \
      dBSPL or Pa, or a voltage in dBu, dBV or Vrms, which are RMS, or in V, which is the peak.

      An effect is written EFFECT,PARAMETER=VALUE,…: `au list effect` shows the effects, which can \
      be given by name (lowpass) or code (lpas); `au info lowpass` shows the parameters, whose \
      names can be shortened. Values may have units (cutoff=1k, time=250ms, gain=-6dB); named \
      values can be given by name. preset=NAME selects a factory preset. A peak limiter (lmtr) \
      limits true peaks unless it is given true=0.
      """,
    parameters: ToneSignal.parameters + [
      seconds, fade, device, output, rate, channels, SampleOptions.bits, SampleOptions.dither,
      effects,
      stats,
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
        "au tone 1k --level 4dBu --calibration 24dBu@0 --lock 65536",
        "At +4 dBu, where full scale is +24 dBu, on a line of a transform."),
      .init(
        "au tone 20 --sweep 20k --steps 31 --dwell 2s",
        "A sweep that stays at each of 31 frequencies for two seconds."),
      .init(
        "au tone --waveform mls --order 17 --seconds 11 -o mls.wav",
        "A maximum-length sequence, to measure an impulse response."),
      .init(
        "au tone --waveform jtest --bits 24 -o jtest.wav", "Dunn's test for jitter, bit for bit."),
      .init(
        "au tone 997 --on L --add 1.1k,R --add 100,-30dB,LFE --channels 6 -o six.wav",
        "A signal of its own on each of three channels."),
      .init(
        "au tone --file music.flac --level -23dBrms --add 1k,-40,R",
        "A file in a loop, with a tone on the right side."),
      .init(
        "au tone 1k --seconds 200ms --repeat 5 --pause 800ms", "A beep at each of five seconds."),
      .init("au tone 1k --am 5/50% --fm 0.5/20", "A tone with tremolo and vibrato."),
      .init(
        "au tone 110 --waveform saw --effect lpas,cutoff=800,resonance=12",
        "A saw wave through a resonant low-pass filter."),
    ]
  ) { values in
    let tones = try ToneSignal.tones(
      values, seconds: values.has(seconds) ? values[seconds] : nil, sampleRate: values[rate])
    let length = ToneSignal.length(tones, seconds: values[seconds])
    // The last bit of a J-test is part of the signal.
    let isExact = tones.contains { $0.waveform == .jitterTest }
    let samples = try SampleOptions.samples(
      values, path: values[output], usually: isExact ? .none : .triangular, dithersDevices: true)
    let statistics: ToneStatistics
    if let path = values[output] {
      if let device = values[device] {
        throw UsageError(
          "--device is \"\(device)\", but --output writes to a file: use one of them")
      }
      try Recording.check(path)
      let file = ToneFile(
        path: path, sampleRate: values[rate] ?? 48_000,
        channelCount: values[channels] ?? tones.map(ToneSignal.channelCount).max() ?? 1,
        samples: samples)
      try checkChannels(tones, count: file.channelCount)
      if tones.count > 1 || !tones[0].channels.isEmpty, file.channelCount > ToneMix.mostChannels {
        throw UsageError(
          "--channels is \"\(file.channelCount)\": expected at most \(ToneMix.mostChannels) for "
            + "several tones or with --on")
      }
      try check(tones, sampleRate: Double(file.sampleRate))
      statistics = try file.write(
        tones, seconds: length, fade: values[fade] ?? 0, effects: values[effects])
    } else {
      set("AUDIOTOOLBOX_DEVICE", values[device])
      set("AUDIOTOOLBOX_RATE", values[rate].map(String.init))
      set("AUDIOTOOLBOX_CHANNELS", values[channels].map(String.init))
      statistics = try TonePlayback.play(
        tones, seconds: length, fade: values[fade] ?? ToneSource.standardFade,
        effects: values[effects],
        dither: values.has(SampleOptions.dither)
          ? ToneDither(rawValue: values[SampleOptions.dither].rawValue) : nil,
        showsFigures: values[stats]
      ) { sampleRate, channelCount in
        try check(tones, sampleRate: sampleRate)
        try checkChannels(tones, count: channelCount)
      }
    }
    guard values[stats] else { return }
    // When samples go to standard output, no text may follow them there.
    if values[output] == "-" {
      Console.error(statistics.text)
    } else {
      Console.print(statistics.text)
    }
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

  /// Refuses channels that there are not.
  private static func checkChannels(_ tones: [Tone], count: Int) throws(UsageError) {
    guard let highest = tones.flatMap(\.channels).max(), highest > count else { return }
    throw UsageError(
      "--on has channel \(highest): expected at most \(count), the number of channels")
  }

  /// The library reads its choice of device from the environment.
  private static func set(_ variable: String, _ value: String?) {
    if let value { setenv(variable, value, 1) }
  }
}
