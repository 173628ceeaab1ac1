// SPDX-License-Identifier: Apache-2.0

/// The key by which typed names are compared.
public enum NameKey {
  /// [any thread] The letters and digits of a name, without case: "Low-pass filter" is "lowpassfilter".
  public static func of(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// [any thread] The entries that `text` means: the one of that name; else those whose names begin so;
  /// else those whose names contain it.
  public static func matches<Entry>(
    _ text: String, in entries: [Entry], name: (Entry) -> String
  ) -> [Entry] {
    let wanted = of(text)
    guard !wanted.isEmpty else { return [] }
    let keyed = entries.map { (entry: $0, key: of(name($0))) }
    if let exact = keyed.first(where: { $0.key == wanted }) { return [exact.entry] }
    let beginning = keyed.filter { $0.key.hasPrefix(wanted) }
    let found = beginning.isEmpty ? keyed.filter { $0.key.contains(wanted) } : beginning
    return found.map(\.entry)
  }
}
