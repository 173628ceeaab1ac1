// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The contents of the library, as Markdown.
struct CompatibilityPage {
  private let reports: [UnitReport]
  private let functions: [String]?
  private let notes: String?

  init(_ reports: [UnitReport], functions: [String]?, notes: String?) {
    self.reports = reports
    self.functions = functions
    self.notes = notes
  }

  var text: String {
    let parts = [
      """
      # Compatibility

      Written by `make docs` from what each unit reports.
      """,
      notes, functionPart, componentPart, propertyPart, parameterPart, devicePart,
    ]
    return parts.compactMap { $0?.trimmingCharacters(in: .newlines) }.joined(separator: "\n\n")
      + "\n"
  }

  private var functionPart: String? {
    guard let functions else { return nil }
    let own = functions.filter { !$0.hasPrefix("CF") && !$0.hasPrefix("_") && !$0.hasPrefix("kCF") }
    let lines = own.map { "- `\($0)`" }
    return "## Functions\n\n\(lines.joined(separator: "\n"))"
  }

  private var componentPart: String {
    var table = MarkdownTable(
      "Component", "Type", "Subtype", "Manufacturer", "Channels, in → out", "Frames per slice")
    for report in reports {
      let component = report.component
      table.add(
        component.name, "`\(component.type)` \(component.typeName)", "`\(component.subtype)`",
        "`\(component.manufacturer)`",
        report.channels.map { "\($0.input) → \($0.output)" }.joined(separator: ", "),
        "\(report.maximumFramesPerSlice)")
    }
    return "## Components\n\n\(table.text)"
  }

  private var propertyPart: String {
    var table = MarkdownTable("Property", "Type", "Global", "Input", "Output", "Units")
    var absent: [String] = []
    for entry in PropertyEntry.all() {
      let (id, name) = (entry.id, entry.name)
      let having = reports.filter { $0.properties.contains { $0.id == id } }
      let type = having.flatMap(\.properties).first { $0.id == id }?.type
      guard let type else {
        absent.append("`\(name)`")
        continue
      }
      func access(_ scope: String) -> String {
        let rows = having.flatMap(\.properties).filter { $0.id == id && $0.scope == scope }
        return rows.first?.access ?? ""
      }
      let isEverywhere = having.count == reports.count
      table.add(
        "`\(name)`", "`\(type)`", access("global"), access("input"),
        access("output"),
        isEverywhere ? "all" : having.map { "`\($0.component.subtype)`" }.joined(separator: ", "))
    }
    let rest =
      absent.isEmpty
      ? "" : "\n\nOnly for plug-ins; no built-in unit has them: \(absent.joined(separator: ", "))."
    let forwarded =
      "\n\nOutput units also have the properties of their device, such as "
      + "`kAudioDevicePropertyBufferFrameSize`."
    return "## Properties\n\n\(table.text)\(forwarded)\(rest)"
  }

  private var parameterPart: String {
    var table = MarkdownTable(
      "Unit", "Id", "Parameter", "Scope", "Range", "Default", "Unit", "Flags")
    for report in reports {
      for parameter in report.parameters {
        table.add(
          "`\(report.component.subtype)`", "\(parameter.id)", parameter.name, parameter.scope,
          "\(Numbers.plain(parameter.minimum)) to \(Numbers.plain(parameter.maximum))",
          Numbers.plain(parameter.defaultValue), parameter.unit,
          parameter.flags.joined(separator: ", "))
      }
    }
    return "## Parameters\n\n\(table.text)"
  }

  private var devicePart: String {
    var table = MarkdownTable("Variable", "Meaning")
    for variable in EnvironmentVariables.all { table.add("`\(variable.name)`", variable.meaning) }
    return "## Environment\n\n\(table.text)"
  }
}

/// A table in Markdown.
private struct MarkdownTable {
  private var lines: [String]

  init(_ headings: String...) {
    lines = [Self.line(headings), Self.line(headings.map { _ in "---" })]
  }

  mutating func add(_ cells: String...) { lines.append(Self.line(cells)) }

  var text: String { lines.joined(separator: "\n") }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ")
      + " |"
  }
}
