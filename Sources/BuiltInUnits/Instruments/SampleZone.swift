// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A part of an instrument: a sound file, and the notes that play it.
struct SampleZone: Equatable {
  /// The part of the file that is repeated while a note is held.
  enum Loop: Equatable {
    case none
    /// The first loop that the file states.
    case file
    /// Frames of the file; to the end of the zone if there is no `end`.
    case frames(start: Int, end: Int?)
  }

  /// The course of the amplitude or of the pitch; times in seconds.
  struct Envelope: Equatable {
    var delay = 0.0
    var attack = 0.0
    var hold = 0.0
    var decay = 0.0
    /// Of the sustain, 0 to 1: of the way, in decibels or in cents.
    var level = 1.0
    var release = 0.1
  }

  /// A slow oscillator: its rate in Hz, the time in seconds before it begins, and how far it always goes to
  /// each side, in cents or decibels. Controllers may move it further.
  struct Oscillator: Equatable {
    var rate: Double
    var delay = 0.0
    var amount = 0.0
  }

  /// A controller, key or velocity that moves a generator, both with their numbers in a SoundFont. Another
  /// source may scale it.
  struct Modulator: Equatable {
    var source: UInt16
    var generator: UInt16
    var amount: Double
    var amountSource: UInt16 = 0
  }

  /// A low-pass filter: its cutoff frequency in Hz, and its resonance in decibels.
  struct Filter: Equatable {
    var cutoff: Double
    var resonance: Double
  }

  var path: String
  var key = 60
  /// The change of the pitch.
  var cents = 0.0
  var keys = 0...127
  var velocities = 0...127
  /// The part of the file that plays, in frames; from the start or to the end if there is no number.
  var start: Int?
  var end: Int?
  var loop = Loop.none
  /// Whether a loop ends with the note; what follows it in the file then plays.
  var playsToEnd = false
  var isReversed = false
  /// How far the pitch rises with each key, in cents.
  var centsPerKey = 100.0
  var followsVelocity = true
  /// In decibels; above 0 the samples are raised, at most to full scale.
  var gain = 0.0
  /// -1 (left) to 1.
  var pan = 0.0
  var envelope = Envelope()
  /// Whether the sample plays to its end although the note ends.
  var isOneShot = false
  var filter: Filter?
  /// What moves the pitch slowly; the modulation wheel moves it further.
  var vibrato: Oscillator?
  /// What moves the gain slowly.
  var tremolo: Oscillator?
  /// What moves the pitch in the course of a note, by so many cents.
  var pitchEnvelope: Envelope?
  var pitchEnvelopeCents = 0.0
  private(set) var modulators: [Modulator] = []

  /// Adds a modulator. What moves the same by the same is added up.
  mutating func add(_ new: Modulator) {
    let same = modulators.firstIndex {
      ($0.source, $0.generator, $0.amountSource) == (new.source, new.generator, new.amountSource)
    }
    if let same { modulators[same].amount += new.amount } else { modulators.append(new) }
  }

  /// [control thread] Its generators in a SoundFont, in the order that the format requires. `pan` is
  /// that of the file's channel, -500 to 500.
  func generators(
    pan channel: Int, loops: Bool, sample: Int
  ) -> [(generator: UInt16, amount: Int)] {
    var list: [(generator: UInt16, amount: Int)] = [
      (43, keys.upperBound << 8 | keys.lowerBound),
      (44, velocities.upperBound << 8 | velocities.lowerBound),
    ]
    func add(_ generator: UInt16, _ amount: Double, _ range: ClosedRange<Double>) {
      let limited = amount.isFinite ? min(max(amount, range.lowerBound), range.upperBound) : 0
      list.append((generator, Int(limited.rounded())))
    }
    func add(_ oscillator: Oscillator, amount: UInt16, delay: UInt16, rate: UInt16, _ units: Double)
    {
      if oscillator.amount != 0 { add(amount, units * oscillator.amount, -12_000...12_000) }
      if oscillator.delay > 0 { add(delay, Self.timecents(oscillator.delay), -12_000...5_000) }
      add(rate, Self.pitchCents(max(oscillator.rate, 0.001)), -16_000...4_500)
    }
    // Cents, and centibels.
    if let vibrato { add(vibrato, amount: 6, delay: 23, rate: 24, 1) }
    if let tremolo { add(tremolo, amount: 13, delay: 21, rate: 22, 10) }
    /// The generators of an envelope begin with `first`: delay, attack, hold, decay, sustain.
    func add(_ envelope: Envelope, first: UInt16, _ sustain: ClosedRange<Double>) {
      if envelope.delay > 0 { add(first, Self.timecents(envelope.delay), -12_000...5_000) }
      if envelope.attack > 0 { add(first + 1, Self.timecents(envelope.attack), -12_000...8_000) }
      if envelope.hold > 0 { add(first + 2, Self.timecents(envelope.hold), -12_000...5_000) }
      if envelope.decay > 0 { add(first + 3, Self.timecents(envelope.decay), -12_000...8_000) }
      if envelope.level < 1 { add(first + 4, (1 - envelope.level) * sustain.upperBound, sustain) }
    }
    if let pitchEnvelope {
      if pitchEnvelopeCents != 0 { add(7, pitchEnvelopeCents, -12_000...12_000) }
      // Thousandths.
      add(pitchEnvelope, first: 25, 0...1_000)
      add(30, Self.timecents(pitchEnvelope.release), -12_000...8_000)
    }
    if let filter {
      // The resonance in centibels.
      add(8, Self.pitchCents(max(filter.cutoff, 1)), 1_500...13_500)
      add(9, 10 * filter.resonance, 0...960)
    }
    add(17, Double(channel) + 500 * pan, -500...500)
    // Centibels.
    add(envelope, first: 33, 0...960)
    // A release of 100 s hardly fades a sample that plays to its end.
    add(38, isOneShot ? 8_000 : Self.timecents(envelope.release), -12_000...8_000)
    if !followsVelocity { add(47, 127, 0...127) }
    // FluidSynth applies 0.4 of the attenuation, as the sound cards did.
    if gain < 0 { add(48, -25 * gain, 0...1_440) }
    let coarse = (cents / 100).rounded(.towardZero)
    if coarse != 0 { add(51, coarse, -120...120) }
    if cents - 100 * coarse != 0 { add(52, cents - 100 * coarse, -99...99) }
    if loops, !isOneShot { list.append((54, playsToEnd ? 3 : 1)) }
    if centsPerKey != 100 { add(56, centsPerKey, 0...1_200) }
    list.append((58, key))
    list.append((53, sample))
    return list
  }

  /// A frequency in cents above 8.176 Hz.
  private static func pitchCents(_ frequency: Double) -> Double {
    1_200 * log2(frequency / 8.175_798_9)
  }

  private static func timecents(_ seconds: Double) -> Double { 1_200 * log2(max(seconds, 0.001)) }
}
