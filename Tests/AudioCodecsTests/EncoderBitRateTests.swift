// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox
import Testing

@Suite("Bit rates of encoders")
struct EncoderBitRateTests {
  private func codec(_ id: AudioFormatID) throws -> CompressedFormat {
    try #require(CompressedFormat.of(id))
  }

  @Test(
    "of MP3 are the table of the MPEG version of the sample rate",
    arguments: [(8_000, 8, 64, 8), (12_000, 8, 64, 8), (22_050, 8, 160, 14), (48_000, 32, 320, 14)]
      as [(Double, Double, Double, Int)])
  func layer3(rate: Double, least: Double, most: Double, count: Int) throws {
    let codec = try codec(kAudioFormatMPEGLayer3)
    for channels in 1...2 {
      let ranges = codec.applicableBitRates(channels: channels, at: rate)
      #expect(ranges.allSatisfy { $0.mMinimum == $0.mMaximum })
      #expect(ranges.first?.mMinimum == 1_000 * least)
      #expect(ranges.last?.mMaximum == 1_000 * most)
      #expect(ranges.count == count)
      let available = Set(codec.availableBitRates(channels: channels).map(\.mMinimum))
      #expect(available.isSuperset(of: ranges.map(\.mMinimum)))
    }
  }

  @Test("of AAC are at most six bits for a frame of a channel")
  func aac() throws {
    let codec = try codec(kAudioFormatMPEG4AAC)
    let slow = codec.applicableBitRates(channels: 2, at: 8_000)
    #expect(slow.map(\.mMinimum) == [16_000] && slow.map(\.mMaximum) == [96_000])
    let fast = codec.applicableBitRates(channels: 2, at: 48_000)
    #expect(fast.map(\.mMinimum) == [16_000] && fast.map(\.mMaximum) == [512_000])
    #expect(codec.availableBitRates(channels: 2).map(\.mMaximum) == [512_000])
  }

  @Test("of lossless formats do not exist; rates that are no rates do not matter")
  func none() throws {
    for rate in [0, -1, .nan, .infinity] as [Double] {
      #expect(try codec(kAudioFormatFLAC).applicableBitRates(channels: 2, at: rate).isEmpty)
      #expect(try codec(kAudioFormatMPEG4AAC).applicableBitRates(channels: 2, at: rate).count == 1)
      #expect(try codec(kAudioFormatMPEGLayer3).applicableBitRates(channels: 2, at: rate).count > 1)
    }
    #expect(try codec(kAudioFormatOpus).applicableBitRates(channels: 2, at: 48_000).count == 1)
  }
}
