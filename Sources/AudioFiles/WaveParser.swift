// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Four characters that name a chunk, as they stand in a file.
struct FourBytes: Equatable, CustomStringConvertible {
  let value: UInt32

  init(value: UInt32) { self.value = value }

  init(_ text: StaticString) {
    value = text.withUTF8Buffer { bytes in
      bytes.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }
  }

  var description: String { "'\(letters)'" }

  /// The four characters; a question mark for what is none.
  var letters: String {
    let characters = (0..<4).map { place in
      let byte = UInt8(truncatingIfNeeded: value >> (8 * UInt32(place)))
      return (32...126).contains(byte) ? Character(UnicodeScalar(byte)) : "?"
    }
    return String(characters)
  }
}

/// Where the samples of a WAV file are and what they mean: read from its chunks.
///
/// Everything in the file may be wrong. Offsets stay within the file's length, so sums cannot
/// overflow; each refusal says at which byte the file stopped making sense.
struct WaveParser: ~Copyable {
  private(set) var format: WaveFormat?
  private(set) var data: Range<Int>?
  /// Bytes that the file says its samples take; more than `data` has when the end is missing.
  private(set) var declaredDataByteCount = 0

  private var largeDataByteCount: Int?
  private let fileByteCount: Int

  init(_ file: borrowing OpenFile) throws(AudioError) {
    fileByteCount = file.byteCount
    do {
      try parse(file)
    } catch {
      throw error.of(file.path)
    }
  }

  private mutating func parse(_ file: borrowing OpenFile) throws(AudioError) {
    let start = try Fields(file, at: 0, count: 12)
    let identifier = start.identifier(0)
    let isLarge = identifier == FourBytes("RF64") || identifier == FourBytes("BW64")
    guard isLarge || identifier == FourBytes("RIFF") else {
      throw .invalidFile.because("begins with \(identifier), not with 'RIFF': not a WAV file")
    }
    guard start.identifier(8) == FourBytes("WAVE") else {
      throw .invalidFile.because("is a RIFF file of \(start.identifier(8)), not of 'WAVE'")
    }
    var offset = 12
    // A file of nothing but empty chunks would keep us busy for hours.
    for _ in 0..<10_000 {
      guard offset + 8 <= fileByteCount else { break }
      let chunk = try Fields(file, at: offset, count: 8)
      let identifier = chunk.identifier(0)
      let byteCount = Int(chunk.uint32(4))
      let body = offset + 8
      if identifier == FourBytes("data") { return try findData(at: body, byteCount, isLarge) }
      guard byteCount <= fileByteCount - body else {
        throw .invalidFile.because(
          "chunk \(identifier) at byte \(offset) claims \(byteCount) bytes, "
            + "but \(fileByteCount - body) follow")
      }
      if identifier == FourBytes("fmt ") {
        format = try Self.format(Fields(file, at: body, count: min(byteCount, 40)), at: offset)
      } else if identifier == FourBytes("ds64"), isLarge {
        guard byteCount >= 24 else {
          throw .invalidFile.because(
            "chunk 'ds64' at byte \(offset) has \(byteCount) bytes, not 28")
        }
        largeDataByteCount = Int(clamping: try Fields(file, at: body, count: 24).uint64(8))
      }
      offset = body + byteCount + byteCount % 2  // chunks begin at even offsets
    }
    throw .invalidFile.because("has no 'data' chunk in its \(fileByteCount) bytes")
  }

  private mutating func findData(
    at offset: Int, _ byteCount: Int, _ isLarge: Bool
  ) throws(AudioError) {
    guard let format else {
      throw .invalidFile.because("chunk 'data' at byte \(offset - 8) has no 'fmt ' in front of it")
    }
    var declared = byteCount
    if byteCount == Int(UInt32.max) {
      // Written to a pipe, a file cannot know its length: everything that follows is samples.
      declared = isLarge ? largeDataByteCount ?? .max : fileByteCount - offset
    }
    let present = min(declared, fileByteCount - offset)
    data = offset..<(offset + present - present % format.frameByteCount)
    declaredDataByteCount = declared
  }

  private static func format(_ fields: Fields, at offset: Int) throws(AudioError) -> WaveFormat {
    guard fields.count >= 16 else {
      throw .invalidFile.because("chunk 'fmt ' at byte \(offset) has \(fields.count) bytes, not 16")
    }
    var tag = fields.uint16(0)
    let channelCount = Int(fields.uint16(2))
    let sampleRate = fields.uint32(4)
    let frameByteCount = Int(fields.uint16(12))
    let bitCount = Int(fields.uint16(14))
    if tag == WaveTag.extensible {
      guard fields.count >= 40 else {
        throw .invalidFile.because(
          "extensible 'fmt ' at byte \(offset) has \(fields.count) bytes, not 40")
      }
      guard fields.bytes[26..<40].elementsEqual(WaveTag.identifierTail) else {
        throw .formatNotSupported.because("'fmt ' at byte \(offset) names a format unknown here")
      }
      tag = fields.uint16(24)
    }
    guard channelCount > 0, sampleRate > 0, frameByteCount % channelCount == 0 else {
      throw .invalidFile.because(
        "'fmt ' at byte \(offset) makes no sense: \(channelCount) channels at \(sampleRate) Hz "
          + "in frames of \(frameByteCount) bytes")
    }
    let sampleByteCount = frameByteCount / channelCount
    let encoding: WaveEncoding? =
      switch (tag, sampleByteCount) {
      case (WaveTag.integer, 1): .unsigned8
      case (WaveTag.integer, 2): .integer16
      case (WaveTag.integer, 3): .integer24
      case (WaveTag.integer, 4): .integer32
      case (WaveTag.float, 4): .float32
      case (WaveTag.float, 8): .float64
      default: nil
      }
    guard let encoding, (1...8 * sampleByteCount).contains(bitCount) else {
      throw .formatNotSupported.because(
        "'fmt ' at byte \(offset) says format \(tag) (\(WaveTag.name(tag))) with \(bitCount) bits in "
          + "\(sampleByteCount) bytes; read are integers of 1 to 4 bytes and floats of 4 and 8")
    }
    return WaveFormat(
      sampleRate: Double(sampleRate), channelCount: channelCount, encoding: encoding)
  }
}

/// Some bytes of a file, to be looked at as little-endian numbers.
private struct Fields {
  let bytes: [UInt8]

  init(_ file: borrowing OpenFile, at offset: Int, count: Int) throws(AudioError) {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try bytes.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
      try file.read(UnsafeMutableRawBufferPointer(bytes), at: offset)
    }
    guard found == count else {
      throw .invalidFile.because("ends after \(offset + found) bytes, within its header")
    }
    self.bytes = bytes
  }

  var count: Int { bytes.count }
  func identifier(_ place: Int) -> FourBytes { FourBytes(value: uint32(place)) }
  func uint16(_ place: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(place, 2)) }
  func uint32(_ place: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(place, 4)) }
  func uint64(_ place: Int) -> UInt64 { number(place, 8) }

  private func number(_ place: Int, _ byteCount: Int) -> UInt64 {
    bytes[place..<(place + byteCount)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
