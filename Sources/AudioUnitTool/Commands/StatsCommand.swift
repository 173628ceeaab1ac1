// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation

/// `au stats`.
enum StatsCommand {
  private static let inputs = RepeatedArgument<String>(
    "IN", .path("the path of a sound file, or of a folder of them; - for a pipe"),
    "sound files, or folders of them; - for a pipe")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount, "how many files to measure at a time")
  private static let json = Flag("json", "print a line of JSON for each file")

  /// Measures sound files.
  static let command = Command(
    "stats", "measure sound files: RMS, peak, crest, DC, clips, flat factor",
    discussion: """
      A column for each channel, and one for all. The crest is the peak over the RMS. Clips are samples at \
      full scale or beyond. The flat factor is the mean length of the runs of samples at the lowest and \
      highest value, in decibels: 0 for sound that is not clipped. Edits change what is measured: --from \
      and --to measure a part.
      """,
    parameters: [inputs] + EditOptions.all + [jobs, json],
    examples: [
      .init("au stats take.wav", "A table of a recording."),
      .init("au stats takes --json", "All files of a folder, for a program to read."),
      .init("au stats take.wav --from 1:00 --to 1:10", "Ten seconds."),
    ]
  ) { values in
    guard values[inputs].filter({ $0 == "-" }).count <= 1 else {
      throw UsageError("-: standard input can be read once")
    }
    let edit = try EditOptions.edit(values)
    let paths = try ConversionList.soundFiles(in: values[inputs])
    try FileBatch.run(paths, jobs: values[jobs]) { path, show in
      let input = try SoundInput(path, ConversionSettings(), isStreamed: edit.passCount == 1)
      let sound = try edit.apply(
        to: { () throws(Failure) in try input.open() }, rate: RateStep(newRate: { $0 }), EditNotes()
      )
      return try SoundStatistics(input.title, of: ReportedStream(sound, show))
    } show: { statistics in
      if values[json] { return Console.print(try JSON.line(statistics)) }
      Console.print(statistics.text)
    }
  }
}
