// SPDX-License-Identifier: Apache-2.0

/// A tone to play.
public struct Tone: Equatable, Sendable {
  /// In Hz; during a sweep, the frequency from before it.
  public var frequency: Double
  /// The peak in dBFS; 0 is full scale.
  public var level: Double
  public var waveform: ToneWaveform
  /// The sound of the waveform `file`; nil for the others.
  public var sound: ToneSound?
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
  /// The length in frames of a Fourier transform: the frequency that sounds is the nearest of its
  /// lines, so that a measurement needs no window. Nil: the frequency itself.
  public var lineFrames: Int?
  /// The numbers of the channels on which it plays, from 1; empty: those of the side.
  public var channels: [Int] = []
  /// When it sounds; nil: as long as it plays.
  public var timing: ToneTiming?
  /// The modulation of the amplitude; nil: none.
  public var amplitudeModulation: AmplitudeModulation?
  /// The modulation of the frequency; nil: none.
  public var frequencyModulation: FrequencyModulation?
  /// Noise that repeats does so after two to this power frames, 4 to 20; changes take effect when it
  /// starts to play.
  public var noiseOrder = 16
  /// The bits per sample for which a J-test is made, 8 to 24; changes take effect when it starts to
  /// play.
  public var sampleBits = 24

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

  /// The linear gain on a channel, from 0: the even ones are left, the odd ones right.
  func gain(onChannel index: Int) -> Double {
    let isRight = index % 2 == 1
    let reach = max(2, sound?.channelCount ?? 0)
    let plays =
      channels.isEmpty
      ? index < reach && side != (isRight ? .left : .right) : channels.contains(index + 1)
    return plays ? isRight && isInverted ? -1 : 1 : 0
  }

  /// The possible lengths of a Fourier transform, in frames.
  public static let lineFrames = 2...16_777_216

  /// A frequency, or the nearest line of the Fourier transform above zero and up to half the rate.
  public func lockedFrequency(_ frequency: Double, sampleRate: Double) -> Double {
    guard let lineFrames else { return frequency }
    let line = (frequency * Double(lineFrames) / sampleRate).rounded()
    let highest = Double(lineFrames / 2)
    return (1...highest).nearest(to: line) * sampleRate / Double(lineFrames)
  }

  /// The tone that sounds at a sample rate: with its frequencies at the lines to which it is locked. A
  /// file has no phase.
  func locked(sampleRate: Double) -> Tone {
    var tone = self
    if waveform == .file { (tone.startPhase, tone.phase) = (0, 0) }
    guard lineFrames != nil else { return tone }
    tone.frequency = lockedFrequency(frequency, sampleRate: sampleRate)
    return tone
  }
}

/// A modulation of the amplitude by a sine, below the level.
public struct AmplitudeModulation: Equatable, Codable, Sendable {
  /// In Hz.
  public var frequency: Double
  /// In percent, 0 to 100.
  public var depth: Double

  /// A modulation.
  public init(frequency: Double, depth: Double) {
    self.frequency = frequency
    self.depth = (0...100).nearest(to: depth)
  }
}

/// A modulation of the frequency by a sine.
public struct FrequencyModulation: Equatable, Codable, Sendable {
  /// In Hz.
  public var frequency: Double
  /// The largest change of the frequency, in Hz.
  public var deviation: Double

  /// A modulation.
  public init(frequency: Double, deviation: Double) {
    self.frequency = frequency
    self.deviation = max(deviation, 0)
  }
}

/// The side on which a tone plays.
public enum ToneSide: String, CaseIterable, Codable, Sendable {
  case both, left, right
}

extension Tone: Codable {
  private enum CodingKeys: String, CodingKey {
    case frequency, level, waveform, dutyCycle, side, phase, isInverted, hasSameNoise, sweep, burst
    case startPhase, band, lineFrames, channels, amplitudeModulation, frequencyModulation
    case noiseOrder, sampleBits, timing, sound
  }

  /// Missing values are those of a new tone.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(frequency: try values.decode(Double.self, forKey: .frequency))
    level = try values.decodeIfPresent(Double.self, forKey: .level) ?? level
    waveform = try values.decodeIfPresent(ToneWaveform.self, forKey: .waveform) ?? waveform
    sound = try values.decodeIfPresent(ToneSound.self, forKey: .sound)
    if waveform == .file, sound == nil { waveform = .sine }
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
    lineFrames = try values.decodeIfPresent(Int.self, forKey: .lineFrames)
    if let frames = lineFrames, !Self.lineFrames.contains(frames) { lineFrames = nil }
    let channels = try values.decodeIfPresent([Int].self, forKey: .channels) ?? []
    self.channels = channels.filter { $0 > 0 }
    timing = try values.decodeIfPresent(ToneTiming.self, forKey: .timing)
    amplitudeModulation = try values.decodeIfPresent(
      AmplitudeModulation.self, forKey: .amplitudeModulation)
    frequencyModulation = try values.decodeIfPresent(
      FrequencyModulation.self, forKey: .frequencyModulation)
    let order = try values.decodeIfPresent(Int.self, forKey: .noiseOrder) ?? noiseOrder
    noiseOrder = min(max(order, 4), 20)
    let bits = try values.decodeIfPresent(Int.self, forKey: .sampleBits) ?? sampleBits
    sampleBits = min(max(bits, 8), 24)
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
