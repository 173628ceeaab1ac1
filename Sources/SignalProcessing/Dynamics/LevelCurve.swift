// SPDX-License-Identifier: Apache-2.0

/// How loud what comes out is for how loud what goes in is, in decibels, when nothing moves.
///
/// Between the two thresholds nothing changes. A level x above the threshold T comes out as
/// T + H x / (H + x): one to one at the threshold, ever flatter above it, and never above T + H,
/// where H is the head room. At H above the threshold the ratio is 4 to 1. Below the expansion
/// threshold each decibel becomes as many as the expansion ratio says, down to 120 of them.
public struct LevelCurve: Equatable, Sendable {
  /// Level above which the curve bends, in decibels of full scale.
  public var threshold: Float
  /// How far the output may rise above the threshold, in decibels, above zero.
  public var headRoom: Float
  /// Level below which quiet becomes quieter, in decibels of full scale.
  public var expansionThreshold: Float
  /// Decibels of output per decibel of input there, one or more.
  public var expansionRatio: Float

  /// The maximum attenuation by expansion, in decibels.
  public static var deepestExpansion: Float { @_noLocks get { 120 } }

  @_noLocks
  public init(
    threshold: Float, headRoom: Float, expansionThreshold: Float = -120, expansionRatio: Float = 1
  ) {
    self.threshold = threshold
    self.headRoom = headRoom
    self.expansionThreshold = expansionThreshold
    self.expansionRatio = expansionRatio
  }

  /// Decibels that come out for a level in decibels. [any thread]
  public func output(of level: Float) -> Float {
    let above = max(0, level - threshold)
    let below = max(0, expansionThreshold - level)
    let taken = min(Self.deepestExpansion, (expansionRatio - 1) * below)
    return level - above * above / (headRoom + above) - taken
  }
}
