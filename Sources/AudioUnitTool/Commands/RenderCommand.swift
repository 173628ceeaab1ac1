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
  private static let inputs = RepeatedArgument<String>(
    optional: "IN",
    .path("the path of a sound file, a folder or a MIDI file, or - for a pipe"),
    "sounds, folders of them or one MIDI file, or - for a pipe")
  private static let output = Argument<String?>(
    optional: "OUT", .path(Recording.paths), "where to write one file, instead of --output")
  private static let tail = Option<Double?>(
    "tail", "SECONDS", .seconds(in: 0...600),
    "how long to continue after the end of the file (default: as long as the units sound, at most "
      + "\(Int(saturating: UnitStep.longestTail)) seconds)")
  private static let channels = Option<Int?>(
    "channels", "N", .wholeNumber(of: "channels", in: 1...64),
    "how many channels the units get (default: those of the input)")
  private static let preset = Option<String?>(
    "preset", "NAME", .text("the name or number of a factory preset"),
    "set a factory preset, by name or number, if there is only one unit")

  private static let bank = Option<String?>(
    "bank", "FILE", .path("the path of a SoundFont or DLS bank"),
    "the SoundFont or DLS bank that plays a MIDI file (default: the system's bank)")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount, "how many files to render at a time")

  /// Sends files through units.
  static let command = Command(
    "render", "send sound files through units, or play a MIDI file, to files",
    discussion: """
      The file goes through the units in their order, without a device, as fast as possible. A unit is \
      written UNIT,PARAMETER=VALUE,…: `au list effect` shows the effects, `au info lowpass` the \
      parameters, whose names can be shortened. Values may have units (cutoff=1k, time=250ms, \
      gain=-6dB); preset=NAME selects a factory preset.

      The output has the sample rate and the channels of the input, and begins with its first frame: \
      the latency of the units is removed. Units that change the tempo or the speed, such as \
      nutp,rate=0.5, change its length. With --channels the units get fewer channels, mixed from all \
      of the input (ITU-R BS.775), or more. An existing file is replaced only when the new one is \
      complete. On a terminal it shows the progress.

      A MIDI file is played by the instruments of a bank, at 48000 Hz; its tail is \
      \(Int(saturating: MIDIRendering.defaultTail)) seconds unless --tail says otherwise.
      """,
    parameters: [
      units, inputs, output, BatchOptions.output, BatchOptions.kind, tail, preset, bank, channels,
      MixOptions.lowFrequency, ProcessOption.outOfProcess, SampleOptions.bits, SampleOptions.dither,
      BatchOptions.list,
      BatchOptions.shard, BatchOptions.overwrite, BatchOptions.force, BatchOptions.synchronized,
      jobs,
      BatchOptions.json,
    ],
    examples: [
      .init("au render lowpass,cutoff=800 in.wav out.wav", "A low-pass filter at 800 Hz."),
      .init(
        "au render rvb2 in.wav room.flac --preset cathedral --tail 8",
        "A cathedral, with eight seconds of reverberation after the end."),
      .init(
        "au render hpas,cutoff=80 dcmp lmtr,pre=6dB in.wav - | aplay",
        "Through three units, to another program."),
      .init(
        "au render hpas,cutoff=80 lmtr takes -o leveled --format flac",
        "All files of a folder, each into a file of another."),
      .init("au render song.mid song.flac --bank piano.sf2", "A MIDI file as sound."),
    ], arrange: arrange
  ) { values in
    try OtherPrograms.check(units: values[units])
    try ProcessOption.apply(values, to: values[units])
    let task =
      values.has(BatchOptions.output) || values.has(BatchOptions.list)
      ? try many(values) : try one(values)
    guard let task else { return }
    let text =
      MIDIScore.isScore(task.input)
      ? try score(task, values) : try rendering(values, to: task.output).run(task)
    // When samples go to standard output, no text may follow them there.
    if task.output == "-" { Console.error(text) } else { Console.print(text) }
  }

  /// The arguments of words: without options for many files, the last two are the input and the output.
  private static func arrange(_ words: [String], _ values: Values) -> [any Parameter] {
    let isMany = values.has(BatchOptions.output) || values.has(BatchOptions.list)
    let unitCount =
      isMany
      ? words.indices.first { isInput(words[$0], isFirst: $0 == 0) } ?? words.count
      : max(0, words.count - 2)
    let rest: [any Parameter] = isMany ? words.map { _ in inputs } : [inputs, output]
    let chosen: [any Parameter] = Array(repeating: units, count: unitCount) + rest
    return Array(chosen.prefix(words.count))
  }

  /// Whether a word is an input. The first one may also be a plug-in's name that looks like that of a file.
  private static func isInput(_ word: String, isFirst: Bool) -> Bool {
    word == "-" || FileManager.default.fileExists(atPath: word)
      || !isFirst && ConversionList.isSoundName(word)
  }

  /// One file, whose output follows it.
  private static func one(_ values: Values) throws -> ConversionList.Task {
    let unused: [any Parameter] =
      [BatchOptions.shard] + (values[output] == "-" ? [] : [BatchOptions.kind])
    for option in unused where values.has(option) {
      throw UsageError("\(option.name) has no effect without --output or --list")
    }
    let input = values[inputs].first ?? ""
    guard let path = values[output], !input.isEmpty else {
      let (name, expected) =
        input.isEmpty ? (inputs.name, inputs.expected) : (output.name, output.expected)
      throw UsageError("\(name) is missing: expected \(expected ?? "a value")")
    }
    try Recording.check(path, kind: try BatchOptions.fileKind(values))
    guard !ConversionList.isSame(input, path) else {
      throw Failure("\(path): is the input too; name another file")
    }
    if !MIDIScore.isScore(input), values[units].isEmpty {
      // Of two words that are no MIDI file and its sound, the first is a unit or a sound file.
      let isFile = input.prefix { $0 != "," }.contains { $0 == "." || $0 == "/" }
      let (name, expected) =
        isFile ? (units.name, units.expected) : (output.name, output.expected)
      throw UsageError("\(name) is missing: expected \(expected ?? "a value")")
    }
    return ConversionList.Task(input: input, output: path)
  }

  /// Renders many files; a single file whose output is no folder is the caller's.
  private static func many(_ values: Values) throws -> ConversionList.Task? {
    let batch = try BatchOptions.batch(values, inputs)
    if !batch.isResumable, let task = batch.tasks.first {
      try Recording.check(task.output, kind: try BatchOptions.fileKind(values))
      if MIDIScore.isScore(task.input) || !values[units].isEmpty { return task }
    }
    guard !values[units].isEmpty else {
      throw UsageError("\(units.name) is missing: expected \(units.expected ?? "a unit")")
    }
    let rendering = try rendering(values, to: "file.\(values[BatchOptions.kind] ?? "wav")")
    try ToneEffects.check(rendering.units)
    let options = values.texts(without: BatchOptions.aboutTheRun + [inputs, jobs])
    let run = ConversionRun(
      batch.tasks, isJSON: values[BatchOptions.json], folders: batch.folders,
      record: batch.isResumable ? ConversionRecord("render", options: options) : nil,
      keepsNewer: !values[BatchOptions.overwrite]
    ) { task, watch throws(Failure) in try rendering.render(task, watch) }
    try BatchOptions.perform(run, jobs: values[jobs], "rendered")
    return nil
  }

  /// How files are rendered; `path` is one of the outputs.
  private static func rendering(_ values: Values, to path: String) throws -> FileRendering {
    var specs = values[units]
    if let preset = values[preset] {
      guard specs.count == 1, let unit = UnitSpec("\(specs[0]),preset=\(preset)") else {
        throw UsageError(
          "--preset is for one unit, and there are \(specs.count): write UNIT,preset=NAME")
      }
      specs = [unit]
    }
    return FileRendering(
      units: specs, tail: values[tail], channelCount: values[channels],
      lowFrequencyGain: MixOptions.lowFrequencyGain(values),
      samples: try SampleOptions.samples(values, path: path),
      kind: try BatchOptions.fileKind(values),
      isSynchronized: values[BatchOptions.synchronized])
  }

  private static func score(_ task: ConversionList.Task, _ values: Values) throws -> String {
    guard values[units].isEmpty, values[preset] == nil else {
      throw UsageError("\(task.input) is a MIDI file: it is rendered without units")
    }
    let recording = Recording(
      path: task.output, sampleRate: MIDIRendering.sampleRate, channelCount: 2,
      samples: try SampleOptions.samples(values, path: task.output))
    return try MIDIRendering(
      input: task.input, bank: values[bank], tail: values[tail], recording: recording
    ).run()
  }
}
