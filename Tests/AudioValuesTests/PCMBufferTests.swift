// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVAudioPCMBuffer")
struct PCMBufferTests {
  private static func format(
    _ common: AVAudioCommonFormat = .pcmFormatFloat32, channels: UInt32 = 2,
    interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(
        commonFormat: common, sampleRate: 48_000, channels: channels, interleaved: interleaved))
  }

  private static func buffer(
    _ format: AVAudioFormat, _ frames: AVAudioFrameCount = 100
  ) throws -> AVAudioPCMBuffer {
    try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames))
  }

  @Test("is silent at first, and no frame is valid")
  func silence() throws {
    let buffer = try Self.buffer(Self.format())
    #expect(buffer.frameLength == 0)
    #expect(buffer.frameCapacity == 100)
    #expect(buffer.stride == 1)
    let channels = try #require(buffer.floatChannelData)
    for channel in 0..<2 {
      #expect(UnsafeBufferPointer(start: channels[channel], count: 100).allSatisfy { $0 == 0 })
    }
    #expect(buffer.int16ChannelData == nil)
    #expect(buffer.int32ChannelData == nil)
  }

  @Test("has the samples of interleaved channels at a stride")
  func interleaved() throws {
    let buffer = try Self.buffer(Self.format(.pcmFormatInt16, interleaved: true))
    let channels = try #require(buffer.int16ChannelData)
    #expect(buffer.stride == 2)
    #expect(channels[1] == channels[0] + 1)
    #expect(buffer.audioBufferList.pointee.mNumberBuffers == 1)
    #expect(buffer.audioBufferList.pointee.mBuffers.mNumberChannels == 2)
    #expect(buffer.floatChannelData == nil)
    #expect(try Self.buffer(Self.format(.pcmFormatInt32)).int32ChannelData != nil)
    let double = try Self.buffer(Self.format(.pcmFormatFloat64))
    #expect(double.floatChannelData == nil)
    #expect(double.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 800)
  }

  @Test("has a list of what is valid, and a list of the capacity")
  func lists() throws {
    let buffer = try Self.buffer(Self.format())
    buffer.frameLength = 30
    let valid = UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: buffer.audioBufferList))
    #expect(valid.map(\.mDataByteSize) == [120, 120])
    let whole = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(whole.map(\.mDataByteSize) == [400, 400])
    #expect(valid.map(\.mData) == whole.map(\.mData))
    buffer.frameLength = buffer.frameCapacity
    #expect(valid.map(\.mDataByteSize) == [400, 400])
  }

  @Test("takes over the byte counts that a C function sets")
  func byteCounts() throws {
    let buffer = try Self.buffer(Self.format())
    let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    for index in list.indices { list[index].mDataByteSize = 160 }
    #expect(buffer.frameLength == 40)
    #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 160)
    #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 400)
    #expect(buffer.frameLength == 40)
    let valid = UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: buffer.audioBufferList))
    for index in valid.indices { valid[index].mDataByteSize = 80 }
    #expect(buffer.frameLength == 20)
    list[0].mDataByteSize = .max
    #expect(buffer.frameLength == 100)
  }

  @Test("does not exist for compressed or inconsistent formats, or without memory")
  func refused() throws {
    let aac = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    #expect(AVAudioPCMBuffer(pcmFormat: aac, frameCapacity: 100) == nil)
    var description = try Self.format().streamDescription.pointee
    description.mBytesPerFrame = 0
    let inconsistent = try #require(AVAudioFormat(streamDescription: &description))
    #expect(AVAudioPCMBuffer(pcmFormat: inconsistent, frameCapacity: 100) == nil)
    #expect(AVAudioPCMBuffer(pcmFormat: try Self.format(), frameCapacity: .max) == nil)
    #expect(AVAudioPCMBuffer(pcmFormat: try Self.format(), frameCapacity: 1 << 30) == nil)
  }

  @Test("may have no capacity")
  func empty() throws {
    let buffer = try Self.buffer(Self.format(), 0)
    #expect(buffer.frameLength == 0)
    #expect(buffer.audioBufferList.pointee.mBuffers.mData != nil)
    buffer.frameLength = 0
  }

  @Test("ends the process if more frames are valid than there are")
  func tooLong() async {
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
      let buffer = format.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 10) }
      buffer?.frameLength = 11
    }
  }

  @Test("copies its samples, also those that are not valid yet")
  func copies() throws {
    let buffer = try Self.buffer(Self.format())
    let samples = try #require(buffer.floatChannelData)
    for frame in 0..<100 { samples[1][frame] = Float(frame) }
    buffer.frameLength = 50
    for copy in [buffer.copy(), buffer.mutableCopy()] {
      let copy = try #require(copy as? AVAudioPCMBuffer)
      #expect(copy.frameLength == 50)
      #expect(copy.frameCapacity == 100)
      #expect(copy.format == buffer.format)
      let copied = try #require(copy.floatChannelData)
      #expect(copied[1] != samples[1])
      #expect((0..<100).allSatisfy { copied[1][$0] == Float($0) })
    }
  }

  /// Counts the calls of a deallocator.
  private final class Calls {
    var count = 0
    var sizes: [UInt32] = []
  }

  @Test("uses the memory of a list, and gives it back once")
  func noCopy() throws {
    let calls = Calls()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 20)
    memory.initialize(repeating: 0.5, count: 20)
    defer { memory.deallocate() }
    list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 40, mData: memory)
    list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 39, mData: memory + 10)
    do {
      let buffer = try #require(
        AVAudioPCMBuffer(
          pcmFormat: try Self.format(), bufferListNoCopy: list.unsafePointer,
          deallocator: {
            calls.count += 1
            calls.sizes = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: $0))
              .map(\.mDataByteSize)
          }))
      #expect(buffer.frameCapacity == 9)
      #expect(buffer.frameLength == 9)
      #expect(buffer.floatChannelData?[1] == memory + 10)
      buffer.frameLength = 1
      #expect(buffer.copy() is AVAudioPCMBuffer)
      #expect(calls.count == 0)
    }
    #expect(calls.count == 1)
    #expect(calls.sizes == [40, 39])
  }

  @Test("refuses a list of another shape, and leaves its memory alone")
  func otherShape() throws {
    let calls = Calls()
    var list = AudioBufferList(
      mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 40, mData: nil))
    for channels in [1, 2] as [UInt32] {
      let buffer = AVAudioPCMBuffer(
        pcmFormat: try Self.format(channels: channels), bufferListNoCopy: &list,
        deallocator: { _ in calls.count += 1 })
      #expect(buffer == nil)
    }
    #expect(calls.count == 0)
  }
}
