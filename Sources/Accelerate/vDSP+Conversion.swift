// SPDX-License-Identifier: Apache-2.0

/// An integer that `vDSP` converts from and to numbers: from 8 to 32 bits.
public protocol vDSP_IntegerConvertable: FixedWidthInteger {
  /// The conversions of this type. [any thread]
  static var vectorConversions: VectorConversions<Self> { get }
}

/// The C functions that convert an integer type.
public struct VectorConversions<Integer>: Sendable {
  typealias From<Number> =
    @Sendable (UnsafePointer<Integer>, Int, UnsafeMutablePointer<Number>, Int, UInt) -> Void
  typealias To<Number> =
    @Sendable (UnsafePointer<Number>, Int, UnsafeMutablePointer<Integer>, Int, UInt) -> Void
  let toFloat: From<Float>
  let toDouble: From<Double>
  let truncateFloat: To<Float>
  let truncateDouble: To<Double>
  let roundFloat: To<Float>
  let roundDouble: To<Double>
}

extension Int8: vDSP_IntegerConvertable {
  // CChar is UInt8 on some processors; the functions take its bits as signed on all.
  public static var vectorConversions: VectorConversions<Int8> {
    .init(
      toFloat: { vDSP_vflt8(chars($0), $1, $2, $3, $4) },
      toDouble: { vDSP_vflt8D(chars($0), $1, $2, $3, $4) },
      truncateFloat: { vDSP_vfix8($0, $1, chars($2), $3, $4) },
      truncateDouble: { vDSP_vfix8D($0, $1, chars($2), $3, $4) },
      roundFloat: { vDSP_vfixr8($0, $1, chars($2), $3, $4) },
      roundDouble: { vDSP_vfixr8D($0, $1, chars($2), $3, $4) })
  }
}

private func chars(_ address: UnsafePointer<Int8>) -> UnsafePointer<CChar> {
  UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self)
}

private func chars(_ address: UnsafeMutablePointer<Int8>) -> UnsafeMutablePointer<CChar> {
  UnsafeMutableRawPointer(address).assumingMemoryBound(to: CChar.self)
}

extension UInt8: vDSP_IntegerConvertable {
  public static var vectorConversions: VectorConversions<UInt8> {
    .init(
      toFloat: vDSP_vfltu8, toDouble: vDSP_vfltu8D, truncateFloat: vDSP_vfixu8,
      truncateDouble: vDSP_vfixu8D, roundFloat: vDSP_vfixru8, roundDouble: vDSP_vfixru8D)
  }
}

extension Int16: vDSP_IntegerConvertable {
  public static var vectorConversions: VectorConversions<Int16> {
    .init(
      toFloat: vDSP_vflt16, toDouble: vDSP_vflt16D, truncateFloat: vDSP_vfix16,
      truncateDouble: vDSP_vfix16D, roundFloat: vDSP_vfixr16, roundDouble: vDSP_vfixr16D)
  }
}

extension UInt16: vDSP_IntegerConvertable {
  public static var vectorConversions: VectorConversions<UInt16> {
    .init(
      toFloat: vDSP_vfltu16, toDouble: vDSP_vfltu16D, truncateFloat: vDSP_vfixu16,
      truncateDouble: vDSP_vfixu16D, roundFloat: vDSP_vfixru16, roundDouble: vDSP_vfixru16D)
  }
}

extension Int32: vDSP_IntegerConvertable {
  public static var vectorConversions: VectorConversions<Int32> {
    .init(
      toFloat: vDSP_vflt32, toDouble: vDSP_vflt32D, truncateFloat: vDSP_vfix32,
      truncateDouble: vDSP_vfix32D, roundFloat: vDSP_vfixr32, roundDouble: vDSP_vfixr32D)
  }
}

extension UInt32: vDSP_IntegerConvertable {
  public static var vectorConversions: VectorConversions<UInt32> {
    .init(
      toFloat: vDSP_vfltu32, toDouble: vDSP_vfltu32D, truncateFloat: vDSP_vfixu32,
      truncateDouble: vDSP_vfixu32D, roundFloat: vDSP_vfixru32, roundDouble: vDSP_vfixru32D)
  }
}

