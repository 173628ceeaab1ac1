// SPDX-License-Identifier: Apache-2.0

/// Constant-power panning between two loudspeakers.
///
/// The law of the W3C Web Audio API's StereoPannerNode, which most mixers use. A mono signal in the
/// middle has -3.01 dB on each side, and the squares of its two gains always add up to 1. A stereo
/// signal passes unchanged in the middle. Panned to one side, that side's channel stays, and the
/// other channel moves over to it at constant power.
public enum StereoPan {
  /// Gains of a mono signal to the left and to the right, for a position from -1 to 1. [any thread]
  @_noLocks
  public static func mono(_ pan: Float) -> (left: Float, right: Float) {
    let position = (Double(min(max(pan, -1), 1)) + 1) / 2
    return (sine(1 - position), sine(position))
  }

  /// Gains of a stereo signal: of its left channel to both sides, then of its right channel.
  /// [any thread]
  @_noLocks
  public static func stereo(_ pan: Float) -> (
    leftToLeft: Float, leftToRight: Float, rightToLeft: Float, rightToRight: Float
  ) {
    let position = Double(min(max(pan, -1), 1))
    if position <= 0 { return (1, 0, sine(-position), sine(1 + position)) }
    return (sine(1 - position), sine(position), 0, 1)
  }

  /// The gains from one or two channels to one or two: those of the first channel to the left (or
  /// only) output and to the right, then those of the second. Two channels are averaged to one
  /// output. [any thread]
  @_noLocks
  public static func gains(_ pan: Float, inputs: Int, outputs: Int) -> SIMD4<Float> {
    guard outputs == 2 else { return inputs == 2 ? SIMD4(0.5, 0, 0.5, 0) : SIMD4(1, 0, 0, 0) }
    if inputs == 1 {
      let mono = mono(pan)
      return SIMD4(mono.left, mono.right, 0, 0)
    }
    let stereo = stereo(pan)
    return SIMD4(stereo.leftToLeft, stereo.leftToRight, stereo.rightToLeft, stereo.rightToRight)
  }

  /// Sine of a fraction of a quarter cycle, exact at both ends; 0 for NaN.
  @_noLocks
  private static func sine(_ part: Double) -> Float {
    SineKernel.sine(ofPhase: part > 0 ? UInt64(min(part, 1) * 0x1p62) : 0)
  }
}
