// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The largest sample that came out since a host asked last, and whether there was one that is no
/// finite number: what `Clipping` tells.
enum ClippingMeter {
  /// [render thread] Measures a slice of an output bus.
  @_noLocks
  static func measure(_ slice: Slice, _ values: RawParameterValues, output: Int) {
    for channel in 0..<slice.channelCount {
      let found = extremes(slice[channel], slice.frameCount)
      values.raise(.peak, to: found.peak, output: output)
      if found.isInfinite { values.raise(.infinity, to: 1, output: output) }
      if found.isNoNumber { values.raise(.notANumber, to: 1, output: output) }
    }
  }

  /// [render thread] Measures an output channel of a matrix.
  @_noLocks
  static func measure(
    _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ values: RawParameterValues
  ) {
    let found = extremes(samples, frames)
    values.raise(.peak, to: found.peak)
    if found.isInfinite { values.raise(.infinity, to: 1) }
    if found.isNoNumber { values.raise(.notANumber, to: 1) }
  }

  private struct Extremes: BitwiseCopyable {
    var peak: Float = 0
    var isInfinite = false
    var isNoNumber = false

    @_noLocks
    init() {}
  }

  /// The largest finite magnitude, and what else there is.
  @_noLocks
  private static func extremes(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Extremes {
    var found = Extremes()
    let (energy, peak) = Samples.energyAndPeak(samples, count: frames)
    guard !energy.isFinite else {
      found.peak = peak
      return found
    }
    for frame in 0..<frames {
      let magnitude = samples[frame].magnitude
      if magnitude.isNaN {
        found.isNoNumber = true
      } else if magnitude == .infinity {
        found.isInfinite = true
      } else if magnitude > found.peak {
        found.peak = magnitude
      }
    }
    return found
  }
}
