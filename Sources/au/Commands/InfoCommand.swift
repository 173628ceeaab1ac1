// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import PlainText
import ToneModel

/// `au info`.
enum InfoCommand {
  private static let unit = Argument<String>(
    "UNIT",
    .text(
      "a name or codes, such as lowpass, lpas or aufx, or the path of a sound "
        + "file", .dynamic("unit")),
    "the unit or its type, or a sound file")
  private static let subtype = Argument<String?>(
    optional: "SUBTYPE", .text("a code, such as lpas"), "its subtype, after a type")
  private static let manufacturer = Argument<String?>(
    optional: "MANUFACTURER", .text("a code, such as appl"), "its manufacturer, after a subtype")
  private static let svg = Option<String?>(
    "svg", "FILE", .path("the path of an SVG file"),
    "write the waveform of a sound file to a picture")
  private static let json = Flag("json", "print JSON")

  /// Describes a unit or a sound file.
  static let command = Command(
    "info", "describe a unit, or a sound file",
    discussion: """
      Makes an instance of the unit and prints what it reports, so the result is what a program \
      gets. `au list` shows names and codes.

      For a sound file, prints file type, format, length, tags and markers, loudness (EBU R 128), \
      true peak and the waveform; for a MIDI file, its tempos and tracks. An argument with a slash \
      or a dot is a file.
      """,
    parameters: [unit, subtype, manufacturer, svg, json],
    examples: [
      .init("au info lowpass", "The low-pass filter, by its short name."),
      .init("au info augn tone", "The tone generator, by its codes."),
      .init("au info auou def", "The default output; the space of 'def ' may be left out."),
      .init("au info auou rioc appl --json", "RemoteIO, for a program to read."),
      .init("au info take1.wav --svg take1.svg", "A recording, and a picture of its waveform."),
    ]
  ) { values in
    if values[subtype] == nil, values[unit].contains(where: { $0 == "/" || $0 == "." }) {
      if MIDIScore.isScore(values[unit]) {
        let report = try MIDIReport(values[unit])
        return Console.print(values[json] ? try JSON.text(report) : report.text)
      }
      let report = try FileReport(values[unit])
      if let path = values[svg] { try PictureFile.write(report.svg, to: path) }
      return Console.print(values[json] ? try JSON.text(report) : report.text())
    }
    if values[subtype] == nil, ConversionList.isFolder(values[unit]),
      UnitComponent.named(values[unit]).isEmpty
    {
      throw Failure("\(values[unit]): is a folder; expected a unit or a sound file")
    }
    let name = [values[unit], values[subtype] ?? "", values[manufacturer] ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let found = UnitComponent.named(name)
    guard let component = found.first else {
      throw Failure("there is no unit \(Excerpt.quoted(name)); `au list` shows all units")
    }
    guard found.count == 1 else {
      let titles = Excerpt.list(found.map(\.title))
      throw Failure("\(Excerpt.quoted(name)) names several units: \(titles)")
    }
    let report = try UnitReport(component)
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }
}
