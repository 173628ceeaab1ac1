// SPDX-License-Identifier: Apache-2.0

/// The level that a meter shows: it rises at once to each peak and falls by 20 decibels a second.
public struct LevelMeter: BitwiseCopyable, Sendable {
  private var level: Float = 0
  private let octavesPerFrame: Float

  public init(sampleRate: Double) {
    octavesPerFrame = Float(-20 / sampleRate) / Exponentials.decibelsPerOctave
  }

  /// Falls to nothing. [any thread]
  @_noLocks
  public mutating func reset() { level = 0 }

  /// Passes frames of which `peak` is the largest magnitude. [any thread]
  @_noLocks
  public mutating func hear(_ peak: Float, frames: Int) {
    level *= Exponentials.exp2(Float(frames) * octavesPerFrame)
    if peak > level { level = peak }
  }

  /// What it shows, from -120 to 20 decibels of full scale. [any thread]
  public var decibels: Float {
    @_noLocks get {
      guard level > 1e-6 else { return -120 }
      return min(20, Exponentials.log2(level) * Exponentials.decibelsPerOctave)
    }
  }
}
