// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SignalProcessing

/// A linear format, read and written one byte at a time: the reference for the fast conversions.
private struct Layout: Sendable, CustomTestStringConvertible {
  let format: SampleFormat
  let testDescription: String

  init(_ format: SampleFormat, _ name: String) {
    self.format = format
    testDescription = name + (format.isBigEndian ? ", big endian" : "")
  }

  /// The integer that represents 1.
  private var one: Double {
    (0..<(format.fractionBits > 0 ? format.fractionBits : format.bits - 1)).reduce(1) { all, _ in
      all * 2
    }
  }
  private var limit: Double { (0..<format.bits - 1).reduce(1) { all, _ in all * 2 } }

  func read(_ bytes: ArraySlice<UInt8>) -> Double {
    let ordered = format.isBigEndian ? Array(bytes) : bytes.reversed()
    let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if format.isFloat {
      return format.bits == 32
        ? Double(Float(bitPattern: UInt32(word))) : Double(bitPattern: word)
    }
    let padding = format.isAlignedHigh ? format.containerBytes * 8 - format.bits : 0
    let bits = word >> UInt64(padding) & (1 << UInt64(format.bits) - 1)
    let half = Int64(1) << Int64(format.bits - 1)
    let value =
      format.isUnsigned
      ? Int64(bits) - half : Int64(bits) >= half ? Int64(bits) - 2 * half : Int64(bits)
    return Double(value) / one
  }

  func write(_ sample: Double) -> [UInt8] {
    let word: UInt64
    if format.isFloat {
      word = format.bits == 32 ? UInt64(Float(sample).bitPattern) : sample.bitPattern
    } else {
      let rounded = (sample.isNaN ? 0 : sample * one).rounded(.toNearestOrEven)
      let value = Int64(min(max(rounded, -limit), limit - 1))
      let offset = format.isUnsigned ? Int64(limit) : 0
      let all = UInt64(bitPattern: value + offset)
      // Padding above a signed sample repeats its sign.
      let bits =
        format.isUnsigned || format.isAlignedHigh ? all & (1 << UInt64(format.bits) - 1) : all
      word = bits << UInt64(format.isAlignedHigh ? format.containerBytes * 8 - format.bits : 0)
    }
    let bytes = (0..<format.containerBytes).map {
      UInt8(truncatingIfNeeded: word >> UInt64($0 * 8))
    }
    return format.isBigEndian ? bytes.reversed() : bytes
  }

  /// Every linear format of files and devices.
  static let all: [Layout] = [false, true].flatMap { bigEndian(is: $0) }

  private static func bigEndian(is big: Bool) -> [Layout] {
    var all = [
      Layout(.init(.signedInteger, bits: 32, fractionBits: 24, isBigEndian: big), "8.24"),
      Layout(.init(.float, bits: 32, isBigEndian: big), "Float32"),
      Layout(.init(.float, bits: 64, isBigEndian: big), "Float64"),
    ]
    for kind in [SampleFormat.Kind.signedInteger, .unsignedInteger] {
      let sign = kind == .unsignedInteger ? "unsigned " : ""
      func add(_ bits: Int, _ bytes: Int, high: Bool, _ name: String) {
        let format = SampleFormat(
          kind, bits: bits, containerBytes: bytes, isBigEndian: big, isAlignedHigh: high)
        all.append(Layout(format, sign + name))
      }
      add(8, 1, high: false, "8")
      add(16, 2, high: false, "16")
      add(20, 3, high: true, "20 in 24, high")
      add(24, 3, high: false, "24")
      add(24, 4, high: false, "24 in 32")
      add(24, 4, high: true, "24 in 32, high")
      add(32, 4, high: false, "32")
    }
    return all
  }
}

@Suite("Conversions between sample formats")
struct SampleConversionTests {
  /// Samples on both sides of every boundary: steps and half steps of all formats, full scale,
  /// beyond it.
  private static let samples: [Double] = {
    var random = Xoshiro256(seed: 4)
    var samples: [Double] = [0, 1, -1, 1.25, -1.25, 100, -100, 200, -200]
    for bits in [7, 15, 23, 31] {
      let range = Double(1 << bits)
      let steps: [Double] = [0.5, 1, 1.5, 2.5, 1.499_999, range - 1, range - 0.5]
      samples += steps.map { $0 / range } + steps.map { -$0 / range }
    }
    for _ in 0..<200 {
      let fine = Double(random.nextSample()) * 1e-7
      samples.append(Double(random.nextSample()) + fine)
    }
    return samples
  }()

  @Test("equal double precision, rounded once, for every pair", arguments: Layout.all)
  fileprivate func pairs(source: Layout) {
    let bytes = Self.samples.flatMap { source.write($0) }
    let size = source.format.containerBytes
    let exact = Self.samples.indices.map { source.read(bytes[$0 * size..<($0 + 1) * size]) }
    for target in Layout.all {
      var output = [UInt8](repeating: 0xaa, count: exact.count * target.format.containerBytes)
      source.format.convert(
        bytes, stride: size, to: target.format, at: &output, stride: target.format.containerBytes,
        count: exact.count)
      #expect(output == exact.flatMap { target.write($0) }, "to \(target.testDescription)")
      if target.format.canRepresent(source.format) {
        var back = [UInt8](repeating: 0xaa, count: bytes.count)
        target.format.convert(
          output, stride: target.format.containerBytes, to: source.format, at: &back, stride: size,
          count: exact.count)
        #expect(back == bytes, "and back from \(target.testDescription)")
      }
    }
  }

