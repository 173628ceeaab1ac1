// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import Foundation
import ToneModel

/// `au info`.
enum InfoCommand {
  private static let words = RepeatedArgument<String>(
    "WHAT",
    .text(
      "a name or codes, such as lowpass, lpas or aufx lpas appl; or paths of sound files and folders, or "
        + "- for a pipe", .dynamic("unit or file")),
    "a unit, by name or codes (lowpass, lpas, aufx ipeq appl); or sound files, folders of them, or - for a pipe"
  )
  private static let measure = Flag(
    "measure", "read all of the sound: loudness, peaks and waveform")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount, "how many files to measure at a time")
  private static let svg = Option<String?>(
    "svg", "FILE", .path("the path of an SVG file"),
    "draw the waveform of a sound to this SVG file, which measures it")
  private static let json = Flag("json", "print JSON: for files a line for each")

  /// Describes a unit or sound files.
  static let command = Command(
    "info", "describe a unit, or sound files",
    discussion: """
      Makes an instance of the unit and prints what it reports, so the result is what a program \
      gets. `au list` shows names and codes.

      For a sound file, prints file type, format, length, tags, markers, loops and picture; with --measure \
      also loudness (EBU R 128), true peak and the waveform. For a MIDI file, prints its tempos and \
      tracks. What names no unit is a file if it has a slash or a dot, or is there.
      """,
    parameters: [words, measure, svg, jobs, json],
    examples: [
      .init("au info take1.wav take2.flac takes", "Two files and a folder."),
      .init(
        "au info take1.wav --measure --svg take1.svg", "A recording, and a picture of its waveform."
      ),
      .init("au info takes --json", "A line for each file, for a program to read."),
      .init("au info lowpass", "The low-pass filter, by its short name."),
      .init("au info augn tone", "The tone generator, by its codes."),
      .init("au info kAudioUnitSubType_AUiPodEQ", "A unit by the name of its constant."),
      .init("au info auou rioc appl --json", "RemoteIO, for a program to read."),
    ]
  ) { values in
    let words = values[words]
    if areFiles(words) { return try describe(files: words, values) }
    for (option, isGiven) in [("--measure", values[measure]), ("--svg", values.has(svg))]
    where isGiven {
      throw UsageError("\(option) is for sound files, and \(words.joined(separator: " ")) is none")
    }
    let report = try UnitReport(UnitChoice.component(named: words.joined(separator: " ")))
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }

  /// Whether words are paths, and not the name or the codes of a unit. The name of a unit may have a
  /// slash or a dot, too, unless there is such a file.
  private static func areFiles(_ words: [String]) -> Bool {
    let nameUnit = !UnitComponent.named(words.joined(separator: " ")).isEmpty
    return words.contains { word in
      let looksLikeFile = word.contains { $0 == "/" || $0 == "." }
      let isThere = FileManager.default.fileExists(atPath: word)
      return word == "-" || (nameUnit ? looksLikeFile && isThere : looksLikeFile || isThere)
    }
  }

  /// Describes files, several at a time if they are measured.
  private static func describe(files words: [String], _ values: Values) throws {
    let spool = words.contains("-") ? try TemporaryFile(input: STDIN_FILENO) : nil
    let spooled = spool?.path
    let paths = try ConversionList.soundFiles(in: words)
    if values[svg] != nil, paths.count > 1 {
      throw UsageError("--svg is for one sound file, and there are \(paths.count)")
    }
    let measures = values[measure] || values[svg] != nil
    var isFirst = true
    defer { withExtendedLifetime(spool) {} }
    try FileBatch.run(paths, jobs: measures ? values[jobs] : 1) { path, show in
      let file = path == "-" ? spooled ?? path : path
      guard !MIDIScore.isScore(file) else { return Report.score(try MIDIReport(file)) }
      return Report.sound(
        try FileReport(
          file, title: path == "-" ? "standard input" : nil, measures: measures, show: show))
    } show: { report in
      if !isFirst, !values[json] { Console.print("") }
      isFirst = false
      switch report {
      case .score(let report): Console.print(values[json] ? try JSON.line(report) : report.text)
      case .sound(let report):
        if let path = values[svg] { try PictureFile.write(report.svg, to: path) }
        let text = values[json] ? try JSON.line(report) : report.text()
        // When the picture goes to standard output, no text may follow it there.
        if values[svg] == "-" { Console.error(text) } else { Console.print(text) }
      }
    }
  }

  private enum Report: @unchecked Sendable {
    case score(MIDIReport), sound(FileReport)
  }
}
