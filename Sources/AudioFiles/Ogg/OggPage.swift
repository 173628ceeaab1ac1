// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// A page of an Ogg stream (RFC 3533).
struct OggPage {
  /// The positions of the page and of its contents.
  let offset: Int
  let body: Int
  /// The sizes of its segments; a packet continues after a segment of 255 bytes.
  let segments: [UInt8]
  let flags: UInt8
  /// Frames up to the end of the last packet that ends on this page; -1 when none does.
  let granule: Int64
  let serial: UInt32
  let sequence: UInt32
  private let checkSum: UInt32

  static let headerBytes = 27

  var end: Int { segments.reduce(body) { $0 + Int($1) } }
  var isContinued: Bool { flags & 1 != 0 }
  var isFirst: Bool { flags & 2 != 0 }
  var isLast: Bool { flags & 4 != 0 }

  /// Nil when the bytes are not the header of a page.
  init?(_ offset: Int, _ window: ByteWindow) throws(AudioError) {
    let head = try window.fields(offset, Self.headerBytes)
    guard head.count == Self.headerBytes, head.code(0) == "OggS", head.uint8(4) == 0 else {
      return nil
    }
    let count = Int(head.uint8(26))
    let lacing = try window.fields(offset + Self.headerBytes, count)
    guard lacing.count == count else { return nil }
    segments = lacing.bytes
    self.offset = offset
    body = offset + Self.headerBytes + count
    let fields = ByteFields(head.bytes, isBigEndian: false)
    flags = fields.uint8(5)
    granule = fields.int64(6)
    serial = fields.uint32(14)
    sequence = fields.uint32(18)
    checkSum = fields.uint32(22)
  }

  /// Whether the whole page is there and undamaged.
  func isWhole(_ window: ByteWindow) throws(AudioError) -> Bool {
    let page = try window.fields(offset, end - offset)
    guard page.count == end - offset else { return false }
    var bytes = page.bytes
    bytes.replace(at: 22, [0, 0, 0, 0])
    return Self.checkSum([bytes]) == checkSum
  }

  /// The bytes of a page with these segments.
  static func bytes(
    flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, segments: [UInt8],
    _ content: [UInt8]
  ) -> [UInt8] {
    var page = ByteBuilder(isBigEndian: false)
    page.code("OggS")
    page.append([0, flags])
    page.number(granule)
    page.number(serial)
    page.number(sequence)
    page.number(UInt32(0))
    page.number(UInt8(clamping: segments.count))
    page.append(segments)
    page.append(content)
    var bytes = page.bytes
    let check = checkSum([bytes])
    withUnsafeBytes(of: check.littleEndian) { bytes.replace(at: 22, Array($0)) }
    return bytes
  }

  /// CRC-32 with the polynomial 0x04C11DB7, the highest bit first, starting with zero.
  private static func checkSum(_ parts: [[UInt8]]) -> UInt32 {
    var check: UInt32 = 0
    table.withUnsafeBufferPointer { table in
      for part in parts {
        for byte in part { check = check << 8 ^ table[Int(check >> 24) ^ Int(byte)] }
      }
    }
    return check
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(clamping: index) << 24) { word, _ in
      word & 0x8000_0000 != 0 ? word << 1 ^ 0x04C1_1DB7 : word << 1
    }
  }
}
