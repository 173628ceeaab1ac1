// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Why a unit fails a check; the text is printed.
struct Fault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Why a check does not apply to a unit: it has no parameters, or no input.
struct Skip: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Fails the check unless a condition is true.
func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  guard condition else { throw Fault(text()) }
}

/// Fails the check, with the library's explanation, unless a call succeeded.
func expect(_ status: OSStatus, _ call: String) throws {
  guard status != noErr else { return }
  throw Fault("\(call) answers \(name(of: status))")
}

/// Fails the check unless a call returned one of some codes.
func expect(_ status: OSStatus, _ call: String, isOneOf expected: [OSStatus]) throws {
  guard !expected.contains(status) else { return }
  let names = expected.map { name(of: $0) }.joined(separator: " or ")
  throw Fault("\(call) returns \(name(of: status)), expected \(names)")
}

/// The name of a result code, or its number.
func name(of status: OSStatus) -> String {
  if status == noErr { return "noErr" }
  let text = String(describing: AUDiagnosticsCopyDescription(status).takeRetainedValue())
  // The name and the number, without advice.
  return text.split(separator: ":").first.map(String.init) ?? "\(status)"
}
