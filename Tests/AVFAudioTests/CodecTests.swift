// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

/// A codec, and what files and converters make of a tone of 997 Hz in both channels, twice as loud in the
/// left one.
struct CodecCase: CustomTestStringConvertible, Sendable {
  let name: String
  let id: AudioFormatID
  let file: String
  var isLossless: Bool { id == kAudioFormatFLAC || id == kAudioFormatAppleLossless }
  var testDescription: String { "\(name) in \(file)" }

  init(_ name: String, _ id: AudioFormatID, _ file: String) {
    (self.name, self.id, self.file) = (name, id, file)
  }

  static let sampleRate = 48_000.0
  static let amplitudes = [0.5, 0.25]

  /// Everything that the library encodes with libavcodec, in the files that programs use. A machine may
  /// lack an encoder.
  static let encoded: [CodecCase] = [
    CodecCase("AAC", kAudioFormatMPEG4AAC, "tone.m4a"),
    CodecCase("AAC", kAudioFormatMPEG4AAC, "tone.aac"),
    CodecCase("AAC", kAudioFormatMPEG4AAC, "tone.caf"),
    CodecCase("Apple Lossless", kAudioFormatAppleLossless, "tone.m4a"),
    CodecCase("Apple Lossless", kAudioFormatAppleLossless, "tone.caf"),
    CodecCase("FLAC", kAudioFormatFLAC, "tone.flac"),
    CodecCase("FLAC", kAudioFormatFLAC, "tone.caf"),
    CodecCase("Opus", kAudioFormatOpus, "tone.opus"),
    CodecCase("Opus", kAudioFormatOpus, "tone.caf"),
    CodecCase("MP3", kAudioFormatMPEGLayer3, "tone.mp3"),
  ].filter { isEncoded($0.id) }

  /// One case of each codec.
  static let codecs = encoded.reduce(into: [CodecCase]()) { cases, next in
    if !cases.contains(where: { $0.id == next.id }) { cases.append(next) }
  }

  private static func isEncoded(_ id: AudioFormatID) -> Bool {
    var size: UInt32 = 0
    AudioFormatGetPropertyInfo(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size)
    var ids = [AudioFormatID](repeating: 0, count: Int(size) / 4)
    AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size, &ids)
    return ids.contains(id)
  }

  /// Settings for stereo.
  func settings(_ more: [String: Any] = [:], rate: Double = sampleRate) -> [String: Any] {
    [AVFormatIDKey: id, AVSampleRateKey: rate, AVNumberOfChannelsKey: 2].merging(more) { $1 }
  }

  /// Frames of the tone, from its start.
  static func tone(_ frames: Int, rate: Double = sampleRate) throws -> AVAudioPCMBuffer {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    let channels = try #require(buffer.floatChannelData)
    for (channel, amplitude) in amplitudes.enumerated() {
      for frame in 0..<frames {
        channels[channel][frame] = Float(
          amplitude * sin(2 * .pi * 997 * Double(frame) / rate))
      }
    }
    buffer.frameLength = AVAudioFrameCount(frames)
    return buffer
  }

  /// Checks that a second of decoded sound has the tone in both channels. An encoder spends few bits on a
  /// pure tone: its level is within half a decibel, and the rest is 20 dB below it.
  func check(_ channels: [[Float]], rate: Double = sampleRate) {
    for (samples, amplitude) in zip(channels, Self.amplitudes) {
      guard samples.count >= 40_000 else {
        Issue.record("\(samples.count) frames")
        continue
      }
      let fit = Signal(Array(samples[8_000..<40_000]), sampleRate: rate).tone(at: 997)
      #expect(abs(decibels(fit.amplitude / amplitude)) < 0.5)
      #expect(fit.distortionAndNoise < -20)
    }
  }
}

