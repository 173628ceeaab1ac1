// SPDX-License-Identifier: Apache-2.0

/// A distance in frames with its fraction, and the filter that interpolates there.
///
/// Lagrange's polynomial through eight frames: flat at low frequencies, nowhere above one, so that it
/// is safe inside a feedback loop. Laakso and others, "Splitting the unit delay" (1996). Its loss at
/// the worst place, half a frame, is 0.2 dB at a quarter of the sample rate and 1.5 dB at a third.
public struct FractionalDelay: BitwiseCopyable, Sendable {
  /// Coefficients of a filter.
  public static var taps: Int { @_noLocks get { 8 } }
  /// Frames that the filter reaches beyond a distance, towards the present.
  public static var reach: Int { @_noLocks get { 3 } }

  /// The distance of the frame that is read: the whole one, or the later neighbour of the place.
  public let frames: Int
  /// False when the distance is whole, which the filter need not see.
  public let isFractional: Bool
  private let weights: SIMD8<Float>

  /// A distance of at least one frame. What lies within a thousandth of a whole frame is whole, and
  /// so is what has too few frames behind it. [render thread]
  @_noLocks
  public init(frames distance: Double) {
    let whole = Int(distance)
    let fraction = distance - Double(whole)
    guard fraction > 1e-3, fraction < 1 - 1e-3, whole > Self.reach else {
      frames = max(1, Int(distance + 0.5))
      isFractional = false
      weights = .zero
      return
    }
    frames = whole
    isFractional = true
    // The eight frames lie at distances whole + 4 … whole - 3, in the order of time.
    let place = 4 - fraction
    func coefficient(_ tap: Int) -> Float {
      var product = 1.0
      var other = 0
      while other < Self.taps {
        if other != tap { product *= (place - Double(other)) / Double(tap - other) }
        other += 1
      }
      return Float(product)
    }
    weights = SIMD8(
      coefficient(0), coefficient(1), coefficient(2), coefficient(3), coefficient(4),
      coefficient(5), coefficient(6), coefficient(7))
  }

  /// How many frames can be read at once: none may lie in the future.
  public var longestRun: Int { @_noLocks get { isFractional ? frames - Self.reach : frames } }

  /// `count` frames of a line at this distance, at most `longestRun`: where they lie, or in `scratch`
  /// with room for eight more, or in `output`. [render thread]
  @_noLocks @inline(__always)
  public func read(
    _ line: DelayLine, count: Int, scratch: UnsafeMutablePointer<Float>,
    output: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    guard isFractional else { return line.past(frames, count: count, scratch: scratch) }
    let past = line.past(frames + 4, count: count + 7, scratch: scratch)
    withUnsafePointer(to: weights) { weights in
      let taps = UnsafeRawPointer(weights).assumingMemoryBound(to: Float.self)
      DelayKernel.interpolate(past, taps, into: output, count: count)
    }
    return UnsafePointer(output)
  }
}
