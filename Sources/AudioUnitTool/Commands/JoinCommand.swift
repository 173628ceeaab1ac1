// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText

/// `au join` and `au mix`: files that become one.
enum JoinCommand {
  private static let inputs = RepeatedArgument<String>(
    "IN", .path("the path of a sound file, or of a folder of them; - for a pipe"),
    "sound files, or folders of them; - for a pipe")
  private static let force = Flag("force", "replace an input by the output")
  private static let gains = RepeatedOption<Double>(
    "level", "DB", .level(in: -200...200),
    "the gain; give one for each input in their order, or one for all")

  /// Joins sound files.
  static let command = Command(
    "join", "write sound files one after the other to one file",
    discussion: """
      Without gaps: what an encoder added at the beginning and at the end is removed. All inputs get the \
      sample rate of the first, or that of --rate, and the channels of the one with most. Tags are those \
      of the first, markers those of all. Edits, such as --fade-out, change the whole; `au help convert` \
      explains them.
      """,
    parameters: [OutputOptions.output, OutputOptions.pipeKind] + OutputOptions.format
      + EditOptions.all
      + MetadataOptions.all + [OutputOptions.noTags, force, inputs],
    examples: [
      .init("au join side-a.flac side-b.flac -o album.flac", "Two files as one."),
      .init(
        "au join takes -o all.wav --rate 48000",
        "All files of a folder, in the order of their names."),
    ]
  ) { values in
    try run(values, inputs: ConversionList.soundFiles(in: values[inputs])) { _ in .joined }
  }

  /// Mixes sound files.
  static let mix = Command(
    "mix", "add sound files into one file",
    discussion: """
      All inputs begin at the same time; the output is as long as the longest. They are added as they are, \
      or with the gains of --level. Rates and channels are adapted as in `au join`. If the sum is beyond \
      full scale, a line says so: --peak -1 turns it down.
      """,
    parameters: [OutputOptions.output, OutputOptions.pipeKind, gains] + OutputOptions.format
      + EditOptions.all
      + MetadataOptions.all + [OutputOptions.noTags, force, inputs],
    examples: [
      .init(
        "au mix voice.wav music.wav --level 0 --level -12 -o spot.wav",
        "Music 12 dB below a voice."),
      .init(
        "au mix takes -o choir.wav --peak -1", "All files of a folder, turned down if necessary."),
    ]
  ) { values in
    let files = try ConversionList.soundFiles(in: values[inputs])
    try run(values, inputs: files) { count in
      let levels = values[gains]
      guard [0, 1, count].contains(levels.count) else {
        throw UsageError(
          "--level is given \(levels.count) times: expected once for each of \(count) inputs, or once"
        )
      }
      return .mixed(
        levels.count == count ? levels : Array(repeating: levels.first ?? 0, count: count))
    }
  }

  private static func run(
    _ values: Values, inputs: [String], _ combination: (Int) throws -> CombinedInput.Combination
  ) throws {
    guard let output = values[OutputOptions.output] else {
      if let last = inputs.last, ConversionList.isSoundName(last),
        !FileManager.default.fileExists(atPath: last)
      {
        throw UsageError("\(Excerpt.quoted(last)) does not exist: an output is written -o \(last)")
      }
      throw UsageError("--output is missing: expected \(OutputOptions.output.expected ?? "a path")")
    }
    if !values[force], inputs.contains(where: { ConversionList.isSame($0, output) }) {
      throw Failure("\(output): is an input too; --force replaces it")
    }
    guard inputs.filter({ $0 == "-" }).count <= 1 else {
      throw UsageError("-: standard input can be read once")
    }
    var settings = OutputOptions.settings(values)
    settings.kind = values[OutputOptions.pipeKind]
    settings.edit = try EditOptions.edit(values)
    settings.metadata = try MetadataOptions.edit(values)
    let title = inputs.count == 1 ? inputs[0] : "\(inputs.count) files"
    let task = ConversionList.Task(
      input: title, output: output,
      combined: (inputs, try combination(inputs.count)))
    let run = ConversionRun([task], settings, isJSON: false)
    guard run.perform(jobs: 1) else { throw Failure("\(output): not written") }
  }
}
