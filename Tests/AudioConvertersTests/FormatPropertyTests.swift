// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

@Suite("Global properties of formats and layouts")
struct FormatPropertyTests {
  /// Reads a property as an array.
  private func property<Value: BitwiseCopyable>(
    _ id: AudioFormatPropertyID, _ specifier: [UInt8], as type: Value.Type
  ) throws -> [Value] {
    try specifier.withUnsafeBytes { specifier in
      let size = try FormatProperties.size(of: id, specifier)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(8, size), alignment: 8)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      var bytes = UInt32(size)
      try FormatProperties.read(id, specifier, into: memory.baseAddress, size: &bytes)
      return (0..<Int(bytes) / MemoryLayout<Value>.stride).map {
        memory.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: Value.self)
      }
    }
  }

  private func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private func layout(_ tag: AudioChannelLayoutTag) -> [UInt8] {
    bytes(tag) + [UInt8](repeating: 0, count: 28)
  }

  /// Reads a property of two layouts.
  private func property<Value: BitwiseCopyable>(
    _ id: AudioFormatPropertyID, from one: AudioChannelLayoutTag, to other: AudioChannelLayoutTag,
    as type: Value.Type
  ) throws -> [Value] {
    try layout(one).withUnsafeBytes { one in
      try layout(other).withUnsafeBytes { other in
        try property(id, bytes((one.baseAddress, other.baseAddress)), as: type)
      }
    }
  }

  @Test("fill in a format")
  func information() throws {
    func complete(_ format: AudioStreamBasicDescription, cookie: [UInt8] = [])
      throws -> AudioStreamBasicDescription
    {
      var format = format
      var size = UInt32(40)
      try cookie.withUnsafeBytes {
        try FormatProperties.read(
          kAudioFormatProperty_FormatInfo, $0, into: &format, size: &size)
      }
      #expect(size == 40)
      return format
    }
    let aac = try complete(CodecTests.compressed(kAudioFormatMPEG4AAC, 44_100))
    #expect(aac.mFramesPerPacket == 1_024 && aac.mBytesPerPacket == 0)
    let law = try complete(CodecTests.compressed(kAudioFormatULaw, 8_000, channels: 1))
    #expect(law.mFramesPerPacket == 1 && law.mBytesPerPacket == 1 && law.mBitsPerChannel == 8)
    let ima = try complete(CodecTests.compressed(kAudioFormatAppleIMA4, 44_100))
    #expect(ima.mFramesPerPacket == 64 && ima.mBytesPerPacket == 68)
    // The cookie contains 48 kHz, stereo.
    let stream = MagicCookies.elementaryStream([0x11, 0x90], bitRate: 0)
    let fromCookie = try complete(
      CodecTests.compressed(kAudioFormatMPEG4AAC, 0, channels: 0), cookie: stream)
    #expect(fromCookie.mSampleRate == 48_000 && fromCookie.mChannelsPerFrame == 2)
    #expect(throws: AudioError.self) {
      let _ = try complete(CodecTests.compressed(kAudioFormatQDesign, 44_100))
    }
  }

  @Test("list the channels of layouts, and find the tag and the bitmap of channels")
  func layouts() throws {
    let words = try property(
      kAudioFormatProperty_ChannelLayoutForTag, bytes(kAudioChannelLayoutTag_MPEG_5_1_A),
      as: UInt32.self)
    #expect(words.count == 3 + 6 * 5 && words[2] == 6)
    #expect((0..<6).map { words[3 + 5 * $0] } == [1, 2, 3, 4, 5, 6])
    let described = words.withUnsafeBytes { Array($0) }
    #expect(
      try property(kAudioFormatProperty_TagForChannelLayout, described, as: UInt32.self)
        == [kAudioChannelLayoutTag_MPEG_5_1_A])
    #expect(
      try property(
        kAudioFormatProperty_BitmapForLayoutTag, bytes(kAudioChannelLayoutTag_MPEG_5_1_A),
        as: UInt32.self) == [0x3F])
    let mapped = try property(
      kAudioFormatProperty_ChannelLayoutForBitmap, bytes(UInt32(0x3F)), as: UInt32.self)
    #expect(mapped == words)
    #expect(
      try property(
        kAudioFormatProperty_NumberOfChannelsForLayout, layout(kAudioChannelLayoutTag_Octagonal),
        as: UInt32.self) == [8])
    let tags = try property(
      kAudioFormatProperty_TagsForNumberOfChannels, bytes(UInt32(6)), as: UInt32.self)
    #expect(
      tags.contains(kAudioChannelLayoutTag_MPEG_5_1_D) && tags.allSatisfy { $0 & 0xFFFF == 6 })
  }

  @Test("map channels by their labels")
  func map() throws {
    #expect(
      try property(
        kAudioFormatProperty_ChannelMap, from: kAudioChannelLayoutTag_AAC_5_1,
        to: kAudioChannelLayoutTag_MPEG_5_1_A, as: Int32.self) == [1, 2, 0, 5, 3, 4])
    #expect(
      try property(
        kAudioFormatProperty_AreChannelLayoutsEquivalent, from: kAudioChannelLayoutTag_DVD_12,
        to: kAudioChannelLayoutTag_MPEG_5_1_A, as: UInt32.self) == [1])
  }

  @Test("mix down as ITU-R BS.775 specifies")
  func mixDown() throws {
    let gains = try property(
      kAudioFormatProperty_MatrixMixMap, from: kAudioChannelLayoutTag_MPEG_5_1_A,
      to: kAudioChannelLayoutTag_Stereo, as: Float.self)
    let half: Float = 0.707_106_77
    #expect(gains == [1, 0, 0, 1, half, half, 0, 0, half, 0, 0, half])
    #expect(
      try property(
        kAudioFormatProperty_MatrixMixMap, from: kAudioChannelLayoutTag_Stereo,
        to: kAudioChannelLayoutTag_Mono, as: Float.self) == [half, half])
  }

  @Test(
    "pan with a power of one, and to a single loudspeaker in its direction",
    arguments: [-180, -110, -71, -30, 0, 15, 30, 100, 179] as [Float])
  func panning(azimuth: Float) throws {
    let gains = try layout(kAudioChannelLayoutTag_MPEG_5_0_A).withUnsafeBytes { layout in
      let map = try #require(layout.baseAddress).assumingMemoryBound(to: AudioChannelLayout.self)
      let panning = AudioPanningInfo(
        mPanningMode: .panningMode_VectorBasedPanning, mCoordinateFlags: .sphericalCoordinates,
        mCoordinates: (azimuth, 0, 1), mGainScale: 1, mOutputChannelMap: map)
      return try property(kAudioFormatProperty_PanningMatrix, bytes(panning), as: Float.self)
    }
    #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    #expect(gains.filter { $0.magnitude > 1e-5 }.count <= 2)
    if azimuth == 30 { #expect(abs(gains[1] - 1) < 1e-5) }
    if azimuth == -110 { #expect(abs(gains[3] - 1) < 1e-5) }
  }

  @Test("balance with equal power, or with a gain of one on the louder side")
  func balance() throws {
    func gains(_ balance: Float, _ type: AudioBalanceFadeType) throws -> [Float] {
      try layout(kAudioChannelLayoutTag_Stereo).withUnsafeBytes { layout in
        let map = try #require(layout.baseAddress).assumingMemoryBound(to: AudioChannelLayout.self)
        let value = AudioBalanceFade(
          mLeftRightBalance: balance, mBackFrontFade: 0, mType: type, mChannelLayout: map)
        return try property(kAudioFormatProperty_BalanceFade, bytes(value), as: Float.self)
      }
    }
    #expect(try gains(0.5, .maxUnityGain) == [0.5, 1])
    #expect(try gains(-1, .maxUnityGain) == [1, 0])
  }

  @Test("list codecs, and return the size of an ID3 tag")
  func others() throws {
    let decoders = try property(kAudioFormatProperty_DecodeFormatIDs, [], as: UInt32.self)
    #expect(decoders.contains(kAudioFormatMPEG4AAC) && decoders.contains(kAudioFormatLinearPCM))
    let encoders = try property(
      kAudioFormatProperty_Encoders, bytes(kAudioFormatFLAC), as: AudioClassDescription.self)
    #expect(encoders.count == 1 && encoders[0].mSubType == kAudioFormatFLAC)
    #expect(
      try property(
        kAudioFormatProperty_ID3TagSize, Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 1], as: UInt32.self)
        == [267])
  }

  @Test("return an error for an invalid specifier")
  func hostile() {
    for id in [
      kAudioFormatProperty_FormatName, kAudioFormatProperty_ChannelLayoutForTag,
      kAudioFormatProperty_MatrixMixMap, kAudioFormatProperty_PanningMatrix,
      kAudioFormatProperty_ID3TagSize, kAudioFormatProperty_ASBDFromESDS,
      kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_FormatList,
      AudioFormatPropertyID(0),
    ] {
      for size in [0, 1, 3, 11] {
        #expect(throws: AudioError.self) {
          let _ = try property(id, [UInt8](repeating: 0xFF, count: size), as: UInt8.self)
        }
      }
    }
  }
}