@Suite("Compressed formats in AVAudioFile")
struct CodecFileTests {
  /// A folder that is removed with the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Writes a second of the tone in pieces, and returns the file.
  private func write(_ codec: CodecCase, _ more: [String: Any] = [:]) throws -> URL {
    let url = folder.url.appendingPathComponent(UUID().uuidString + codec.file)
    let file = try AVAudioFile(forWriting: url, settings: codec.settings(more))
    let tone = AVReadOnlyAudioPCMBuffer(copying: try CodecCase.tone(48_000))
    for start in stride(from: 0, to: 48_000, by: 4_800) {
      let piece = try AVReadOnlyAudioPCMBuffer(format: tone.format, frameCapacity: 4_800) { list in
        for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
          guard case .float(let samples) = tone.channelData(channel) else { return }
          for frame in 0..<4_800 {
            buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = samples[start + frame]
          }
        }
      }
      try file.write(from: piece)
    }
    file.close()
    return url
  }

  /// Reads everything from the current position on, in pieces.
  private func read(_ file: AVAudioFile, _ piece: AVAudioFrameCount = 1_000) throws -> [[Float]] {
    var channels = [[Float]](repeating: [], count: 2)
    while let buffer = try? file.read(frameCount: piece) {
      try #require(buffer.frameLength > 0 && buffer.frameLength <= Int(piece))
      for channel in channels.indices {
        guard case .float(let samples) = buffer.channelData(channel) else { return [] }
        for frame in samples.indices { channels[channel].append(samples[frame]) }
      }
    }
    return channels
  }

  @Test("a tone is written, and read again", arguments: CodecCase.encoded)
  func roundTrip(codec: CodecCase) throws {
    let file = try AVAudioFile(forReading: try write(codec))
    #expect(file.fileFormat.streamDescription.pointee.mFormatID == codec.id)
    #expect(
      file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let channels = try read(file)
    codec.check(channels)
    // Files without gapless information keep the delay and the rest of the last packet.
    let keepsDelay = codec.file.hasSuffix("aac")
    #expect((48_000...(keepsDelay ? 51_000 : 48_000)).contains(channels[0].count))
    #expect((48_000...51_000).contains(file.length))
    guard codec.isLossless else { return }
    let tone = AVReadOnlyAudioPCMBuffer(copying: try CodecCase.tone(48_000))
    for channel in 0..<2 {
      guard case .float(let samples) = tone.channelData(channel) else { return }
      var largest: Float = 0
      for frame in samples.indices {
        largest = max(largest, abs(channels[channel][frame] - samples[frame]))
      }
      #expect(largest < 1 / 32_768)
    }
  }

  @Test("a seek continues with the frames that follow in sequence", arguments: CodecCase.encoded)
  func seek(codec: CodecCase) throws {
    let file = try AVAudioFile(forReading: try write(codec))
    let whole = try read(file)
    file.framePosition = 20_000
    #expect(file.framePosition == 20_000)
    let rest = try read(file, 777)
    #expect(rest[0].count == whole[0].count - 20_000)
    // A decoder that begins in the middle may need a packet before it agrees.
    let tolerance: Float = codec.isLossless ? 0 : 0.01
    let differences = zip(rest[1], whole[1][20_000...]).dropFirst(4_096).map { abs($0 - $1) }
    #expect((differences.max() ?? 1) <= tolerance)
  }

  @Test("read(frameCount:) has at most the frames that are left, and throws at the end")
  func end() throws {
    let url = folder.url.appendingPathComponent("end.wav")
    let tone = try CodecCase.tone(1_000)
    let writer = try AVAudioFile(forWriting: url, settings: tone.format.settings)
    try writer.write(from: AVReadOnlyAudioPCMBuffer(copying: tone))
    writer.close()
    let file = try AVAudioFile(forReading: url)
    #expect(try file.read(frameCount: 600).frameLength == 600)
    let rest = try file.read(frameCount: .max)
    #expect(rest.frameLength == 400)
    guard case .float(let samples) = rest.channelData(0) else { return }
    let last = samples[399]
    guard case .float(let written) = tone.channelData(0) else { return }
    #expect(last == written[999])
    #expect(throws: NSError.self) { _ = try file.read(frameCount: 1) }
    file.framePosition = 0
    #expect(throws: NSError.self) { _ = try file.read(frameCount: 0) }
    file.close()
    #expect(throws: NSError.self) { _ = try file.read(frameCount: 1) }
  }

  // MARK: Settings of encoders

  private func size(_ codec: CodecCase, _ more: [String: Any]) throws -> Double {
    let url = try write(codec, more)
    #expect(try read(AVAudioFile(forReading: url))[0].count >= 48_000)
    return Double(try Data(contentsOf: url).count)
  }

  @Test(
    "the bit rate is that of the settings, for all channels or for each",
    arguments: CodecCase.encoded.filter { !$0.isLossless })
  func bitRate(codec: CodecCase) throws {
    let constant = AVAudioBitRateStrategy_Constant
    let low = try size(
      codec, [AVEncoderBitRateKey: 64_000, AVEncoderBitRateStrategyKey: constant])
    let high = try size(
      codec, [AVEncoderBitRatePerChannelKey: 80_000, AVEncoderBitRateStrategyKey: constant])
    #expect(high > 1.7 * low)
    if codec.id == kAudioFormatMPEGLayer3 {
      #expect(abs(low - 8_000) < 800 && abs(high - 20_000) < 1_500)
    }
  }

  @Test("a strategy of the bit rate reaches the encoder, and with it the quality of a variable one")
  func strategies() throws {
    for codec in CodecCase.codecs where codec.id == kAudioFormatMPEGLayer3 {
      let sizes = try [AVAudioQuality.min, .max].map {
        try size(
          codec,
          [
            AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Variable,
            AVEncoderAudioQualityForVBRKey: $0.rawValue,
          ])
      }
      #expect(sizes[1] > 1.5 * sizes[0])
    }
    for codec in CodecCase.codecs where codec.id == kAudioFormatOpus {
      let variable = try size(
        codec,
        [
          AVEncoderBitRateKey: 64_000,
          AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_VariableConstrained,
        ])
      let constant = try size(
        codec,
        [
          AVEncoderBitRateKey: 64_000,
          AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Constant,
        ])
      #expect(abs(constant - 8_000) < 800)
      #expect(abs(variable - constant) > 100)
    }
  }

  @Test(
    "a strategy that does not exist is refused; a lossless encoder has none",
    arguments: CodecCase.codecs)
  func refusedStrategy(codec: CodecCase) throws {
    for value in ["Loud", 7] as [Any] {
      let more = [AVEncoderBitRateStrategyKey: value]
      guard !codec.isLossless else {
        _ = try write(codec, more)
        continue
      }
      let error = #expect(throws: NSError.self) { _ = try write(codec, more) }
      #expect(error?.code == Int(kAudioFileUnsupportedDataFormatError))
      #expect(error?.localizedDescription.contains("AVEncoderBitRateStrategyKey") == true)
    }
    guard codec.id == kAudioFormatOpus else { return }
    #expect(throws: NSError.self) {
      _ = try write(
        codec, [AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_LongTermAverage])
    }
  }
}
