// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The processor load: the time spent on renders, divided by the duration of the rendered frames.
///
/// It measures ticks per second of sound; the reader converts ticks to seconds.
package struct CPULoadMeter: ~Copyable {
  private let average = Atomic<UInt64>(0)
  /// The bits of a positive number.
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
    let (ticks, duration) = (Double(end - start), Double(frameCount) / sampleRate)
    // The load is `ticks / duration`; the usual path needs no such division.
    let (old, weight) = (Double(bitPattern: average.load(ordering: .relaxed)), duration * 10)
    let new = weight < 1 ? old + (ticks * 10 - old * weight) : ticks / duration
    average.store(new.bitPattern, ordering: .relaxed)
    // Only this thread increases it.
    if ticks > Double(bitPattern: maximum.load(ordering: .relaxed)) * duration {
      maximum.store((ticks / duration).bitPattern, ordering: .relaxed)
    }
  }
}
