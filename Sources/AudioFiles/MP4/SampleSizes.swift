// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The size of each sample of a track in bytes: one size for all, or a table with entries of 32
/// bits ('stsz') or of 4, 8 or 16 bits ('stz2', ISO 14496-12, 8.7.3).
struct SampleSizes {
  let count: Int
  private let fields: ByteFields
  private let start: Int
  /// Bits of an entry; 0: all samples have `size` bytes.
  private let bits: Int
  private let size: Int

  /// The size of every sample; nil when each has its own.
  var sizeOfAll: Int? { bits == 0 ? size : nil }

  /// Whether each sample has an entry of its own.
  var isTable: Bool { bits > 0 }

  /// The sizes of the sample table in `table`.
  init(_ fields: ByteFields, _ table: Range<Int>) {
    self.fields = fields
    let whole = fields.box(table, "stsz")
    guard let box = whole ?? fields.box(table, "stz2"), box.body.count >= 12 else {
      (count, start, bits, size) = (0, 0, 0, 0)
      return
    }
    let declaredCount = Int(fields.uint32(box.body.lowerBound + 8))
    start = box.body.lowerBound + 12
    size = whole == nil ? 0 : Int(fields.uint32(box.body.lowerBound + 4))
    let entryBits = whole == nil ? Int(fields.uint8(box.body.lowerBound + 7)) : 32
    bits = size > 0 ? 0 : [4, 8, 16, 32].contains(entryBits) ? entryBits : 0
    let room =
      bits > 0 ? max(0, box.body.upperBound - start) * 8 / bits : size > 0 ? declaredCount : 0
    count = min(declaredCount, room)
  }

  subscript(index: Int) -> Int {
    switch bits {
    case 0: size
    case 4: Int(fields.uint8(start + index / 2) >> (index % 2 == 0 ? 4 : 0) & 15)
    case 8: Int(fields.uint8(start + index))
    case 16: Int(fields.uint16(start + 2 * index))
    default: Int(fields.uint32(start + 4 * index))
    }
  }
}
