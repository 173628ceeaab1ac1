// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures short pieces of work in processor time of this thread.
enum Stopwatch {
  /// The processor time of this thread, in nanoseconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Nanoseconds for a multiplication and an addition that depend on the previous result: four
  /// cycles of most processors. It allows comparing machines, and different times on one machine.
  static var yardstick: Double {
    let steps = 100_000
    var number = UInt64(getpid())
    let time = nanoseconds {
      for _ in 0..<steps { number = number &* number &+ 0x9E37_79B9_7F4A_7C15 }
    }
    // The result must be used, or the loop would be optimised away.
    return number == 0 ? 0 : time / Double(steps)
  }

  /// The time of one call of `work` in nanoseconds: the median of seven runs of about 25 ms.
  static func nanoseconds(_ work: () -> Void) -> Double {
    var count = 1
    while true {
      let start = now
      for _ in 0..<count { work() }
      let spent = now - start
      if spent > 2e6 {
        count = Int(Double(count) * 25e6 / spent) + 1
        break
      }
      count *= 4
    }
    let runs = (0..<7).map { _ in
      let start = now
      for _ in 0..<count { work() }
      return (now - start) / Double(count)
    }
    return runs.sorted()[3]
  }
}
