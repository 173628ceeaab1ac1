// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension UnitReport {
  /// Tables to read.
  var text: String {
    [
      head, section("Elements", elementTable), section("Channels", channelTable),
      section("Parameters", parameterTable), section("Factory presets", presetTable),
      section("Properties", propertyTable),
    ].joined()
  }

  private var head: String {
    var table = TextTable(indent: 2)
    table.add("type", "'\(component.type)'", component.typeName)
    table.add("subtype", "'\(component.subtype)'")
    table.add("manufacturer", "'\(component.manufacturer)'", component.manufacturerName)
    table.add("version", component.version)
    table.add("latency", "\(Numbers.plain(latency)) s")
    table.add("tail time", "\(Numbers.plain(tailTime)) s")
    table.add("slice", "at most \(maximumFramesPerSlice) frames")
    return "\(component.name)\n\(table.text)"
  }

  private func section(_ title: String, _ table: TextTable?) -> String {
    table.map { "\n\(title)\n\($0.text)" } ?? ""
  }

  private var elementTable: TextTable? {
    guard !elements.isEmpty else { return nil }
    var table = TextTable(indent: 2)
    for element in elements {
      table.add(
        "\(element.scope) \(element.element)", "\(Numbers.plain(element.sampleRate)) Hz",
        Numbers.count(Int(element.channels), "channel"), element.format)
    }
    return table
  }

  private var channelTable: TextTable? {
    guard !channels.isEmpty else { return nil }
    var table = TextTable(indent: 2)
    for pair in channels {
      // -1 in both scopes means the same number; -1 and -2 are independent.
      let isSame = pair.input == -1 && pair.output == -1
      table.add(
        "\(Self.channelWords(pair.input)) in",
        isSame ? "as many out" : "\(Self.channelWords(pair.output)) out")
    }
    return table
  }

  private static func channelWords(_ count: Int16) -> String {
    count >= 0 ? "\(count)" : count >= -2 ? "any" : "up to \(-Int(count))"
  }

  private var parameterTable: TextTable? {
    guard !parameters.isEmpty else { return nil }
    var table = TextTable(
      ["ID", "NAME", "SCOPE", "RANGE", "DEFAULT", "UNIT", "FLAGS", "GROUP", "VALUES"],
      indent: 2)
    for parameter in parameters {
      table.add(
        "\(parameter.id)", parameter.name, parameter.scope,
        "\(Numbers.plain(parameter.minimum)) to \(Numbers.plain(parameter.maximum))",
        Numbers.plain(parameter.defaultValue), parameter.unit,
        parameter.flags.joined(separator: ", "), parameter.clump ?? "",
        parameter.valueNames.joined(separator: ", "))
    }
    return table
  }

  private var presetTable: TextTable? {
    guard !presets.isEmpty else { return nil }
    var table = TextTable(indent: 2)
    for preset in presets { table.add("\(preset.number)", preset.name) }
    return table
  }

  private var propertyTable: TextTable? {
    guard !properties.isEmpty else { return nil }
    var table = TextTable(["ID", "NAME", "SCOPE", "TYPE", "BYTES", "ACCESS"], indent: 2)
    for property in properties {
      table.add(
        "\(property.id)", property.name, property.scopeText, property.type, "\(property.size)",
        property.access)
    }
    return table
  }
}

extension UnitReport.Property {
  /// Whether a program may read it, write it, or both.
  var access: String {
    [isReadable ? "read" : nil, isWritable ? "write" : nil].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// The scope, with the elements if only elements other than the first have it.
  fileprivate var scopeText: String {
    elements.contains(0) || elements.count > 1
      ? scope : "\(scope) \(elements.map(String.init).joined(separator: ", "))"
  }
}
