// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Reads numbers and texts from bytes of a file, at any position. Bytes beyond the end read as
/// zero, so that a read never fails, even in a damaged file; `count` is the real number of bytes.
struct ByteFields {
  let bytes: [UInt8]
  let isBigEndian: Bool

  init(_ bytes: [UInt8], isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  var count: Int { bytes.count }

  /// One byte.
  func uint8(_ position: Int) -> UInt8 { bytes.indices.contains(position) ? bytes[position] : 0 }
  /// Two bytes.
  func uint16(_ position: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(position, 2)) }
  /// Four bytes.
  func uint32(_ position: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(position, 4)) }
  /// Eight bytes.
  func uint64(_ position: Int) -> UInt64 { number(position, 8) }
  /// Two bytes with a sign.
  func int16(_ position: Int) -> Int16 { Int16(bitPattern: uint16(position)) }
  /// Four bytes with a sign.
  func int32(_ position: Int) -> Int32 { Int32(bitPattern: uint32(position)) }
  /// Eight bytes with a sign.
  func int64(_ position: Int) -> Int64 { Int64(bitPattern: uint64(position)) }
  /// Eight bytes of floating point.
  func double(_ position: Int) -> Double { Double(bitPattern: uint64(position)) }
  func float(_ position: Int) -> Float { Float(bitPattern: uint32(position)) }

  /// Four characters, the first in the highest byte, independent of `isBigEndian`.
  func code(_ position: Int) -> ChunkCode {
    var code: UInt32 = 0
    for index in 0..<4 { code = code << 8 | UInt32(uint8(position + index)) }
    return ChunkCode(code)
  }

  /// Text up to the first zero or the end of `count` bytes: UTF-8, or Latin-1 if it is invalid as
  /// UTF-8.
  func text(_ position: Int, _ count: Int) -> String {
    guard position >= 0, position < bytes.count, count > 0 else { return "" }
    let part = bytes[position..<min(bytes.count, position + min(count, bytes.count))]
    return Self.text(part.prefix { $0 != 0 })
  }

  /// Bytes as text: UTF-8, or Latin-1 if they are invalid as UTF-8.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
  }

  private func number(_ position: Int, _ byteCount: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<byteCount {
      let byte = uint8(isBigEndian ? position + index : position + byteCount - 1 - index)
      value = value << 8 | UInt64(byte)
    }
    return value
  }
}

/// Builds bytes of a file from numbers and texts.
struct ByteBuilder {
  private(set) var bytes: [UInt8] = []
  let isBigEndian: Bool

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func code(_ code: ChunkCode) {
    withUnsafeBytes(of: code.rawValue.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func number(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  /// Floating-point numbers.
  mutating func double(_ value: Double) { number(value.bitPattern) }
  mutating func float(_ value: Float) { number(value.bitPattern) }
  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  /// Appends zero bytes.
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// Appends zero bytes up to a multiple of `alignment`.
  mutating func align(_ alignment: Int) {
    zeros((alignment - bytes.count % alignment) % alignment)
  }
}

extension [UInt8] {
  /// Replaces bytes from `position`; bytes beyond the end are ignored.
  mutating func replace(at position: Int, _ bytes: [UInt8]) {
    for (index, byte) in bytes.enumerated() where indices.contains(position + index) {
      self[position + index] = byte
    }
  }
}
