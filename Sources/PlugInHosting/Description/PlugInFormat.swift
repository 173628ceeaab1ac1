// SPDX-License-Identifier: Apache-2.0

/// A binary interface of plug-ins, other than that of audio units.
public enum PlugInFormat: String, Codable, Sendable, CaseIterable {
  case ladspa, lv2, clap

  /// The name for people: "LV2".
  public var name: String { rawValue.uppercased() }

  /// The first character of the manufacturer code of its plug-ins.
  var initial: Character {
    switch self {
    case .ladspa: "D"
    case .lv2: "L"
    case .clap: "C"
    }
  }
}
