// SPDX-License-Identifier: Apache-2.0

/// A tone to play.
public struct Tone: Equatable, Sendable {
  /// In Hz; during a sweep, the frequency from before it.
  public var frequency: Double
  /// The peak in dBFS; 0 is full scale.
  public var level: Double
  public var waveform: ToneWaveform
  /// The duty cycle of a square, in percent, 1 to 99.
  public var dutyCycle: Double
  /// The side on which it plays.
  public var side = ToneSide.both
  /// The phase lead of the right channel in degrees, -180 to 180.
  public var phase = 0.0
  /// Whether the right channel is inverted.
  public var isInverted = false
  /// Whether all channels have the same noise; changes take effect when it starts to play.
  public var hasSameNoise = false
  /// The sweep of the frequency; nil: none.
  public var sweep: ToneSweep?
  /// The pattern of bursts; nil: it plays continuously.
  public var burst: ToneBurst?
  /// The initial phase in degrees, -180 to 180: 0 is the rising zero crossing of a sine, 90 its
  /// peak. It sets the crest factor of several tones.
  public var startPhase = 0.0
  /// The band of noise; nil: all frequencies.
  public var band: NoiseBand?

  /// A tone; by default the A above middle C, as a sine, at a moderate level.
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

  /// The linear gain of the highest level in a sweep.
  var largestAmplitude: Double {
    max(amplitude, sweep?.endLevel.map(Decibels.ratio) ?? 0)
  }

  /// The frequency of the first frame.
  var firstFrequency: Double { sweep?.start ?? frequency }

  /// The linear gains on the left and the right.
  var gains: (left: Double, right: Double) {
    (side == .right ? 0 : 1, side == .left ? 0 : isInverted ? -1 : 1)
  }
}

/// The side on which a tone plays.
public enum ToneSide: String, CaseIterable, Codable, Sendable {
  case both, left, right
}

extension Tone: Codable {
  private enum CodingKeys: String, CodingKey {
    case frequency, level, waveform, dutyCycle, side, phase, isInverted, hasSameNoise, sweep, burst
    case startPhase, band
  }

  /// Missing values are those of a new tone.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(frequency: try values.decode(Double.self, forKey: .frequency))
    level = try values.decodeIfPresent(Double.self, forKey: .level) ?? level
    waveform = try values.decodeIfPresent(ToneWaveform.self, forKey: .waveform) ?? waveform
    let duty = try values.decodeIfPresent(Double.self, forKey: .dutyCycle) ?? dutyCycle
    dutyCycle = (1...99).nearest(to: duty)
    side = try values.decodeIfPresent(ToneSide.self, forKey: .side) ?? side
    phase = (-180...180).nearest(to: try values.decodeIfPresent(Double.self, forKey: .phase) ?? 0)
    isInverted = try values.decodeIfPresent(Bool.self, forKey: .isInverted) ?? false
    hasSameNoise = try values.decodeIfPresent(Bool.self, forKey: .hasSameNoise) ?? false
    sweep = try values.decodeIfPresent(ToneSweep.self, forKey: .sweep)
    burst = try values.decodeIfPresent(ToneBurst.self, forKey: .burst)
    let start = try values.decodeIfPresent(Double.self, forKey: .startPhase)
    startPhase = (-180...180).nearest(to: start ?? 0)
    band = try values.decodeIfPresent(NoiseBand.self, forKey: .band)
  }
}

/// A repeated pattern of periods on and off, switched at rising zero crossings. Noise has no
/// periods and stays on.
public struct ToneBurst: Equatable, Codable, Sendable {
  /// The possible numbers of periods.
  public static let periods = 1...100_000

  /// The number of periods with sound.
  public let on: Int
  /// The number of silent periods.
  public let off: Int

  /// A burst; values outside the range are clamped.
  public init(on: Int, off: Int) {
    self.on = min(max(on, Self.periods.lowerBound), Self.periods.upperBound)
    self.off = min(max(off, Self.periods.lowerBound), Self.periods.upperBound)
  }

  /// Decodes a burst, with clamped values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      on: try values.decode(Int.self, forKey: .on), off: try values.decode(Int.self, forKey: .off))
  }

  private enum CodingKeys: String, CodingKey {
    case on, off
  }

  /// Both numbers in one word, for the render thread; 0 is no burst.
  var bits: UInt64 { UInt64(clamping: on) << 32 | UInt64(clamping: off) }
}
