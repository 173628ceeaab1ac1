// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

/// Samples that a conversion has room for keep their values, whatever dither is set.
@Suite("Samples that are kept")
struct KeptSampleTests {
  /// A format of whole numbers or floating point.
  struct Kind: Sendable, CustomTestStringConvertible {
    let bits: Int
    var isFloat = false
    var isUnsigned = false
    /// The bits of the whole numbers that it holds.
    var precision: Int { isFloat ? bits == 32 ? 24 : 53 : bits }
    var testDescription: String { "\(isUnsigned ? "u" : "")\(bits)\(isFloat ? "f" : "")" }

    var format: AudioStreamBasicDescription {
      Linear.format(bits: bits, float: isFloat, unsigned: isUnsigned)
    }

    static let all = [
      Kind(bits: 8), Kind(bits: 8, isUnsigned: true), Kind(bits: 16), Kind(bits: 24),
      Kind(bits: 32), Kind(bits: 32, isFloat: true), Kind(bits: 64, isFloat: true),
    ]
  }

  /// Whole numbers of `bits` bits, the extremes among them.
  static func numbers(_ bits: Int) -> [Int64] {
    let (lowest, highest) = (Int64(-1) << Int64(bits - 1), Int64(1) << Int64(bits - 1) - 1)
    var random = Sequence64(state: UInt64(bits))
    return [lowest, highest, 0, -1, 1, lowest + 1, highest - 1, lowest / 2]
      + (0..<392).map { _ in Int64.random(in: lowest...highest, using: &random) }
  }

  /// Whole numbers of `bits` bits as samples.
  static func samples(_ numbers: [Int64], bits: Int, _ kind: Kind) -> [UInt8] {
    numbers.flatMap { number -> [UInt8] in
      let part = Double(number) / Double(Int64(1) << Int64(bits - 1))
      if kind.isFloat {
        return kind.bits == 32
          ? withUnsafeBytes(of: Float(part)) { Array($0) } : withUnsafeBytes(of: part) { Array($0) }
      }
      let moved = number << Int64(kind.bits - bits)
      let offset = kind.isUnsigned ? Int64(1) << Int64(kind.bits - 1) : 0
      return withUnsafeBytes(of: moved &+ offset) { Array($0.prefix(kind.bits / 8)) }
    }
  }

  private func set(_ dithering: UInt32, _ converter: Converter) throws(AudioError) {
    try withUnsafeBytes(of: dithering) { bytes throws(AudioError) in
      try converter.write(kAudioConverterPropertyDithering, bytes)
    }
  }

  private static let pairs = Kind.all.flatMap { from in Kind.all.map { (from, $0) } }

  @Test("between linear formats that have room", arguments: pairs)
  func linear(from: Kind, to: Kind) throws {
    // Floating point has any number of bits, so that only floating point holds it.
    guard to.precision >= from.precision, to.isFloat || !from.isFloat else { return }
    let bits = min(from.precision, 32)
    let numbers = Self.numbers(bits)
    for dithering in 0...2 as ClosedRange<UInt32> {
      let program = try ConverterProgram(from.format, to.format)
      program.source = [Self.samples(numbers, bits: bits, from)]
      program.frameCount = numbers.count / 2
      try program.set(kAudioConverterPropertyDithering, dithering)
      #expect(
        program.fill(program.frameCount + 10).data == [Self.samples(numbers, bits: bits, to)])
    }
  }

  @Test(
    "through lossless codecs, and from one to the other",
    arguments: [kAudioFormatAppleLossless, kAudioFormatFLAC], [16, 24])
  func lossless(id: AudioFormatID, bits: Int) throws {
    let numbers = Self.numbers(bits)
    let kind = Kind(bits: bits)
    let source = Self.samples(numbers, bits: bits, kind)
    let flags: UInt32 = bits == 16 ? 1 : 3
    let encoded = try CodecTests.encode(
      source, kind.format, CodecTests.compressed(id, 44_100, flags: flags)
    ) { converter throws(AudioError) in try set(1, converter) }
    #expect(try CodecTests.decode(encoded, kind.format) == source)
  }

  @Test("a matrix that only moves channels changes nothing")
  func matrix() throws {
    let numbers = Self.numbers(32)
    let kind = Kind(bits: 32)
    let source = Self.samples(numbers, bits: 32, kind)
    let program = try ConverterProgram(kind.format, kind.format)
    program.source = [source]
    program.frameCount = numbers.count / 2
    try program.set(kAudioConverterPropertyChannelMixMap, array: [0, 1, 1, 0] as [Float])
    let swapped = stride(from: 0, to: numbers.count, by: 2).flatMap {
      [numbers[$0 + 1], numbers[$0]]
    }
    #expect(program.fill(1_000).data == [Self.samples(swapped, bits: 32, kind)])
  }

  @Test("fewer bits, and calculated samples, get the noise")
  func noise() throws {
    let numbers = Self.numbers(24)
    func changed(_ from: Kind, _ to: Kind, bits: Int) throws -> Bool {
      let source = Self.samples(numbers.map { $0 >> Int64(24 - bits) }, bits: bits, from)
      let outputs = try (0...1 as ClosedRange<UInt32>).map { dithering in
        let program = try ConverterProgram(from.format, to.format)
        program.source = [source]
        program.frameCount = numbers.count / 2
        try program.set(kAudioConverterPropertyDithering, dithering)
        return program.fill(1_000).data
      }
      return outputs[0] != outputs[1]
    }
    #expect(try changed(Kind(bits: 24), Kind(bits: 16), bits: 24))
    // Whether the values would fit does not matter.
    #expect(try changed(Kind(bits: 24), Kind(bits: 16), bits: 16))
    #expect(try changed(Kind(bits: 32, isFloat: true), Kind(bits: 16), bits: 16))
  }

  @Test(
    "no encoder gets a sample that is not a number, or far too loud",
    arguments: CodecTests.lossyFormats.indices,
    [Float.nan, .infinity, -.infinity, 1e7, -1e10, 1e30, .greatestFiniteMagnitude])
  func hostileSamples(index: Int, bad: Float) throws {
    let (id, rate, _) = CodecTests.lossyFormats[index]
    var samples = CodecTests.tones(12_000, rate)
    for place in 8_000..<8_400 { samples[place] = bad }
    let encoded = try CodecTests.encode(
      samples.withUnsafeBytes { Array($0) }, Linear.float(rate), CodecTests.compressed(id, rate))
    let decoded = CodecTests.floats(try CodecTests.decode(encoded, Linear.float(rate)))
    #expect(decoded.count >= samples.count)
    #expect(decoded.allSatisfy { abs($0) < 4 })
    // The rest sounds as it did.
    let level = CodecTests.difference(
      Array(samples[16_000..<22_000]), Array(decoded[16_000..<22_000]))
    #expect(level < -15)
  }
}
