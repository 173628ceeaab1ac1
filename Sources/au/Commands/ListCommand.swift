// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import PlainText
import ToneModel

/// `au list`.
enum ListCommand {
  private static let type = Argument<FourCharacterCode?>(
    optional: "TYPE",
    ValueReader(
      expected: "a type, such as effect, mixer or aufx", completion: .dynamic("type")
    ) { text in
      CodeNames.type(named: text).map { FourCharacterCode($0) }
        ?? ValueReader<FourCharacterCode>.fourCharacterCode.read(text)
    }, "only components of this type")
  private static let json = Flag("json", "print JSON")

  /// Lists components.
  static let command = Command(
    "list", "list the available components",
    discussion: """
      Shows the type, subtype and manufacturer by which programs find each component, and its name.
      """,
    parameters: [type, json],
    examples: [
      .init("au list", "All components."),
      .init("au list output", "The output units."),
      .init("au list --json", "All components, for a program to read."),
    ]
  ) { values in
    var pattern = AudioComponentDescription()
    pattern.componentType = values[type]?.rawValue ?? 0
    let reports = UnitComponent.all(matching: pattern).map(ComponentReport.init)
    if values[json] { return Console.print(try JSON.text(reports)) }
    if let type = values[type], reports.isEmpty {
      let types = UnitComponent.all().map { ComponentReport($0).type.description }
      let known = Set(types).sorted().joined(separator: ", ")
      throw Failure("there is no component of type '\(type)'; there are \(known)")
    }
    var table = TextTable(["TYPE", "SUBTYPE", "MANUFACTURER", "VERSION", "NAME"])
    for report in reports {
      table.add(
        "\(report.type) \(report.typeName)", "\(report.subtype)",
        "\(report.manufacturer) \(report.manufacturerName)", report.version, report.name)
    }
    Console.print(table.text)
  }
}
