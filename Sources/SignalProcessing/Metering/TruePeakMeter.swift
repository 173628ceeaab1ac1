// SPDX-License-Identifier: Apache-2.0

/// The largest magnitude of a signal, including peaks between its samples (ITU-R BS.1770-4, annex
/// 2).
///
/// Measured at eight times the rate, with a parabola through each highest point and its neighbours.
/// The filter passes frequencies up to 0.497 of the sample rate. For use offline.
public final class TruePeakMeter {
  private static let outerTaps = 1_024
  /// Samples that are measured at a time.
  private static let partFrames = 512

  private let interpolator = EightfoldInterpolator(
    outerTaps: outerTaps, maximumFrames: partFrames)
  private var usable = [Float](repeating: 0, count: partFrames)
  /// The last two points of the previous part.
  private var before: (Float, Float) = (0, 0)
  private var peak: Float = 0

  /// [any thread] Makes a meter of one channel.
  public init() {}

  deinit { interpolator.deallocate() }

  /// [any thread] Measures samples; those that are not finite count as silence.
  public func measure(_ samples: UnsafePointer<Float>, count: Int) {
    var done = 0
    while done < count {
      let part = min(Self.partFrames, count - done)
      for index in 0..<part {
        let sample = samples[done + index]
        usable[index] = sample.isFinite ? sample : 0
        peak = max(peak, abs(usable[index]))
      }
      measurePart(part)
      done += part
    }
  }

  private func measurePart(_ count: Int) {
    usable.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      let (even, odd) = interpolator.interpolate(start, count: count)
      var (first, second) = before
      for index in 0..<4 * count {
        rise(first, second, abs(even[index]))
        rise(second, abs(even[index]), abs(odd[index]))
        (first, second) = (abs(even[index]), abs(odd[index]))
      }
      before = (first, second)
    }
  }

  /// Raises the peak to the top of the parabola through three points, if the middle one is highest.
  @inline(__always)
  private func rise(_ left: Float, _ middle: Float, _ right: Float) {
    // Tops are at most 1 / cos(pi / 8) times their highest point.
    guard middle * 1.09 > peak, middle >= left, middle >= right else { return }
    let bend = left - 2 * middle + right
    let difference = left - right
    peak = max(peak, bend < 0 ? middle - difference * difference / (8 * bend) : middle)
  }

  /// [any thread] Measures what follows the last sample, as if silence followed; returns the peak in
  /// decibels of full scale, or nil if the signal was silent.
  public func finish() -> Double? {
    let silence = [Float](repeating: 0, count: interpolator.latencyFrames)
    measure(silence, count: silence.count)
    return peak > 0 ? Decibels.level(Double(peak)) : nil
  }
}
