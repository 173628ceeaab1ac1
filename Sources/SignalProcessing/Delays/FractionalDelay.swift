// SPDX-License-Identifier: Apache-2.0

/// A distance in frames with its fraction, and the filter that interpolates there.
///
/// Lagrange's polynomial through 24 frames, or through as many as there are around a short distance (16
/// from eight frames on, eight from four): flat at low frequencies, nowhere above one, so that it is safe
/// inside a feedback loop. Laakso and others, "Splitting the unit delay" (1996). The loss of 24 frames at
/// the worst place, half a frame, is 0.5 dB at three eighths of the sample rate, 18 kHz of 48.
public struct FractionalDelay: BitwiseCopyable, Sendable {
  /// The most coefficients of the filter.
  public static var taps: Int { @_noLocks get { 24 } }

  /// The distance of the frame that is read: the whole one, or the later neighbour of the place.
  public let frames: Int
  /// How many eights of coefficients there are; 0 when the distance is whole, which the filter need not
  /// see.
  private let groupCount: Int
  private let weights: InlineArray<24, Float>

  /// A distance of at least one frame. What lies within a thousandth of a whole frame is whole, and
  /// so is what has too few frames behind it. [render thread]
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
    // The frames lie at distances whole + half … whole - half + 1, in the order of time.
    let count = 8 * groupCount
    let place = Double(count / 2) - fraction
    for tap in 0..<count {
      var product = 1.0
      for other in 0..<count where other != tap {
        product *= (place - Double(other)) / Double(tap - other)
      }
      weights[tap] = Float(product)
    }
    self.weights = weights
  }

  /// How many frames can be read at once: none may lie in the future.
  public var longestRun: Int {
    @_noLocks get { groupCount > 0 ? frames - (4 * groupCount - 1) : frames }
  }

  /// `count` frames of a line at this distance, at most `longestRun`: where they lie, or in `scratch`
  /// with room for `taps` more, or in `output`. [render thread]
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
      DelayKernel.interpolate(past, taps, groups: groupCount, into: output, count: count)
    }
    return UnsafePointer(output)
  }
}
