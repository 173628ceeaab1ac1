// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The share of real time that renders take: time spent over the time that the frames last.
///
/// It counts ticks per second of sound; whoever asks finds out how many a second has.
package struct CPULoadMeter: ~Copyable {
  private let average = Atomic<UInt64>(0)
  /// The bits of a positive number: they compare as the number does.
  private let maximum = Atomic<UInt64>(0)

  package init() {}

  /// A running average over about a tenth of a second, 0…1 and above when too slow. [control thread]
  package var load: Double {
    Double(bitPattern: average.load(ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [control thread] The largest share of one cycle since this was asked last.
  package borrowing func maximumSinceLastCall() -> Double {
    Double(bitPattern: maximum.exchange(0, ordering: .relaxed)) / rt_ticks_per_second()
  }

  /// [render thread] Adds one cycle of `frameCount` frames, which began at `start`, as `rt_ticks` has it.
  @_noLocks
  package borrowing func add(since start: UInt64, frameCount: Int, sampleRate: Double) {
    let end = rt_ticks()
    // Processors whose counters differ would make it long.
    guard frameCount > 0, end >= start else { return }
    let duration = Double(frameCount) / sampleRate
    let now = Double(end - start) / duration
    let old = Double(bitPattern: average.load(ordering: .relaxed))
    let weight = min(1, duration * 10)
    average.store((old + (now - old) * weight).bitPattern, ordering: .relaxed)
    // Only here it grows.
    if now.bitPattern > maximum.load(ordering: .relaxed) {
      maximum.store(now.bitPattern, ordering: .relaxed)
    }
  }
}
