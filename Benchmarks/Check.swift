// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Ends the program where a call failed: no figure would mean anything.
func check(_ status: OSStatus) {
  guard status != noErr else { return }
  let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
  giveUp(reason.map { String(describing: $0) } ?? "status \(status)")
}

/// Says why nothing is measured, and ends the program.
func giveUp(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("Benchmarks: \(reason)\n".utf8))
  exit(70)
}
