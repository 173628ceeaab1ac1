// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// The functions of AudioConverter.h and AudioFormat.h, as programs call them.
@Suite("Calls of converters and formats")
struct ConverterCallTests {
  private static func linear(_ rate: Double, float: Bool) -> AudioStreamBasicDescription {
    let bytes: UInt32 = float ? 4 : 2
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsPacked
        | (float ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: 1,
      mBitsPerChannel: 8 * bytes, mReserved: 0)
  }

  /// A mono source with a limited number of frames.
  private struct Source {
    var samples: UnsafeMutablePointer<Int16>
    var remaining: UInt32
  }

  private static let supply: AudioConverterComplexInputDataProc = { _, packets, list, _, userData in
    guard let source = userData?.assumingMemoryBound(to: Source.self) else { return -1 }
    packets.pointee = min(packets.pointee, source.pointee.remaining, 100)
    source.pointee.remaining -= packets.pointee
    list.pointee.mBuffers.mData = UnsafeMutableRawPointer(source.pointee.samples)
    list.pointee.mBuffers.mDataByteSize = packets.pointee * 2
    return noErr
  }

  @Test("convert until the input ends")
  func conversion() throws {
    var input = Self.linear(44_100, float: false)
    var output = Self.linear(48_000, float: true)
    var made: AudioConverterRef?
    #expect(AudioConverterNew(&input, &output, &made) == noErr)
    let converter = try #require(made)
    defer { #expect(AudioConverterDispose(converter) == noErr) }
    var quality = UInt32(kAudioConverterQuality_Max)
    #expect(
      AudioConverterSetProperty(
        converter, kAudioConverterSampleRateConverterQuality, 4, &quality) == noErr)
    let samples = UnsafeMutablePointer<Int16>.allocate(capacity: 100)
    samples.initialize(repeating: 8_192, count: 100)
    let result = UnsafeMutablePointer<Float>.allocate(capacity: 1_000)
    defer {
      samples.deallocate()
      result.deallocate()
    }
    var source = Source(samples: samples, remaining: 4_410)
    var count = 0
    while true {
      var packets: UInt32 = 1_000
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 4_000, mData: result))
      let status = AudioConverterFillComplexBuffer(
        converter, Self.supply, &source, &packets, &list, nil)
      #expect(status == noErr && list.mBuffers.mDataByteSize == packets * 4)
      if count == 2_000 { #expect(abs(result[0] - 0.25) < 1e-4) }
      count += Int(packets)
      if packets < 1_000 { break }
    }
    #expect(count == 4_800)
  }

  @Test("refuse disposed handles, with a reason")
  func stale() throws {
    var input = Self.linear(44_100, float: false)
    var output = Self.linear(44_100, float: true)
    var made: AudioConverterRef?
    #expect(AudioConverterNew(&input, &output, &made) == noErr)
    let converter = try #require(made)
    #expect(AudioConverterDispose(converter) == noErr)
    #expect(AudioConverterReset(converter) == kAudio_ParamError)
    #expect(AudioConverterDispose(converter) == kAudio_ParamError)
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    #expect((reason as String?)?.contains("converter") == true)
  }

  @Test("create no converter for an invalid format")
  func refusal() throws {
    var input = Self.linear(44_100, float: false)
    var output = Self.linear(44_100, float: true)
    output.mBitsPerChannel = 13
    var made: AudioConverterRef? = OpaquePointer(bitPattern: 16)
    #expect(AudioConverterNew(&input, &output, &made) == kAudioConverterErr_FormatNotSupported)
    #expect(made == nil)
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    #expect((reason as String?)?.contains("kAudioConverterErr_FormatNotSupported") == true)
  }

  @Test("complete a format and name it")
  func formats() throws {
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatULaw
    format.mSampleRate = 8_000
    format.mChannelsPerFrame = 1
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format) == noErr)
    #expect(format.mBytesPerPacket == 1 && format.mFramesPerPacket == 1)
    var name: Unmanaged<CFString>?
    var nameSize = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    #expect(
      AudioFormatGetProperty(
        kAudioFormatProperty_FormatName, size, &format, &nameSize, &name) == noErr)
    #expect((name?.takeRetainedValue() as String?)?.hasSuffix("1 channel, 8000 Hz") == true)
    var tag = kAudioChannelLayoutTag_MPEG_5_1_A
    var layoutSize: UInt32 = 0
    #expect(
      AudioFormatGetPropertyInfo(
        kAudioFormatProperty_ChannelLayoutForTag, 4, &tag, &layoutSize) == noErr)
    #expect(layoutSize == 12 + 6 * 20)
    #expect(
      AudioFormatGetProperty(0, 0, nil, &size, &format) == kAudioFormatUnsupportedPropertyError)
  }
}
