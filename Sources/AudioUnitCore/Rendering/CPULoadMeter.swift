// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The share of real time that renders take: time spent over the time that the frames last.
///
/// It counts ticks per second of sound; the reader converts ticks to seconds.
package struct CPULoadMeter: ~Copyable {
  private let average = Atomic<UInt64>(0)
  /// The bits of a positive number, which compare like the number itself.
  private let maximum = Atomic<UInt64>(0)

  package init() {}

  /// A running average over about a tenth of a second, 0…1 and above when too slow. [control thread]
  package var load: Double {
    Double(bitPattern: average.load(ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [control thread] The largest share of one cycle since the last query.
  package borrowing func maximumSinceLastCall() -> Double {
    Double(bitPattern: maximum.exchange(0, ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [render thread] Adds one cycle of `frameCount` frames, which began at `start`, as `rt_ticks` has it.
  @_noLocks
  package borrowing func add(since start: UInt64, frameCount: Int, sampleRate: Double) {
    let end = rt_ticks()
    // Processors with different counters could make it huge.
    guard frameCount > 0, end >= start else { return }
    let duration = Double(frameCount) / sampleRate
    let now = Double(end - start) / duration
    let old = Double(bitPattern: average.load(ordering: .relaxed))
    let weight = min(1, duration * 10)
    average.store((old + (now - old) * weight).bitPattern, ordering: .relaxed)
    // It grows only here.
    if now.bitPattern > maximum.load(ordering: .relaxed) {
      maximum.store(now.bitPattern, ordering: .relaxed)
    }
  }
}
