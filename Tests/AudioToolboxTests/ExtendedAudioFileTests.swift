// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

/// The functions of ExtendedAudioFile.h, as programs call them.
@Suite("Calls of extended audio files")
struct ExtendedAudioFileTests {
  private static func float(_ channels: UInt32, planar: Bool = false) -> AudioStreamBasicDescription
  {
    let bytes = planar ? 4 : 4 * channels
    return AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked
        | (planar ? kAudioFormatFlagIsNonInterleaved : 0),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
  }

  /// Creates a CAF file of interleaved floats, fills it with `write` and inspects it with `read`.
  private func withFile(
    _ channels: UInt32, layout: AudioChannelLayoutTag? = nil,
    write: (ExtAudioFileRef) throws -> Void, read: (ExtAudioFileRef) throws -> Void
  ) throws {
    let path = NSTemporaryDirectory() + "extended-\(UUID().uuidString).caf"
    defer { unlink(path) }
    let url = URL(fileURLWithPath: path) as CFURL
    var format = Self.float(channels)
    var made: ExtAudioFileRef?
    var tagged = AudioChannelLayout()
    tagged.mChannelLayoutTag = layout ?? 0
    let status = withUnsafePointer(to: &tagged) {
      ExtAudioFileCreateWithURL(
        url, kAudioFileCAFType, &format, layout == nil ? nil : $0,
        AudioFileFlags.eraseFile.rawValue,
        &made)
    }
    #expect(status == noErr)
    let file = try #require(made)
    try write(file)
    #expect(ExtAudioFileDispose(file) == noErr)
    #expect(ExtAudioFileDispose(file) == kAudio_ParamError)
    var opened: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(url, &opened) == noErr)
    let reopened = try #require(opened)
    try read(reopened)
    #expect(ExtAudioFileDispose(reopened) == noErr)
  }

  private func withList<Result>(
    _ samples: inout [Float], channels: UInt32, _ body: (inout AudioBufferList) -> Result
  ) -> Result {
    samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: channels, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      return body(&list)
    }
  }

  private func read(_ file: ExtAudioFileRef, _ frames: Int, channels: UInt32) -> [Float] {
    var samples = [Float](repeating: 0, count: frames * Int(channels))
    var count = UInt32(frames)
    let status = withList(&samples, channels: channels) { ExtAudioFileRead(file, &count, &$0) }
    #expect(status == noErr)
    return Array(samples.prefix(Int(count * channels)))
  }

  @Test("write a render thread's samples in order, and refuse writes that are too large")
  func asynchronous() throws {
    var expected: [Float] = []
    try withFile(1) { file in
      #expect(ExtAudioFileWriteAsync(file, 0, nil) == noErr)
      for round in 0..<100 {
        var samples = (0..<512).map { Float(round * 512 + $0) / 65_536 }
        expected += samples
        let status = withList(&samples, channels: 1) { ExtAudioFileWriteAsync(file, 512, &$0) }
        #expect(status == noErr)
      }
      var many = [Float](repeating: 0, count: 400_000)
      let tooMany = withList(&many, channels: 1) { ExtAudioFileWriteAsync(file, 400_000, &$0) }
      #expect(tooMany == kExtAudioFileError_AsyncWriteTooLarge)
      let short = withList(&many, channels: 1) { list in
        list.mBuffers.mDataByteSize = 4
        return ExtAudioFileWriteAsync(file, 512, &list)
      }
      #expect(short == kAudio_ParamError)
    } read: { file in
      #expect(read(file, 60_000, channels: 1) == expected)
      #expect(ExtAudioFileWriteAsync(file, 0, nil) == kExtAudioFileError_InvalidOperationOrder)
      #expect(ExtAudioFileSeek(file, 12_345) == noErr)
      #expect(read(file, 3, channels: 1) == Array(expected[12_345..<12_348]))
      var position: Int64 = 0
      #expect(ExtAudioFileTell(file, &position) == noErr && position == 12_348)
      #expect(ExtAudioFileSeek(file, 51_201) == kExtAudioFileError_InvalidSeek)
    }
  }

  @Test("read frames in the file's own format unchanged: as many as fit, none at the end")
  func ownFormat() throws {
    let expected = (0..<2_000).map { Float($0) / 4_096 }
    try withFile(2) { file in
      var samples = expected
      #expect(withList(&samples, channels: 2) { ExtAudioFileWrite(file, 1_000, &$0) } == noErr)
    } read: { file in
      // The buffer holds 300 of the 1,000 requested frames.
      var samples = [Float](repeating: 9, count: 600)
      var frames: UInt32 = 1_000
      let size = withList(&samples, channels: 2) { list in
        #expect(ExtAudioFileRead(file, &frames, &list) == noErr)
        return list.mBuffers.mDataByteSize
      }
      #expect(frames == 300 && size == 2_400 && samples == Array(expected.prefix(600)))
      #expect(read(file, 900, channels: 2) == Array(expected.dropFirst(600)))
      frames = 5
      let rest = withList(&samples, channels: 2) { list in
        #expect(ExtAudioFileRead(file, &frames, &list) == noErr)
        return list.mBuffers.mDataByteSize
      }
      #expect(frames == 0 && rest == 0)
      #expect(ExtAudioFileSeek(file, 998) == noErr)
      #expect(read(file, 9, channels: 2) == Array(expected.suffix(4)))
      // A buffer without bytes, and one too small for a frame.
      #expect(ExtAudioFileSeek(file, 0) == noErr)
      for bytes: UInt32 in [0, 7] {
        frames = 1
        let status = withList(&samples, channels: 2) { list in
          list.mBuffers.mDataByteSize = bytes
          return ExtAudioFileRead(file, &frames, &list)
        }
        #expect(status == kAudioConverterErr_InvalidOutputSize && frames == 0)
      }
    }
  }

  @Test(
    "convert for another format, channel map or rate, although unconverted reads are optimized"
  )
  func converted() throws {
    try withFile(2) { file in
      var samples: [Float] = [0.25, -0.5, 0.125, 1]
      #expect(withList(&samples, channels: 2) { ExtAudioFileWrite(file, 2, &$0) } == noErr)
    } read: { file in
      #expect(read(file, 1, channels: 2) == [0.25, -0.5])
      var converter: AudioConverterRef?
      var size = UInt32(MemoryLayout<AudioConverterRef?>.size)
      #expect(
        ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter)
          == noErr)
      var map: [Int32] = [1, 0]
      let swapped = try #require(converter)
      #expect(
        AudioConverterSetProperty(swapped, kAudioConverterChannelMap, 8, &map) == noErr)
      #expect(read(file, 1, channels: 2) == [1, 0.125])
    }
  }

  @Test("read channels in the order of the client's layout")
  func layouts() throws {
    let frame: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    // L R C LFE Ls Rs in the file, and L R Ls Rs C LFE in the program.
    try withFile(6, layout: kAudioChannelLayoutTag_MPEG_5_1_A) { file in
      var samples = frame
      #expect(withList(&samples, channels: 6) { ExtAudioFileWrite(file, 1, &$0) } == noErr)
    } read: { file in
      var layout = AudioChannelLayout()
      layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_B
      #expect(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, 12, &layout)
          == noErr)
      #expect(read(file, 1, channels: 6) == [0.1, 0.2, 0.5, 0.6, 0.3, 0.4])
      layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
      #expect(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientChannelLayout, 12, &layout)
          == kExtAudioFileError_InvalidChannelMap)
    }
  }

  @Test("refuse properties that would have no effect")
  func refusals() throws {
    try withFile(1) { file in
      var null = UInt(0)
      #expect(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &null) == noErr)
      var memory = UInt(4_096)
      #expect(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_IOBuffer, 8, &memory)
          == kExtAudioFileError_InvalidProperty)
      // A string is not a list of settings.
      let text = NSString(string: "fast")
      var settings = UInt(bitPattern: Unmanaged.passUnretained(text).toOpaque())
      let status = withExtendedLifetime(text) {
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &settings)
      }
      #expect(status != noErr)
    } read: { file in
      #expect(read(file, 10, channels: 1).isEmpty)
    }
  }
}
