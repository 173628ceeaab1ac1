// SPDX-License-Identifier: Apache-2.0
import CKernels

/// Distorts a signal with a polynomial and a soft clip.
///
/// The clip is nearly linear for small values; at 3 it reaches 1 with a slope of zero: x (27 + x^2)
/// / (27 + 9 x^2), Padé's approximation of tanh, whose slope and curvature are continuous.
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

  /// Distorts `count` samples in place, limited before so that their cubes are finite. [any thread]
  @_noLocks
  public func shape(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var lines = ShapingLines(
      linear: Self.line(linear), squared: Self.line(squared), cubed: Self.line(cubed),
      mix: Self.line(mix), gain: Self.line(gain))
    kernel_shape(samples, count, &lines)
  }

  @inline(__always) @_noLocks
  private static func line(_ line: Line) -> ShapingLine {
    ShapingLine(start: line.start, step: line.step)
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
