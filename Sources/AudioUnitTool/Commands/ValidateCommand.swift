// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
import ToneModel
import UnitValidation

/// `au validate`.
enum ValidateCommand {
  private static let unit = Argument<String?>(
    optional: "UNIT",
    .text(
      "a name or codes, such as lowpass, lpas or aufx lpas",
      limits: ", such as lowpass, lpas or aufx", .dynamic("unit")),
    "the unit, or its type")
  private static let subtype = Argument<String?>(
    optional: "SUBTYPE", .text("a code, such as lpas", limits: ", such as lpas"),
    "its subtype, after a type")
  private static let manufacturer = Argument<String?>(
    optional: "MANUFACTURER", .text("a code, such as appl", limits: ", such as appl"),
    "its manufacturer, after a subtype")
  private static let everything = Flag("all", "validate every available unit")
  private static let format = Option<PlugInEntry.FormatName?>(
    "format", "FORMAT", .choice(), "with --all: only the plug-ins of this format")
  private static let plugIn = Option<String?>(
    "plug-in", "FILE", .path("the path of a shared object"),
    "validate the units that this shared object registers when it is loaded")
  private static let strictness = Option<Int>(
    "strictness", "LEVEL", .wholeNumber(of: "levels", in: 1...10), default: 5,
    "which checks to run; 1 it opens and sounds, 5 what every host relies on, 10 all")
  private static let only = Option<String?>(
    "check", "NAME", .text("the name of a check"), "run only this check")
  private static let full = Flag("full", "test every size, rate and round, which takes minutes")
  private static let checks = Flag("checks", "list the checks with their levels")
  private static let json = Flag("json", "print JSON")

  /// Validates units.
  static let command = Command(
    "validate", "test whether a unit does what hosts expect",
    discussion: """
      Opens each unit in its own process and runs checks, each with a name and a level: opening \
      times, formats, properties, parameters, saved states, any number of frames at many rates, \
      connections, latency, tail, reset, bypass, silence, strange numbers, threads, calls that a \
      render must not make. A crash or a hang counts as a result.

      Strictness: 1 it opens and sounds, 2 formats and properties, 3 parameters, 4 states and \
      presets, 5 rendering, 6 what good units also have, 7 hard tests of the sound, 8 threads, 9 \
      real time, 10 damaged states and leaks. Exits with 1 when a unit fails.

      A plug-in is a shared object with a constructor that calls AudioComponentRegister. It is \
      loaded only in the processes that test its units.
      """,
    parameters: [
      unit, subtype, manufacturer, everything, format, plugIn, ProcessOption.outOfProcess,
      strictness, only, full, checks, json,
    ],
    examples: [
      .init("au validate lowpass", "What every host relies on."),
      .init("au validate aufx rvb2 appl --strictness 10", "All checks, on the reverberation."),
      .init("au validate --all --json", "Every unit, for a program to read."),
      .init("au validate --all --format lv2", "Every LV2 plug-in, and what they fail."),
      .init("au validate lowpass --check latency", "One check."),
      .init(
        "au validate --plug-in ./organ.so --strictness 10",
        "All checks, on the units of a plug-in."),
    ]
  ) { values in
    if values[checks] {
      var table = TextTable(["LEVEL", "CHECK", "EXPECTS"])
      for check in Validation.checks { table.add("\(check.level)", check.name, check.expects) }
      return Console.print(table.text)
    }
    if let name = values[only], !Validation.checks.contains(where: { $0.name == name }) {
      throw Failure("there is no check \(Excerpt.quoted(name)); `au validate --checks` lists them")
    }
    let candidates = try candidates(values)
    if values[ProcessOption.outOfProcess] {
      guard candidates.contains(where: { ProcessOption.isPlugIn($0.description) }) else {
        throw UsageError(
          "--out-of-process has no effect: none of the units is an LV2, LADSPA or CLAP plug-in")
      }
      ProcessOption.use()
    }
    let validation = Validation(
      strictness: values[strictness], isFull: values[full], only: values[only],
      plugIn: values[plugIn])
    var verdicts: [Verdict] = []
    for candidate in candidates {
      let verdict = try validation.verdict(candidate)
      verdicts.append(verdict)
      if !values[json] { Console.print(verdict.text(all: candidates.count == 1)) }
    }
    if values[json] {
      Console.print(try JSON.text(verdicts))
    } else if verdicts.count > 1 {
      printTable(of: verdicts)
      if let format = values[format] { ListCommand.print(format.entries { $0.reason != nil }) }
    }
    let failed = verdicts.count { !$0.hasPassed }
    if failed > 0 {
      throw Failure("\(failed) of \(verdicts.count) units failed")
    }
  }

  /// Prints which units fail which checks.
  private static func printTable(of verdicts: [Verdict]) {
    let passed = verdicts.count(where: \.hasPassed)
    Console.print("\n\(passed) of \(verdicts.count) units passed")
    let names = Validation.checks.map(\.name)
    var table = TextTable(["CHECK", "FAILED", "UNITS"])
    for name in names {
      let units = verdicts.filter { verdict in
        verdict.findings.contains { $0.check == name && $0.isFault }
      }
      guard !units.isEmpty else { continue }
      table.add(name, "\(units.count)", Excerpt.list(units.map(\.name)))
    }
    if passed < verdicts.count { Console.print(table.text) }
  }

  private static func candidates(_ values: Values) throws -> [ComponentIdentity] {
    let words = [values[unit], values[subtype], values[manufacturer]].compactMap { $0 }
    let name = words.joined(separator: " ")
    let found: [UnitComponent]
    guard values[everything] || values[format] == nil else {
      throw UsageError("--format belongs to --all")
    }
    switch (values[everything], words.isEmpty, values[plugIn]) {
    case (false, true, let file?): return try candidates(ofPlugIn: file)
    case (true, true, nil): found = try all(of: values[format])
    case (false, false, nil): found = UnitComponent.named(name)
    default: throw UsageError("expected a unit, --all or --plug-in FILE")
    }
    if found.isEmpty {
      throw Failure("there is no unit \(Excerpt.quoted(name))\(UnitChoice.suggestion(for: name))")
    }
    guard values[everything] || found.count == 1 else {
      throw Failure(
        "\(Excerpt.quoted(name)) names several units: \(Excerpt.list(found.map(\.title)))")
    }
    return try found.map { try ComponentIdentity($0.handle) }
  }

  /// All components, or those of a format.
  private static func all(of format: PlugInEntry.FormatName?) throws -> [UnitComponent] {
    guard let format else { return UnitComponent.all() }
    PlugInEntry.enableAll()
    let found = format.entries { $0.reason == nil }.compactMap { UnitComponent($0.codes) }
    guard !found.isEmpty else {
      throw Failure("there is no plug-in of the format \(format.rawValue); `au plug-ins` lists all")
    }
    return found
  }

  private static func candidates(ofPlugIn file: String) throws -> [ComponentIdentity] {
    do { return try Validation.candidates(ofPlugIn: file) } catch {
      throw Failure("\(Excerpt.quoted(file)): \(error)")
    }
  }
}
