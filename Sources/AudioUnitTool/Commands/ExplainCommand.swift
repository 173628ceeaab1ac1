// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioToolbox
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// `au explain`.
enum ExplainCommand {
  private static let code = Argument<Query>(
    "CODE",
    ValueReader(
      expected: "a number, such as -10868 or 0xffffd58c, four letters or a name",
      limits: ", such as -10868 or 0xffffd58c, four letters or a name", completion: .dynamic("code")
    ) { Query.read($0) }, "the result code of a call")
  private static let json = Flag("json", "print JSON")

  /// The codes to explain. Two families may share a number, and a short name may match several
  /// codes.
  private struct Query {
    /// The number, if the argument was one.
    var status: OSStatus?
    var entries: [StatusCode]

    /// Reads a number, letters or a name; nil when a text is none of these.
    static func read(_ text: String) -> Self? {
      if let status = ExplainCommand.number(text) { return Self(of: status) }
      let names = StatusCode.all
      let exact = names.filter { $0.name == text }
      let found =
        exact.isEmpty ? names.filter { ExplainCommand.isShort(text, for: $0.name) } : exact
      return found.isEmpty ? ExplainCommand.letters(text).map(Self.init(of:)) : Self(entries: found)
    }

    private init(of status: OSStatus) {
      self.status = status
      entries = StatusCode.all.filter { $0.code == status }
    }

    private init(entries: [StatusCode]) { self.entries = entries }
  }

  private struct Report: Codable {
    let code: OSStatus
    let hexadecimal: String
    let name: String
    let explanation: String

    init(_ entry: StatusCode) {
      code = entry.code
      hexadecimal = ExplainCommand.hexadecimal(entry.code)
      name = entry.name
      explanation = entry.meaning
    }
  }

  /// Explains a result.
  static let command = Command(
    "explain", "explain the result code of a call",
    parameters: [code, json],
    examples: [
      .init("au explain -10868", "Why a format was refused, and what to do."),
      .init("au explain 0xffffd58c", "The same code as a debugger shows it."),
      .init("au explain Uninitialized", "A code by its name, with or without its family."),
    ]
  ) { values in
    let reports = values[code].entries.map(Report.init)
    guard !reports.isEmpty else {
      let status = values[code].status ?? 0
      throw Failure(
        "\(status) (\(hexadecimal(status))) is not a code of this library; it may come from a "
          + "render callback, another maker's unit or the system")
    }
    if values[json] { return Console.print(try JSON.text(reports)) }
    Console.print(
      reports.map { "\($0.name) (\($0.code), \($0.hexadecimal))\n\($0.explanation)" }
        .joined(separator: "\n\n"))
  }

  /// The names of all results.
  static var names: [String] { StatusCode.all.map(\.name) }

  /// Whether `text` is the last part of a code's name, in any case: "noconnection" for
  /// kAudioUnitErr_NoConnection.
  private static func isShort(_ text: String, for name: String) -> Bool {
    name.split(separator: "_").dropFirst().last?.lowercased() == text.lowercased()
  }

  private static func number(_ text: String) -> OSStatus? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? String(text.dropFirst()) : text
    let isHexadecimal = digits.lowercased().hasPrefix("0x")
    let magnitude = isHexadecimal ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    guard let magnitude, magnitude >= 0 else { return nil }
    let value = isNegative ? -magnitude : magnitude
    // The same 32 bits mean the same code, whether they are written as a signed number or not.
    return OSStatus(exactly: value) ?? UInt32(exactly: value).map(OSStatus.init(bitPattern:))
  }

  /// The code of four letters, with or without quotation marks.
  private static func letters(_ text: String) -> OSStatus? {
    let isQuoted = text.count > 2 && text.hasPrefix("'") && text.hasSuffix("'")
    let letters = isQuoted ? String(text.dropFirst().dropLast()) : text
    guard letters.utf8.count == 4, let code = FourCharacterCode(letters) else { return nil }
    return OSStatus(bitPattern: code.rawValue)
  }

  private static func hexadecimal(_ status: OSStatus) -> String {
    "0x" + String(UInt32(bitPattern: status), radix: 16)
  }
}

/// A status code of the library.
private struct StatusCode {
  let code: OSStatus
  /// The C constant.
  let name: String
  /// When it is returned, and what to do about it.
  let meaning: String

  /// Every code of the library.
  static var all: [StatusCode] { (0..<AUDiagnosticsGetStatusCount()).compactMap(StatusCode.init) }

  private init?(at index: UInt32) {
    var code: OSStatus = noErr
    var (name, meaning): (Unmanaged<CFString>?, Unmanaged<CFString>?)
    guard AUDiagnosticsCopyStatusAtIndex(index, &code, &name, &meaning) == noErr,
      let name, let meaning
    else { return nil }
    self.code = code
    self.name = String(describing: name.takeRetainedValue())
    self.meaning = String(describing: meaning.takeRetainedValue())
  }
}
