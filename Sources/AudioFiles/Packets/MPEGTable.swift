// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// A frame of MPEG audio that contains a table instead of sound: Xing or Info, maybe with the
/// delays that LAME adds, or VBRI.
struct MPEGTable {
  /// The number of MPEG frames, and of bytes including this frame, if the table has them.
  private(set) var frameCount: Int?
  private(set) var byteCount: Int?
  /// Frames that the encoder added before and after the sound.
  private(set) var delays: (delay: Int, padding: Int)?

  /// Nil when the frame contains sound.
  init?(_ fields: ByteFields, _ frame: MPEGFrame) {
    let position = 4 + frame.sideBytes
    if fields.code(36) == "VBRI" {
      byteCount = Int(fields.uint32(46))
      frameCount = Int(fields.uint32(50))
      return
    }
    guard fields.code(position) == "Xing" || fields.code(position) == "Info" else { return nil }
    let flags = fields.uint32(position + 4)
    var next = position + 8
    if flags & 1 != 0 {
      frameCount = Int(fields.uint32(next))
      next += 4
    }
    if flags & 2 != 0 {
      byteCount = Int(fields.uint32(next))
      next += 4
    }
    for (bit, bytes) in [(4, 100), (8, 4)] where flags & UInt32(clamping: bit) != 0 {
      next += bytes
    }
    // After nine letters of the encoder's name and twelve bytes: two 12-bit numbers.
    guard fields.uint8(next) != 0, next + 24 <= fields.count else { return }
    let word = Int(fields.uint32(next + 21) >> 8)
    delays = (word >> 12, word & 0xFFF)
  }

  /// The size of the table after the side information.
  private static let byteCount = 8 + 4 + 4 + 100 + 4 + 36

  /// A frame with space for a table, in the format of another frame with this header.
  static func frame(like frame: MPEGFrame, header: ByteFields) -> [UInt8] {
    var word = header.uint32(0)
    // No checksum, no padding, and the lowest bit rate with enough space.
    word |= 1 << 16
    word &= ~(1 << 9)
    for index in UInt32(1)...14 {
      word = word & ~(15 << 12) | index << 12
      var builder = ByteBuilder(isBigEndian: true)
      builder.number(word)
      guard let made = MPEGFrame(ByteFields(builder.bytes, isBigEndian: true)),
        made.byteCount >= 4 + made.sideBytes + byteCount
      else { continue }
      builder.zeros(made.byteCount - 4)
      // Until the table is filled, the marker only says that the frame has no sound.
      var bytes = builder.bytes
      bytes.replace(at: 4 + made.sideBytes, Array("Info".utf8))
      return bytes
    }
    return []
  }

  /// The table of a complete file.
  static func filled(
    _ room: ByteFields, _ frame: MPEGFrame, _ packets: PacketTable, _ info: Container.PacketInfo?
  ) -> [UInt8] {
    var bytes = room.bytes
    let sizes = Set((0..<min(packets.count, 4_096)).map { packets.size($0) })
    // With a constant bit rate, frames differ by at most one byte of padding.
    let isConstant = (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1
    var table = ByteBuilder(isBigEndian: true)
    table.code(isConstant ? "Info" : "Xing")
    table.number(UInt32(15))
    table.number(UInt32(clamping: packets.count))
    table.number(UInt32(clamping: packets.byteCount + bytes.count))
    for percent in 0..<100 {
      let index = min(packets.count - 1, packets.count * percent / 100)
      let offset = packets.count > 0 ? packets.offset(index) - packets.offset(0) : 0
      table.number(UInt8(clamping: min(255, 256 * offset / max(1, packets.byteCount))))
    }
    table.number(UInt32(0))
    if let info = info?.limited(to: packets.frameCount) {
      // The name of the encoder whose rules define the delays.
      table.append("LAME3.100".utf8)
      table.append([isConstant ? 1 : 4, 0])
      table.zeros(8)
      table.append([0, 0])
      let delay = min(4_095, max(0, info.primingFrames - 529))
      let padding = min(4_095, max(0, packets.frameCount - delay - info.validFrames))
      table.append([
        UInt8(truncatingIfNeeded: delay >> 4),
        UInt8(truncatingIfNeeded: delay & 15) << 4 | UInt8(truncatingIfNeeded: padding >> 8),
      ])
      table.number(UInt8(truncatingIfNeeded: padding & 255))
      table.zeros(4)
      table.number(UInt32(clamping: packets.byteCount + bytes.count))
      table.zeros(2)
    }
    let position = 4 + frame.sideBytes
    bytes.replace(at: position, table.bytes)
    if info != nil {
      let end = position + table.bytes.count
      let check = checkSum(bytes[..<end])
      bytes.replace(
        at: end, [UInt8(truncatingIfNeeded: check >> 8), UInt8(truncatingIfNeeded: check & 255)])
    }
    return bytes
  }

  /// CRC-16 with the polynomial x^16 + x^15 + x^2 + 1, the lowest bit first.
  private static func checkSum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var check: UInt16 = 0
    for byte in bytes {
      check ^= UInt16(byte)
      for _ in 0..<8 { check = check & 1 != 0 ? check >> 1 ^ 0xA001 : check >> 1 }
    }
    return check
  }
}
