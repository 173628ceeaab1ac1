// SPDX-License-Identifier: Apache-2.0

/// The C functions of vForce for a type of numbers.
public struct ForceFunctions<Number>: Sendable {
  typealias Input = UnsafePointer<Number>
  typealias Output = UnsafeMutablePointer<Number>
  typealias Unary = @Sendable (Output, Input, UnsafePointer<Int32>) -> Void
  typealias Binary = @Sendable (Output, Input, Input, UnsafePointer<Int32>) -> Void
  let ceil, floor, int, nint, rec, sqrt, rsqrt, exp, exp2, expm1, log, log2, log10, log1p, logb,
    sin, cos, tan, sinpi, cospi, tanpi, asin, acos, atan, sinh, cosh, tanh, asinh, acosh,
    atanh: Unary
  let atan2, pow, copysign, fmod, remainder: Binary
  let sincos: @Sendable (Output, Output, Input, UnsafePointer<Int32>) -> Void
}

extension ForceFunctions<Float> {
  static let all = ForceFunctions(
    ceil: vvceilf, floor: vvfloorf, int: vvintf, nint: vvnintf, rec: vvrecf, sqrt: vvsqrtf,
    rsqrt: vvrsqrtf, exp: vvexpf, exp2: vvexp2f, expm1: vvexpm1f, log: vvlogf, log2: vvlog2f,
    log10: vvlog10f, log1p: vvlog1pf, logb: vvlogbf, sin: vvsinf, cos: vvcosf, tan: vvtanf,
    sinpi: vvsinpif, cospi: vvcospif, tanpi: vvtanpif, asin: vvasinf, acos: vvacosf, atan: vvatanf,
    sinh: vvsinhf, cosh: vvcoshf, tanh: vvtanhf, asinh: vvasinhf, acosh: vvacoshf, atanh: vvatanhf,
    atan2: vvatan2f, pow: vvpowf, copysign: vvcopysignf, fmod: vvfmodf, remainder: vvremainderf,
    sincos: vvsincosf)
}

extension ForceFunctions<Double> {
  static let all = ForceFunctions(
    ceil: vvceil, floor: vvfloor, int: vvint, nint: vvnint, rec: vvrec, sqrt: vvsqrt,
    rsqrt: vvrsqrt, exp: vvexp, exp2: vvexp2, expm1: vvexpm1, log: vvlog, log2: vvlog2,
    log10: vvlog10, log1p: vvlog1p, logb: vvlogb, sin: vvsin, cos: vvcos, tan: vvtan,
    sinpi: vvsinpi, cospi: vvcospi, tanpi: vvtanpi, asin: vvasin, acos: vvacos, atan: vvatan,
    sinh: vvsinh, cosh: vvcosh, tanh: vvtanh, asinh: vvasinh, acosh: vvacosh, atanh: vvatanh,
    atan2: vvatan2, pow: vvpow, copysign: vvcopysign, fmod: vvfmod, remainder: vvremainder,
    sincos: vvsincos)
}

/// A type of numbers with functions in `vForce`: Float and Double.
public protocol ForceNumber: VectorNumber {
  /// The functions of these numbers. [any thread]
  static var forceFunctions: ForceFunctions<Self> { get }
}

extension Float: ForceNumber {
  public static var forceFunctions: ForceFunctions<Float> { .all }
}

extension Double: ForceNumber {
  public static var forceFunctions: ForceFunctions<Double> { .all }
}
