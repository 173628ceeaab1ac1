// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

@Suite("Compressed formats in AVAudioConverter")
struct CodecConverterTests {
  /// Supplies buffers one after the other; then the stream ends.
  private final class Source: @unchecked Sendable {  // on one thread
    private var buffers: [AVAudioBuffer]

    init(_ buffers: [AVAudioBuffer]) { self.buffers = buffers.reversed() }

    func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
      let buffer = buffers.popLast()
      status.pointee = buffer == nil ? .endOfStream : .haveData
      return buffer
    }
  }

  /// Converts until the stream ends, with a new buffer for each call.
  private func convert(
    _ input: [AVAudioBuffer], _ converter: AVAudioConverter,
    into makeBuffer: () throws -> AVAudioBuffer
  ) throws -> [AVAudioBuffer] {
    let source = Source(input)
    var output: [AVAudioBuffer] = []
    while true {
      let buffer = try makeBuffer()
      var error: NSError?
      let status = converter.convert(to: buffer, error: &error) { _, status in source.next(status) }
      try #require(error == nil)
      switch status {
      case .haveData: output.append(buffer)
      case .endOfStream: return output
      default:
        Issue.record("\(status)")
        return output
      }
    }
  }

  private func format(_ codec: CodecCase, rate: Double = CodecCase.sampleRate) throws
    -> AVAudioFormat
  {
    try #require(AVAudioFormat(settings: codec.settings(rate: rate)))
  }

  private func encoder(_ codec: CodecCase, rate: Double = CodecCase.sampleRate) throws
    -> AVAudioConverter
  {
    let linear = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
    return try #require(AVAudioConverter(from: linear, to: try format(codec, rate: rate)))
  }

  private func encode(_ tone: AVAudioPCMBuffer, _ encoder: AVAudioConverter) throws
    -> [AVAudioBuffer]
  {
    try convert([tone], encoder) {
      AVAudioCompressedBuffer(
        format: encoder.outputFormat, packetCapacity: 8,
        maximumPacketSize: encoder.maximumOutputPacketSize)
    }
  }

  @Test("packets of a tone are decoded to the tone", arguments: CodecCase.codecs)
  func roundTrip(codec: CodecCase) throws {
    let encoder = try encoder(codec)
    let packets = try encode(CodecCase.tone(48_000), encoder)
    #expect(packets.count > 1)
    let linear = encoder.inputFormat
    let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: linear))
    decoder.magicCookie = encoder.magicCookie
    let sound = try convert(packets, decoder) {
      try #require(AVAudioPCMBuffer(pcmFormat: linear, frameCapacity: 3_000))
    }
    var channels = [[Float]](repeating: [], count: 2)
    for case let buffer as AVAudioPCMBuffer in sound {
      guard let data = buffer.floatChannelData else { continue }
      for channel in 0..<2 {
        channels[channel] += UnsafeBufferPointer(
          start: data[channel], count: Int(buffer.frameLength))
      }
    }
    codec.check(channels)
    // The last packet is whole, and an encoder has a delay.
    #expect((48_000...54_000).contains(channels[0].count))
  }

  @Test("after a reset another stream is encoded to the same packets", arguments: CodecCase.codecs)
  func reset(codec: CodecCase) throws {
    let encoder = try encoder(codec)
    let tone = try CodecCase.tone(9_600)
    let first = try encode(tone, encoder)
    encoder.reset()
    let second = try encode(tone, encoder)
    #expect(first.map(bytes) == second.map(bytes))
  }

  private func bytes(_ buffer: AVAudioBuffer) -> [UInt8] {
    guard let buffer = buffer as? AVAudioCompressedBuffer else { return [] }
    return Array(UnsafeRawBufferPointer(start: buffer.data, count: Int(buffer.byteLength)))
  }

  // MARK: What an encoder offers

  @Test("a converter without an encoder offers nothing")
  func linear() throws {
    let (a, b) = (
      try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)),
      try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    )
    let converter = try #require(AVAudioConverter(from: a, to: b))
    #expect(converter.availableEncodeBitRates == nil)
    #expect(converter.applicableEncodeBitRates == nil)
    #expect(converter.availableEncodeSampleRates == nil)
    #expect(converter.applicableEncodeSampleRates == nil)
    #expect(converter.availableEncodeChannelLayoutTags == nil)
  }

  @Test("an encoder accepts every bit rate that it offers", arguments: CodecCase.codecs)
  func bitRates(codec: CodecCase) throws {
    let encoder = try encoder(codec)
    let available = try #require(encoder.availableEncodeBitRates)
    let applicable = try #require(encoder.applicableEncodeBitRates)
    #expect(Set(applicable).isSubset(of: available))
    #expect(codec.isLossless == available.isEmpty && codec.isLossless == applicable.isEmpty)
    #expect(available.map(\.doubleValue) == available.map(\.doubleValue).sorted())
    for rate in applicable {
      encoder.bitRate = rate.intValue
      #expect(encoder.bitRate == rate.intValue)
    }
    let last = encoder.bitRate
    for hostile in [-1, 0, 1, .max] {
      encoder.bitRate = hostile
      #expect(encoder.bitRate == last)
    }
  }

  @Test("the bit rates at a sample rate are those of the packets")
  func realBitRates() throws {
    for codec in CodecCase.codecs where codec.id == kAudioFormatMPEGLayer3 {
      for rate in [8_000, 22_050, 48_000] as [Double] {
        let encoder = try encoder(codec, rate: rate)
        for bitRate in try #require(encoder.applicableEncodeBitRates).map(\.intValue) {
          encoder.reset()
          encoder.bitRate = bitRate
          let packets = try encode(CodecCase.tone(Int(rate), rate: rate), encoder)
          let bits = 8 * packets.map { bytes($0).count }.reduce(0, +)
          let count = packets.compactMap { $0 as? AVAudioCompressedBuffer }
            .map { Int($0.packetCount) }.reduce(0, +)
          let seconds = Double(count) * (rate < 32_000 ? 576 : 1_152) / rate
          #expect(abs(Double(bits) / seconds - Double(bitRate)) < 0.03 * Double(bitRate))
        }
      }
      #expect(
        try encoder(codec, rate: 8_000).applicableEncodeBitRates?.map(\.intValue)
          == [8_000, 16_000, 24_000, 32_000, 40_000, 48_000, 56_000, 64_000])
    }
    for codec in CodecCase.codecs where codec.id == kAudioFormatMPEG4AAC {
      let slow = try encoder(codec, rate: 8_000)
      #expect(slow.applicableEncodeBitRates?.last == 96_000)
      #expect(slow.availableEncodeBitRates?.last == 512_000)
      #expect(try encoder(codec).applicableEncodeBitRates?.last == 512_000)
    }
  }

  @Test("every sample rate and layout that is offered has an encoder", arguments: CodecCase.codecs)
  func ratesAndLayouts(codec: CodecCase) throws {
    let encoder = try encoder(codec)
    let rates = try #require(encoder.availableEncodeSampleRates)
    #expect(encoder.applicableEncodeSampleRates == rates)
    #expect(rates.contains(48_000))
    for rate in rates.map(\.doubleValue) where rate >= 8_000 && rate <= 192_000 {
      #expect(try self.encoder(codec, rate: rate).outputFormat.sampleRate == rate)
    }
    #expect(
      encoder.availableEncodeChannelLayoutTags
        == [NSNumber(value: kAudioChannelLayoutTag_Stereo)])
  }
}
