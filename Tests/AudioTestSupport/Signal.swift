// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One channel of sound for analysis, in double precision.
public struct Signal: Sendable {
  /// The samples.
  public var samples: [Double]
  /// Sample rate in Hz.
  public var sampleRate: Double

  /// Makes a signal of samples.
  public init(_ samples: [Double], sampleRate: Double = 48_000) {
    self.samples = samples
    self.sampleRate = sampleRate
  }

  /// Makes a signal of samples in single precision.
  public init(_ samples: [Float], sampleRate: Double = 48_000) {
    self.init(samples.map(Double.init), sampleRate: sampleRate)
  }

  /// A sine that starts at `phase` (in cycles), exact to double precision.
  public static func sine(
    _ frequency: Double, amplitude: Double = 1, phase: Double = 0, sampleRate: Double = 48_000,
    count: Int = 48_000
  ) -> Signal {
    let samples = (0..<count).map { index in
      amplitude * sin(2 * .pi * (Signal.cycles(frequency, index, sampleRate) + phase))
    }
    return Signal(samples, sampleRate: sampleRate)
  }

  /// One sample of 1 followed by silence.
  public static func impulse(count: Int = 48_000, sampleRate: Double = 48_000) -> Signal {
    var samples = [Double](repeating: 0, count: count)
    if count > 0 { samples[0] = 1 }
    return Signal(samples, sampleRate: sampleRate)
  }

  /// The samples in single precision.
  public var floats: [Float] { samples.map(Float.init) }

  /// Number of samples.
  public var count: Int { samples.count }

  /// Part of the signal.
  public subscript(_ range: Range<Int>) -> Signal {
    Signal(Array(samples[range]), sampleRate: sampleRate)
  }

  /// The signal without its first `count` samples.
  public func dropping(_ count: Int) -> Signal {
    Signal(Array(samples.dropFirst(count)), sampleRate: sampleRate)
  }

  /// Fraction of a cycle after `index` samples, computed so that long signals keep their precision.
  static func cycles(_ frequency: Double, _ index: Int, _ sampleRate: Double) -> Double {
    let seconds = (Double(index) / sampleRate).rounded(.down)
    let rest = Double(index) - seconds * sampleRate
    let whole = (frequency * seconds).truncatingRemainder(dividingBy: 1)
    return (whole + frequency * rest / sampleRate).truncatingRemainder(dividingBy: 1)
  }
}
