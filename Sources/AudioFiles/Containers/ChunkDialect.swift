// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// How a kind of file encodes the name and the size of a chunk.
struct ChunkDialect: Sendable {
  let isBigEndian: Bool
  /// Bytes of a name: 4, or 16, of which the first four are the name.
  let codeBytes: Int
  /// Bytes of a size field.
  let sizeBytes: Int
  /// Whether a size includes the name and the size field.
  let sizeCountsHeader: Bool
  /// Chunks begin at multiples of this.
  let alignment: Int
  /// The chunk that holds the sound.
  let dataCode: ChunkCode
  /// Bytes before the sound within that chunk.
  let dataPrefix: Int
  /// The code of a chunk that only reserves space.
  let fillerCode: ChunkCode

  var headerBytes: Int { codeBytes + sizeBytes }

  /// WAV, RF64, BW64.
  static let riff = ChunkDialect(
    isBigEndian: false, codeBytes: 4, sizeBytes: 4, sizeCountsHeader: false, alignment: 2,
    dataCode: ChunkCode("data"), dataPrefix: 0, fillerCode: ChunkCode("JUNK"))
  /// RIFX: WAV with big-endian numbers.
  static let rifx = ChunkDialect(
    isBigEndian: true, codeBytes: 4, sizeBytes: 4, sizeCountsHeader: false, alignment: 2,
    dataCode: ChunkCode("data"), dataPrefix: 0, fillerCode: ChunkCode("JUNK"))
  /// AIFF, AIFC: EA IFF 85.
  static let aiff = ChunkDialect(
    isBigEndian: true, codeBytes: 4, sizeBytes: 4, sizeCountsHeader: false, alignment: 2,
    dataCode: ChunkCode("SSND"), dataPrefix: 8, fillerCode: ChunkCode("FLLR"))
  /// CAF: an edit count precedes the sound.
  static let caf = ChunkDialect(
    isBigEndian: true, codeBytes: 4, sizeBytes: 8, sizeCountsHeader: false, alignment: 1,
    dataCode: ChunkCode("data"), dataPrefix: 4, fillerCode: ChunkCode("free"))
  /// Sony Wave64.
  static let wave64 = ChunkDialect(
    isBigEndian: false, codeBytes: 16, sizeBytes: 8, sizeCountsHeader: true, alignment: 8,
    dataCode: ChunkCode("data"), dataPrefix: 0, fillerCode: ChunkCode("junk"))

  /// Whether bytes behind the sound are no chunk: another sound file begins there, or a tag. Chunks are
  /// named "ID3 " and "TAG ", but with a space.
  static func isOutside(_ fields: ByteFields) -> Bool {
    if fileCodes.contains(fields.code(0)) { return true }
    let (name, last) = (fields.text(0, 3), fields.uint8(3))
    return name == "TAG" && last != 0x20 || name == "ID3" && last < 0x20
  }

  /// The names with which sound files begin.
  private static let fileCodes: Set<ChunkCode> = [
    "RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "caff", "fLaC", "OggS", ".snd",
  ]

  /// The bytes after the four letters of a Wave64 name.
  static let wave64Tail: [UInt8] = [
    0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
  ]

  /// The name and size fields of a chunk of this many bytes.
  func header(_ code: ChunkCode, _ byteCount: Int) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: isBigEndian)
    builder.code(code)
    if codeBytes == 16 { builder.append(Self.wave64Tail) }
    builder.append(size(byteCount))
    return builder.bytes
  }

  /// The size field of a chunk of this many bytes; -1 means up to the end of the file.
  func size(_ byteCount: Int) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: isBigEndian)
    let size =
      byteCount < 0 ? -1 : min(byteCount, Limits.count) + (sizeCountsHeader ? headerBytes : 0)
    if sizeBytes == 8 {
      builder.number(Int64(size))
    } else {
      builder.number(size < 0 ? UInt32.max : UInt32(clamping: size))
    }
    return builder.bytes
  }

  /// The whole chunk, padded to the start of the next.
  func chunk(_ code: ChunkCode, _ bytes: [UInt8]) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: isBigEndian)
    builder.append(header(code, bytes.count))
    builder.append(bytes)
    builder.align(alignment)
    return builder.bytes
  }

  /// Padding bytes up to the start of the next chunk.
  func padding(_ byteCount: Int) -> Int { (alignment - byteCount % alignment) % alignment }
}
