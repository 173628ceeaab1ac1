// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The time between both ears: delays of parts of a frame, which may move.
///
/// A windowed sinc of sixteen frames: within 0.5 dB up to three quarters of half the sample rate at any
/// fraction. Between 128 fractions of a frame the filter is taken in a straight line, whose error is
/// 80 dB below the sound. Laakso and others, "Splitting the unit delay" (1996).
///
/// Plain memory; its creator deallocates it.
public struct EarDelay: BitwiseCopyable, @unchecked Sendable {
  /// Frames that any delay has beyond what is requested: half the filter.
  public static var latencyFrames: Int { @_noLocks get { 7 } }
  /// Frames before the first output that are read, beyond the delay.
  public static var reach: Int { @_noLocks get { 16 } }

  private typealias Row = SIMD16<Float>
  private static var divisions: Int { @_noLocks get { 128 } }
  private let rows: UnsafeMutablePointer<SIMD16<Float>>

  /// Works the filters out. [control thread]
  public init() {
    rows = .allocate(capacity: Self.divisions + 2)
    let window = KaiserWindow(attenuation: 60)
    for index in 0..<Self.divisions + 2 {
      let place = 8 - Double(index) / Double(Self.divisions)
      let taps = (0..<16).map { tap in
        KaiserWindow.sinc(Double(tap) - place) * window((Double(tap) - place) / 8)
      }
      // Every fraction passes a constant at exactly one.
      let sum = taps.reduce(0, +)
      var row = Row.zero
      for tap in 0..<16 { row[tap] = Float(taps[tap] / sum) }
      (rows + index).initialize(to: row)
    }
  }

  /// Frees the memory. [control thread]
  public func deallocate() { rows.deallocate() }

  /// Reads `count` frames, the first of which is delayed by `delay` and `latencyFrames`, and each further
  /// one by `step` more. `now` is the first frame undelayed; before it lie as many as the longest delay
  /// and `reach`. Delays below zero are none. [render thread]
  @_noLocks
  public func read(
    _ now: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int, delay: Float,
    step: Float, longest: Int
  ) {
    let limit = Float(longest)
    guard step == 0 else {
      #if arch(x86_64) && os(Linux)
        let rows = UnsafeRawPointer(rows).assumingMemoryBound(to: Float.self)
        kernel_moving_delay(output, now, rows, count, delay, step, limit)
      #else
        readMovingReference(
          now, into: output, count: count, delay: delay, step: step, longest: longest)
      #endif
      return
    }
    let (whole, row) = filter(Self.limited(delay, limit))
    withUnsafePointer(to: row) { row in
      let taps = UnsafeRawPointer(row).assumingMemoryBound(to: Float.self)
      ConvolutionKernel.convolve(now - (whole + 15), taps, taps: 16, into: output, count: count)
    }
  }

  /// Reads what moves, to the bit as without the C kernel. [any thread]
  @_noLocks
  func readMovingReference(
    _ now: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int, delay: Float,
    step: Float, longest: Int
  ) {
    for index in 0..<count {
      let (whole, row) = filter(Self.limited(delay + step * Float(index), Float(longest)))
      let past = UnsafeRawPointer(now + (index - whole - 15)).loadUnaligned(as: Row.self)
      output[index] = Self.sum(past * row)
    }
  }

  @_noLocks @inline(__always)
  private static func limited(_ delay: Float, _ limit: Float) -> Float {
    // Not a number is no delay.
    delay > 0 ? min(delay, limit) : 0
  }

  @_noLocks @inline(__always)
  private func filter(_ delay: Float) -> (whole: Int, row: Row) {
    let whole = Int(delay)
    let place = (delay - Float(whole)) * Float(Self.divisions)
    let index = Int(place)
    let part = place - Float(index)
    return (whole, rows[index] + (rows[index + 1] - rows[index]) * part)
  }

  @_noLocks @inline(__always)
  private static func sum(_ lanes: Row) -> Float {
    let eight = lanes.lowHalf + lanes.highHalf
    let four = eight.lowHalf + eight.highHalf
    return (four.x + four.z) + (four.y + four.w)
  }
}
