// SPDX-License-Identifier: Apache-2.0

/// A filter that falls by 3.01 dB per octave: it turns white noise into pink noise.
///
/// Poles and zeros alternate at equal ratios, two octaves from pole to pole, which gives a ripple
/// of 0.01 dB. The scale is that of 2 sin(w / 2), which first-order sections follow exactly up to
/// half the sample rate; two fixed sections then correct it to the scale of w. From 20 Hz to 20 kHz
/// the response stays within 0.04 dB of a straight line at any rate from 44.1 kHz up. After Smith
/// and Smith, "Closed form fractional integration and differentiation via real exponentially spaced
/// pole-zero pairs" (2016).
public struct PinkFilter: BitwiseCopyable, Sendable {
  private static var sectionCount: Int { @_noLocks get { 12 } }
  // Where the slope begins; below, the response is flat.
  private static let lowestFrequency = 1.0

  private var poles = InlineArray<12, Double>(repeating: 0)
  private var zeros = InlineArray<12, Double>(repeating: 0)
  private var memories = InlineArray<12, Double>(repeating: 0)
  private var gain = 1.0

  /// Designs the filter for a sample rate in Hz. [control thread]
  ///
  /// It keeps the RMS of white noise.
  public init(sampleRate: Double) {
    // Least-squares fit of the correcting sections to 2 sin(w / 2) / w, up to 0.965 of half the
    // rate.
    zeros[0] = -0.653_376_74
    poles[0] = -0.113_397_07
    zeros[1] = -0.181_087_04
    poles[1] = -0.631_992_03
    var corner = 2 * Double.pi * Self.lowestFrequency / sampleRate
    for index in 2..<Self.sectionCount {
      poles[index] = Self.root(corner: corner)
      zeros[index] = Self.root(corner: corner * 2)
      corner *= 4
    }
    gain = 1 / meanPower().squareRoot()
  }

  /// Gain in decibels at a frequency in Hz. [any thread]
  public func level(at frequency: Double, sampleRate: Double) -> Double {
    10 * Math.decimalLogarithm(power(at: 2 * .pi * frequency / sampleRate))
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func reset() {
    for index in 0..<Self.sectionCount { memories[index] = 0 }
  }

  /// Filters one sample. [render thread]
  @inline(__always) @_noLocks
  mutating func filter(_ sample: Double) -> Double {
    var sample = sample * gain
    for index in 0..<Self.sectionCount {
      let output = sample + memories[index]
      memories[index] = poles[index] * output - zeros[index] * sample
      sample = output
    }
    return sample
  }

  /// Root, inside the unit circle, of the section whose corner is where 2 sin(w / 2) equals
  /// `corner`.
  private static func root(corner: Double) -> Double {
    // (1 - r)^2 / r = corner^2
    let half = 1 + corner * corner / 2
    return half - (half * half - 1).squareRoot()
  }

  /// Squared response at a frequency in radians per sample.
  private func power(at frequency: Double) -> Double {
    let sine = Math.sine(frequency / 2)
    let square = 4 * sine * sine
    var power = gain * gain
    for index in 0..<Self.sectionCount {
      let (zero, pole) = (zeros[index], poles[index])
      power *= (1 - zero) * (1 - zero) + zero * square
      power /= (1 - pole) * (1 - pole) + pole * square
    }
    return power
  }

  /// Mean of the squared response over all frequencies up to half the sample rate.
  private func meanPower() -> Double {
    // In steps of equal ratio, because most of the power is at the lowest frequencies.
    let steps = 4_096
    let lowest = 1e-7
    let ratio = Math.exponential(Math.logarithm(.pi / lowest) / Double(steps))
    var integral = 0.0
    var frequency = lowest
    for _ in 0..<steps {
      integral += power(at: frequency * ratio.squareRoot()) * frequency * (ratio - 1)
      frequency *= ratio
    }
    return integral / .pi
  }
}
