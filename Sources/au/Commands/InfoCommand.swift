// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox

/// `au info`.
enum InfoCommand {
  private static let type = Argument<FourCharacterCode>(
    "TYPE", .fourCharacterCode, "the type of the component")
  private static let subtype = Argument<FourCharacterCode>(
    "SUBTYPE", .fourCharacterCode, "its subtype")
  private static let manufacturer = Argument<FourCharacterCode?>(
    optional: "MANUFACTURER", .fourCharacterCode, "its manufacturer; any, when there is none")
  private static let json = Flag("json", "print JSON")

  /// Describes a unit.
  static let command = Command(
    "info", "describe a unit: formats, properties, parameters, presets",
    discussion: """
      The unit is made and asked, so what is shown is what a program gets. `au list` shows the codes.
      """,
    parameters: [type, subtype, manufacturer, json],
    examples: [
      .init("au info augn tone", "The tone generator."),
      .init("au info auou def", "The default output; 'def ' has a space that may be left out."),
      .init("au info auou rioc appl --json", "RemoteIO, for a program to read."),
    ]
  ) { values in
    let found = ComponentReport.components(
      type: values[type], subtype: values[subtype], manufacturer: values[manufacturer])
    guard let component = found.first else {
      let maker = values[manufacturer].map { " '\($0)'" } ?? ""
      throw Failure(
        "there is no component '\(values[type])' '\(values[subtype])'\(maker); "
          + "`au list` shows those that there are")
    }
    let report = try UnitReport(component)
    Console.print(values[json] ? try JSON.text(report) : report.text)
  }
}
