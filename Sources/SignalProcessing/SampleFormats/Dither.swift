// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The noise that is added to samples before they are rounded to fewer bits.
///
/// Rounding alone distorts signals of a few steps, and loses those smaller than half a step. With
/// noise of the right distribution added first, the error is noise that does not depend on the
/// signal. The same seed gives the same samples, whatever the sizes of the slices.
///
/// Each channel has its own `DitherState`.
public struct Dither: Hashable, Sendable {
  /// The kind of noise.
  public enum Kind: Int32, BitwiseCopyable, Sendable, CaseIterable {
    /// No noise: samples are rounded to the nearest value.
    case none
    /// White noise between -1 and 1 step with a triangular distribution: mean and power of the
    /// error do not depend on the signal. Its power is that of half a step, -96.3 dB below 1 at 16
    /// bits.
    ///
    /// Lipshitz, Wannamaker, Vanderkooy, "Quantization and dither: a theoretical survey", Journal
    /// of the Audio Engineering Society 40 (5), 1992.
    case triangular
    /// As `triangular`, with the error fed back through a filter that moves it to where hearing is
    /// least sensitive. At 44.1 kHz it is 14 to 27 dB weaker up to 5 kHz, and up to 19 dB stronger
    /// above 12 kHz. At other rates the curve scales with the rate, so that it is useless below 32
    /// kHz.
    ///
    /// The filter with five coefficients of Lipshitz, Vanderkooy, Wannamaker, "Minimally audible
    /// noise shaping", Journal of the Audio Engineering Society 39 (11), 1991.
    case shaped
  }

  /// The kind of noise.
  public var kind: Kind
  /// The seed of the noise.
  public var seed: UInt64
  /// Number of bits to round to, if the format has more; 0: those of the format.
  public var bits: Int

  /// Describes a dither. [any thread]
  @_noLocks
  public init(_ kind: Kind, seed: UInt64 = 0, bits: Int = 0) {
    self.kind = kind
    self.seed = seed
    self.bits = bits
  }

  /// Whether a conversion between two formats loses precision, so that noise is needed.
  /// [any thread]
  @_noLocks
  public func isUsed(from source: SampleFormat, to format: SampleFormat) -> Bool {
    if case .none = kind { return false }
    guard !format.isFloat else { return false }
    let isCoarser = bits > 0 && bits < format.bits && (source.isFloat || bits < source.bits)
    return isCoarser || !format.canRepresent(source)
  }

  /// No dither: samples are rounded.
  public static var none: Dither {
    @_noLocks get { Dither(.none) }
  }
}

/// One channel's position in the noise of a dither, and its last rounding errors.
public struct DitherState: BitwiseCopyable, Sendable {
  // The first member: the kernel expects it at the address of the state.
  private var line: DitherLine
  /// The kind of noise.
  public let kind: Dither.Kind
  /// Number of bits to round to; 0: those of the format.
  let bits: Int

  /// Starts the noise of a channel, which is independent of that of other channels. [any thread]
  @_noLocks
  public init(_ dither: Dither, channel: Int) {
    kind = dither.kind
    bits = dither.bits
    // Two channels share a key and the first rounds of the hash.
    let (pair, isSecond) = (UInt64(channel / 2), UInt64(channel % 2))
    var random = Xoshiro256(seed: dither.seed &+ pair &* 0x9e37_79b9_7f4a_7c15)
    line = DitherLine(
      frame: 0, key: random.next(), isSecond: isSecond, errors: (0, 0, 0, 0, 0))
  }

  /// The frame of the next sample. The noise is a function of the frame, so that a signal can be
  /// rounded from any frame on; shaped noise then lacks the errors of the previous frames.
  public var frame: UInt64 {
    @_noLocks get { line.frame }
    @_noLocks set { line.frame = newValue }
  }

  /// False if samples are only rounded.
  var addsNoise: Bool {
    @_noLocks get { if case .none = kind { false } else { true } }
  }

  /// Number of low bits that stay zero because samples are rounded to fewer bits.
  @_noLocks
  func emptyBits(of format: SampleFormat) -> Int {
    addsNoise && bits > 0 ? max(0, format.bits - bits) : 0
  }

  /// Restarts at frame 0. [any thread]
  @_noLocks
  public mutating func reset() {
    line.frame = 0
    line.errors = (0, 0, 0, 0, 0)
  }

  /// Rounds a sample, in steps, to an integer between two bounds. [render thread]
  @inline(__always) @_noLocks
  mutating func round(_ sample: Double, lowest: Double, highest: Double) -> Double {
    switch kind {
    case .none:
      return Self.nearest(sample, lowest, highest)
    case .triangular:
      // What the sample is above an even number of steps, in units of 2^-15, and the noise add up
      // exactly, in single precision, too.
      let near = Self.clipped(sample, lowest - 4, highest + 5)
      let even = (near + 0x1.8p53) - 0x1.8p53
      let rest = ((near - even) + 0x1.8p37) - 0x1.8p37
      let sum = even + ((rest + nextNoise() + 0x1.8p52) - 0x1.8p52)
      return Self.clipped(sum, lowest, highest)
    case .shaped:
      let e = line.errors
      // The term of the last error comes last, because every sample has to wait for it.
      let older = (-2.165 * e.1 + 1.959 * e.2) + (-1.590 * e.3 + 0.6149 * e.4)
      let target = (sample - older) - 2.033 * e.0
      let noisy = target + nextNoise()
      let result = Self.nearest(noisy, lowest, highest)
      // Clipping is not compensated.
      let error = min(max(result - target, -2), 2)
      line.errors = (error, e.0, e.1, e.2, e.3)
      return result
    }
  }

  /// Noise of the next frame: the difference of two uniform variables between 0 and 1.
  @inline(__always) @_noLocks
  private mutating func nextNoise() -> Double {
    // A hash of the frame's number: rounds of multiplication, with a key between the first two.
    let key = line.key ^ (line.frame >> 32 &* 0x9e37_79b9_7f4a_7c15)
    var word = UInt32(truncatingIfNeeded: line.frame) &* 0x9e37_79b9
    word = word &+ UInt32(truncatingIfNeeded: key)
    word = ((word ^ word >> 16) ^ UInt32(truncatingIfNeeded: key >> 32)) &* 0x7feb_352d
    word = (word ^ word >> 15) &* 0x846c_a68b
    word ^= word >> 16
    if line.isSecond == 1 {
      word = word &* 0x9e37_79b1
      word ^= word >> 15
    }
    line.frame &+= 1
    // What is added breaks ties upwards.
    return Double(Int32(word >> 1 & 0x7fff) - Int32(word >> 17)) * 0x1p-15 + 0x1p-17
  }

  @inline(__always) @_noLocks
  private static func nearest(_ sample: Double, _ lowest: Double, _ highest: Double) -> Double {
    // To the nearest integer, ties to even.
    (clipped(sample, lowest, highest) + 0x1.8p52) - 0x1.8p52
  }

  @inline(__always) @_noLocks
  private static func clipped(_ sample: Double, _ lowest: Double, _ highest: Double) -> Double {
    sample < lowest ? lowest : sample > highest ? highest : sample
  }
}
