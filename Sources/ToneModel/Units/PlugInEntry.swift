// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import UnitTexts

/// A plug-in of the machine, which may be unusable.
package struct PlugInEntry {
  /// "Maker: Name", or the name of a file without plug-ins.
  package let name: String
  package let format: AUPlugInFormats
  package let path: String
  /// What names it for ever, such as an LV2 URI.
  package let identifier: String
  /// The codes of its component; zero if it is none.
  package let codes: AudioComponentDescription
  /// Why it cannot be used; nil if it can.
  package let reason: String?
  package let isBlocked: Bool

  /// [control thread] The plug-ins of the enabled formats.
  package static func all() -> [PlugInEntry] {
    // The public list is made of dictionaries, which takes several times as long.
    Library.plugIns.list.map { found in
      PlugInEntry(
        name: found.name, format: found.format, path: found.path, identifier: found.identifier,
        codes: found.codes, reason: found.reason.isEmpty ? nil : found.reason,
        isBlocked: found.isBlocked)
    }
  }

  /// [control thread] The plug-in whose component has some codes; nil for other components.
  package static func of(_ codes: AudioComponentDescription) -> PlugInEntry? {
    all().first { $0.reason == nil && $0.codes.codes == codes.codes }
  }

  /// [control thread] Enables all formats, unless the environment names some, and scans what is new.
  package static func enableAll() {
    AUPlugInsEnable(formats.reduce(into: AUPlugInFormats()) { $0.formUnion($1.format) })
    AUPlugInsScan([])
  }

  /// All formats, with their names.
  package static let formats: [(name: String, format: AUPlugInFormats)] = [
    ("AU", .audioUnit), ("LV2", .LV2), ("LADSPA", .LADSPA), ("CLAP", .CLAP),
  ]

  /// A format, as people type it.
  package enum FormatName: String, CaseIterable, Sendable {
    case au, lv2, ladspa, clap

    /// [control thread] The plug-ins of the format that have a component, or a reason why not.
    package func entries(_ isWanted: (PlugInEntry) -> Bool) -> [PlugInEntry] {
      all().filter {
        $0.formatName.lowercased() == rawValue && isWanted($0)
          && ($0.codes.componentType != 0 || $0.reason != nil)
      }
    }
  }

  /// The name of its format.
  package var formatName: String { Self.formats.first { $0.format == format }?.name ?? "" }
}
