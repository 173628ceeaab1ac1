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

  private init(_ entry: [String: Any]) {
    func text(_ key: String) -> String { entry[key] as? String ?? "" }
    func number(_ key: String) -> UInt32 { (entry[key] as? NSNumber)?.uint32Value ?? 0 }
    name = text(kAUPlugInNameKey)
    format = AUPlugInFormats(rawValue: number(kAUPlugInFormatKey))
    path = text(kAUPlugInPathKey)
    identifier = text(kAUPlugInIdentifierKey)
    codes = AudioComponentDescription(
      componentType: number(kAUPlugInTypeKey), componentSubType: number(kAUPlugInSubtypeKey),
      componentManufacturer: number(kAUPlugInManufacturerKey), componentFlags: 0,
      componentFlagsMask: 0)
    reason = entry[kAUPlugInReasonKey] as? String
    isBlocked = number(kAUPlugInIsBlockedKey) != 0
  }

  /// [control thread] The plug-ins of the enabled formats.
  package static func all() -> [PlugInEntry] {
    AUPlugInsCopyList().takeRetainedValue().compactMap { ($0 as? [String: Any]).map(Self.init) }
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
