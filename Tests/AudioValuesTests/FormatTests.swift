// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVAudioFormat")
struct FormatTests {
  private static func linear(
    _ flags: AudioFormatFlags, bits: UInt32, bytes: UInt32, channels: UInt32 = 2
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }

  @Test("describes the standard format as C does")
  func standard() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let description = format.streamDescription.pointee
    #expect(description.mFormatID == kAudioFormatLinearPCM)
    #expect(
      description.mFormatFlags
        == kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
    #expect(description.mBytesPerFrame == 4)
    #expect(description.mBytesPerPacket == 4)
    #expect(description.mBitsPerChannel == 32)
    #expect(format.isStandard)
    #expect(!format.isInterleaved)
    #expect(format.channelLayout == nil)
  }

  @Test(
    "describes samples of each common kind",
    arguments: [
      (AVAudioCommonFormat.pcmFormatFloat32, 4), (.pcmFormatFloat64, 8), (.pcmFormatInt16, 2),
      (.pcmFormatInt32, 4),
    ] as [(AVAudioCommonFormat, UInt32)], [true, false])
  func commonFormats(kind: (common: AVAudioCommonFormat, bytes: UInt32), interleaved: Bool) throws {
    let format = try #require(
      AVAudioFormat(
        commonFormat: kind.common, sampleRate: 48_000, channels: 2, interleaved: interleaved))
    #expect(format.commonFormat == kind.common)
    #expect(format.isInterleaved == interleaved)
    #expect(
      format.streamDescription.pointee.mBytesPerFrame == kind.bytes * (interleaved ? 2 : 1))
    #expect(AVAudioFormat(streamDescription: format.streamDescription) == format)
  }

  @Test("has no common kind for other samples")
  func otherSamples() {
    let bigEndian = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian
    for var description in [
      Self.linear(bigEndian, bits: 16, bytes: 4),
      Self.linear(kAudioFormatFlagIsSignedInteger, bits: 24, bytes: 6),
      Self.linear(kAudioFormatFlagIsSignedInteger | 24 << 7, bits: 32, bytes: 8),
      Self.linear(0, bits: 16, bytes: 4),
      Self.linear(kAudioFormatFlagIsFloat, bits: 32, bytes: 3),
    ] {
      #expect(AVAudioFormat(streamDescription: &description)?.commonFormat == .otherFormat)
    }
  }

  @Test("needs a layout for more than two channels")
  func layouts() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
    #expect(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 6, interleaved: true) == nil)
    var quad = Self.linear(kAudioFormatFlagsNativeFloatPacked, bits: 32, bytes: 16, channels: 4)
    #expect(AVAudioFormat(streamDescription: &quad) == nil)
    #expect(AVAudioFormat(streamDescription: &quad, channelLayout: nil) == nil)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
    let format = try #require(AVAudioFormat(streamDescription: &quad, channelLayout: layout))
    #expect(format.channelLayout === layout)
    #expect(format.channelCount == 4)
    let other = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    #expect(AVAudioFormat(streamDescription: &quad, channelLayout: other) == nil)
    let standard = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: other)
    #expect(standard.channelCount == 6)
    #expect(standard.isStandard)
    let integer = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 48_000, interleaved: true, channelLayout: other)
    #expect(integer.streamDescription.pointee.mBytesPerFrame == 12)
  }

  @Test(
    "refuses rates that are no numbers", arguments: [-1, .nan, .infinity, -.infinity] as [Double])
  func rates(rate: Double) {
    #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) == nil)
    #expect(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: rate, channels: 1, interleaved: true)
        == nil)
    var description = Self.linear(kAudioFormatFlagsNativeFloatPacked, bits: 32, bytes: 8)
    description.mSampleRate = rate
    #expect(AVAudioFormat(streamDescription: &description) == nil)
    #expect(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 1,
      ]) == nil)
  }

  @Test("may be a temporary value whose description is read")
  func temporary() throws {
    for channels in [1, 2] as [UInt32] {
      let description = try #require(
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels)
      ).streamDescription.pointee
      #expect(description.mSampleRate == 48_000)
      #expect(description.mChannelsPerFrame == channels)
      let tag = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        .layout.pointee.mChannelLayoutTag
      #expect(tag == kAudioChannelLayoutTag_MPEG_5_1_A)
    }
  }

  @Test("may have an unknown rate and no channels, as without a device")
  func unknown() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 0))
    #expect(format.sampleRate == 0)
    #expect(format.channelCount == 0)
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16) == nil)
    var nothing = AudioStreamBasicDescription()
    #expect(AVAudioFormat(streamDescription: &nothing) != nil)
  }

  @Test("refuses more channels than anything processes")
  func channelCounts() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: .max) == nil)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 1_025) == nil)
    let layout = try #require(
      AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 1_024))
    var many = Self.linear(
      kAudioFormatFlagsNativeFloatPacked, bits: 32, bytes: 4, channels: 4_000_000_000)
    #expect(AVAudioFormat(streamDescription: &many, channelLayout: layout) == nil)
    #expect(
      AVAudioFormat(
        commonFormat: .otherFormat, sampleRate: 48_000, channels: 1, interleaved: true) == nil)
  }

  @Test("ends the process if it cannot be made, and says why")
  func required() async {
    await #expect(processExitsWith: .failure) {
      if let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo) {
        _ = AVAudioFormat(standardFormatWithSampleRate: .nan, channelLayout: layout)
      }
    }
  }

  @Test("is equal to a format that differs in nothing that matters")
  func equality() throws {
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let interleaved = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 1, interleaved: true))
    #expect(mono == interleaved)
    #expect(mono.hash == interleaved.hash)
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    let placed = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    #expect(stereo == placed)
    #expect(stereo.hash == placed.hash)
    let packed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    var one = Self.linear(packed, bits: 16, bytes: 4)
    var two = Self.linear(
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh, bits: 16, bytes: 4)
    #expect(AVAudioFormat(streamDescription: &one) == AVAudioFormat(streamDescription: &two))
    #expect(Set([mono, interleaved, stereo, placed]).count == 2)
  }

  @Test("differs if the sound in memory does")
  func difference() throws {
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let headphones = try #require(
      AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_StereoHeadphones))
    let others = [
      AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2),
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: true),
      AVAudioFormat(
        commonFormat: .pcmFormatInt32, sampleRate: 48_000, channels: 2, interleaved: false),
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: headphones),
    ]
    for other in others { #expect(try #require(other) != stereo) }
    #expect(!stereo.isEqual("stereo"))
  }

  @Test("reads as on Apple's systems")
  func description() throws {
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(stereo.description.hasPrefix("<AVAudioFormat 0x"))
    #expect(stereo.description.hasSuffix(":  2 ch,  44100 Hz, Float32, deinterleaved>"))
    let mono = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: false))
    #expect(mono.description.hasSuffix(":  1 ch,  16000 Hz, Int16>"))
    let aac = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    #expect(aac.description.contains("'aac ' (0x00000000)"))
    var big = Self.linear(
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked,
      bits: 16, bytes: 4)
    let format = try #require(AVAudioFormat(streamDescription: &big))
    #expect(format.description.contains("16-bit big-endian signed integer, interleaved"))
  }

  @Test("keeps its magic cookie, and survives an archive")
  func archive() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    format.magicCookie = Data([1, 2, 3])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: format, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data))
    #expect(copy == format)
    #expect(copy.channelLayout == layout)
    #expect(copy.magicCookie == Data([1, 2, 3]))
  }
}
