// SPDX-License-Identifier: Apache-2.0

extension PlugInDescription {
  /// Words for what it does: the class of an LV2 plug-in, such as "Reverb" of `lv2:ReverbPlugin`, and the
  /// features of a CLAP plug-in, such as "reverb". LADSPA has none.
  public var tags: [String] {
    switch format {
    case .ladspa: []
    case .clap: features.filter { !$0.isEmpty && $0 != CLAPTerms.tail && $0 != CLAPTerms.render }
    case .lv2: features.compactMap(Self.tag)
    }
  }

  /// The tag of a class of LV2; nil for the class of all plug-ins, and for what is no class.
  private static func tag(_ uri: String) -> String? {
    let suffix = "Plugin"
    guard uri.hasPrefix(LV2Terms.core), uri.hasSuffix(suffix) else { return nil }
    let tag = String(uri.dropFirst(LV2Terms.core.count).dropLast(suffix.count))
    return tag.isEmpty ? nil : tag
  }
}
