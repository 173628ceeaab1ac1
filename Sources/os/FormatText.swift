// SPDX-License-Identifier: Apache-2.0
private import COperatingSystem
import Glibc

/// The text of a format of C and its values.
enum FormatText {
  /// [any thread] Replaces each conversion by its value; a conversion without a value stays.
  static func text(_ format: StaticString, _ values: [any CVarArg]) -> String {
    let showsPrivate = system_log_shows_private()
    var rest = Substring(format.description)
    var left = values[...]
    var result = ""
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      let start = percent
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest.removeFirst()
        continue
      }
      var mark = Substring()
      if rest.first == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          return result + format.description[start...]
        }
        mark = rest[..<end]
        rest = rest[rest.index(after: end)...]
      }
      let flags = rest.prefix { "-+ #0123456789.hlqLzjt".contains($0) }
      rest = rest[flags.endIndex...]
      guard let conversion = rest.popFirst(), let value = left.popFirst() else {
        return result + format.description[start...]
      }
      let isText = "@sS".contains(conversion)
      let isPrivate = mark.contains("private") || mark.contains("sensitive")
      if !showsPrivate, !mark.contains("public"), isPrivate || isText {
        result += "<private>"
      } else if isText {
        result += text(of: value)
      } else {
        result += number(value, "%" + flags.filter { $0 != "q" } + String(conversion))
      }
    }
    return result + rest
  }

  /// The text of an object, or of a pointer to characters.
  private static func text(of value: any CVarArg) -> String {
    switch value {
    case let pointer as UnsafePointer<CChar>: String(cString: pointer)
    case let pointer as UnsafeMutablePointer<CChar>: String(cString: pointer)
    default: String(describing: value)
    }
  }

  /// A number in a format of C. A wider integer than C's `int` is written whole in any format.
  private static func number(_ value: any CVarArg, _ format: String) -> String {
    guard let conversion = format.last, "diuxXofFeEgGaAcp".contains(conversion) else {
      return String(describing: value)
    }
    var format = format
    if "diuxXo".contains(conversion) {
      // Values are passed as words of 64 bits, whatever the format says.
      format = format.filter { !"hlqLzjt".contains($0) }
      format.insert(contentsOf: "ll", at: format.index(before: format.endIndex))
    }
    var text = [CChar](repeating: 0, count: 512)
    withVaList([word(value, conversion)]) { _ = vsnprintf(&text, text.count, format, $0) }
    return text.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  /// A value as the format reads it: integers with the sign of the conversion, in 64 bits.
  private static func word(_ value: any CVarArg, _ conversion: Character) -> any CVarArg {
    guard "diuxXoc".contains(conversion), let integer = value as? any FixedWidthInteger else {
      return value
    }
    if "di".contains(conversion) { return Int64(truncatingIfNeeded: integer) }
    // A negative number in an unsigned format has the bits of its own width.
    let width = integer.bitWidth
    let bits = UInt64(truncatingIfNeeded: integer)
    return conversion == "c"
      ? Int32(truncatingIfNeeded: integer)
      : width < 64 ? bits & ((1 << UInt64(width)) - 1) : bits
  }
}
