// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVReadOnlyAudioPCMBuffer, and the spans of buffers")
struct ReadOnlyBufferTests {
  private static func format(
    _ common: AVAudioCommonFormat = .pcmFormatFloat32, interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 2, interleaved: interleaved)
    )
  }

  /// Ten frames of room for twenty: the frame's number in channel 0, and 100 more in channel 1.
  private static func buffer(interleaved: Bool = false) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format(interleaved: interleaved), frameCapacity: 20))
    buffer.frameLength = 10
    let channels = try #require(buffer.floatChannelData)
    for frame in 0..<10 {
      channels[0][frame * buffer.stride] = Float(frame)
      channels[1][frame * buffer.stride] = Float(100 + frame)
    }
    return buffer
  }

  /// The frames of a channel through its span.
  private static func floats(_ buffer: AVReadOnlyAudioPCMBuffer, _ channel: Int) -> [Float] {
    guard case .float(let samples) = buffer.channelData(channel) else { return [] }
    return stride(from: 0, to: samples.count, by: buffer.stride).map { samples[$0] }
  }

  @Test("has what the buffer had when it was copied", arguments: [false, true])
  func copy(interleaved: Bool) throws {
    let source = try Self.buffer(interleaved: interleaved)
    let copy = AVReadOnlyAudioPCMBuffer(copying: source)
    try #require(source.floatChannelData)[0][3] = -1
    source.frameLength = 1
    #expect(copy.format == source.format)
    #expect((copy.frameLength, copy.frameCapacity) == (10, 20))
    #expect(copy.stride == (interleaved ? 2 : 1))
    #expect(Self.floats(copy, 0) == (0..<10).map(Float.init))
    #expect(Self.floats(copy, 1) == (100..<110).map(Float.init))
    let back = AVAudioPCMBuffer(copying: copy)
    #expect((back.frameLength, back.frameCapacity) == (10, 20))
    #expect(try #require(back.floatChannelData)[1][9 * back.stride] == 109)
    try #require(back.floatChannelData)[0][0] = 7
    #expect(Self.floats(copy, 0)[0] == 0)
  }

  @Test("can be a buffer itself, without a copy")
  func retained() throws {
    let source = try Self.buffer()
    let address = UInt(bitPattern: try #require(source.floatChannelData)[1])
    let readOnly = AVReadOnlyAudioPCMBuffer(unsafeRetaining: source)
    let same = readOnly.withUnsafeAudioBufferList { list in
      let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
      return UInt(bitPattern: buffers[1].mData) == address
    }
    #expect(same)
  }

  @Test("is filled by a closure, which may state how many frames are valid")
  func closure() throws {
    let format = try Self.format(.pcmFormatInt16, interleaved: true)
    let full = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 8) { list in
      let buffer = UnsafeMutableAudioBufferListPointer(list)[0]
      for (index, _) in UnsafeMutableBufferPointer<Int16>(buffer).enumerated() {
        buffer.mData?.assumingMemoryBound(to: Int16.self)[index] = Int16(index)
      }
    }
    #expect((full.frameLength, full.frameCapacity) == (8, 8))
    guard case .int16(let samples) = full.channelData(1) else {
      Issue.record("not Int16")
      return
    }
    #expect(samples.count == 15)
    #expect(samples[0] == 1)
    #expect(samples[14] == 15)
    let part = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 8) {
      $0.pointee.mBuffers.mDataByteSize = 12
    }
    #expect((part.frameLength, part.frameCapacity) == (3, 8))
  }

  private struct Refusal: Error {}

  @Test("throws what its closure throws, and for formats and sizes that are impossible")
  func refused() throws {
    let format = try Self.format()
    #expect(throws: Refusal.self) {
      _ = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 8) { _ in throw Refusal() }
    }
    let law = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatULaw, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
      ]))
    for (format, frames) in [(format, -1), (format, .max), (format, 1 << 31), (law, 8)] {
      let error = #expect(throws: NSError.self) {
        _ = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: frames) { _ in }
      }
      #expect(error?.code == Int(kAudio_ParamError))
    }
    #expect(
      try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 0) { _ in }.frameLength == 0)
  }

  @Test("is read by several threads at once")
  func threads() async throws {
    let buffer = AVReadOnlyAudioPCMBuffer(copying: try Self.buffer())
    await withTaskGroup(of: [Float].self) { group in
      for _ in 0..<8 { group.addTask { Self.floats(buffer, 1) } }
      for await samples in group { #expect(samples == (100..<110).map(Float.init)) }
    }
  }

  @Test(
    "a span that can be changed has all frames for which there is memory", arguments: [false, true])
  func mutable(interleaved: Bool) throws {
    let buffer = try Self.buffer(interleaved: interleaved)
    switch buffer.mutableChannelData(1) {
    case .float(var samples):
      #expect(samples.count == (interleaved ? 39 : 20))
      samples[2 * buffer.stride] = 0.5
      samples[samples.count - 1] = 0.25
    default: Issue.record("not Float32")
    }
    let channels = try #require(buffer.floatChannelData)
    #expect(channels[1][2 * buffer.stride] == 0.5)
    #expect(channels[1][19 * buffer.stride] == 0.25)
    #expect(buffer.frameLength == 10)
    guard case .float(let valid) = buffer.channelData(1) else {
      Issue.record("not Float32")
      return
    }
    #expect(valid.count == (interleaved ? 19 : 10))
    buffer.frameLength = 0
    guard case .float(let none) = buffer.channelData(1) else { return }
    #expect(none.count == 0)
  }

  @Test("integers of 32 bits have spans too")
  func integers() throws {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: Self.format(.pcmFormatInt32), frameCapacity: 4))
    buffer.frameLength = 4
    if case .int32(var samples) = buffer.mutableChannelData(0) { samples[3] = -5 }
    guard case .int32(let samples) = buffer.channelData(0) else {
      Issue.record("not Int32")
      return
    }
    #expect(samples[3] == -5)
  }

  @Test("a channel that does not exist, and samples without a span, end the process")
  func ends() async {
    let channel = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
      guard let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1) else {
        return
      }
      _ = buffer.channelData(2)
    }
    #expect(Self.text(channel).contains("there is no channel 2; there are 2"))
    let samples = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let format = AVAudioFormat(
        commonFormat: .pcmFormatFloat64, sampleRate: 48_000, channels: 1, interleaved: false)
      guard let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1) else {
        return
      }
      _ = AVReadOnlyAudioPCMBuffer(copying: buffer).channelData(0)
    }
    #expect(Self.text(samples).contains("channelData is not possible"))
  }

  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
