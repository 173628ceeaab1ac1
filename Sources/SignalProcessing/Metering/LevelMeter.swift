// SPDX-License-Identifier: Apache-2.0

/// Average power and held peak of one signal, in decibels relative to full scale.
///
/// The average is that of the squares over the last tenth of a second or so (a first-order low-pass
/// filter of 0.1 s): a full-scale sine has -3.01 dB. The peak holds for a second and then falls by
/// 20 dB in a second. Both end at -120 dB.
public struct LevelMeter: BitwiseCopyable, Sendable {
  /// The level of silence, in decibels.
  public static var floor: Float { @_noLocks get { -120 } }

  private let averageFrames: Float
  private let holdFrames: Float
  private let fallPerFrame: Float
  private var power: Float = 0
  /// Held peak, linear. [render thread]
  public private(set) var peak: Float = 0
  private var heldFrames: Float = 0

  /// Makes a meter at silence. [any thread]
  public init(sampleRate: Double) {
    averageFrames = Float(sampleRate * 0.1)
    holdFrames = Float(sampleRate)
    // 20 dB are a factor of ten.
    fallPerFrame = Float(2.302585 / sampleRate)
  }

  /// Clears the measurements. [render thread]
  @_noLocks
  public mutating func reset() { (power, peak, heldFrames) = (0, 0, 0) }

  /// Measures `count` samples by the sum of their squares and their largest magnitude.
  /// [render thread]
  @_noLocks
  public mutating func measure(energy: Float, peak newPeak: Float, count: Int) {
    // A value that is not finite would stay in the average forever.
    guard count > 0, energy.isFinite else { return }
    let frames = Float(count)
    power += (energy / frames - power) * (frames / (averageFrames + frames))
    if newPeak >= peak {
      peak = newPeak
      heldFrames = 0
    } else {
      heldFrames += frames
      if heldFrames > holdFrames {
        let falling = min(heldFrames - holdFrames, frames)
        peak = max(newPeak, peak / (1 + falling * fallPerFrame))
      }
    }
  }

  /// Average power in decibels. [render thread]
  public var averagePower: Float {
    @_noLocks get { max(Decibels.level(ofPower: power), Self.floor) }
  }

  /// Average as a gain: the root of the mean square. [render thread]
  public var rootMeanSquare: Float { @_noLocks get { Math.squareRoot(power) } }

  /// Held peak in decibels. [render thread]
  public var peakLevel: Float {
    @_noLocks get { max(Decibels.level(ofPower: peak * peak), Self.floor) }
  }
}
