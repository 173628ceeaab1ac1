// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The processor load: the time spent on renders, divided by the duration of the rendered frames.
///
/// It measures ticks per second of sound; the reader converts ticks to seconds.
package struct CPULoadMeter: ~Copyable {
  private let average = Atomic<UInt64>(0)
  /// The bits of a positive number, which compare like the number itself.
  private let maximum = Atomic<UInt64>(0)

  package init() {}

  /// [control thread] A running average over about a tenth of a second: 0…1, or above 1 if
  /// rendering is too slow.
  package var load: Double {
    Double(bitPattern: average.load(ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [control thread] The largest load of one cycle since the last query.
  package borrowing func maximumSinceLastCall() -> Double {
    Double(bitPattern: maximum.exchange(0, ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [render thread] Adds one cycle of `frameCount` frames, which began at `start` (`rt_ticks`).
  @_noLocks
  package borrowing func add(since start: UInt64, frameCount: Int, sampleRate: Double) {
    let end = rt_ticks()
    // The counters of two processors may differ, so that the difference would be huge.
    guard frameCount > 0, end >= start else { return }
    let duration = Double(frameCount) / sampleRate
    let now = Double(end - start) / duration
    let old = Double(bitPattern: average.load(ordering: .relaxed))
    let weight = min(1, duration * 10)
    average.store((old + (now - old) * weight).bitPattern, ordering: .relaxed)
    // Only this thread increases it.
    if now.bitPattern > maximum.load(ordering: .relaxed) {
      maximum.store(now.bitPattern, ordering: .relaxed)
    }
  }
}
