// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// `au render`.
enum RenderCommand {
  private static let units = RepeatedArgument<UnitSpec>(
    optional: "UNIT", .unitSpec,
    "the units, with the parameters that differ from their defaults; none for a MIDI file")
  private static let input = Argument<String>(
    "IN", .path("the path of a sound file or a MIDI file"), "what to render")
  private static let output = Argument<String>("OUT", .path(Recording.paths), "where to write it")
  private static let tail = Option<Double?>(
    "tail", "SECONDS", .seconds(in: 0...600),
    "how long to continue after the end of the file (default: as long as the units sound, at most "
      + "\(Int(saturating: FileRendering.longestTail)) seconds)")
  private static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels the units get (default: those of the input)")
  private static let preset = Option<String?>(
    "preset", "NAME", .text("the name or number of a factory preset"),
    "set a factory preset, if there is only one unit")

  private static let bank = Option<String?>(
    "bank", "FILE", .path("the path of a SoundFont or DLS bank"),
    "the instruments of a MIDI file (default: the system's bank)")

  /// Sends a file through units.
  static let command = Command(
    "render", "send a sound file through units, or play a MIDI file, to a file",
    discussion: """
      The file goes through the units in their order, without a device, as fast as possible. A unit is \
      written UNIT,PARAMETER=VALUE,…: `au list effect` shows the effects, `au info lowpass` the \
      parameters, whose names can be shortened. Values may have units (cutoff=1k, time=250ms, \
      gain=-6dB); preset=NAME selects a factory preset.

      The output has the sample rate and the channels of the input, and begins with its first frame: \
      the latency of the units is removed. With --channels the units get fewer channels, mixed from all \
      of the input (ITU-R BS.775), or more. An existing file is replaced only when the new one is \
      complete. On a terminal it shows the progress.

      A MIDI file is played by the instruments of a bank, at 48000 Hz; its tail is \
      \(Int(saturating: MIDIRendering.defaultTail)) seconds unless --tail says otherwise.
      """,
    parameters: [
      units, input, output, tail, preset, bank, channels, MixOptions.lowFrequency,
      SampleOptions.bits, SampleOptions.dither,
    ],
    examples: [
      .init("au render lowpass,cutoff=800 in.wav out.wav", "A low-pass filter at 800 Hz."),
      .init(
        "au render rvb2 in.wav room.flac --preset cathedral --tail 8",
        "A cathedral, with eight seconds of reverberation after the end."),
      .init(
        "au render hpas,cutoff=80 dcmp lmtr,pre=6dB in.wav - | aplay",
        "Through three units, to another program."),
      .init("au render song.mid song.flac --bank piano.sf2", "A MIDI file as sound."),
    ]
  ) { values in
    var specs = values[units]
    try Recording.check(values[output])
    if MIDIScore.isScore(values[input]) {
      guard specs.isEmpty, values[preset] == nil else {
        throw UsageError("\(values[input]) is a MIDI file: it is rendered without units")
      }
      let recording = Recording(
        path: values[output], sampleRate: MIDIRendering.sampleRate, channelCount: 2,
        samples: try SampleOptions.samples(values, path: values[output]))
      let text = try MIDIRendering(
        input: values[input], bank: values[bank], tail: values[tail], recording: recording
      ).run()
      if values[output] == "-" { Console.error(text) } else { Console.print(text) }
      return
    }
    guard !specs.isEmpty else {
      // Of two words that are no MIDI file and its sound, the first is a unit or a sound file.
      let isFile = values[input].prefix { $0 != "," }.contains { $0 == "." || $0 == "/" }
      let (name, expected) = isFile ? ("UNIT", units.expected) : ("OUT", output.expected)
      throw UsageError("\(name) is missing: expected \(expected ?? "a value")")
    }
    if let preset = values[preset] {
      guard specs.count == 1, let unit = UnitSpec("\(specs[0]),preset=\(preset)") else {
        throw UsageError(
          "--preset is for one unit, and there are \(specs.count): write UNIT,preset=NAME")
      }
      specs = [unit]
    }
    let text = try FileRendering(
      units: specs, input: values[input], output: values[output], tail: values[tail],
      channelCount: values[channels], lowFrequencyGain: MixOptions.lowFrequencyGain(values),
      samples: try SampleOptions.samples(values, path: values[output])
    ).run()
    // When samples go to standard output, no text may follow them there.
    if values[output] == "-" { Console.error(text) } else { Console.print(text) }
  }
}
