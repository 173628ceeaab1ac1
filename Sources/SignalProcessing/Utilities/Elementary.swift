// SPDX-License-Identifier: Apache-2.0

/// Elementary functions of our own: the same bits on every processor, fit for the render thread.
///
/// They are good to a few units in the last place of a Double. Where nothing depends on equal bits,
/// `Math` has those of the C library.
public enum Elementary {
  /// 2 raised to `exponent`; beyond the range of a Double, its ends. [any thread]
  @_noLocks
  public static func exp2(_ exponent: Double) -> Double {
    guard exponent > -1022 else { return 0 }
    guard exponent < 1023 else { return 0x1p1023 }
    let whole = Int((exponent + 2048.5)) - 2048
    let rest = (exponent - Double(whole)) * 0.693147180559945309417
    // Taylor's series; the rest is at most ln(2) / 2.
    var sum = 1.0
    var order = 14.0
    while order > 0 {
      sum = 1 + rest / order * sum
      order -= 1
    }
    return sum * Double(bitPattern: UInt64(whole + 1023) << 52)
  }

  /// Logarithm to the base 2 of a positive, normal number. [any thread]
  @_noLocks
  public static func log2(_ value: Double) -> Double {
    guard value >= 0x1p-1022 else { return -1022 }
    var exponent = Int(value.bitPattern >> 52) - 1023
    var fraction = Double(bitPattern: value.bitPattern & 0xf_ffff_ffff_ffff | 1023 << 52)
    if fraction > 1.41421356237309505 {
      fraction /= 2
      exponent += 1
    }
    // The series of the inverse hyperbolic tangent, of at most 0.172.
    let ratio = (fraction - 1) / (fraction + 1)
    let square = ratio * ratio
    var sum = 0.0
    var order = 23.0
    while order > 0 {
      sum = sum * square + 1 / order
      order -= 2
    }
    return Double(exponent) + 2 * ratio * sum * 1.442695040888963407360
  }

  /// `base` raised to `exponent`; the base is positive. [any thread]
  @_noLocks
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    exp2(exponent * log2(base))
  }

  /// Gain of a level in decibels. [any thread]
  @_noLocks
  public static func gain(decibels: Double) -> Double {
    exp2(decibels * 0.166096404744368117394)
  }

  /// Sine of an angle in quarter turns, from -1 to 1. [any thread]
  @_noLocks
  public static func sine(quarters: Double) -> Double {
    let angle = quarters * 1.57079632679489661923
    let square = angle * angle
    var sum = 1.0
    var order = 22.0
    while order > 0 {
      sum = 1 - square / (order * (order + 1)) * sum
      order -= 2
    }
    return angle * sum
  }
}
