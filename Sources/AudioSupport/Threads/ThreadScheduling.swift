// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How a render thread is scheduled.
public enum ThreadScheduling: Equatable, Sendable {
  /// First in, first out, at a real-time priority.
  case realTime(priority: Int)
  /// Like any other thread, for the given reason.
  case ordinary(reason: String)
  /// Like any other thread, as intended, because nothing waits for it.
  case offline

  /// Above ordinary services, below the sound servers' own threads (83...88).
  private static let priority: CInt = 70

  /// How long a real-time thread may compute without a pause, in microseconds. Beyond that the
  /// kernel kills the process; otherwise a callback that never returns would freeze the machine.
  private static let longestRun: rlim_t = 1_000_000

  // Glibc's module does not export the names; the numbers are the same on all supported machines.
  private static let priorityLimit = __rlimit_resource_t(14)  // RLIMIT_RTPRIO
  private static let runLimit = __rlimit_resource_t(15)  // RLIMIT_RTTIME

  /// [render thread] Requests real-time priority for the calling thread: the highest that the
  /// user's limit allows.
  package static func requestRealTime() -> Self {
    _ = isRunLimited
    let ceiling = limit(of: priorityLimit).rlim_cur
    var candidates = [priority]
    if ceiling > 0, ceiling < rlim_t(priority) { candidates.append(CInt(ceiling)) }
    var result: CInt = 0
    for candidate in candidates {
      var parameters = sched_param()
      parameters.sched_priority = candidate
      result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      if result == 0 { return .realTime(priority: Int(candidate)) }
    }
    let why = String(cString: strerror(result))
    return .ordinary(
      reason: "real-time priority \(priority) was refused: \(why) "
        + "(limit rtprio of this user: \(ceiling))")
  }

  /// [render thread] Gives the calling thread ordinary priority again.
  package static func releaseRealTime() {
    var parameters = sched_param()
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
  }

  /// Limits runs of real-time threads, once per process and only where nobody has set a limit.
  private static let isRunLimited: Bool = {
    var limit = Self.limit(of: runLimit)
    guard limit.rlim_cur == rlim_t.max else { return true }
    limit.rlim_cur = min(longestRun, limit.rlim_max)
    return setrlimit(runLimit, &limit) == 0
  }()

  private static func limit(of resource: __rlimit_resource_t) -> rlimit {
    var limit = rlimit()
    _ = getrlimit(resource, &limit)
    return limit
  }
}
