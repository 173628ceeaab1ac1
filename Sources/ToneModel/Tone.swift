// SPDX-License-Identifier: Apache-2.0

/// What sounds, or shall sound.
public struct Tone: Equatable, Sendable {
  /// In Hz; where a sweep leads it, this is what it began with.
  public var frequency: Double
  /// Peak in dBFS: 0 is the largest sample that a device takes.
  public var level: Double
  public var waveform: ToneWaveform
  /// Percent of its period that a square is high, 1 to 99.
  public var dutyCycle: Double
  /// Where it is heard.
  public var side = ToneSide.both
  /// Degrees by which the right channel is ahead of the left, -180 to 180.
  public var phase = 0.0
  /// Whether the right channel is turned upside down.
  public var isInverted = false
  /// Whether noise is the same on all channels, not one for each; what holds when it begins to sound.
  public var hasSameNoise = false
  /// What moves the frequency; nil: nothing.
  public var sweep: ToneSweep?
  /// How it is switched on and off; nil: it is on.
  public var burst: ToneBurst?
  /// Degrees of its period at which it begins, -180 to 180: 0 is where a sine rises through zero, 90 its
  /// peak. Several tones get their crest by it.
  public var startPhase = 0.0
  /// What is left of noise; nil: all of it.
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

  /// The linear gain of the highest level that a sweep leads it to.
  var largestAmplitude: Double {
    max(amplitude, sweep?.endLevel.map(Decibels.ratio) ?? 0)
  }

  /// The frequency of the first frame.
  var firstFrequency: Double { sweep?.start ?? frequency }

  /// Linear gains with which it goes to the left and to the right.
  var gains: (left: Double, right: Double) {
    (side == .right ? 0 : 1, side == .left ? 0 : isInverted ? -1 : 1)
  }
}

/// Where a tone is heard.
public enum ToneSide: String, CaseIterable, Codable, Sendable {
  case both, left, right
}

extension Tone: Codable {
  private enum CodingKeys: String, CodingKey {
    case frequency, level, waveform, dutyCycle, side, phase, isInverted, hasSameNoise, sweep, burst
    case startPhase, band
  }

  /// What a file leaves out is as in a new tone.
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

/// A tone that is on for some periods and off for some, over and over, and changes where the wave
/// rises through zero. Noise has no periods and stays on.
public struct ToneBurst: Equatable, Codable, Sendable {
  /// Periods that each half may last.
  public static let periods = 1...100_000

  /// Periods for which it sounds.
  public let on: Int
  /// Periods for which it is silent.
  public let off: Int

  /// A burst; what lies outside the range becomes its end.
  public init(on: Int, off: Int) {
    self.on = min(max(on, Self.periods.lowerBound), Self.periods.upperBound)
    self.off = min(max(off, Self.periods.lowerBound), Self.periods.upperBound)
  }

  /// Reads what a file says, within the range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      on: try values.decode(Int.self, forKey: .on), off: try values.decode(Int.self, forKey: .off))
  }

  private enum CodingKeys: String, CodingKey {
    case on, off
  }

  /// Both numbers in one word, for the render thread; 0 is no burst.
  var bits: UInt64 { UInt64(on) << 32 | UInt64(off) }
}
