// SPDX-License-Identifier: Apache-2.0

import CKernels

/// A delay in frames with a fraction, and its interpolation filter.
///
/// Lagrange interpolation over 24 frames, or over as many as fit around a short delay (16 from
/// eight frames on, eight from four). The response is flat at low frequencies and nowhere above
/// one, so that it is safe inside a feedback loop. Laakso and others, "Splitting the unit delay"
/// (1996). At the worst fraction, half a frame, 24 taps lose 0.5 dB at three eighths of the sample
/// rate, 18 kHz of 48.
public struct FractionalDelay: BitwiseCopyable, Sendable {
  /// Maximum number of filter taps.
  public static var taps: Int { @_noLocks get { 24 } }

  /// The delay that is read: the whole number of frames, or the integer part of a fractional delay.
  public let frames: Int
  /// Number of groups of eight taps; 0 when the delay is a whole number, which needs no filter.
  private let groupCount: Int
  private let weights: InlineArray<24, Float>

  /// Makes a delay of at least one frame. A delay within a thousandth of a whole number is rounded,
  /// and so is one that is too short for the filter. [render thread]
  @_noLocks
  public init(frames distance: Double) {
    let whole = Elementary.whole(distance)
    let fraction = distance - Double(whole)
    var weights = InlineArray<24, Float>(repeating: 0)
    guard fraction > 1e-3, fraction < 1 - 1e-3, whole >= 4 else {
      frames = max(1, Elementary.whole(distance + 0.5))
      groupCount = 0
      self.weights = weights
      return
    }
    frames = whole
    groupCount = min(whole / 4, 3)
    // The taps are at delays from whole + half down to whole - half + 1, in order of time.
    let count = 8 * groupCount
    let position = Double(count / 2) - fraction
    for tap in 0..<count {
      var product = 1.0
      for other in 0..<count where other != tap {
        product *= (position - Double(other)) / Double(tap - other)
      }
      weights[tap] = Float(product)
    }
    self.weights = weights
  }

  /// Maximum frames that one read can return: none may be in the future.
  public var longestRun: Int {
    @_noLocks get { groupCount > 0 ? frames - (4 * groupCount - 1) : frames }
  }

  /// Reads at most `longestRun` frames of a line at this delay. Returns a pointer into the line,
  /// into `scratch`, which has room for `taps` more frames, or into `output`. [render thread]
  @_noLocks @inline(__always)
  public func read(
    _ line: DelayLine, count: Int, scratch: UnsafeMutablePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    guard groupCount > 0 else { return line.past(frames, count: count, scratch: scratch) }
    let past = line.past(
      frames + 4 * groupCount, count: count + 8 * groupCount - 1, scratch: scratch)
    withUnsafePointer(to: weights) { weights in
      let taps = UnsafeRawPointer(weights).assumingMemoryBound(to: Float.self)
      kernel_interpolation(output, past, taps, groupCount, count)
    }
    return UnsafePointer(output)
  }
}
