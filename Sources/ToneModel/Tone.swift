// SPDX-License-Identifier: Apache-2.0

/// What sounds, or shall sound.
public struct Tone: Equatable, Sendable {
  /// In Hz.
  public var frequency: Double
  /// Peak in dBFS: 0 is the largest sample that a device takes.
  public var level: Double
  public var waveform: ToneWaveform
  /// Percent of its period that a square is high, 1 to 99.
  public var dutyCycle: Double

  /// A tone; without arguments the A above middle C, as a sine, at a level that startles nobody.
  public init(
    frequency: Double = 440, level: Double = -20, waveform: ToneWaveform = .sine,
    dutyCycle: Double = 50
  ) {
    self.frequency = frequency
    self.level = level
    self.waveform = waveform
    self.dutyCycle = dutyCycle
  }

  /// The linear gain of the level.
  public var amplitude: Double { Decibels.ratio(level) }
}
