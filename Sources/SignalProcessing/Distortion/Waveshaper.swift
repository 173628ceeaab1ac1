// SPDX-License-Identifier: Apache-2.0

/// Distorts a signal with a polynomial and a soft clip.
///
/// Every factor changes linearly through a run of samples. It is memoryless and produces harmonics:
/// use it at a higher sample rate (`Oversampler`).
public struct Waveshaper: BitwiseCopyable, Sendable {
  /// The terms of a x + b x^2 + c x^3.
  public var linear: Line
  public var squared: Line
  public var cubed: Line
  /// Wet share of the polynomial's result, from 0 to 1.
  public var mix: Line
  /// Gain before the soft clip.
  public var gain: Line

  /// A value at the first sample of a run, and its change per sample.
  public struct Line: BitwiseCopyable, Sendable {
    public var start: Float
    public var step: Float

    @_noLocks
    public init(_ start: Float, step: Float) {
      self.start = start
      self.step = step
    }
  }

  @_noLocks
  public init(linear: Line, squared: Line, cubed: Line, mix: Line, gain: Line) {
    self.linear = linear
    self.squared = squared
    self.cubed = cubed
    self.mix = mix
    self.gain = gain
  }

  /// The soft clip: nearly linear for small values; at 3 it reaches 1 with a slope of zero.
  ///
  /// x (27 + x^2) / (27 + 9 x^2), Padé's approximation of tanh; slope and curvature are continuous.
  @inlinable @inline(__always) @_noLocks
  public static func clip(_ value: Float) -> Float {
    var x = value < 3 ? value : 3
    x = x > -3 ? x : -3
    let square = x * x
    return x * (27 + square) / (27 + 9 * square)
  }

  /// Distorts `count` samples in place. [any thread]
  @_noLocks
  public func shape(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let offset = Float(index)
      // Limited so that its cube is finite.
      var x = samples[index]
      x = x < 0x1p30 ? x : 0x1p30
      x = x > -0x1p30 ? x : -0x1p30
      let a = linear.start + linear.step * offset
      let b = squared.start + squared.step * offset
      let c = cubed.start + cubed.step * offset
      let bent = ((c * x + b) * x + a) * x
      let mixed = x + (bent - x) * (mix.start + mix.step * offset)
      samples[index] = Self.clip(mixed * (gain.start + gain.step * offset))
    }
  }

  /// The same lines for the odd samples, which are half a step later. [any thread]
  public var atOddSamples: Waveshaper {
    @_noLocks get {
      func late(_ line: Line) -> Line { Line(line.start + line.step / 2, step: line.step) }
      return Waveshaper(
        linear: late(linear), squared: late(squared), cubed: late(cubed), mix: late(mix),
        gain: late(gain))
    }
  }
}
