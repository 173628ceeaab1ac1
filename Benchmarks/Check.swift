// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Ends the program if a call failed, because the measurements would be meaningless.
func check(_ status: OSStatus) {
  guard status != noErr else { return }
  let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
  fail(reason.map { String(describing: $0) } ?? "status \(status)")
}

/// Prints why nothing is measured, and ends the program.
func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("Benchmarks: \(reason)\n".utf8))
  exit(70)
}
