// SPDX-License-Identifier: Apache-2.0

/// The bytes in front of the samples of a file that `WaveFileWriter` makes.
///
/// `RIFF`, a chunk of the size of `ds64`, `fmt `, `fact`, `data`. The reserved chunk is `JUNK` until
/// the file outgrows 32-bit sizes; then it holds the 64-bit ones and the file is an RF64
/// (EBU Tech 3306). The header keeps its length either way, so one write makes the file valid again.
struct WaveHeader {
  let sampleRate: UInt32
  let channelCount: Int

  /// Two channels are left and right; of more, nothing is known but their number.
  private var isExtensible: Bool { channelCount > 2 }

  var byteCount: Int { isExtensible ? 116 : 94 }

  var frameByteCount: Int { channelCount * 4 }

  /// The header of a file of so many frames; nil is a pipe's, whose end is the end of its samples.
  func bytes(frameCount: Int?) -> [UInt8] {
    let isUnknown = frameCount == nil
    let frameCount = frameCount ?? 0
    let dataByteCount = frameCount * frameByteCount
    let riffByteCount = byteCount - 8 + dataByteCount
    let isLarge = riffByteCount > Int(UInt32.max)
    let unknown = UInt32.max  // the real value, if it is known, stands in ds64

    var bytes = Bytes(capacity: byteCount)
    bytes.append(isLarge ? "RF64" : "RIFF")
    bytes.append(isLarge || isUnknown ? unknown : UInt32(riffByteCount))
    bytes.append("WAVE")

    bytes.append(isLarge ? "ds64" : "JUNK")
    bytes.append(UInt32(28))
    bytes.append(UInt64(isLarge ? riffByteCount : 0))
    bytes.append(UInt64(isLarge ? dataByteCount : 0))
    bytes.append(UInt64(isLarge ? frameCount : 0))
    bytes.append(UInt32(0))  // no table of further large chunks

    appendFormat(to: &bytes)

    bytes.append("fact")
    bytes.append(UInt32(4))
    bytes.append(isLarge || isUnknown ? unknown : UInt32(frameCount))

    bytes.append("data")
    bytes.append(isLarge || isUnknown ? unknown : UInt32(dataByteCount))
    return bytes.all
  }

  private func appendFormat(to bytes: inout Bytes) {
    bytes.append("fmt ")
    bytes.append(UInt32(isExtensible ? 40 : 18))
    bytes.append(isExtensible ? WaveTag.extensible : WaveTag.float)
    bytes.append(UInt16(channelCount))
    bytes.append(sampleRate)
    bytes.append(UInt32(clamping: Int(sampleRate) * frameByteCount))
    bytes.append(UInt16(frameByteCount))
    bytes.append(UInt16(32))  // bits of a sample
    bytes.append(UInt16(isExtensible ? 22 : 0))
    guard isExtensible else { return }
    bytes.append(UInt16(32))  // of them valid
    bytes.append(UInt32(0))  // no channel is bound to a loudspeaker
    bytes.append(WaveTag.float)
    bytes.append(WaveTag.identifierTail)
  }
}

/// Bytes of a file that is little-endian, being put together.
private struct Bytes {
  private(set) var all: [UInt8] = []

  init(capacity: Int) { all.reserveCapacity(capacity) }

  mutating func append(_ identifier: StaticString) {
    identifier.withUTF8Buffer { all.append(contentsOf: $0) }
  }

  mutating func append(_ bytes: [UInt8]) { all.append(contentsOf: bytes) }

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { all.append(contentsOf: $0) }
  }
}
