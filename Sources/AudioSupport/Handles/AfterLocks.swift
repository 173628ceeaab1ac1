// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// Jobs that a thread runs once it holds none of our locks any more: calls to functions of the
/// program, and disposal of units, which waits for such calls.
///
/// A function of the program may call anything in this library, or wait for a thread that does.
package enum AfterLocks {
  private final class Jobs {
    var list: [() -> Void] = []
  }

  /// [any thread] Runs `job` immediately, or as soon as this thread releases its last lock. Jobs
  /// keep their order.
  package static func perform(_ job: @escaping () -> Void) {
    let context = rt_current()
    guard context.pointee.locks > 0 else { return job() }
    if let jobs = context.pointee.after_locks {
      Unmanaged<Jobs>.fromOpaque(jobs).takeUnretainedValue().list.append(job)
    } else {
      let jobs = Jobs()
      jobs.list.append(job)
      context.pointee.after_locks = Unmanaged.passRetained(jobs).toOpaque()
    }
  }

  /// Takes the waiting jobs away from this thread, for `putBack`; nil if there are none.
  static func setAside() -> UnsafeMutableRawPointer? {
    let context = rt_current()
    defer { context.pointee.after_locks = nil }
    return context.pointee.after_locks
  }

  /// Makes jobs that were set aside wait again, before those that came meanwhile.
  static func putBack(_ jobs: UnsafeMutableRawPointer?) {
    guard let jobs else { return }
    let context = rt_current()
    if let later = context.pointee.after_locks {
      Unmanaged<Jobs>.fromOpaque(jobs).takeUnretainedValue().list +=
        Unmanaged<Jobs>.fromOpaque(later).takeRetainedValue().list
    }
    context.pointee.after_locks = jobs
  }

  /// Runs the waiting jobs; called when the last lock was released.
  static func run() {
    let context = rt_current()
    guard let jobs = context.pointee.after_locks else { return }
    context.pointee.after_locks = nil
    for job in Unmanaged<Jobs>.fromOpaque(jobs).takeRetainedValue().list { job() }
  }
}
