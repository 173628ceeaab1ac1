// SPDX-License-Identifier: Apache-2.0

/// The noise that is added to samples before they are rounded to fewer bits.
///
/// Rounding alone distorts what is only a few steps loud, and loses what is smaller than half a step.
/// With noise of the right distribution in front of it, the error is noise that does not depend on the
/// signal. Made with a seed: the same seed gives the same samples, however the signal is cut.
///
/// Each channel has a `DitherState` of its own.
public struct Dither: Hashable, Sendable {
  /// What is added.
  public enum Kind: Int32, BitwiseCopyable, Sendable, CaseIterable {
    /// Nothing: samples are rounded to the nearest.
    case none
    /// White noise between -1 and 1 step with a triangular distribution: mean and power of the error do
    /// not depend on the signal. Its power is that of half a step, -96.3 dB below 1 at 16 bits.
    ///
    /// Lipshitz, Wannamaker, Vanderkooy, "Quantization and dither: a theoretical survey", Journal of
    /// the Audio Engineering Society 40 (5), 1992.
    case triangular
    /// The same noise, and the error fed back through a filter that moves it to where the ear is deaf.
    /// At 44.1 kHz it is 14 to 27 dB weaker up to 5 kHz, and up to 19 dB stronger above 12 kHz. At other
    /// rates the curve moves with the rate, so that it is of no use below 32 kHz.
    ///
    /// The filter with five coefficients of Lipshitz, Vanderkooy, Wannamaker, "Minimally audible noise
    /// shaping", Journal of the Audio Engineering Society 39 (11), 1991.
    case shaped
  }

  /// What is added.
  public var kind: Kind
  /// What the noise begins with.
  public var seed: UInt64

  /// Describes a dither. [any thread]
  @_noLocks
  public init(_ kind: Kind, seed: UInt64 = 0) {
    self.kind = kind
    self.seed = seed
  }

  /// Rounding alone.
  public static var none: Dither {
    @_noLocks get { Dither(.none) }
  }
}

/// One channel's place in the noise of a dither, and what its last samples erred by.
public struct DitherState: BitwiseCopyable, Sendable {
  /// What is added.
  public let kind: Dither.Kind
  /// The frame of the next sample. The noise of each frame is its own, so that a signal can be rounded
  /// from any frame on; of a shaped one the error of the frames before is then missing.
  public var frame: UInt64 = 0
  private let key: UInt64
  /// What the last five samples erred by, in steps, the latest first.
  private var errors = SIMD8<Double>.zero

  /// Begins the noise of a channel, which is independent of that of other channels. [any thread]
  @_noLocks
  public init(_ dither: Dither, channel: Int) {
    kind = dither.kind
    var random = Xoshiro256(seed: dither.seed &+ UInt64(channel) &* 0x9e37_79b9_7f4a_7c15)
    key = random.next()
  }

  /// False where samples are only rounded.
  var addsNoise: Bool {
    @_noLocks get { if case .none = kind { false } else { true } }
  }

  /// Begins again. [any thread]
  @_noLocks
  public mutating func reset() {
    frame = 0
    errors = .zero
  }

  /// Rounds a sample, in steps, to a whole number between two bounds. [render thread]
  @inline(__always) @_noLocks
  mutating func round(_ sample: Double, lowest: Double, highest: Double) -> Double {
    switch kind {
    case .none:
      return Self.nearest(sample, lowest, highest)
    case .triangular:
      return Self.nearest(sample + nextNoise(), lowest, highest)
    case .shaped:
      let products = errors * Self.filter
      let wanted =
        sample - (((products[0] + products[1]) + (products[2] + products[3])) + products[4])
      let result = Self.nearest(wanted + nextNoise(), lowest, highest)
      // What was clipped is not made up for.
      let error = min(max(result - wanted, -2), 2)
      errors = SIMD8(error, errors[0], errors[1], errors[2], errors[3], 0, 0, 0)
      return result
    }
  }

  /// Noise of the next frame: the difference of two even distributions between 0 and 1.
  @inline(__always) @_noLocks
  private mutating func nextNoise() -> Double {
    // A hash of the frame's number: two rounds of multiplication, with a key before each.
    let high = frame >> 32 &* 0x9e37_79b9_7f4a_7c15
    var word = UInt32(truncatingIfNeeded: frame ^ key ^ high)
    word = (word ^ word >> 16) &* 0x7feb_352d
    word ^= word >> 15 ^ UInt32(truncatingIfNeeded: (key ^ high) >> 32)
    word = word &* 0x846c_a68b
    word ^= word >> 16
    frame &+= 1
    return Double(Int32(word >> 16) - Int32(word & 0xffff)) * 0x1p-16
  }

  @inline(__always) @_noLocks
  private static func nearest(_ sample: Double, _ lowest: Double, _ highest: Double) -> Double {
    let clipped = sample < lowest ? lowest : sample > highest ? highest : sample
    // To the nearest whole number, and to the even one of two as near.
    return (clipped + 0x1.8p52) - 0x1.8p52
  }

  private static var filter: SIMD8<Double> {
    @inline(__always) @_noLocks get { SIMD8(2.033, -2.165, 1.959, -1.590, 0.6149, 0, 0, 0) }
  }
}
