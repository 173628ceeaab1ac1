// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

@Suite("AVAudioConverter")
struct ConverterTests {
  private static func format(
    _ rate: Double, _ channels: UInt32 = 1, _ common: AVAudioCommonFormat = .pcmFormatFloat32,
    interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(
        commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved))
  }

  /// A buffer with a ramp from 0 in each channel.
  private static func ramp(_ format: AVAudioFormat, _ frames: UInt32) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames))
    let channels = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<Int(frames) {
        channels[channel][frame * buffer.stride] = Float(frame) / Float(frames)
      }
    }
    buffer.frameLength = frames
    return buffer
  }

  /// Supplies buffers one after the other, then a status.
  private final class Source: @unchecked Sendable {  // on one thread
    var buffers: [AVAudioBuffer]
    var end: AVAudioConverterInputStatus
    private(set) var calls = 0

    init(_ buffers: [AVAudioBuffer], then end: AVAudioConverterInputStatus) {
      self.buffers = buffers
      self.end = end
    }

    func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
      calls += 1
      status.pointee = buffers.isEmpty ? end : .haveData
      return buffers.isEmpty ? nil : buffers.removeFirst()
    }
  }

  @Test("converts the samples and channels of a buffer")
  func wholeBuffer() throws {
    let (mono, stereo) = (
      try Self.format(48_000), try Self.format(48_000, 2, .pcmFormatInt16, interleaved: true)
    )
    let converter = try #require(AVAudioConverter(from: mono, to: stereo))
    let input = try Self.ramp(mono, 100)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 128))
    try converter.convert(to: output, from: input)
    #expect(output.frameLength == 100)
    let samples = try #require(output.int16ChannelData)
    for frame in 0..<100 {
      #expect(abs(Int(samples[0][2 * frame]) - frame * 32_768 / 100) <= 1)
      #expect(samples[1][2 * frame] == samples[0][2 * frame])
    }
  }

  @Test("refuses whole buffers of other formats or rates, and too little capacity")
  func refusals() throws {
    let (source, target) = (try Self.format(48_000), try Self.format(44_100))
    let rates = try #require(AVAudioConverter(from: source, to: target))
    let input = try Self.ramp(source, 100)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 200))
    let small = try #require(AVAudioPCMBuffer(pcmFormat: source, frameCapacity: 99))
    let same = try #require(AVAudioConverter(from: source, to: source))
    for (converter, output) in [(rates, output), (same, output), (same, small)] {
      let error = #expect(throws: NSError.self) {
        try converter.convert(to: output, from: input)
      }
      #expect(error?.domain == NSOSStatusErrorDomain)
      #expect(error?.code == -50)
    }
    #expect(AVAudioConverter(from: try Self.format(0), to: target) == nil)
  }

  @Test(
    "yields every frame of a stream that ends", arguments: [44_100, 48_000, 96_000] as [Double])
  func stream(rate: Double) throws {
    let (source, target) = (try Self.format(48_000), try Self.format(rate))
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let buffers = try (0..<10).map { _ in try Self.ramp(source, 480) }
    let input = Source(buffers, then: .endOfStream)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 1_000))
    var frames = 0
    var status = AVAudioConverterOutputStatus.haveData
    while status == .haveData {
      var error: NSError?
      status = converter.convert(to: output, error: &error) { _, status in input.next(status) }
      #expect(error == nil)
      frames += Int(output.frameLength)
    }
    #expect(status == .endOfStream)
    #expect(output.frameLength == 0)
    #expect(abs(frames - Int(4_800 * rate / 48_000)) <= 1)
  }

  @Test("runs dry without losing frames, and goes on")
  func ranDry() throws {
    let format = try Self.format(48_000)
    let target = try Self.format(48_000, 1, .pcmFormatInt32)
    let converter = try #require(AVAudioConverter(from: format, to: target))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 100))
    let input = Source([try Self.ramp(format, 60)], then: .noDataNow)
    let block: AVAudioConverterInputBlock = { _, status in input.next(status) }
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .inputRanDry)
    #expect(output.frameLength == 60)
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .inputRanDry)
    #expect(output.frameLength == 0)
    input.buffers = [try Self.ramp(format, 150)]
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .haveData)
    #expect(output.frameLength == 100)
    input.end = .endOfStream
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .haveData)
    #expect(output.frameLength == 50)
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .endOfStream)
    let calls = input.calls
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .endOfStream)
    #expect(input.calls == calls)
    converter.reset()
    input.buffers = [try Self.ramp(format, 10)]
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .haveData)
    #expect(output.frameLength == 10)
  }

  @Test("reports a buffer of another format as an error")
  func wrongInput() throws {
    let format = try Self.format(48_000)
    let converter = try #require(AVAudioConverter(from: format, to: format))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    let input = Source([try Self.ramp(try Self.format(44_100), 10)], then: .endOfStream)
    var error: NSError?
    let status = converter.convert(to: output, error: &error) { _, status in input.next(status) }
    #expect(status == .error)
    #expect(error?.code == -50)
  }

  @Test("encodes packets and decodes them")
  func packets() throws {
    let linear = try Self.format(8_000)
    let law = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatULaw, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
      ]))
    let encoder = try #require(AVAudioConverter(from: linear, to: law))
    let packets = AVAudioCompressedBuffer(
      format: law, packetCapacity: 200, maximumPacketSize: encoder.maximumOutputPacketSize)
    let sound = Source([try Self.ramp(linear, 160)], then: .endOfStream)
    #expect(
      encoder.convert(to: packets, error: nil) { _, status in sound.next(status) } == .haveData)
    #expect(packets.packetCount == 160)
    #expect(packets.byteLength == 160)
    let decoder = try #require(AVAudioConverter(from: law, to: linear))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: linear, frameCapacity: 200))
    let input = Source([packets], then: .endOfStream)
    #expect(
      decoder.convert(to: output, error: nil) { _, status in input.next(status) } == .haveData)
    #expect(output.frameLength == 160)
    let samples = try #require(output.floatChannelData)
    #expect((0..<160).allSatisfy { abs(samples[0][$0] - Float($0) / 160) < 0.04 })
  }

  @Test("has the properties of the converter")
  func properties() throws {
    let stereo = try Self.format(48_000, 2)
    let converter = try #require(AVAudioConverter(from: stereo, to: try Self.format(44_100, 2)))
    #expect(converter.channelMap == [0, 1])
    converter.channelMap = [1, -1]
    #expect(converter.channelMap == [1, -1])
    converter.channelMap = [7, 7]
    #expect(converter.channelMap == [1, -1])
    #expect(!converter.downmix && !converter.dither)
    converter.dither = true
    converter.downmix = true
    #expect(converter.downmix && converter.dither)
    #expect(converter.sampleRateConverterQuality == AVAudioQuality.medium.rawValue)
    converter.sampleRateConverterQuality = AVAudioQuality.max.rawValue
    #expect(converter.sampleRateConverterQuality == AVAudioQuality.max.rawValue)
    #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
    converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
    #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering)
    #expect(converter.primeMethod == .normal)
    converter.primeMethod = .none
    #expect(converter.primeMethod == .none)
    #expect(converter.bitRate == 0)
    #expect(converter.bitRateStrategy == nil)
    #expect(converter.magicCookie == nil)
    #expect(converter.maximumOutputPacketSize == 4)
  }

  @Test("has properties that other threads read while it converts")
  func shared() throws {
    let (input, output) = (try Self.format(44_100, 2), try Self.format(48_000, 2))
    let converter = try #require(AVAudioConverter(from: input, to: output))
    let (isDone, leading) = (Shared(false), converter.primeInfo.leadingFrames)
    let readers = (0..<2).map { _ in
      OwnThread {
        var reads = 0
        while !isDone.value {
          guard converter.channelMap == [0, 1], converter.maximumOutputPacketSize == 4,
            converter.primeMethod == .normal, converter.primeInfo.leadingFrames == leading,
            converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal
          else { return -1 }
          reads += 1
        }
        return reads
      }
    }
    let sound = try Self.ramp(input, 1_000)
    let target = try #require(AVAudioPCMBuffer(pcmFormat: output, frameCapacity: 512))
    for _ in 0..<300 {
      let source = Source([sound], then: .noDataNow)
      let status = converter.convert(to: target, error: nil) { _, status in
        // The block may read them too.
        converter.bitRate == 0 ? source.next(status) : nil
      }
      #expect(status == .haveData)
    }
    isDone.value = true
    for reader in readers { #expect(reader.join() >= 0) }
  }

  /// Converts all of a source, in pieces, and returns the first channel.
  private static func convert(
    _ converter: AVAudioConverter, _ source: Source, capacity: UInt32 = 4_096
  ) throws -> [Float] {
    let output = try #require(
      AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity))
    var samples: [Float] = []
    while true {
      let status = converter.convert(to: output, error: nil) { _, status in source.next(status) }
      let channels = try #require(output.floatChannelData)
      samples += UnsafeBufferPointer(start: channels[0], count: Int(output.frameLength))
      guard status == .haveData else { return samples }
    }
  }

  @Test("yields every frame at the end of the stream, without a delay, in pieces of any size")
  func wholeStream() throws {
    let (input, output) = (try Self.format(44_100), try Self.format(48_000))
    let converter = try #require(AVAudioConverter(from: input, to: output))
    let pieces = [
      try Self.convert(converter, Source([try Self.ramp(input, 4_410)], then: .endOfStream)),
      try Self.convert(
        converter, Source([try Self.ramp(input, 4_410)], then: .endOfStream), capacity: 97),
    ]
    // The second stream needs a reset: without one, the converter is at the end of the first.
    #expect(pieces[1].isEmpty)
    converter.reset()
    let again = try Self.convert(
      converter, Source([try Self.ramp(input, 4_410)], then: .endOfStream), capacity: 97)
    #expect(abs(pieces[0].count - 4_800) <= 1 && again == pieces[0])
    #expect((500..<4_000).allSatisfy { abs(pieces[0][$0] - Float($0) / 4_800) < 1e-3 })
  }

  @Test("maps channels; -1 is silence")
  func map() throws {
    let stereo = try Self.format(48_000, 2)
    let converter = try #require(AVAudioConverter(from: stereo, to: stereo))
    converter.channelMap = [1, -1]
    let input = try Self.ramp(stereo, 100)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 100))
    for frame in 0..<100 { input.floatChannelData?[0][frame] = 1 }
    try converter.convert(to: output, from: input)
    let samples = try #require(output.floatChannelData)
    #expect((0..<100).allSatisfy { samples[0][$0] == Float($0) / 100 && samples[1][$0] == 0 })
  }
}
