// SPDX-License-Identifier: Apache-2.0

/// Random numbers by Blackman and Vigna's xoshiro256++: the same for the same seed, everywhere.
///
/// Its period is 2^256 - 1. https://prng.di.unimi.it
public struct Xoshiro256: BitwiseCopyable, RandomNumberGenerator, Sendable {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  /// Spreads `seed` over the state with SplitMix64, as its authors advise. [any thread]
  @_noLocks
  public init(seed: UInt64) {
    var state = seed
    a = Self.splitMix(&state)
    b = Self.splitMix(&state)
    c = Self.splitMix(&state)
    d = Self.splitMix(&state)
  }

  /// Returns the next 64 bits. [any thread]
  @_noLocks
  public mutating func next() -> UInt64 {
    let sum = a &+ d
    let result = (sum << 23 | sum >> 41) &+ a
    let shifted = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = d << 45 | d >> 19
    return result
  }

  /// Returns the next sample of white noise, uniform over -1...1 without the ends. [any thread]
  ///
  /// 2^24 equally likely values, symmetric around zero: no DC component; RMS 1 / √3.
  @_noLocks
  public mutating func nextSample() -> Float {
    let word = Int32(truncatingIfNeeded: next() >> 40) - 0x80_0000
    return (Float(word) + 0.5) * 0x1p-23
  }

  /// Returns the next 64 bits of Steele, Lea and Flood's SplitMix64.
  @_noLocks
  private static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
