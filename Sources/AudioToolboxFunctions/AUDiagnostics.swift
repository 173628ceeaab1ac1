// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
public import Foundation

// The functions of AUDiagnostics.h.

@_cdecl("AUDiagnosticsCopyLastExplanation")
public func _AUDiagnosticsCopyLastExplanation() -> UnsafeRawPointer? {
  Library.start()
  return Explanations.last.map { Bridge.current.retainedString($0) }
}

@_cdecl("AUDiagnosticsCopyDescription")
public func _AUDiagnosticsCopyDescription(_ inStatus: OSStatus) -> UnsafeRawPointer {
  Library.start()
  guard let entry = StatusName.of(inStatus) else {
    return Bridge.current.retainedString("\(StatusName.text(inStatus)): not a code of this library")
  }
  return Bridge.current.retainedString(
    "\(entry.name) (\(entry.code)): \(entry.meaning) \(entry.advice)")
}

/// Why the last failed call of this thread failed: unit, scope, element and value, and what was
/// expected. Nil when no call failed; the caller releases the string. [any thread]
public func AUDiagnosticsCopyLastExplanation() -> Unmanaged<CFString>? {
  _AUDiagnosticsCopyLastExplanation().map { Unmanaged.fromOpaque($0) }
}

/// The name of a status code, its meaning and what to do; the caller releases the string. [any
/// thread]
public func AUDiagnosticsCopyDescription(_ inStatus: OSStatus) -> Unmanaged<CFString> {
  Unmanaged.fromOpaque(_AUDiagnosticsCopyDescription(inStatus))
}
