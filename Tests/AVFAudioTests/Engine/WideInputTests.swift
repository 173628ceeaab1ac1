// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("Mixer nodes with inputs of more than two channels")
struct WideInputTests {
  /// A source whose channels have constant levels.
  private static func source(_ format: AVAudioFormat, _ levels: [Float]) -> AVAudioSourceNode {
    AVAudioSourceNode(format: format) { _, _, frames, list in
      for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = levels[channel] }
      }
      return noErr
    }
  }

  private static func format(
    _ rate: Double, _ tag: AudioChannelLayoutTag
  ) throws -> AVAudioFormat {
    let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
    return AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: layout)
  }

  /// The last frame of a tenth of a second of a source through a mixer.
  private static func mixed(
    _ format: AVAudioFormat, _ levels: [Float], through mixer: AVAudioMixerNode? = nil
  ) throws -> [Float] {
    let offline = try Offline()
    let source = source(format, levels)
    offline.engine.attach(source)
    if let mixer {
      offline.engine.attach(mixer)
      offline.engine.connect(mixer, to: offline.engine.mainMixerNode, format: nil)
    }
    offline.engine.connect(
      source, to: mixer ?? offline.engine.mainMixerNode, format: format)
    try offline.engine.start()
    return try offline.render(4_800).map { $0[4_799] }
  }

  @Test("mix surround sound to stereo", arguments: [48_000, 44_100] as [Double])
  func surround(rate: Double) throws {
    // Left, right, centre, low frequencies, left and right surround.
    let format = try Self.format(rate, kAudioChannelLayoutTag_MPEG_5_1_A)
    let levels: [Float] = [0.1, 0.2, 0.3, 0.9, 0.05, 0.06]
    let half = Float(0.5).squareRoot()
    for mixer in [nil, AVAudioMixerNode()] {
      let mixed = try Self.mixed(format, levels, through: mixer)
      #expect(abs(mixed[0] - (0.1 + half * (0.3 + 0.05))) < 1e-4)
      #expect(abs(mixed[1] - (0.2 + half * (0.3 + 0.06))) < 1e-4)
    }
  }

  @Test("keep the first two of channels without positions, to the bit")
  func discrete() throws {
    let format = try Self.format(48_000, kAudioChannelLayoutTag_DiscreteInOrder | 4)
    #expect(try Self.mixed(format, [0.123, 0.456, 0.7, 0.8]) == [0.123, 0.456])
  }

  @Test("apply the volume of the source, and take another width while they run")
  func volume() throws {
    let offline = try Offline()
    let wide = try Self.format(48_000, kAudioChannelLayoutTag_AudioUnit_5_0)
    let narrow = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    // Left, right, left and right surround, centre.
    let source = Self.source(wide, [0.1, 0.2, 0, 0, 0.4])
    offline.engine.attach(source)
    source.volume = 0.5
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: wide)
    try offline.engine.start()
    let half = Float(0.5).squareRoot()
    var last = try offline.render(4_800).map { $0[4_799] }
    #expect(abs(last[0] - 0.5 * (0.1 + half * 0.4)) < 1e-4)
    let other = Self.source(narrow, [0.3, 0.3])
    offline.engine.attach(other)
    offline.engine.connect(
      other, to: offline.engine.mainMixerNode, fromBus: 0, toBus: 0, format: narrow)
    last = try offline.render(4_800).map { $0[4_799] }
    #expect(last == [0.3, 0.3])
  }
}
