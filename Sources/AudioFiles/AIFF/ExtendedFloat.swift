// SPDX-License-Identifier: Apache-2.0

/// 80-bit numbers, in which AIFF files store their sample rate.
enum ExtendedFloat {
  /// The number in ten bytes, most significant first.
  static func value(_ fields: Fields, _ place: Int) -> Double {
    let head = fields.uint16(place)
    let mantissa = fields.uint64(place + 2)
    let exponent = Int(head & 0x7FFF) - 16_383 - 63
    guard head & 0x7FFF != 0x7FFF else { return .infinity }
    // The bits of a Double are enough for any rate; a wild exponent gives 0 or infinity.
    let magnitude = Double(mantissa) * Self.power(exponent)
    return head & 0x8000 == 0 ? magnitude : -magnitude
  }

  private static func power(_ exponent: Int) -> Double {
    if exponent < -1_100 { return 0 }
    if exponent > 1_023 { return .infinity }
    return Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// Ten bytes of a number that is not negative.
  static func bytes(_ value: Double) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    guard value > 0, value.isFinite else { return [UInt8](repeating: 0, count: 10) }
    let exponent = Int(value.exponent)
    builder.number(UInt16(exponent + 16_383))
    builder.number(UInt64(value.significand * 0x1p52) << 11)
    return builder.bytes
  }
}
