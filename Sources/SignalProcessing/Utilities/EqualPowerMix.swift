// SPDX-License-Identifier: Apache-2.0

/// The gains of an equal-power mix of two signals: a quarter of a circle.
///
/// At the ends one gain is exactly one and the other exactly zero; in the middle both are -3 dB.
public struct EqualPowerMix: BitwiseCopyable, Sendable {
  /// Gain of the signal that is alone at 0 %.
  public let dry: Float
  /// Gain of the signal that is alone at 100 %.
  public let wet: Float

  /// Computes the gains for 0 to 100 percent, to which `percent` is limited. [any thread]
  @_noLocks
  public init(percent: Float) {
    let part = Double(min(max(percent, 0), 100)) / 100
    wet = part == 1 ? 1 : Float(Elementary.sine(quarters: part))
    dry = part == 0 ? 1 : Float(Elementary.sine(quarters: 1 - part))
  }
}
