// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioConverters

@Suite("Formats of a converter")
struct ConverterFormatsTests {
  private func lossless(_ flags: AudioFormatFlags = 0) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatAppleLossless
    format.mFormatFlags = flags
    return format
  }

  @Test("get a missing rate and missing channels from each other")
  func missing() throws {
    var partial = Linear.float(0, channels: 2)
    partial.mFramesPerPacket = 0
    partial.mBytesPerPacket = 0
    let formats = try ConverterFormats(from: Linear.int16(22_050), to: partial)
    #expect(formats.output.mSampleRate == 22_050)
    #expect(formats.output.mFramesPerPacket == 1)
    #expect(formats.output.mBytesPerPacket == 8)
    #expect(formats.input.mBytesPerPacket == 4)
    let encoded = try ConverterFormats(from: Linear.int16(48_000, channels: 2), to: lossless())
    #expect(encoded.output.mSampleRate == 48_000 && encoded.output.mChannelsPerFrame == 2)
  }

  @Test("know the bits that a lossless codec preserves: those of the samples, 24 for floats")
  func bits() throws {
    let whole = try ConverterFormats(from: Linear.int16(), to: lossless())
    #expect(whole.encodedBits == 16 && whole.decodedBits == nil)
    let float = try ConverterFormats(from: Linear.float(), to: lossless())
    #expect(float.encodedBits == 24)
    let decoded = try ConverterFormats(from: whole.output, to: Linear.float())
    #expect(decoded.decodedBits == 16)
  }

  @Test("refuse a compressed format without a codec")
  func unknown() {
    var format = Linear.float()
    format.mFormatID = 0x6e6f_6e65
    let failure = #expect(throws: AudioError.self) {
      _ = try ConverterFormats(from: format, to: Linear.float())
    }
    #expect(failure?.status == kAudioConverterErr_FormatNotSupported)
  }
}
