// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import AudioUnitCore
import PlainText

/// `au info`.
enum InfoCommand {
  private static let unit = Argument<String>(
    "UNIT", .text("a name or codes, such as lowpass, lpas or aufx", .asked("unit")),
    "the unit, or its type")
  private static let subtype = Argument<String?>(
    optional: "SUBTYPE", .text("a code, such as lpas"), "its subtype, after a type")
  private static let manufacturer = Argument<String?>(
    optional: "MANUFACTURER", .text("a code, such as appl"), "its manufacturer, after a subtype")
  private static let json = Flag("json", "print JSON")

  /// Describes a unit.
  static let command = Command(
    "info", "describe a unit: formats, properties, parameters, presets",
    discussion: """
      Shows what a program sees that makes the unit: an instance is made and queried. `au list` shows \
      names and codes.
      """,
    parameters: [unit, subtype, manufacturer, json],
    examples: [
      .init("au info lowpass", "The low-pass filter, by its short name."),
      .init("au info augn tone", "The tone generator, by its codes."),
      .init("au info auou def", "The default output; 'def ' has a space that may be left out."),
      .init("au info auou rioc appl --json", "RemoteIO, for a program to read."),
    ]
  ) { values in
    let name = [values[unit], values[subtype] ?? "", values[manufacturer] ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let found = Library.components.named(name)
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
