// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Delays with fractions of a frame, which may move: the time difference between both ears.
///
/// A windowed sinc of sixteen frames: within 0.5 dB up to three quarters of half the sample rate at
/// any fraction. The filter is interpolated linearly between 128 fractions of a frame, with an
/// error 80 dB below the sound. Laakso and others, "Splitting the unit delay" (1996).
///
/// Uses plain memory; the owner deallocates it.
public struct EarDelay: BitwiseCopyable, @unchecked Sendable {
  /// Additional latency of every delay in frames: half the filter.
  public static var latencyFrames: Int { @_noLocks get { 7 } }
  /// Frames that are read before the first output, beyond the delay.
  public static var reach: Int { @_noLocks get { 16 } }

  typealias Row = SIMD16<Float>
  private static var divisions: Int { @_noLocks get { 128 } }
  private let rows: UnsafeMutablePointer<SIMD16<Float>>

  /// Computes the filters. [control thread]
  public init() {
    rows = .allocate(capacity: Self.divisions + 2)
    let window = KaiserWindow(attenuation: 60)
    for index in 0..<Self.divisions + 2 {
      let position = 8 - Double(index) / Double(Self.divisions)
      let taps = (0..<16).map { tap in
        KaiserWindow.sinc(Double(tap) - position) * window((Double(tap) - position) / 8)
      }
      // Every fraction has a DC gain of exactly one.
      let sum = taps.reduce(0, +)
      var row = Row.zero
      for tap in 0..<16 { row[tap] = Float(taps[tap] / sum) }
      (rows + index).initialize(to: row)
    }
  }

  /// Frees the memory. [control thread]
  public func deallocate() { rows.deallocate() }

  /// Reads `count` frames. The first one is delayed by `delay` plus `latencyFrames`, and the delay
  /// changes by `step` per frame. `now` is the first frame without delay; it must follow as many
  /// frames as the longest delay and `reach`. Negative delays count as zero. [render thread]
  @_noLocks
  public func read(
    _ now: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int, delay: Float,
    step: Float, longest: Int
  ) {
    let limit = Float(longest)
    guard step == 0 else {
      let rows = UnsafeRawPointer(rows).assumingMemoryBound(to: Float.self)
      return kernel_moving_delay(output, now, rows, count, delay, step, limit)
    }
    let (whole, row) = filter(Self.limited(delay, limit))
    withUnsafePointer(to: row) { row in
      let taps = UnsafeRawPointer(row).assumingMemoryBound(to: Float.self)
      kernel_convolution(output, now - (whole + 15), taps, 16, count)
    }
  }

  /// A delay within the longest one.
  @_noLocks @inline(__always)
  static func limited(_ delay: Float, _ limit: Float) -> Float {
    // NaN becomes zero.
    delay > 0 ? min(delay, limit) : 0
  }

  /// The whole frames of a delay, and the filter for the rest.
  @_noLocks @inline(__always)
  func filter(_ delay: Float) -> (whole: Int, row: Row) {
    let whole = Int(delay)
    let position = (delay - Float(whole)) * Float(Self.divisions)
    let index = Int(position)
    let part = position - Float(index)
    return (whole, rows[index] + (rows[index + 1] - rows[index]) * part)
  }
}
