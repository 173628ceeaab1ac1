// SPDX-License-Identifier: Apache-2.0

/// The waveforms of a tone oscillator.
///
/// Sine, square (at half duty), triangle and saw rise through zero where the phase is zero, so that
/// their fundamentals are in phase.
public enum Waveform: Int32, Sendable, CaseIterable, BitwiseCopyable {
  /// A pure tone whose crest is exactly the amplitude.
  case sine
  /// High for the duty cycle and low for the rest of the period, without a DC component.
  case square
  /// Straight lines between the peaks, at a quarter and three quarters of the period.
  case triangle
  /// A rising line that falls back in the middle of the period.
  case saw
  /// Independent samples, evenly spread between minus and plus the amplitude.
  case whiteNoise
  /// Noise of equal power in each octave.
  case pinkNoise
  /// Plus and minus the amplitude in an order that repeats (`PeriodicNoise`).
  case maximumLengthSequence
  /// Pink noise that repeats (`PeriodicNoise`).
  case periodicPinkNoise
  /// A tone at a quarter of the sample rate and a slow square wave of the last bit (`JitterTest`).
  case jitterTest
  /// One frame of the amplitude for each period, the nearest to its start, and silence between.
  case impulse
  /// The amplitude, times the cosine of the phase offset.
  case constant

  /// Whether it has a frequency.
  public var isPeriodic: Bool {
    @_noLocks get {
      switch self {
      case .sine, .square, .triangle, .saw, .impulse: true
      default: false
      }
    }
  }

  /// Whether it is read from the tables of `PeriodicNoise`.
  public var needsNoiseTables: Bool {
    @_noLocks get { self == .maximumLengthSequence || self == .periodicPinkNoise }
  }

  /// Whether it depends on a seed.
  public var isRandom: Bool {
    @_noLocks get {
      switch self {
      case .whiteNoise, .pinkNoise: true
      default: false
      }
    }
  }
}
