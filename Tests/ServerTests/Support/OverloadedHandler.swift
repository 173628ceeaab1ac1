// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import CRealTime
import Glibc
import Synchronization

/// Takes more time for each cycle than its duration, and measures how it is called.
final class OverloadedHandler: CycleHandler, @unchecked Sendable {
  /// The measurements so far.
  struct Statistics {
    var frames = 0
    /// Cycles whose sample times did not follow the previous cycle, or whose host times did not
    /// advance.
    var breaks = 0
    /// The maximum delay from the time of a cycle to its call, in seconds.
    var largestLag = 0.0
    /// The maximum processor time that the thread has used without waiting, in seconds.
    var longestRun = 0.0
    /// The real-time priority of the thread, 0 if it has none.
    var priority = 0
  }

  private let load: Double
  private let sampleRate: Double
  private let shared = Mutex(Statistics())
  private let received = Mutex<[StreamEvent]>([])
  private var isFirst = true
  private var next = 0.0
  private var lastTime: UInt64 = 0
  private var waits = -1
  private var runsSince = 0.0

  /// Takes `load` times the duration of a cycle.
  init(load: Double, sampleRate: Double = 48_000) {
    self.load = load
    self.sampleRate = sampleRate
  }

  var statistics: Statistics { shared.withLock { $0 } }
  var events: [StreamEvent] { received.withLock { $0 } }

  override func streamChanged(_ event: StreamEvent) { received.withLock { $0.append(event) } }

  override func render(_ cycle: DeviceCycle) {
    let begin = rt_host_time()
    cycle.silenceOutput(from: 0)
    noteWaits()
    let seconds = load * Double(cycle.frameCount) / sampleRate
    while Double(rt_host_time() - begin) * 1e-9 < seconds {}
    let priority = isFirst ? currentPriority() : nil
    isFirst = false
    shared.withLock { statistics in
      statistics.priority = priority ?? statistics.priority
      statistics.frames += cycle.frameCount
      if cycle.sampleTime != next || cycle.hostTime <= lastTime { statistics.breaks += 1 }
      if begin > cycle.hostTime {
        statistics.largestLag = max(statistics.largestLag, Double(begin - cycle.hostTime) * 1e-9)
      }
      statistics.longestRun = max(statistics.longestRun, Self.processorTime() - runsSince)
    }
    next = cycle.sampleTime + Double(cycle.frameCount)
    lastTime = cycle.hostTime
  }

  /// Notes when the thread last waited, as the kernel counts it.
  private func noteWaits() {
    var usage = rusage()
    getrusage(__rusage_who_t(1), &usage)  // RUSAGE_THREAD
    if usage.ru_nvcsw != waits { runsSince = Self.processorTime() }
    waits = usage.ru_nvcsw
  }

  /// The processor time of the calling thread, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
