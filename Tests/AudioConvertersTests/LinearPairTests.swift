// SPDX-License-Identifier: Apache-2.0

import AudioSupport
import CAudioToolbox
import Testing

@Suite("Converter of linear PCM")
struct LinearPairTests {
  /// A reference conversion between samples and Float64, independent of the tested code.
  struct Reference {
    let format: AudioStreamBasicDescription
    private var bytes: Int { Int(format.mBytesPerFrame) / (isPlanar ? 1 : channels) }
    private var channels: Int { Int(format.mChannelsPerFrame) }
    private var bits: Int { Int(format.mBitsPerChannel) }
    private func has(_ flag: AudioFormatFlags) -> Bool { format.mFormatFlags & flag != 0 }
    private var isPlanar: Bool { has(kAudioFormatFlagIsNonInterleaved) }
    private var fraction: Int { Int(format.mFormatFlags >> 7 & 0x3F) }
    private var scale: Double {
      Double(sign: .plus, exponent: fraction > 0 ? fraction : bits - 1, significand: 1)
    }

    func value(_ memory: [UInt8], at sample: Int) -> Double {
      var word = UInt64(0)
      for index in 0..<bytes {
        let position = has(kAudioFormatFlagIsBigEndian) ? bytes - 1 - index : index
        word |= UInt64(memory[sample * bytes + position]) << UInt64(8 * index)
      }
      if has(kAudioFormatFlagIsFloat) {
        return bits == 32
          ? Double(Float(bitPattern: UInt32(word))) : Double(bitPattern: word)
      }
      if has(kAudioFormatFlagIsAlignedHigh) { word >>= UInt64(bytes * 8 - bits) }
      word &= (1 << UInt64(bits)) - 1
      let half = Int64(1) << Int64(bits - 1)
      let number =
        has(kAudioFormatFlagIsSignedInteger)
        ? (Int64(word) ^ half) - half : Int64(word) - half
      return Double(number) / scale
    }

    /// The value of this format that is nearest to a number.
    func nearest(_ value: Double) -> Double {
      if has(kAudioFormatFlagIsFloat) { return bits == 32 ? Double(Float(value)) : value }
      let half = Double(Int64(1) << Int64(bits - 1))
      return min(max((value * scale).rounded(.toNearestOrEven), -half), half - 1) / scale
    }

    func bytes(_ value: Double) -> [UInt8] {
      var word: UInt64
      if has(kAudioFormatFlagIsFloat) {
        word = bits == 32 ? UInt64(Float(value).bitPattern) : value.bitPattern
      } else {
        let number = Int64(nearest(value) * scale)
        let offset = has(kAudioFormatFlagIsSignedInteger) ? 0 : Int64(1) << Int64(bits - 1)
        word = UInt64(bitPattern: number + offset) & ((1 << UInt64(bits)) - 1)
        if has(kAudioFormatFlagIsAlignedHigh) { word <<= UInt64(bytes * 8 - bits) }
      }
      let little = (0..<bytes).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
      return has(kAudioFormatFlagIsBigEndian) ? little.reversed() : little
    }

    /// Frames as bytes, one array for each buffer.
    func memory(_ frames: [[Double]]) -> [[UInt8]] {
      isPlanar
        ? (0..<channels).map { channel in frames.flatMap { bytes($0[channel]) } }
        : [frames.flatMap { frame in frame.flatMap { bytes($0) } }]
    }

    func value(_ memory: [[UInt8]], frame: Int, channel: Int) -> Double {
      isPlanar
        ? value(memory[channel], at: frame) : value(memory[0], at: frame * channels + channel)
    }
  }

  static let formats = Linear.all(channels: 2)

  @Test("converts each sample to the nearest value of the other format", arguments: formats.indices)
  func pairs(index: Int) throws {
    let input = Self.formats[index]
    var random = SystemRandomNumberGenerator()
    _ = random.next()
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state)) / 0x1p63
    }
    var frames = (0..<600).map { _ in [next(), next()] }
    frames += [[0, -1], [1, 0.5], [-0.5, 0x1p-20]]
    let from = Reference(format: input)
    let memory = from.memory(frames)
    for output in Self.formats {
      let program = try ConverterProgram(input, output)
      program.source = memory
      program.frameCount = frames.count
      let (data, status) = program.fill(frames.count)
      #expect(status == noErr)
      let to = Reference(format: output)
      var wrong = 0
      for frame in frames.indices {
        for channel in 0..<2 {
          let value = from.value(memory, frame: frame, channel: channel)
          if to.value(data, frame: frame, channel: channel) != to.nearest(value) { wrong += 1 }
        }
      }
      #expect(wrong == 0, "\(StreamFormat.describe(input)) to \(StreamFormat.describe(output))")
    }
  }
}
