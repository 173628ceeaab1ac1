// SPDX-License-Identifier: Apache-2.0

/// The property list of a component folder.
enum ComponentText {
  /// One unit; `changes` replaces entries, or removes those that are nil.
  static func list(_ changes: [String: String?] = [:], executable: String = "gain") -> String {
    var entries: [String: String?] = [
      "type": "<string>aufx</string>", "subtype": "<string>tst1</string>",
      "manufacturer": "<string>Test</string>", "name": "<string>Test: Gain</string>",
      "version": "<integer>65537</integer>", "factoryFunction": "<string>MakeUnit</string>",
    ]
    for (key, value) in changes { entries[key] = value }
    let unit = entries.sorted { $0.key < $1.key }.compactMap { key, value in
      value.map { "<key>\(key)</key>\($0)" }
    }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleExecutable</key><string>\(executable)</string>
      <key>AudioComponents</key><array><dict>\(unit)</dict></array>
      </dict></plist>
      """
  }
}