  @Test("a format can represent those that fit in its range and precision")
  func representation() {
    let padded = SampleFormat(.signedInteger, bits: 24, containerBytes: 4, isAlignedHigh: true)
    #expect(SampleFormat.float32.canRepresent(.int24) && !SampleFormat.float32.canRepresent(.int32))
    #expect(
      SampleFormat.float64.canRepresent(.int32) && SampleFormat.float64.canRepresent(.float32))
    #expect(SampleFormat.int24.canRepresent(padded) && padded.canRepresent(.int24))
    #expect(!SampleFormat.int32.canRepresent(.float32) && !SampleFormat.int16.canRepresent(.int24))
    #expect(
      SampleFormat.fixed8_24.canRepresent(.int24) && !SampleFormat.fixed8_24.canRepresent(.int32))
    #expect(!SampleFormat.int32.canRepresent(.fixed8_24))
  }

  @Test("kernels give the same bits as their Swift versions", arguments: Layout.all)
  fileprivate func references(layout: Layout) {
    let format = layout.format
    let size = format.containerBytes
    let floats =
      Self.samples.map { Float($0) } + [.nan, -.nan, .infinity, -.infinity, Float(0x1p-140)]
    for count in [1, 3, 7, 8, 9, 31, floats.count] {
      var (kernel, reference) = ([UInt8](repeating: 1, count: count * size + 1), [UInt8]())
      reference = kernel
      format.encode(floats, count: count, to: &kernel, stride: size)
      format.encodeStrided(floats, count: count, to: &reference, stride: size)
      #expect(kernel == reference)
      var decoded = [Float](repeating: .nan, count: count + 1)
      var expected = decoded
      format.decode(reference, stride: size, into: &decoded, count: count)
      format.decodeStrided(reference, stride: size, into: &expected, count: count)
      #expect(decoded.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }

  @Test(
    "interleaving and deinterleaving give the same as channel by channel", arguments: Layout.all)
  fileprivate func frames(layout: Layout) {
    let format = layout.format
    for channels in [1, 2, 3, 6, 8, 32, 300] {
      let frames = 130
      let memory = PlanarSamples(channels: channels, frames: frames)
      var random = Xoshiro256(seed: UInt64(channels))
      for index in 0..<channels * frames { memory.samples[index] = random.nextSample() }
      let size = format.containerBytes
      var interleaved = [UInt8](repeating: 0, count: channels * frames * size)
      var expected = interleaved
      format.encode(
        memory.readable, channelCount: channels, frameCount: frames, interleaved: &interleaved)
      for channel in 0..<channels {
        expected.withUnsafeMutableBytes {
          guard let start = $0.baseAddress else { return }
          format.encodeStrided(
            memory.channels[channel], count: frames, to: start + channel * size,
            stride: channels * size)
        }
      }
      #expect(interleaved == expected)
      let deinterleaved = PlanarSamples(channels: channels, frames: frames)
      format.decode(
        interleaved: interleaved, channelCount: channels, into: deinterleaved.channels,
        frameCount: frames)
      var column = [Float](repeating: 0, count: frames)
      for channel in 0..<channels {
        interleaved.withUnsafeBytes {
          guard let start = $0.baseAddress else { return }
          format.decodeStrided(
            start + channel * size, stride: channels * size, into: &column, count: frames)
        }
        #expect(
          Array(UnsafeBufferPointer(start: deinterleaved.channels[channel], count: frames))
            == column)
      }
    }
  }

  @Test(
    "two channels are rounded, clipped and silenced as one is",
    arguments: [SampleFormat.int16, .int24, .int32], [0, 1, 7, 8, 9, 16, 31, 200])
  func pairs(format: SampleFormat, frames: Int) {
    let special: [Float] = [
      .nan, -.nan, .infinity, -.infinity, 3e38, -3e38, 65_536, -65_536, 1, -1, 2, -2, 0x1p-140,
    ]
    let samples = special + Self.samples.map { Float($0) }
    let memory = PlanarSamples(channels: 2, frames: frames)
    let size = format.containerBytes
    for first in stride(from: 0, to: samples.count, by: max(1, frames / 2)) {
      for index in 0..<2 * frames {
        memory.samples[index] = samples[(first + index) % samples.count]
      }
      var interleaved = [UInt8](repeating: 1, count: 2 * frames * size + 1)
      var expected = interleaved
      format.encode(
        memory.readable, channelCount: 2, frameCount: frames, interleaved: &interleaved)
      for channel in 0..<2 {
        expected.withUnsafeMutableBytes {
          guard let start = $0.baseAddress else { return }
          format.encodeStrided(
            memory.channels[channel], count: frames, to: start + channel * size, stride: 2 * size)
        }
      }
      #expect(interleaved == expected)
    }
  }

  @Test("samples between others stay unchanged")
  func strides() {
    let source: [Int16] = [100, 1, 200, 2, 300, 3]
    var target = [Int32](repeating: 7, count: 6)
    SampleFormat.int16.convert(source, stride: 4, to: .int32, at: &target, stride: 8, count: 3)
    #expect(target == [100 << 16, 7, 200 << 16, 7, 300 << 16, 7])
  }
}

/// Memory for some channels.
private final class PlanarSamples {
  let samples: UnsafeMutablePointer<Float>
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(channels count: Int, frames: Int) {
    samples = .allocate(capacity: count * frames)
    samples.initialize(repeating: 0, count: count * frames)
    channels = .allocate(capacity: count)
    for channel in 0..<count { (channels + channel).initialize(to: samples + channel * frames) }
  }

  deinit {
    samples.deallocate()
    channels.deallocate()
  }

  var readable: UnsafePointer<UnsafePointer<Float>> {
    UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
  }
}
