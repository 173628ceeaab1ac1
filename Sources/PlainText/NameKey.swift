// SPDX-License-Identifier: Apache-2.0

/// The key for comparing typed names.
public enum NameKey {
  /// [any thread] The letters and digits of a name, in lower case: "Low-pass filter" gives
  /// "lowpassfilter".
  public static func of(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// [any thread] The entries that match `text`: the one with this name; otherwise those whose
  /// names begin with it; otherwise those whose names contain it.
  public static func matches<Entry>(
    _ text: String, in entries: [Entry], name: (Entry) -> String
  ) -> [Entry] {
    let query = of(text)
    guard !query.isEmpty else { return [] }
    let keyed = entries.map { (entry: $0, key: of(name($0))) }
    if let exact = keyed.first(where: { $0.key == query }) { return [exact.entry] }
    let beginning = keyed.filter { $0.key.hasPrefix(query) }
    let found = beginning.isEmpty ? keyed.filter { $0.key.contains(query) } : beginning
    return found.map(\.entry)
  }
}
