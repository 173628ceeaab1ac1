// SPDX-License-Identifier: Apache-2.0

/// Designs of second-order filters.
///
/// R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients" (W3C
/// note, 2021); the state-variable form is that of A. Simper, "Linear trapezoidal integrated SVF"
/// (2013). Frequencies are limited to below half the sample rate.
public struct FilterDesign: BitwiseCopyable, Sendable {
  /// Q of the flattest pass band, and of a shelf of slope 1.
  public static var butterworth: Double { @_noLocks get { 0.707_106_781_186_547_524 } }

  /// Frames per second.
  private let sampleRate: Double

  /// Designs for a sample rate in Hz.
  @_noLocks
  public init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// The Q of a low-pass or high-pass whose gain at its frequency is `decibels`.
  @_noLocks
  public static func q(resonance decibels: Double) -> Double {
    Elementary.gain(decibels: decibels)
  }

  /// tan(pi f / sample rate).
  @_noLocks
  private func warped(_ frequency: Double) -> Double {
    Elementary.tangent(halfTurns: min(max(frequency / sampleRate, 1e-6), 0.4999))
  }

  /// Passes frequencies below `frequency`, where the gain is `q`.
  @_noLocks
  public func lowPass(_ frequency: Double, q: Double) -> FilterSection {
    section(warped(frequency), q, direct: 0, band: 0, low: 1)
  }

  /// Passes frequencies above `frequency`, where the gain is `q`.
  @_noLocks
  public func highPass(_ frequency: Double, q: Double) -> FilterSection {
    section(warped(frequency), q, direct: 1, band: -1 / q, low: -1)
  }

  /// Passes frequencies around `frequency`, where the gain is one.
  @_noLocks
  public func bandPass(_ frequency: Double, q: Double) -> FilterSection {
    section(warped(frequency), q, direct: 0, band: 1 / q, low: 0)
  }

  /// Rejects frequencies around `frequency`, where the gain is zero.
  @_noLocks
  public func bandStop(_ frequency: Double, q: Double) -> FilterSection {
    section(warped(frequency), q, direct: 1, band: -1 / q, low: 0)
  }

  /// Boosts or cuts frequencies around `frequency` by a gain in decibels.
  @_noLocks
  public func bell(_ frequency: Double, q: Double, decibels: Double) -> FilterSection {
    let a = Elementary.gain(decibels: decibels / 2)
    return section(
      warped(frequency), q * a, direct: 1, band: (a * a - 1) / (q * a), low: 0)
  }

  /// Boosts or cuts frequencies below `frequency`, where the gain is half of `decibels`.
  @_noLocks
  public func lowShelf(_ frequency: Double, q: Double, decibels: Double) -> FilterSection {
    let a = Elementary.gain(decibels: decibels / 2)
    return section(
      warped(frequency) / Math.squareRoot(a), q, direct: 1, band: (a - 1) / q, low: a * a - 1)
  }

  /// Boosts or cuts frequencies above `frequency`, where the gain is half of `decibels`.
  @_noLocks
  public func highShelf(_ frequency: Double, q: Double, decibels: Double) -> FilterSection {
    let a = Elementary.gain(decibels: decibels / 2)
    return section(
      warped(frequency) * Math.squareRoot(a), q, direct: a * a, band: a * (1 - a) / q,
      low: 1 - a * a)
  }

  @_noLocks
  private func section(_ g: Double, _ q: Double, direct: Double, band: Double, low: Double)
    -> FilterSection
  {
    FilterSection(
      pitch: Elementary.log2(g), damping: 1 / q, direct: direct, band: band, low: low)
  }

  /// The Q for a bandwidth in octaves around `frequency`: between the -3 dB points of a band-pass
  /// or band-stop, or the points at half the decibels of a bell. [any thread]
  ///
  /// The cookbook's formula is accurate far below half the sample rate. From there on, Newton's
  /// method finds the edges where the bilinear transform puts them.
  @_noLocks
  public func q(_ frequency: Double, octaves: Double) -> Double {
    let g = warped(frequency)
    let ratio = Elementary.exp2(octaves)
    // The edges have the tangents g e^x and g e^-x.
    var x = octaves * 0.5
    for _ in 0..<12 {
      let factor = Elementary.exp2(x)
      let (upper, lower) = (g * factor, g / factor)
      let (high, low) = (
        Elementary.halfTurns(ofTangent: upper), Elementary.halfTurns(ofTangent: lower)
      )
      // Slopes of the logarithms of both edges, per octave of x.
      let slope =
        (upper / (1 + upper * upper) / high + lower / (1 + lower * lower) / low) / .pi
      let step = Elementary.log2(high / (low * ratio)) / slope
      x = min(max(x - step, x * 0.25), min(x * 4, 40))
      if step.magnitude < 1e-9 { break }
    }
    let factor = Elementary.exp2(x)
    return 1 / (factor - 1 / factor)
  }
}
