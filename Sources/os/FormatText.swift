// SPDX-License-Identifier: Apache-2.0
private import COperatingSystem
import Glibc

/// The text of a format of C and its values.
enum FormatText {
  /// [any thread] Replaces each conversion by its value, and `%m` by the text of errno. A conversion
  /// without a value stays, with all that follows.
  static func text(_ format: StaticString, _ values: [any CVarArg]) -> String {
    let error = errno
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
      let marks = rest.prefix { "-+ #0123456789.*hlqLzjt".contains($0) }
      rest = rest[marks.endIndex...]
      guard let flags = withoutStars(marks, &left), let conversion = rest.popFirst() else {
        return result + format.description[start...]
      }
      if conversion == "m" {
        result += errorText(error, flags)
        continue
      }
      guard let value = left.popFirst() else { return result + format.description[start...] }
      let isText = "@sS".contains(conversion)
      let isPrivate = mark.contains("private") || mark.contains("sensitive")
      if !showsPrivate, !mark.contains("public"), isPrivate || isText {
        result += "<private>"
      } else if isText {
        result += text(of: value, flags)
      } else {
        result += number(value, flags, conversion)
      }
    }
    return result + rest
  }

  /// The text of an object, or of a pointer to characters, in its width. Of the characters at a pointer,
  /// no more are read than the precision allows, because they may have no end.
  private static func text(of value: any CVarArg, _ flags: String) -> String {
    let parts = flags.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let marks = parts.first ?? ""
    let limit = parts.count > 1 ? max(0, Int(parts[1]) ?? 0) : nil
    let text =
      switch value {
      case let pointer as UnsafePointer<CChar>: characters(at: pointer, limit)
      case let pointer as UnsafeMutablePointer<CChar>: characters(at: pointer, limit)
      default: String(String(describing: value).prefix(limit ?? .max))
      }
    let width = min(Int(marks.drop { "-+ #0".contains($0) }) ?? 0, 400)
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return marks.contains("-") ? text + spaces : spaces + text
  }

  private static func characters(at pointer: UnsafePointer<CChar>, _ limit: Int?) -> String {
    let count = limit.map { strnlen(pointer, $0) } ?? strlen(pointer)
    return String(
      decoding: UnsafeRawBufferPointer(start: pointer, count: Int(count)), as: UTF8.self)
  }

  /// The flags, width and precision of a conversion without length modifiers, and with values in place
  /// of stars; nil if these are missing or no integers.
  private static func withoutStars(
    _ marks: Substring, _ values: inout ArraySlice<any CVarArg>
  ) -> String? {
    var flags = ""
    for mark in marks where !"hlqLzjt".contains(mark) {
      guard mark == "*" else {
        flags.append(mark)
        continue
      }
      guard let value = values.popFirst(), let integer = value as? any FixedWidthInteger else {
        return nil
      }
      // A limit, because the width may be computed.
      let number = max(-400, min(Int(clamping: integer), 400))
      // A negative precision is none.
      if number < 0, flags.last == "." {
        flags.removeLast()
      } else {
        flags += String(number)
      }
    }
    return flags
  }

  /// The text of an error of the system.
  private static func errorText(_ error: Int32, _ flags: String) -> String {
    guard let text = strerror(error) else { return "" }
    return formatted("%\(flags)s", [text])
  }

  /// A number in a format of C. A wider integer than C's `int` is written whole in any format; a value
  /// of another kind than the conversion describes itself.
  private static func number(
    _ value: any CVarArg, _ flags: String, _ conversion: Character
  ) -> String {
    switch conversion {
    case "d", "i", "u", "x", "X", "o":
      // Values are passed as words of 64 bits, whatever the format says.
      guard let integer = value as? any FixedWidthInteger else { break }
      let isSigned = "di".contains(conversion)
      return formatted("%\(flags)ll\(conversion)", [word(integer, isSigned: isSigned)])
    case "c":
      guard let integer = value as? any FixedWidthInteger else { break }
      return formatted("%\(flags)c", [Int32(truncatingIfNeeded: integer)])
    case "f", "F", "e", "E", "g", "G", "a", "A":
      #if arch(x86_64)
        if let long = value as? Float80 { return formatted("%\(flags)L\(conversion)", [long]) }
      #endif
      guard let number = value as? any BinaryFloatingPoint else { break }
      return formatted("%\(flags)\(conversion)", [double(number)])
    case "p":
      if value is any BinaryFloatingPoint { break }
      return formatted("%\(flags)p", [value])
    default: break
    }
    return String(describing: value)
  }

  private static func double<Number: BinaryFloatingPoint>(_ number: Number) -> Double {
    Double(number)
  }

  /// An integer as the format reads it: with the sign of the conversion, in 64 bits.
  private static func word(_ integer: any FixedWidthInteger, isSigned: Bool) -> any CVarArg {
    if isSigned { return Int64(truncatingIfNeeded: integer) }
    // A negative number in an unsigned format has the bits of its own width.
    let width = integer.bitWidth
    let bits = UInt64(truncatingIfNeeded: integer)
    return width < 64 ? bits & ((1 << UInt64(width)) - 1) : bits
  }

  private static func formatted(_ format: String, _ values: [any CVarArg]) -> String {
    var text = [CChar](repeating: 0, count: 512)
    withVaList(values) { _ = vsnprintf(&text, text.count, format, $0) }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
