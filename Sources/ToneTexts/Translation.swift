// SPDX-License-Identifier: Apache-2.0
import CTranslation
import Foundation

/// Translates the texts of the tone generator, by gettext.
public enum Translation {
  private static let domain = "ToneGenerator"

  /// [main thread] Finds the translations, installed or built: in the folder of the program or
  /// above it. The format of numbers and dates does not change.
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

  /// The translation of a text, or the text itself if there is none.
  fileprivate static func translated(_ text: String) -> String {
    // In gettext, an empty text stands for the header of the catalogue.
    guard !text.isEmpty else { return text }
    return text.withCString { dgettext(domain, $0).map { String(cString: $0) } } ?? text
  }
}

/// A translated text; each `{}` is replaced by the next argument. [main thread]
public func tr(_ text: String, _ parts: String...) -> String {
  var pieces = Translation.translated(text).components(separatedBy: "{}")
  guard pieces.count > 1 else { return pieces[0] }
  // Arguments may contain braces themselves, which stay.
  for (index, part) in parts.enumerated() where index + 1 < pieces.count {
    pieces[index] += part
  }
  return pieces.joined()
}
