// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
import ToneModel

/// `au list`.
enum ListCommand {
  private static let words = RepeatedArgument<String>(
    optional: "WORD", .text("a type, a format or a part of a name", .dynamic("type")),
    "a type (effect, aufx), a format (lv2) or a part of a name: only components that match all words"
  )
  private static let everything = Flag(
    "all", "also list the plug-ins that cannot be used, with the reasons")
  private static let keys = Flag(
    "keys", "show the constants that programs write, with the codes, and what each unit does")
  private static let json = Flag("json", "print JSON")

  /// Lists components.
  static let command = Command(
    "list", "list the available components",
    discussion: """
      Shows the type, subtype and manufacturer by which programs find each component, its format and \
      its name, which begins with its maker.

      Plug-ins in the formats LV2, LADSPA and CLAP are components of programs that ask for them. `au` \
      does; AUDIOTOOLBOX_PLUGINS=none hides them. `au plug-ins` has more about them.
      """,
    parameters: [words, everything, keys, json],
    examples: [
      .init("au list", "All components."),
      .init("au list output", "The output units."),
      .init("au list lv2 reverb", "LV2 plug-ins with \"reverb\" in their names."),
      .init("au list effect --keys", "The constants of the effects, to write in a program."),
      .init("au list --all", "With the plug-ins that cannot be used."),
      .init("au list --json", "All components, for a program to read."),
    ]
  ) { values in
    PlugInEntry.enableAll()
    let entries = PlugInEntry.all()
    let usable = Dictionary(
      entries.filter { $0.codes.componentType != 0 && $0.reason == nil }.map {
        ($0.codes.codes, $0)
      },
      uniquingKeysWith: { first, _ in first })
    let all = UnitComponent.all().map {
      ComponentReport($0, plugIn: usable[$0.description.codes], hasKeys: values[keys])
    }
    let filters = values[words].map { Filter($0, among: all) }
    let reports = all.filter { report in filters.allSatisfy { $0.matches(report) } }
    let unusable =
      values[everything]
      ? entries.filter { entry in entry.reason != nil && filters.allSatisfy { $0.matches(entry) } }
      : []
    if values[json] {
      return Console.print(
        values[everything]
          ? try JSON.text(
            Everything(components: reports, unusable: unusable.map(PlugInReport.init)))
          : try JSON.text(reports))
    }
    guard !reports.isEmpty || !unusable.isEmpty else {
      let quoted = values[words].map { "'\(Excerpt.name($0))'" }.joined(separator: " ")
      let wrong = zip(values[words], filters).filter { _, filter in
        !all.contains { filter.matches($0) }
      }
      throw Failure("no component matches \(quoted)\(suggestion(for: wrong.map(\.0), among: all))")
    }
    if values[keys] { Console.print(keyTable(reports)) } else { print(reports) }
    print(unusable)
  }

  /// What was probably meant by words that no component matches, or else the types.
  private static func suggestion(for words: [String], among all: [ComponentReport]) -> String {
    let names = UnitComponent.all()
    let types = CodeNames.typeNames + PlugInEntry.formats.map { $0.name.lowercased() }
    let builtIn = names.filter(\.isBuiltIn).compactMap(\.words.first)
    // Names of plug-ins have several words; they count only if no other is near.
    let others = names.filter { !$0.isBuiltIn }.flatMap {
      $0.name.split(separator: " ").map(NameKey.of)
    }
    for (word, known) in words.flatMap({ [($0, types + builtIn), ($0, others)] }) {
      let question = NearWords.question(for: NameKey.of(word), in: known) { Excerpt.name($0) }
      if !question.isEmpty { return question }
    }
    let codes = Set(all.map(\.type.description)).sorted().joined(separator: ", ")
    return "; there are the types \(codes)"
  }

  private static func print(_ reports: [ComponentReport]) {
    guard !reports.isEmpty else { return }
    var table = TextTable(["TYPE", "SUBTYPE", "MANUFACTURER", "VERSION", "FORMAT", "NAME"])
    for report in reports {
      table.add(
        "\(report.type) \(report.typeName)", "\(report.subtype)",
        "\(report.manufacturer) \(report.manufacturerName)", report.version, report.format,
        Excerpt.name(report.name))
    }
    Console.print(table.text)
  }

  /// Each component with a sentence, its constants and its codes. Every line fits, because a component has
  /// several.
  private static func keyTable(_ reports: [ComponentReport]) -> String {
    reports.map { report in
      let keys = report.keys
      let codes = [report.type, report.subtype, report.manufacturer].map(\.description)
      let rows = zip([keys?.type, keys?.subtype, keys?.manufacturer], codes).map { key, code in
        "  '\(code)'  \(key ?? "-")"
      }
      let sentence = keys?.sentence.map { "\n  \($0)" } ?? ""
      return ([Excerpt.name(report.name) + sentence] + rows).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// Prints plug-ins with the reasons why they cannot be used.
  static func print(_ unusable: [PlugInEntry]) {
    guard !unusable.isEmpty else { return }
    Console.print("\nPlug-ins that cannot be used:\n")
    for entry in unusable {
      Console.print(
        "\(entry.formatName)  \(Excerpt.name(entry.name))\n"
          + "  \(Excerpt.of(entry.path))\n  \(Excerpt.of(entry.reason ?? ""))\n")
    }
  }

  /// The output of `--all --json`.
  private struct Everything: Encodable {
    let components: [ComponentReport]
    let unusable: [PlugInReport]
  }

  /// A word that components match.
  private enum Filter {
    case type(OSType)
    case format(String)
    case name(String)

    init(_ word: String, among components: [ComponentReport]) {
      let key = NameKey.of(word)
      let formats = PlugInEntry.formats.map(\.name) + ["built in"]
      if let type = CodeNames.type(named: word) {
        self = .type(type)
      } else if let format = formats.first(where: { NameKey.of($0) == key }) {
        self = .format(format)
      } else if let code = FourCharacterCode(word), components.contains(where: { $0.type == code })
      {
        self = .type(code.rawValue)
      } else {
        self = .name(key)
      }
    }

    func matches(_ report: ComponentReport) -> Bool {
      switch self {
      case .type(let type): report.type.rawValue == type
      case .format(let format): report.format == format
      case .name(let key): NameKey.of(report.name).contains(key)
      }
    }

    func matches(_ entry: PlugInEntry) -> Bool {
      switch self {
      case .type(let type): entry.codes.componentType == type
      case .format(let format): entry.formatName == format
      case .name(let key): NameKey.of(entry.name).contains(key)
      }
    }
  }
}
