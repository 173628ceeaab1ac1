// SPDX-License-Identifier: Apache-2.0

/// Bends waves: a polynomial, and a clip that is soft.
///
/// Every factor moves along a line through a run of samples. No memory: to be used where there is room
/// above the sound for what bending adds (`Oversampler`).
public struct Waveshaper: BitwiseCopyable, Sendable {
  /// The terms of a x + b x^2 + c x^3.
  public var linear: Line
  public var squared: Line
  public var cubed: Line
  /// How much of the polynomial's result is taken, from 0 to 1.
  public var mix: Line
  /// Gain before the clip.
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

  /// The soft clip: straight for what is small, with a slope of nought from 3 on, where it is 1.
  ///
  /// x (27 + x^2) / (27 + 9 x^2), Pade's approximation of tanh; slope and curvature are continuous.
  @inlinable @inline(__always) @_noLocks
  public static func clip(_ value: Float) -> Float {
    var x = value < 3 ? value : 3
    x = x > -3 ? x : -3
    let square = x * x
    return x * (27 + square) / (27 + 9 * square)
  }

  /// Bends `count` samples in place. [any thread]
  @_noLocks
  public func shape(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count {
      let place = Float(index)
      // Its cube is still a number.
      var x = samples[index]
      x = x < 0x1p30 ? x : 0x1p30
      x = x > -0x1p30 ? x : -0x1p30
      let a = linear.start + linear.step * place
      let b = squared.start + squared.step * place
      let c = cubed.start + cubed.step * place
      let bent = ((c * x + b) * x + a) * x
      let mixed = x + (bent - x) * (mix.start + mix.step * place)
      samples[index] = Self.clip(mixed * (gain.start + gain.step * place))
    }
  }

  /// The same lines for the samples between those of this one's: half a step later. [any thread]
  public var atOddPlaces: Waveshaper {
    @_noLocks get {
      func late(_ line: Line) -> Line { Line(line.start + line.step / 2, step: line.step) }
      return Waveshaper(
        linear: late(linear), squared: late(squared), cubed: late(cubed), mix: late(mix),
        gain: late(gain))
    }
  }
}
