// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles

// A reader skips what has a wrong check sum, and changed bytes do not get the right one by chance. So the
// bytes get it before they are read.

/// The same bytes, in which whole pages of Ogg have the right check sums.
func withPageSums(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  var position = 0
  while position + OggPage.headerBytes <= bytes.count {
    let head = ByteFields(
      Array(bytes[position..<position + OggPage.headerBytes]), isBigEndian: false)
    let body = position + OggPage.headerBytes + Int(head.uint8(26))
    let segments = bytes[min(position + OggPage.headerBytes, bytes.count)..<min(body, bytes.count)]
    let end = segments.reduce(body) { $0 + Int($1) }
    guard head.code(0) == "OggS", head.uint8(4) == 0, end <= bytes.count else {
      position += 1
      continue
    }
    result.replaceSubrange(
      position..<end,
      with: OggPage.bytes(
        flags: head.uint8(5), granule: head.int64(6), serial: head.uint32(14),
        sequence: head.uint32(18), segments: Array(segments), Array(bytes[body..<end])))
    position = end
  }
  return result
}

/// The same bytes, in which headers of FLAC frames have the right check sums.
func withFrameSums(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  for start in bytes.indices.dropLast(5)
  where bytes[start] == 0xFF && bytes[start + 1] & 0xFE == 0xF8 {
    // A number of one to seven bytes, as in UTF-8, then those that two codes ask for.
    let ones = (~bytes[start + 4]).leadingZeroBitCount
    let (sizeCode, rateCode) = (bytes[start + 2] >> 4, bytes[start + 2] & 15)
    let sizeBytes = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0
    let rateBytes = rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0
    let end = start + 4 + max(1, ones) + sizeBytes + rateBytes
    guard end < bytes.count else { continue }
    result[end] = bytes[start..<end].reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 7 : sum << 1 }
    }
  }
  return result
}
