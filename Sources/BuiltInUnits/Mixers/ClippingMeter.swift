// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// Measures the values that `Clipping` reports: the largest sample since a host last read it, and
/// whether there were infinite samples or NaN.
enum ClippingMeter {
  /// [render thread] Measures a slice of an output bus.
  @_noLocks
  static func measure(_ slice: Slice, _ values: RawParameterValues, output: Int) {
    for channel in 0..<slice.channelCount {
      let found = extremes(slice[channel], slice.frameCount)
      values.raise(.peak, to: found.peak, output: output)
      if found.hasInfinity { values.raise(.infinity, to: 1, output: output) }
      if found.hasNaN { values.raise(.notANumber, to: 1, output: output) }
    }
  }

  /// [render thread] Measures an output channel of a matrix.
  @_noLocks
  static func measure(
    _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ values: RawParameterValues
  ) {
    let found = extremes(samples, frames)
    values.raise(.peak, to: found.peak)
    if found.hasInfinity { values.raise(.infinity, to: 1) }
    if found.hasNaN { values.raise(.notANumber, to: 1) }
  }

  private struct Extremes: BitwiseCopyable {
    var peak: Float = 0
    var hasInfinity = false
    var hasNaN = false

    @_noLocks
    init() {}
  }

  /// The largest finite magnitude, and whether there are infinite samples or NaN.
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
        found.hasNaN = true
      } else if magnitude == .infinity {
        found.hasInfinity = true
      } else if magnitude > found.peak {
        found.peak = magnitude
      }
    }
    return found
  }
}
