// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
import ToneModel
import UnitTexts

/// `au plug-ins`.
enum PlugInsCommand {
  private static let plugIn = Argument<String?>(
    optional: "PLUG-IN", .text("an identifier, a name or the path of a file", .dynamic("unit")),
    "the identifier, name or file of a plug-in, to explain it: codes, folder, and why it cannot be used"
  )
  private static let rescan = Flag("rescan", "read every file again, also blocked ones")
  private static let block = Flag("block", "permit no program to load the plug-in's file")
  private static let unblock = Flag("unblock", "permit it, and read it again")
  private static let json = Flag("json", "print JSON")

  /// Lists, scans, blocks and explains plug-ins.
  static let command = Command(
    "plug-ins", "list, scan, block and explain plug-ins",
    discussion: """
      Plug-ins are audio units in folders NAME.component, and LV2, LADSPA and CLAP plug-ins. What is \
      in their files is read in processes of their own, ten seconds each, and kept in a file in \
      ~/.cache/audiotoolbox. A file that ends or blocks its process is blocked until it changes; so is \
      one that ends a program which opens it.

      Programs other than `au` use LV2, LADSPA and CLAP plug-ins only if they ask for them, or if \
      AUDIOTOOLBOX_PLUGINS says so (lv2, ladspa, clap, all, none): a program that takes the first \
      effect it finds would otherwise load code of strangers.
      """,
    parameters: [plugIn, rescan, block, unblock, json],
    examples: [
      .init("au plug-ins", "All plug-ins, and what is wrong with the others."),
      .init("au plug-ins --rescan", "Reads every file again."),
      .init("au plug-ins http://calf.sourceforge.net/plugins/Reverb", "About one."),
      .init("au plug-ins ~/.clap/old.clap --block", "No program may load it."),
    ]
  ) { values in
    guard !(values[block] && values[unblock]) else {
      throw UsageError("expected --block or --unblock")
    }
    guard values[plugIn] != nil || !(values[block] || values[unblock]) else {
      throw UsageError("expected the plug-in to block or unblock")
    }
    PlugInEntry.enableAll()
    if values[rescan] { try check(AUPlugInsScan(.everything)) }
    guard let text = values[plugIn] else { return try list(json: values[json]) }
    let entry = try PlugInEntry.named(text)
    if values[block] || values[unblock] {
      try check(AUPlugInsSetBlocked(entry.identifier as NSString, values[block]))
      return explain(try PlugInEntry.named(entry.identifier))
    }
    if values[json] { return Console.print(try JSON.text(PlugInReport(entry))) }
    explain(entry)
  }

  private static func list(json: Bool) throws {
    let entries = PlugInEntry.all()
    if json { return Console.print(try JSON.text(entries.map(PlugInReport.init))) }
    var table = TextTable(["FORMAT", "CODES", "NAME", "IDENTIFIER"])
    for entry in entries where entry.reason == nil {
      table.add(
        entry.formatName, entry.codes.codes, Excerpt.name(entry.name), Excerpt.of(entry.identifier))
    }
    Console.print(table.text)
    ListCommand.print(entries.filter { $0.reason != nil })
  }

  private static func explain(_ entry: PlugInEntry) {
    var table = TextTable()
    table.add("name", Excerpt.of(entry.name))
    table.add("format", entry.formatName)
    table.add("identifier", Excerpt.of(entry.identifier))
    if entry.codes.componentType != 0 { table.add("codes", entry.codes.codes) }
    table.add("file", Excerpt.of(entry.path))
    table.add("state", entry.reason == nil ? "usable" : entry.isBlocked ? "blocked" : "not usable")
    if let reason = entry.reason { table.add("reason", Excerpt.of(reason)) }
    if let cache = AUPlugInsCopyCachePath() {
      table.add("cache", Excerpt.of("\(cache.takeRetainedValue())"))
    }
    Console.print(table.text)
  }

  private static func check(_ status: OSStatus) throws {
    guard status != noErr else { return }
    throw Failure("\(AUDiagnosticsCopyReason(status).takeRetainedValue())")
  }
}

extension PlugInEntry {
  /// The plug-in with an identifier, a path, a name or codes.
  fileprivate static func named(_ text: String) throws -> PlugInEntry {
    let all = all()
    if let entry = all.first(where: { [$0.identifier, $0.path].contains(text) }) { return entry }
    let path = URL(fileURLWithPath: text).path
    let key = NameKey.of(text)
    let found = all.filter {
      $0.path == path || NameKey.of($0.name) == key || $0.codes.codes == text
    }
    let matches = found.isEmpty ? all.filter { NameKey.of($0.name).hasSuffix(key) } : found
    guard let entry = matches.first, !key.isEmpty else {
      throw Failure("there is no plug-in \(Excerpt.quoted(text)); `au plug-ins` lists all")
    }
    guard Set(matches.map(\.identifier)).count == 1 else {
      let names = Excerpt.list(matches.map { "\($0.name) (\($0.identifier))" })
      throw Failure("\(Excerpt.quoted(text)) names several plug-ins: \(names)")
    }
    return entry
  }
}
