// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// 80-bit floating-point numbers: AIFF files store their sample rate in this format.
enum ExtendedFloat {
  /// The number in ten bytes, most significant first.
  static func value(_ fields: ByteFields, _ position: Int) -> Double {
    let head = fields.uint16(position)
    let mantissa = fields.uint64(position + 2)
    let exponent = Int(head & 0x7FFF) - 16_383 - 63
    guard head & 0x7FFF != 0x7FFF else { return .infinity }
    // A Double is exact enough for any rate; an extreme exponent becomes 0 or infinity.
    let magnitude = Double(mantissa) * Self.power(exponent)
    return head & 0x8000 == 0 ? magnitude : -magnitude
  }

  private static func power(_ exponent: Int) -> Double {
    if exponent < -1_100 { return 0 }
    if exponent > 1_023 { return .infinity }
    return Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// The ten bytes of a number, which must not be negative.
  static func bytes(_ value: Double) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    guard value > 0, value.isFinite else { return [UInt8](repeating: 0, count: 10) }
    let exponent = Int(value.exponent)
    builder.number(UInt16(clamping: exponent + 16_383))
    builder.number(UInt64(saturating: value.significand * 0x1p52) << 11)
    return builder.bytes
  }
}
