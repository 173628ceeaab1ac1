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

  /// The course of the amplitude; times in seconds.
  struct Envelope: Equatable {
    var delay = 0.0
    var attack = 0.0
    var hold = 0.0
    var decay = 0.0
    /// In decibels, 0 or less.
    var sustain = 0.0
    var release = 0.1
  }

  /// The slow oscillator that moves the pitch: its rate in Hz, the time in seconds before it begins, and how
  /// far it always goes. The modulation wheel moves the pitch with it further.
  struct Vibrato: Equatable {
    var rate: Double
    var delay = 0.0
    var cents = 0.0
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
  var vibrato: Vibrato?

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
    if let vibrato {
      if vibrato.cents != 0 { add(6, vibrato.cents, -12_000...12_000) }
      if vibrato.delay > 0 { add(23, Self.timecents(vibrato.delay), -12_000...5_000) }
      add(24, Self.pitchCents(max(vibrato.rate, 0.001)), -16_000...4_500)
    }
    if let filter {
      // The resonance in centibels.
      add(8, Self.pitchCents(max(filter.cutoff, 1)), 1_500...13_500)
      add(9, 10 * filter.resonance, 0...960)
    }
    add(17, Double(channel) + 500 * pan, -500...500)
    let envelope = envelope
    if envelope.delay > 0 { add(33, Self.timecents(envelope.delay), -12_000...5_000) }
    if envelope.attack > 0 { add(34, Self.timecents(envelope.attack), -12_000...8_000) }
    if envelope.hold > 0 { add(35, Self.timecents(envelope.hold), -12_000...5_000) }
    if envelope.decay > 0 { add(36, Self.timecents(envelope.decay), -12_000...8_000) }
    if envelope.sustain < 0 { add(37, -10 * envelope.sustain, 0...1_440) }
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
