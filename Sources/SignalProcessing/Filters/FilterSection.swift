// SPDX-License-Identifier: Apache-2.0

/// A second-order filter as the coefficients of a state-variable filter.
///
/// With s the frequency over the filter's own, its analogue model is (m0 s^2 + (m0 k + m1) s + m0 +
/// m2) / (s^2 + k s + 1): a mix of the input, the band-pass and the low-pass output. Any two
/// sections can be interpolated linearly; everything between them is stable.
public struct FilterSection: BitwiseCopyable, Sendable, Equatable {
  /// Base-2 logarithm of tan(pi f / sample rate), for the filter's frequency f.
  public var pitch: Double
  /// One over its Q.
  public var damping: Double
  /// Gains of the input, of the band-pass and of the low-pass output.
  public var direct: Double
  public var band: Double
  public var low: Double

  @_noLocks
  init(pitch: Double, damping: Double, direct: Double, band: Double, low: Double) {
    self.pitch = pitch
    self.damping = damping
    self.direct = direct
    self.band = band
    self.low = low
  }

  /// Whether all numbers of two sections are equal.
  @_noLocks
  public static func == (one: Self, other: Self) -> Bool {
    if one.pitch != other.pitch || one.damping != other.damping { return false }
    return one.direct == other.direct && one.band == other.band && one.low == other.low
  }

  /// The section that passes its input unchanged.
  public static var flat: FilterSection {
    @_noLocks get { .init(pitch: -4, damping: 1, direct: 1, band: 0, low: 0) }
  }

  /// Whether the input passes unchanged.
  public var isFlat: Bool { @_noLocks get { direct == 1 && band == 0 && low == 0 } }

  /// The coefficients of the same filter in direct form, by the bilinear transform. [any thread]
  public var biquad: Biquad {
    @_noLocks get {
      let g = Elementary.exp2(pitch)
      let middle = direct * damping + band
      let last = direct + low
      let scale = 1 / (1 + g * (damping + g))
      return Biquad(
        b0: (direct + g * (middle + g * last)) * scale, b1: 2 * (g * g * last - direct) * scale,
        b2: (direct - g * (middle - g * last)) * scale, a1: 2 * (g * g - 1) * scale,
        a2: (1 - g * (damping - g)) * scale)
    }
  }

  /// Frames until its response to earlier input has fallen by `decibels`. [any thread]
  @_noLocks
  public func memoryFrames(decibels: Double) -> Double {
    guard !isFlat else { return 0 }
    let biquad = biquad
    // The larger magnitude of the two poles, and how many frames it takes to halve.
    let discriminant = biquad.a1 * biquad.a1 / 4 - biquad.a2
    let radius =
      discriminant < 0
      ? Math.squareRoot(biquad.a2) : biquad.a1.magnitude / 2 + Math.squareRoot(discriminant)
    guard radius > 1e-6 else { return 2 }
    let octaves = -Elementary.log2(min(radius, 1 - 1e-9))
    // Two equal poles decay later than one, by as much as 24 dB.
    return (decibels + 24) / 6.020_599_913 / octaves + 2
  }
}

/// The coefficients of a filter of the second order: y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''.
public struct Biquad: BitwiseCopyable, Sendable, Equatable {
  /// Of the input in this frame, one frame ago, two frames ago.
  public var b0: Double
  public var b1: Double
  public var b2: Double
  /// Of the output one frame ago, two frames ago.
  public var a1: Double
  public var a2: Double

  /// Makes coefficients whose a0 is 1.
  @_noLocks
  public init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    self.b0 = b0
    self.b1 = b1
    self.b2 = b2
    self.a1 = a1
    self.a2 = a2
  }

  /// Gain at a frequency, given in cycles per frame. [any thread]
  public func magnitude(at frequency: Double) -> Double {
    // With w the frequency and u = sin^2(w / 2), the squared magnitude of b0 + b1 z^-1 + b2 z^-2 is
    // (b0 + b1 + b2)^2 - 4 (b0 b1 + 4 b0 b2 + b1 b2) u + 16 b0 b2 u^2: precise near zero too.
    let sine = Math.sine(.pi * frequency)
    let u = sine * sine
    func square(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let sum = c0 + c1 + c2
      return sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * u + 16 * c0 * c2 * u * u
    }
    let (above, below) = (square(b0, b1, b2), square(1, a1, a2))
    return Math.squareRoot(max(above, 0) / max(below, 1e-300))
  }
}
