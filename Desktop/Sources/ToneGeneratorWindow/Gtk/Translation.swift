// SPDX-License-Identifier: Apache-2.0
import CAdwaita
import Foundation

/// The texts of the window in the language of whoever looks at it.
enum Translation {
  private static let domain = "ToneGenerator"

  /// Looks for translations where they are installed, or built: beside the program or above it.
  static func prepare() {
    guard let program = realpath("/proc/self/exe", nil) else { return }
    defer { free(program) }
    var folder = URL(fileURLWithPath: String(cString: program))
    for _ in 0..<3 {
      folder.deleteLastPathComponent()
      let locale = folder.appendingPathComponent("share/locale").path
      if FileManager.default.fileExists(atPath: locale + "/ja/LC_MESSAGES/\(domain).mo") {
        bindtextdomain(domain, locale)
        break
      }
    }
    bind_textdomain_codeset(domain, "UTF-8")
    textdomain(domain)
  }
}

/// A text in the language of whoever looks; each `{}` is replaced by what follows.
func tr(_ text: String, _ parts: String...) -> String {
  var translated =
    text.withCString { dgettext("ToneGenerator", $0).map { String(cString: $0) } } ?? text
  for part in parts {
    if let place = translated.range(of: "{}") { translated.replaceSubrange(place, with: part) }
  }
  return translated
}
