// SPDX-License-Identifier: Apache-2.0

import SignalProcessing
import Testing

@Suite("Sample formats")
struct SampleFormatTests {
  static let integers: [SampleFormat] = [8, 16, 20, 24, 32].flatMap { bits in
    [4, (bits + 7) / 8].flatMap { bytes in
      [false, true].flatMap { big in
        [false, true].flatMap { high in
          [SampleFormat.Kind.signedInteger, .unsignedInteger].map { kind in
            SampleFormat(
              kind, bits: bits, containerBytes: bytes, isBigEndian: big, isAlignedHigh: high)
          }
        }
      }
    }
  }

  @Test("integers survive a round trip through float", arguments: integers)
  func roundTrip(format: SampleFormat) {
    // The 24 bits of the mantissa: below them, the lowest bits are zero.
    let half = 1 << (format.bits - 1)
    let lost = max(0, format.bits - 24)
    let values = stride(from: -half, to: half, by: max(1, half / 128)).map { ($0 >> lost) << lost }
    let floats = values.map { Float(Double($0) / Double(half)) }
    let memory = encode(floats, as: format)
    #expect(decode(memory, as: format, count: floats.count) == floats)
    let again = encode(decode(memory, as: format, count: floats.count), as: format)
    #expect(again == memory)
  }

  @Test("all 16-bit integers survive a round trip")
  func everyInt16() {
    let values = (Int16.min...Int16.max).map { $0 }
    let memory = values.withUnsafeBytes { Array($0) }
    #expect(encode(decode(memory, as: .int16, count: values.count), as: .int16) == memory)
  }

  @Test("integers are rounded to the nearest")
  func rounding() {
    let unit = Float(0x1p-15)
    let samples: [Float] = [0.4, 0.6, -0.4, -0.6, 1.49, -1.51].map { $0 * unit }
    #expect(words(samples, as: .int16, Int16.self) == [0, 1, 0, -1, 1, -2])
    let fine = samples.map { $0 * 0x1p-8 }
    let padded = SampleFormat(.signedInteger, bits: 24, containerBytes: 4)
    #expect(words(fine, as: padded, Int32.self) == [0, 1, 0, -1, 1, -2])
  }

  @Test("integers are clipped to their range; NaN becomes zero", arguments: integers)
  func clipping(format: SampleFormat) {
    let half = Double(1 << (format.bits - 1))
    let decoded = decode(
      encode([2, -2, .infinity, -.infinity, .nan, 1, -1], as: format), as: format, count: 7)
    let top = Float((half - 1) / half)
    #expect(decoded == [top, -1, top, -1, 0, top, -1])
  }

  @Test("8.24 fixed point stores a half as 0x00800000 and reaches to ±128")
  func fixedPoint() {
    let samples: [Float] = [0.5, -0.5, 1, 1.5, -128, 127.5, 200]
    #expect(
      words(samples, as: .fixed8_24, Int32.self)
        == [0x0080_0000, -0x0080_0000, 0x0100_0000, 0x0180_0000, .min, 0x7f80_0000, .max])
    let memory = encode(samples, as: .fixed8_24)
    #expect(decode(memory, as: .fixed8_24, count: 6) == Array(samples.prefix(6)))
  }

  @Test("known bytes mean known samples")
  func bytes() {
    #expect(decode([0x80], as: .init(.unsignedInteger, bits: 8), count: 1) == [0])
    #expect(decode([0x00, 0x40], as: .int16, count: 1) == [0.5])
    #expect(
      decode([0x40, 0x00], as: .init(.signedInteger, bits: 16, isBigEndian: true), count: 1)
        == [0.5])
    #expect(decode([0, 0, 0xc0], as: .int24, count: 1) == [-0.5])
    let big = SampleFormat(.signedInteger, bits: 24, isBigEndian: true)
    #expect(decode([0xc0, 0, 0], as: big, count: 1) == [-0.5])
    // 24 bits at the lower and at the upper end of four bytes.
    let low = SampleFormat(.signedInteger, bits: 24, containerBytes: 4)
    #expect(decode([0, 0, 0xc0, 0xff], as: low, count: 1) == [-0.5])
    #expect(decode([0, 0, 0xc0, 0x00], as: low, count: 1) == [-0.5])
    let high = SampleFormat(.signedInteger, bits: 24, containerBytes: 4, isAlignedHigh: true)
    #expect(decode([0xff, 0, 0, 0xc0], as: high, count: 1) == [-0.5])
  }

  @Test(
    "floats pass unchanged, even beyond one",
    arguments: [
      SampleFormat.float32, .float64, .init(.float, bits: 32, isBigEndian: true),
      .init(.float, bits: 64, isBigEndian: true),
    ])
  func floats(format: SampleFormat) {
    let samples: [Float] = [0, 1, -3.25, 1e-30, .infinity]
    #expect(decode(encode(samples, as: format), as: format, count: 5) == samples)
  }

  @Test("64-bit integers clip and keep the precision of a float")
  func wide() {
    let format = SampleFormat(.signedInteger, bits: 64)
    let samples: [Float] = [0.5, -0.25, -1, 2, .nan]
    #expect(
      words(samples, as: format, Int64.self) == [1 << 62, -1 << 61, .min, .max, 0])
  }

  @Test("interleaved memory is written and read by channel")
  func interleaved() {
    let left: [Float] = [0.5, 0.25]
    let right: [Float] = [-0.5, -0.25]
    var memory = [Int16](repeating: 0, count: 4)
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        guard let l = left.baseAddress, let r = right.baseAddress else { return }
        SampleFormat.int16.encode([l, r], channelCount: 2, frameCount: 2, interleaved: &memory)
      }
    }
    #expect(memory == [0x4000, -0x4000, 0x2000, -0x2000])
    var channels: [[Float]] = [[0, 0], [0, 0]]
    for channel in 0..<2 {
      memory.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        SampleFormat.int16.decode(
          start + channel * 2, stride: 4, into: &channels[channel], count: 2)
      }
    }
    #expect(channels == [left, right])
  }

  @Test("formats that make no sense are not supported and read as silence")
  func unsupported() {
    let formats = [
      SampleFormat(.float, bits: 24), SampleFormat(.signedInteger, bits: 0),
      SampleFormat(.signedInteger, bits: 24, containerBytes: 2),
      SampleFormat(.signedInteger, bits: 40),
      SampleFormat(.signedInteger, bits: 16, fractionBits: 16),
    ]
    for format in formats {
      #expect(!format.isSupported)
      #expect(decode([1, 2, 3, 4, 5, 6, 7, 8], as: format, count: 1) == [0])
    }
  }

  private func encode(_ samples: [Float], as format: SampleFormat) -> [UInt8] {
    var memory = [UInt8](repeating: 0xaa, count: samples.count * format.containerBytes)
    format.encode(samples, count: samples.count, to: &memory, stride: format.containerBytes)
    return memory
  }

  private func decode(_ memory: [UInt8], as format: SampleFormat, count: Int) -> [Float] {
    var samples = [Float](repeating: .nan, count: count)
    format.decode(memory, stride: format.containerBytes, into: &samples, count: count)
    return samples
  }

  private func words<Word: FixedWidthInteger>(
    _ samples: [Float], as format: SampleFormat, _: Word.Type
  ) -> [Word] {
    let memory = encode(samples, as: format)
    return memory.withUnsafeBytes { bytes in
      (0..<samples.count).map {
        bytes.loadUnaligned(fromByteOffset: $0 * Word.bitWidth / 8, as: Word.self)
      }
    }
  }
}
