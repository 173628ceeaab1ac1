// SPDX-License-Identifier: Apache-2.0

// Powers and logarithms in single precision: minimax polynomials, fitted for the least absolute
// error. The C kernels contain the same, operation for operation.
extension Elementary {
  /// Decibels in one unit of `log2` of an amplitude: 20 log10(2).
  public static var decibelsPerOctave: Float { @_noLocks get { 6.020_599_9 } }

  /// Logarithm to the base two of a normal number above zero. [any thread]
  ///
  /// The error is below 2e-7 of the result near one, and two units in the last place elsewhere;
  /// exactly zero at one. Other inputs give a finite, meaningless number.
  @inlinable @inline(__always) @_noLocks
  public static func log2(_ value: Float) -> Float {
    // Splits the number so that the mantissa is between sqrt(1/2) and sqrt(2).
    let fromRoot = Int32(bitPattern: value.bitPattern) &- 0x3f35_04f3
    let exponent = fromRoot &>> 23
    let mantissa = Float(
      bitPattern: UInt32(bitPattern: (fromRoot & 0x007f_ffff) &+ 0x3f35_04f3))
    let t = mantissa - 1
    var p = t * -0x1.2a82f8p-3 + 0x1.e522aap-3
    p = p * t + -0x1.00100ap-2
    p = p * t + 0x1.2596ecp-2
    p = p * t + -0x1.70bafp-2
    p = p * t + 0x1.ec7b6p-2
    p = p * t + -0x1.7155b8p-1
    p = p * t + 0x1.715472p+0
    return p * t + Float(exponent)
  }

  /// Two to the power of `value`, which is limited to -126...127. [any thread]
  ///
  /// The error is one unit in the last place; exact for integers.
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ value: Float) -> Float {
    var x = value > -126 ? value : -126
    x = x < 127 ? x : 127
    // Adding this number rounds the fraction away.
    let shifted = x + 0x1.8p23
    let f = x - (shifted - 0x1.8p23)
    var p = f * 0x1.448fa4p-13 + 0x1.5f4774p-10
    p = p * f + 0x1.3b29aap-7
    p = p * f + 0x1.c6aedp-5
    p = p * f + 0x1.ebfbep-3
    p = p * f + 0x1.62e43p-1
    p = p * f + 1
    let exponent = shifted.bitPattern &+ 127
    return p * Float(bitPattern: exponent &<< 23)
  }
}
