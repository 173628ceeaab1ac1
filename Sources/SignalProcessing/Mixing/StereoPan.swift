// SPDX-License-Identifier: Apache-2.0

/// Constant-power panning between two loudspeakers.
///
/// The law of the W3C Web Audio API's StereoPannerNode, which is what most mixers do. A mono signal
/// has -3.01 dB on each side in the middle, and the sum of the squares of its two gains is always 1.
/// A stereo signal passes unchanged in the middle; panned to one side, that side's channel stays and
/// the other's moves over to it at constant power.
public enum StereoPan {
  /// Gains of a mono signal to the left and to the right, for a place from -1 to 1. [any thread]
  @_noLocks
  public static func mono(_ pan: Float) -> (left: Float, right: Float) {
    let place = (Double(min(max(pan, -1), 1)) + 1) / 2
    return (sine(1 - place), sine(place))
  }

  /// Gains of a stereo signal: of its left channel to both sides, and of its right one. [any thread]
  @_noLocks
  public static func stereo(_ pan: Float) -> (
    leftToLeft: Float, leftToRight: Float, rightToLeft: Float, rightToRight: Float
  ) {
    let place = Double(min(max(pan, -1), 1))
    if place <= 0 { return (1, 0, sine(-place), sine(1 + place)) }
    return (sine(1 - place), sine(place), 0, 1)
  }

  /// The gains of one or two channels to one or two: of the first channel to the left (or to the only
  /// output) and to the right, then those of the second. To one output two channels go as their mean.
  /// [any thread]
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

  /// Sine of so much of a quarter cycle, exact at both ends; 0 of what is not a number.
  @_noLocks
  private static func sine(_ part: Double) -> Float {
    SineKernel.sine(ofPhase: part > 0 ? UInt64(min(part, 1) * 0x1p62) : 0)
  }
}