extension vDSP {
  /// How numbers become integers.
  public enum RoundingMode: Sendable {
    /// Fractions are dropped.
    case towardZero
    /// To the even one of two integers that are equally near.
    case towardNearestInteger
  }

  /// Each element as double.
  public static func floatToDouble<U: AccelerateBuffer>(_ source: U) -> [Double]
  where U.Element == Float {
    filled(source.count) { convertElements(of: source, to: &$0) }
  }

  /// Each element as float.
  public static func doubleToFloat<U: AccelerateBuffer>(_ source: U) -> [Float]
  where U.Element == Double {
    filled(source.count) { convertElements(of: source, to: &$0) }
  }

  /// Each element as double.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V
  ) where U.Element == Float, V.Element == Double {
    convert(vDSP_vspdp, source, &destination)
  }

  /// Each element as float.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V
  ) where U.Element == Double, V.Element == Float {
    convert(vDSP_vdpsp, source, &destination)
  }

  /// Each integer as float.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V
  ) where U.Element: vDSP_IntegerConvertable, V.Element == Float {
    convert(U.Element.vectorConversions.toFloat, source, &destination)
  }

  /// Each integer as double.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V
  ) where U.Element: vDSP_IntegerConvertable, V.Element == Double {
    convert(U.Element.vectorConversions.toDouble, source, &destination)
  }

  /// Each float as integer; what is outside of its range becomes its nearest end.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V, rounding: RoundingMode
  ) where U.Element == Float, V.Element: vDSP_IntegerConvertable {
    let functions = V.Element.vectorConversions
    convert(
      rounding == .towardZero ? functions.truncateFloat : functions.roundFloat, source, &destination
    )
  }

  /// Each double as integer; what is outside of its range becomes its nearest end.
  public static func convertElements<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    of source: U, to destination: inout V, rounding: RoundingMode
  ) where U.Element == Double, V.Element: vDSP_IntegerConvertable {
    let functions = V.Element.vectorConversions
    convert(
      rounding == .towardZero ? functions.truncateDouble : functions.roundDouble, source,
      &destination)
  }

  /// Each integer as float.
  public static func integerToFloatingPoint<U: AccelerateBuffer>(
    _ vector: U, floatingPointType: Float.Type
  ) -> [Float] where U.Element: vDSP_IntegerConvertable {
    filled(vector.count) { convertElements(of: vector, to: &$0) }
  }

  /// Each integer as double.
  public static func integerToFloatingPoint<U: AccelerateBuffer>(
    _ vector: U, floatingPointType: Double.Type
  ) -> [Double] where U.Element: vDSP_IntegerConvertable {
    filled(vector.count) { convertElements(of: vector, to: &$0) }
  }

  /// Each float as integer; what is outside of its range becomes its nearest end.
  public static func floatingPointToInteger<U: AccelerateBuffer, I: vDSP_IntegerConvertable>(
    _ vector: U, integerType: I.Type, rounding: RoundingMode
  ) -> [I] where U.Element == Float {
    var result = [I](repeating: 0, count: vector.count)
    convertElements(of: vector, to: &result, rounding: rounding)
    return result
  }

  /// Each double as integer; what is outside of its range becomes its nearest end.
  public static func floatingPointToInteger<U: AccelerateBuffer, I: vDSP_IntegerConvertable>(
    _ vector: U, integerType: I.Type, rounding: RoundingMode
  ) -> [I] where U.Element == Double {
    var result = [I](repeating: 0, count: vector.count)
    convertElements(of: vector, to: &result, rounding: rounding)
    return result
  }

  private static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ function: (UnsafePointer<U.Element>, Int, UnsafeMutablePointer<V.Element>, Int, UInt) -> Void,
    _ source: U, _ destination: inout V
  ) {
    let count = source.count
    destination.expect(count)
    source.read { source in destination.write { function(source, 1, $0, 1, UInt(count)) } }
  }
}
