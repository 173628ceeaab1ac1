// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import AudioSupport
import AudioToolbox

/// `au explain`.
enum ExplainCommand {
  private static let code = Argument<[OSStatus]>(
    "CODE",
    ValueReader(
      expected: "a number, such as -10868 or 0xffffd58c, four letters or a name",
      completion: .asked("code")
    ) { statuses($0) }, "the result of a call")
  private static let json = Flag("json", "print JSON")

  private struct Report: Codable {
    let code: OSStatus
    let hexadecimal: String
    let name: String
    let explanation: String
  }

  /// Explains a result.
  static let command = Command(
    "explain", "explain the result code of a call",
    parameters: [code, json],
    examples: [
      .init("au explain -10868", "The format is refused: why, and what helps."),
      .init("au explain 0xffffd58c", "The same result as a debugger shows it."),
      .init("au explain Uninitialized", "A result by its name, with its family or without."),
    ]
  ) { values in
    guard let report = values[code].compactMap(report).first else {
      let status = values[code].first ?? 0
      throw Failure(
        "\(status) (\(hexadecimal(status))) is not a code of this library; it may come from a "
          + "render callback, another maker's unit or the system")
    }
    if values[json] { return Console.print(try JSON.text(report)) }
    Console.print(
      "\(report.name) (\(report.code), \(report.hexadecimal))\n\(report.explanation)")
  }

  /// The names of all results.
  static var names: [String] { all.compactMap { report($0)?.name } }

  /// What a text may stand for, the likeliest first; nil when it is none of these forms.
  private static func statuses(_ text: String) -> [OSStatus]? {
    if let status = number(text) { return [status] }
    let isQuoted = text.count > 2 && text.hasPrefix("'") && text.hasSuffix("'")
    let letters = isQuoted ? String(text.dropFirst().dropLast()) : text
    if letters.utf8.count == 4, let code = FourCharacterCode(letters) {
      return [OSStatus(bitPattern: code.rawValue)]
    }
    let named = all.filter { report($0)?.name == text }
    let found = named.isEmpty ? all.filter { isShort(text, for: report($0)?.name ?? "") } : named
    return found.isEmpty ? nil : found
  }

  /// Whether a name without its family, in any case, stands for a result: "noconnection" for
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
    // The same 32 bits are a result whether they are read with a sign or without.
    return OSStatus(exactly: value) ?? UInt32(exactly: value).map(OSStatus.init(bitPattern:))
  }

  /// Where results lie, but for those of four letters.
  private static let all: [OSStatus] =
    Array(-11_000 ... -10_800) + Array(-67_000 ... -66_000) + [-3_000] + Array(-200...0)

  private static func report(_ status: OSStatus) -> Report? {
    let text = String(describing: AUDiagnosticsCopyDescription(status).takeRetainedValue())
    guard let name = text.split(separator: " ").first,
      name.hasPrefix("k") || ["noErr", "invalidComponentID"].contains(name),
      let colon = text.range(of: "): ")
    else { return nil }
    return Report(
      code: status, hexadecimal: hexadecimal(status), name: String(name),
      explanation: String(text[colon.upperBound...]))
  }

  private static func hexadecimal(_ status: OSStatus) -> String {
    "0x" + String(UInt32(bitPattern: status), radix: 16)
  }
}
