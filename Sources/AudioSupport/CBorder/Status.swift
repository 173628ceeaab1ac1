// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// Helpers for C functions around the one method that each calls.

/// Runs `body` and turns its failure into a status.
package func status(
  in call: StaticString = #function, _ body: () throws(AudioError) -> Void
) -> OSStatus {
  border {
    do throws(AudioError) {
      guard !rt_is_forked() else { throw .forked }
      try body()
      return noErr
    } catch {
      return Explanations.record(error, in: call)
    }
  }
}

/// Whether a pointer is null: C may pass null although the type says otherwise.
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

  /// The error for a handle whose object does not exist (any more); `kind` names its type.
  package static func stale(_ kind: String) -> AudioError {
    guard !rt_is_forked() else { return .forked }
    return .invalidArgument.because("the handle does not belong to an existing \(kind)")
  }

  /// The error for a forked process, in which nothing can be made or used.
  package static var forked: AudioError {
    .invalidArgument.because(
      "this process was forked from one that used AudioToolbox, and has none of its threads; call "
        + "an "
        + "exec function after the fork, or fork before the first call of AudioToolbox")
  }
}
