// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Checks the effect of encoder settings on the packets.
@Suite("Settings of encoders")
struct EncoderSettingTests {
  private static let rate = 48_000.0

  /// A second of noise and a second of quieter noise.
  private static func source(_ quiet: Float) -> [UInt8] {
    var random = Sequence64(state: 11)
    let samples = (0..<2 * 96_000).map { index in
      Float.random(in: -1...1, using: &random) * (index < 96_000 ? 0.5 : quiet)
    }
    return samples.withUnsafeBytes { Array($0) }
  }

  /// The sizes of equally many packets of both seconds, away from the border between them, where
  /// bits are borrowed.
  private func sizes(
    _ id: AudioFormatID, quiet: Float = 0, _ set: (Converter) throws(AudioError) -> Void
  ) throws -> (loud: [Int], quiet: [Int]) {
    let packets = try CodecTests.encode(
      Self.source(quiet), Linear.float(Self.rate), CodecTests.compressed(id, Self.rate),
      setting: set)
    let sizes = packets.data.map(\.count)
    let count = sizes.count / 5
    return (
      Array(sizes[sizes.count / 8..<sizes.count / 8 + count]),
      Array(sizes[sizes.count * 5 / 8..<sizes.count * 5 / 8 + count])
    )
  }

  private static func write(_ converter: Converter, _ id: AudioConverterPropertyID, _ value: UInt32)
    throws(AudioError)
  {
    var failure: AudioError?
    withUnsafeBytes(of: value) { bytes in
      do throws(AudioError) { try converter.write(id, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  @Test(
    "spend as many bits on quiet noise at a constant rate, and fewer on silence at a variable one",
    arguments: [
      kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatOpus, CompressedFormat.vorbis,
    ])
  func modes(id: AudioFormatID) throws {
    let modes = try #require(CompressedFormat.of(id)?.rateModes)
    for mode in modes {
      let isConstant = mode == UInt32(kAudioCodecBitRateControlMode_Constant)
      let sizes = try sizes(id, quiet: isConstant ? 0.000_1 : 0) { converter throws(AudioError) in
        try Self.write(converter, kAudioCodecPropertyBitRateControlMode, mode)
      }
      let (loud, quiet) = (sizes.loud.reduce(0, +), sizes.quiet.reduce(0, +))
      if isConstant { #expect(loud < quiet * 5 / 4) }
      if id == kAudioFormatOpus {
        #expect((Set(sizes.loud + sizes.quiet).count == 1) == isConstant)
      } else if mode == UInt32(kAudioCodecBitRateControlMode_Variable) {
        #expect(loud > quiet * 2)
      }
    }
  }

  @Test(
    "spend more bits at a higher quality of a variable rate",
    arguments: [kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, CompressedFormat.vorbis])
  func variableQuality(id: AudioFormatID) throws {
    let loud = try [0, 64, 127].map { (quality: UInt32) in
      try sizes(id) { converter throws(AudioError) in
        try Self.write(
          converter, kAudioCodecPropertyBitRateControlMode,
          UInt32(kAudioCodecBitRateControlMode_Variable))
        try Self.write(converter, kAudioCodecPropertySoundQualityForVBR, quality)
      }.loud.reduce(0, +)
    }
    #expect(loud[0] < loud[1] && loud[1] < loud[2])
  }

  @Test("delay Opus less when the smallest delay is requested")
  func delay() throws {
    func leading(_ mode: UInt32) throws -> UInt32 {
      try CodecTests.encode(
        Self.source(0), Linear.float(Self.rate), CodecTests.compressed(kAudioFormatOpus, Self.rate)
      ) { converter throws(AudioError) in
        try Self.write(converter, kAudioCodecPropertyMinimumDelayMode, mode)
      }.primeInfo.leadingFrames
    }
    let (normal, short) = (try leading(0), try leading(1))
    #expect(short < normal)
  }

  @Test("refuse modes that an encoder does not have", arguments: [4, 2, 1] as [UInt32])
  func refusals(mode: UInt32) throws {
    let id = mode == 2 ? kAudioFormatMPEGLayer3 : kAudioFormatOpus
    let program = try ConverterProgram(
      Linear.float(Self.rate), CodecTests.compressed(id, Self.rate))
    #expect(throws: AudioError.self) {
      try program.set(kAudioCodecPropertyBitRateControlMode, mode)
    }
    let lossless = try ConverterProgram(
      Linear.int16(), CodecTests.compressed(kAudioFormatFLAC, 44_100))
    #expect(throws: AudioError.self) {
      try lossless.set(kAudioCodecPropertyBitRateControlMode, UInt32(0))
    }
    #expect(throws: AudioError.self) {
      try lossless.set(kAudioCodecPropertyMinimumDelayMode, UInt32(1))
    }
  }

  @Test("are reported by the codec's own properties, of an encoder and of a decoder")
  func codecProperties() throws {
    let packets = CodecTests.compressed(kAudioFormatMPEG4AAC, 44_100)
    let encoder = try ConverterProgram(Linear.int16(), packets)
    let decoder = try ConverterProgram(packets, Linear.int16())
    for program in [encoder, decoder] {
      #expect(try program.get(kAudioCodecPropertyPacketFrameSize, UInt32(0)) == 1_024)
      #expect(try program.get(kAudioCodecPropertyHasVariablePacketByteSizes, UInt32(0)) == 1)
      #expect(try program.get(kAudioCodecPropertyCurrentInputSampleRate, 0.0) == 44_100)
      #expect(try program.get(kAudioCodecPropertyMaximumPacketByteSize, UInt32(0)) > 700)
    }
    let empty = AudioStreamBasicDescription()
    #expect(
      try encoder.get(kAudioCodecPropertyCurrentOutputFormat, empty).mFormatID
        == kAudioFormatMPEG4AAC)
    #expect(
      try decoder.get(kAudioCodecPropertyCurrentInputFormat, empty).mFormatID
        == kAudioFormatMPEG4AAC)
    let floats = try encoder.get(kAudioCodecPropertyCurrentInputFormat, empty)
    #expect(floats.mFormatFlags & kAudioFormatFlagIsFloat != 0)
    // Opus is always decoded at 48 kHz.
    let opus = try ConverterProgram(
      CodecTests.compressed(kAudioFormatOpus, 16_000), Linear.float(16_000))
    #expect(try opus.get(kAudioCodecPropertyDoesSampleRateConversion, UInt32(0)) == 1)
    #expect(try opus.get(kAudioCodecPropertyCurrentOutputSampleRate, 0.0) == 48_000)
    #expect(throws: AudioError.self) {
      let linear = try ConverterProgram(Linear.int16(), Linear.float())
      let _ = try linear.get(kAudioCodecPropertyPacketFrameSize, UInt32(0))
    }
  }
}
