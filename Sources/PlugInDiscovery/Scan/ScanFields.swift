// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import PlainText

/// Plug-ins as lines of fields between tabs: in the cache, and in what a scanning process writes.
enum ScanFields {
  /// The line of a plug-in, without its end.
  static func line(_ plugIn: FoundPlugIn) -> String {
    let codes = plugIn.codes
    return "plug-in\t\(codes.componentType)\t\(codes.componentSubType)\t"
      + "\(codes.componentManufacturer)\t\(plugIn.version)\t\(escaped(plugIn.name))\t"
      + "\(escaped(plugIn.identifier))\t\(escaped(plugIn.reason))\t"
      + "\(state(plugIn.traits.hasMIDIInput))\t\(state(plugIn.traits.hasMIDIOutput))\t"
      + plugIn.traits.tags.map(escaped).joined(separator: "\\,")
  }

  /// The plug-in of a line; nil if it is another line.
  static func plugIn(
    _ line: ArraySlice<UInt8>, format: AUPlugInFormats, path: String
  ) -> FoundPlugIn? {
    var fields = LineFields(line)
    guard fields.next().elementsEqual("plug-in".utf8), let type: UInt32 = number(fields.next()),
      let subtype: UInt32 = number(fields.next()), let manufacturer: UInt32 = number(fields.next()),
      let version: UInt32 = number(fields.next())
    else { return nil }
    let (name, identifier, reason) = (fields.next(), fields.next(), fields.next())
    let (input, output, tags) = (fields.next(), fields.next(), fields.next())
    guard fields.isWhole else { return nil }
    let codes = AudioComponentDescription(
      componentType: type, componentSubType: subtype, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
    return FoundPlugIn(
      format: format, path: path, name: text(name), identifier: text(identifier),
      codes: codes, version: version,
      traits: ComponentTraits(
        tags: parts(tags).map(text), hasMIDIInput: state(input), hasMIDIOutput: state(output)),
      reason: text(reason))
  }

  private static func state(_ value: Bool?) -> String { value.map { $0 ? "1" : "0" } ?? "" }
  private static func state(_ field: ArraySlice<UInt8>) -> Bool? {
    number(field).map { (number: Int) in number != 0 }
  }

  /// The parts of a field between a backslash with a comma, which texts do not contain.
  private static func parts(_ field: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (field.startIndex, field.startIndex)
    while index < field.endIndex {
      let isEscape = field[index] == backslash && index + 1 < field.endIndex
      if isEscape, field[index + 1] == UInt8(ascii: ",") {
        parts.append(field[start..<index])
        start = index + 2
      }
      index += isEscape ? 2 : 1
    }
    let last = field[start...]
    return parts.isEmpty && last.isEmpty ? [] : parts + [last]
  }

  /// A whole number without a sign; nil if it is something else or too large.
  static func number<Value: FixedWidthInteger>(_ field: ArraySlice<UInt8>) -> Value? {
    var value: Value = 0
    for byte in field {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(Value(byte - 0x30))
      guard !isLarge, !isLarger else { return nil }
      value = sum
    }
    return field.isEmpty ? nil : value
  }

  private static let backslash = UInt8(ascii: "\\")

  /// A text without tabs and line ends.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == backslash }) else { return text }
    return text.reduce(into: "") { escaped, character in
      for scalar in character.unicodeScalars {
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\t": escaped += "\\t"
        case "\n": escaped += "\\n"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// The text of a field.
  static func text(_ field: ArraySlice<UInt8>) -> String {
    guard field.contains(backslash) else { return String(decoding: field, as: UTF8.self) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in field {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "n") ? 0x0A : byte == UInt8(ascii: "t") ? 0x09 : byte)
      } else if byte != backslash {
        bytes.append(byte)
      }
      isEscaped = byte == backslash && !isEscaped
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The fields of a line, one after the other.
struct LineFields {
  private var rest: ArraySlice<UInt8>?
  private var isMissing = false

  init(_ line: ArraySlice<UInt8>) { rest = line }

  /// The next field; empty after the last one.
  mutating func next() -> ArraySlice<UInt8> {
    guard let line = rest else {
      isMissing = true
      return []
    }
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else {
      rest = nil
      return line
    }
    rest = line[(tab + 1)...]
    return line[..<tab]
  }

  /// Whether the line has as many fields as were asked for.
  var isWhole: Bool { rest == nil && !isMissing }
}
