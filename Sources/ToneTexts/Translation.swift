// SPDX-License-Identifier: Apache-2.0
import CTranslation
import Foundation

/// The texts of the tone generator in the reader's language, by gettext.
public enum Translation {
  private static let domain = "ToneGenerator"

  /// [main thread] Looks for translations where they are installed, or built: beside the program or
  /// above it. Numbers and dates stay as they are.
  public static func prepare() {
    setlocale(LC_MESSAGES, "")
    setlocale(LC_CTYPE, "")
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
  }

  /// A text as the catalogue has it; without one, as it is.
  fileprivate static func translated(_ text: String) -> String {
    // The catalogue says an empty text means the catalogue itself.
    guard !text.isEmpty else { return text }
    return text.withCString { dgettext(domain, $0).map { String(cString: $0) } } ?? text
  }
}

/// A text in the reader's language; each `{}` is replaced by what follows. [main thread]
public func tr(_ text: String, _ parts: String...) -> String {
  var pieces = Translation.translated(text).components(separatedBy: "{}")
  guard pieces.count > 1 else { return pieces[0] }
  // What is put in may have braces itself, and stays as it is.
  for (index, part) in parts.enumerated() where index + 1 < pieces.count {
    pieces[index] += part
  }
  return pieces.joined()
}
