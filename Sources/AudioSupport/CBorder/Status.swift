// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// Helpers for C functions around the one method that each calls.

/// Runs `body` and turns its failure into a status.
package func status(
  in call: StaticString = #function, _ body: () throws(AudioError) -> Void
) -> OSStatus {
  border {
    atWork {
      do throws(AudioError) {
        try body()
        return noErr
      } catch {
        return Explanations.record(error, in: call)
      }
    }
  }
}

/// As `status`, for a function of devices, which a forked process cannot use.
package func deviceStatus(
  in call: StaticString = #function, _ body: () throws(AudioError) -> Void
) -> OSStatus {
  status(in: call) { () throws(AudioError) in
    guard !rt_is_forked() else { throw .forked }
    try body()
  }
}

/// [any thread] Runs `body`, which may hold a lock. A fork of the process waits until it has ended, except
/// while it waits or calls the program.
@inline(__always)
package func atWork<Result>(_ body: () -> Result) -> Result {
  rt_work_enter()
  defer { rt_work_leave() }
  return body()
}

/// [any thread] Runs `body`, which waits. Meanwhile the process may fork.
@inline(__always)
package func whileForksMayCome<Result>(_ body: () -> Result) -> Result {
  let works = rt_work_suspend()
  defer { rt_work_resume(works) }
  return body()
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
    .invalidArgument.because(
      "the handle does not belong to an existing \(kind)"
        + (rt_is_forked()
          ? "; what another thread was using when the process was forked cannot be used" : ""))
  }

  /// The error for a device in a forked process.
  package static var forked: AudioError {
    .invalidArgument.because(
      "this process was forked from one that used AudioToolbox, and has none of the threads that serve "
        + "devices; call an exec function after the fork, or fork before the first call of AudioToolbox. "
        + "Files, converters, units and graphs without a device can be used here")
  }
}
