// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("The settings of a format")
struct FormatSettingsTests {
  private static var linear: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
    ]
  }

  private static func with(_ key: String, _ value: Any) -> [String: Any] {
    linear.merging([key: value]) { $1 }
  }

  @Test("describe 16-bit integers unless they say otherwise")
  func defaults() throws {
    let format = try #require(AVAudioFormat(settings: Self.linear))
    #expect(format.commonFormat == .pcmFormatInt16)
    #expect(format.isInterleaved)
    let float = try #require(AVAudioFormat(settings: Self.with(AVLinearPCMIsFloatKey, true)))
    #expect(float.commonFormat == .pcmFormatFloat32)
  }

  @Test("may have values of any type of number")
  func numbers() throws {
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: Float(44_100),
      AVNumberOfChannelsKey: NSNumber(value: 1), AVLinearPCMBitDepthKey: UInt8(24),
      AVLinearPCMIsBigEndianKey: 1, AVLinearPCMIsFloatKey: 0,
      AVLinearPCMIsNonInterleaved: false,
    ]
    let description = try #require(AVAudioFormat(settings: settings)).streamDescription.pointee
    #expect(description.mSampleRate == 44_100)
    #expect(description.mBytesPerFrame == 3)
    #expect(description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
    #expect(description.mFormatFlags & kAudioFormatFlagIsPacked != 0)
  }

  @Test("describe no format if a value is out of range or has the wrong type")
  func refused() {
    for (key, value) in [
      (AVLinearPCMBitDepthKey, 7), (AVLinearPCMBitDepthKey, 33), (AVLinearPCMBitDepthKey, 16.5),
      (AVLinearPCMBitDepthKey, Double.nan), (AVSampleRateKey, "48000"), (AVSampleRateKey, -1),
      (AVNumberOfChannelsKey, 3), (AVNumberOfChannelsKey, -1), (AVNumberOfChannelsKey, Int.max),
      (AVNumberOfChannelsKey, [2]), (AVFormatIDKey, "lpcm"), (AVFormatIDKey, -1),
      (AVLinearPCMIsFloatKey, "yes"), (AVChannelLayoutKey, 5), (AVChannelLayoutKey, Data([1])),
    ] as [(String, Any)] {
      #expect(AVAudioFormat(settings: Self.with(key, value)) == nil, "\(key): \(value)")
    }
    let float = Self.with(AVLinearPCMIsFloatKey, true).merging([AVLinearPCMBitDepthKey: 16]) { $1 }
    #expect(AVAudioFormat(settings: float) == nil)
    #expect(AVAudioFormat(settings: [:]) == nil)
    for key in Self.linear.keys {
      #expect(AVAudioFormat(settings: Self.linear.filter { $0.key != key }) == nil, "\(key)")
    }
  }

  @Test("of a format describe an equal format")
  func roundTrip() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let formats = [
      AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2),
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 1, interleaved: true),
      AVAudioFormat(
        commonFormat: .pcmFormatInt32, sampleRate: 48_000, interleaved: true, channelLayout: layout),
      AVAudioFormat(settings: Self.with(AVLinearPCMBitDepthKey, 20)),
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100,
        AVNumberOfChannelsKey: 2, AVEncoderBitDepthHintKey: 24,
      ]),
    ]
    for case let format? in formats {
      #expect(AVAudioFormat(settings: format.settings) == format)
    }
    #expect(!formats.contains(nil))
  }

  @Test("of a format are read as numbers of any type")
  func values() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let settings = format.settings
    #expect(settings[AVSampleRateKey] as? Double == 44_100)
    #expect(settings[AVSampleRateKey] as? Int == 44_100)
    #expect(settings[AVNumberOfChannelsKey] as? Int == 2)
    #expect(settings[AVFormatIDKey] as? UInt32 == kAudioFormatLinearPCM)
    #expect(settings[AVLinearPCMIsFloatKey] as? Bool == true)
    #expect(settings[AVLinearPCMIsNonInterleaved] as? Bool == true)
    #expect(settings[AVLinearPCMBitDepthKey] as? Int == 32)
  }

  @Test("take the number of channels from the layout if they do not state it")
  func layout() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let data = Data(bytes: layout.layout, count: MemoryLayout<AudioChannelLayout>.size)
    let format = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVChannelLayoutKey: data,
      ]))
    #expect(format.channelCount == 6)
    #expect(AVAudioFormat(settings: Self.with(AVChannelLayoutKey, data)) == nil)
  }
}
