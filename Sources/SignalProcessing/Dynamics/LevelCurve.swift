// SPDX-License-Identifier: Apache-2.0

/// The static curve of a compressor and expander: output level for input level, in decibels.
///
/// Between the two thresholds levels stay as they are. A level x above the threshold T comes out as
/// T + H x / (H + x), where H is the head room: one to one at the threshold, ever flatter above it,
/// and never above T + H. At H above the threshold the ratio is 4 to 1. Below the expansion
/// threshold each decibel becomes as many as the expansion ratio, down to an attenuation of 120 dB.
public struct LevelCurve: Equatable, Sendable {
  /// Level above which the curve bends, in decibels of full scale.
  public var threshold: Float
  /// How far the output may rise above the threshold, in decibels, above zero.
  public var headRoom: Float
  /// Level below which the expander attenuates, in decibels of full scale.
  public var expansionThreshold: Float
  /// Decibels of output per decibel of input there, one or more.
  public var expansionRatio: Float

  /// The maximum attenuation by expansion, in decibels.
  public static var maximumExpansion: Float { @_noLocks get { 120 } }

  @_noLocks
  public init(
    threshold: Float, headRoom: Float, expansionThreshold: Float = -120, expansionRatio: Float = 1
  ) {
    self.threshold = threshold
    self.headRoom = headRoom
    self.expansionThreshold = expansionThreshold
    self.expansionRatio = expansionRatio
  }

  /// Output level for an input level, both in decibels. [any thread]
  public func output(of level: Float) -> Float {
    let above = max(0, level - threshold)
    let below = max(0, expansionThreshold - level)
    let attenuation = min(Self.maximumExpansion, (expansionRatio - 1) * below)
    return level - above * above / (headRoom + above) - attenuation
  }
}
