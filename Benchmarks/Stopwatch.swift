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

  /// The time of one call of each piece of work in nanoseconds: a twentieth of the calls took less, so
  /// that neither other programs nor a leap of the clock count. They run in turns, for about `seconds`
  /// together, so that all of them meet the same machine.
  static func inTurns(for seconds: Double = 0.5, _ works: [() -> Void]) -> [Double] {
    var times = works.map { _ in [Double]() }
    for work in works { work() }
    var spent = 0.0
    while times.contains(where: { $0.count < 7 }) || spent < seconds * 1e9 {
      for (index, work) in works.enumerated() {
        let start = now
        work()
        times[index].append(now - start)
        spent += now - start
      }
    }
    return times.map { $0.sorted()[$0.count / 20] }
  }

  /// Runs `work`, and the programs that it starts, on one processor, the one that runs it now.
  static func onOneProcessor(_ work: () -> Void) {
    // Swift does not import functions that only Linux has.
    typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> CInt
    typealias Current = @convention(c) () -> CInt
    let names = ["sched_getaffinity", "sched_setaffinity", "sched_getcpu"]
    let found = names.compactMap { dlsym(nil, $0) }
    guard found.count == 3 else { return work() }
    let get = unsafeBitCast(found[0], to: Affinity.self)
    let set = unsafeBitCast(found[1], to: Affinity.self)
    let current = Int(unsafeBitCast(found[2], to: Current.self)())
    var (all, one) = (cpu_set_t(), cpu_set_t())
    let size = MemoryLayout<cpu_set_t>.size
    guard current >= 0, current < 8 * size, get(0, size, &all) >= 0 else { return work() }
    withUnsafeMutableBytes(of: &one) { $0[current / 8] = 1 << UInt8(current % 8) }
    _ = set(0, size, &one)
    work()
    _ = set(0, size, &all)
  }
}
