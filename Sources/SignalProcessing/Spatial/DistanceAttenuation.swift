// SPDX-License-Identifier: Apache-2.0

/// The attenuation of a sound with distance: none up to a reference distance, the maximum from a
/// maximum distance on, and one of four curves between them.
///
/// With D the position between both distances from 0 to 1, d the distance over the reference, m the
/// maximum over the reference, A the maximum attenuation in decibels and g its gain:
///
/// - power: d^-p with p such that m^-p = g; in equal ratios of distance it falls by equal decibels
/// - exponential: -A * D decibels; in equal steps of distance it falls by equal decibels
/// - inverse: 1 / (1 + (1 / g - 1) * D)
/// - linear: 1 - (1 - g) * D
public struct DistanceAttenuation: BitwiseCopyable, Sendable {
  /// The curves, numbered as the spatial mixer's property has them.
  public enum Curve: Int32, BitwiseCopyable, Sendable { case power, exponential, inverse, linear }

  /// The curve.
  public var curve: Curve
  public var reference: Float
  public var maximum: Float
  public var maximumAttenuation: Float

  /// Makes an attenuation; a reference of 0 or below, and a maximum below the reference, are
  /// raised. Distances in metres, the attenuation in decibels.
  @_noLocks
  public init(curve: Curve, reference: Float, maximum: Float, maximumAttenuation: Float) {
    self.curve = curve
    self.reference = max(reference, 1e-3)
    self.maximum = max(maximum, self.reference * 1.000_1)
    self.maximumAttenuation = max(maximumAttenuation, 0)
  }

  /// Gain at a distance in metres, at most 1. [any thread]
  @_noLocks
  public func gain(at distance: Float) -> Float {
    // NaN counts as near.
    let clamped = distance > reference ? min(distance, maximum) : reference
    let part = (clamped - reference) / (maximum - reference)
    let least = Decibels.gain(ofLevel: -maximumAttenuation)
    switch curve {
    case .power:
      let share =
        Elementary.log2(clamped / reference) / Elementary.log2(maximum / reference)
      return Decibels.gain(ofLevel: -maximumAttenuation * share)
    case .exponential:
      return Decibels.gain(ofLevel: -maximumAttenuation * part)
    case .inverse:
      return 1 / (1 + (1 / max(least, 1e-20) - 1) * part)
    case .linear:
      return 1 - (1 - least) * part
    }
  }
}
