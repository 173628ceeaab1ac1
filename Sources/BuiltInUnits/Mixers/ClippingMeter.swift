// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The largest sample that came out since a host asked last, and whether there was one that is no finite
/// number: what `KernelProperty.clipping` tells.
struct ClippingMeter: BitwiseCopyable {
  /// Three slots: the peak, whether infinite samples were seen, and such that are no numbers.
  private let slot: Int

  @_noLocks
  init(slot: Int) { self.slot = slot }

  /// [render thread] Hears a slice of an output bus.
  @_noLocks
  func hear(_ slice: Slice, _ values: RawParameterValues, output: Int) {
    for channel in 0..<slice.channelCount {
      let heard = Self.measure(slice[channel], slice.frameCount)
      values.raise(slot: slot, to: heard.peak, output: output)
      if heard.isInfinite { values.raise(slot: slot + 1, to: 1, output: output) }
      if heard.isNoNumber { values.raise(slot: slot + 2, to: 1, output: output) }
    }
  }

  /// [render thread] Hears an output channel of a matrix.
  @_noLocks
  func hear(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ values: RawParameterValues) {
    let heard = Self.measure(samples, frames)
    values.raise(slot: slot, to: heard.peak)
    if heard.isInfinite { values.raise(slot: slot + 1, to: 1) }
    if heard.isNoNumber { values.raise(slot: slot + 2, to: 1) }
  }

  private struct Heard: BitwiseCopyable {
    var peak: Float = 0
    var isInfinite = false
    var isNoNumber = false

    @_noLocks
    init() {}
  }

  /// The largest finite magnitude, and what else there is.
  @_noLocks
  private static func measure(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Heard {
    var heard = Heard()
    let (energy, peak) = Samples.energyAndPeak(samples, count: frames)
    guard !energy.isFinite else {
      heard.peak = peak
      return heard
    }
    for frame in 0..<frames {
      let magnitude = samples[frame].magnitude
      if magnitude.isNaN {
        heard.isNoNumber = true
      } else if magnitude == .infinity {
        heard.isInfinite = true
      } else if magnitude > heard.peak {
        heard.peak = magnitude
      }
    }
    return heard
  }
}
