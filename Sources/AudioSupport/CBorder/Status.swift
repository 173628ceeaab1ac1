// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// What every C function does around the one method that it calls.

/// Runs `body` and turns its failure into a status.
package func status(in call: StaticString = #function, _ body: () throws(AudioError) -> Void) -> OSStatus {
  do throws(AudioError) {
    try body()
    return noErr
  } catch {
    return Explanations.record(error, in: call)
  }
}

/// Whether a pointer that C may pass as null, although its type says otherwise, is one.
package func isNull(_ pointer: UnsafeRawPointer) -> Bool { UInt(bitPattern: pointer) == 0 }

/// As `isNull`, for a C function.
package func isNull<Function>(function: Function) -> Bool {
  unsafeBitCast(function, to: UInt.self) == 0
}

extension AudioError {
  /// A null pointer for an argument that needs memory or a function.
  package static func null(_ argument: String) -> AudioError {
    .invalidArgument.because("\(argument) is NULL")
  }
}
