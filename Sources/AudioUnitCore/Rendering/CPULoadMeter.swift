// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// The share of real time that renders take: time spent over the time that the frames last.
package struct CPULoadMeter: ~Copyable {
  private let average = Atomic<UInt64>(0)
  /// The bits of a positive number: they compare as the number does.
  private let maximum = Atomic<UInt64>(0)

  package init() {}

  /// A running average over about a tenth of a second, 0…1 and above when too slow. [any thread]
  package var load: Double { Double(bitPattern: average.load(ordering: .relaxed)) }

  /// [any thread] The largest share of one cycle since this was asked last.
  package borrowing func takeMaximum() -> Double {
    Double(bitPattern: maximum.exchange(0, ordering: .relaxed))
  }

  /// [render thread] Adds one cycle: nanoseconds spent on `frameCount` frames.
  @_noLocks
  package borrowing func add(nanoseconds: UInt64, frameCount: Int, sampleRate: Double) {
    guard frameCount > 0 else { return }
    let duration = Double(frameCount) / sampleRate
    let now = Double(nanoseconds) * 1e-9 / duration
    let old = Double(bitPattern: average.load(ordering: .relaxed))
    let weight = min(1, duration * 10)
    average.store((old + (now - old) * weight).bitPattern, ordering: .relaxed)
    // Only here it grows.
    if now.bitPattern > maximum.load(ordering: .relaxed) {
      maximum.store(now.bitPattern, ordering: .relaxed)
    }
  }
}
