// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("AVAudioEngine, real-time manual rendering, and its input")
struct RealtimeRenderingTests {
  /// A block of input that counts, and runs dry when told to.
  private final class Input: @unchecked Sendable {  // one render thread
    let buffer: AVAudioPCMBuffer
    var next = 0
    var isDry = false

    init(_ format: AVAudioFormat) throws {
      buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096))
    }

    func supply(_ frames: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>? {
      guard !isDry else { return nil }
      for channel in 0..<Int(buffer.format.channelCount) {
        for frame in 0..<Int(frames) {
          buffer.floatChannelData?[channel][frame] = Counter.value(next + frame)
        }
      }
      next += Int(frames)
      buffer.frameLength = frames
      return buffer.audioBufferList
    }
  }

  @Test("renders into memory of the program, and of the engine")
  func block() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
    #expect(engine.manualRenderingMode == .realtime)
    let source = Counter().node()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    let block = engine.manualRenderingBlock
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    var status = noErr
    #expect(block(512, buffer.mutableAudioBufferList, &status) == .error)
    #expect(status == -80802)
    try engine.start()
    #expect(block(513, buffer.mutableAudioBufferList, &status) == .error)
    #expect(block(512, buffer.mutableAudioBufferList, &status) == .success)
    #expect(status == noErr)
    buffer.frameLength = 512
    let first = try #require(buffer.floatChannelData)[0]
    #expect(Array(UnsafeBufferPointer(start: first, count: 512)) == Counter.samples(512))
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    #expect(block(256, list.unsafeMutablePointer, nil) == .success)
    #expect(list[1].mDataByteSize == 1_024)
    let data = try #require(list[1].mData?.assumingMemoryBound(to: Float.self))
    #expect(
      Array(UnsafeBufferPointer(start: data, count: 256)) == Counter.samples(256, from: 512))
    #expect(engine.manualRenderingSampleTime == 768)
    #expect(throws: NSError.self) { try engine.renderOffline(256, to: buffer) }
    engine.stop()
    #expect(block(256, list.unsafeMutablePointer, &status) == .error)
  }

  @Test("takes input from a block, and reports when it has none")
  func input() throws {
    let offline = try Offline(maximum: 512)
    let engine = offline.engine
    let input = try Input(offline.format)
    #expect(
      engine.inputNode.setManualRenderingInputPCMFormat(offline.format) { input.supply($0) })
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    let log = TapLog()
    engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
    try engine.start()
    #expect(!engine.inputNode.setManualRenderingInputPCMFormat(offline.format) { _ in nil })
    #expect(try offline.render(2_048)[1] == Counter.samples(2_048))
    input.isDry = true
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 512))
    #expect(try engine.renderOffline(512, to: buffer) == .insufficientDataFromInputNode)
    #expect(buffer.frameLength == 512 && buffer.floatChannelData?[0][511] == 0)
    input.isDry = false
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    engine.inputNode.removeTap(onBus: 0)
    #expect(Array(log.samples.prefix(2_048)) == Counter.samples(2_048))
  }

  @Test(
    "renders any linear format", arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatFloat64])
  func formats(common: AVAudioCommonFormat) throws {
    let engine = AVAudioEngine()
    let format = try #require(
      AVAudioFormat(commonFormat: common, sampleRate: 44_100, channels: 2, interleaved: true))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    let source = Counter().node()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    #expect(engine.manualRenderingFormat == format)
    let data = try #require(buffer.audioBufferList.pointee.mBuffers.mData)
    for frame in 0..<512 {
      let sample =
        common == .pcmFormatInt16
        ? Double(data.assumingMemoryBound(to: Int16.self)[2 * frame + 1]) / 32_768
        : data.assumingMemoryBound(to: Double.self)[2 * frame + 1]
      #expect(abs(sample - Double(Counter.value(frame))) < 1.0 / 32_768)
    }
  }

  @Test("starts its time again after a reset, and keeps connections when it is switched off")
  func resets() throws {
    let offline = try Offline()
    let engine = offline.engine
    let source = Counter().node()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    _ = try offline.render(1_000)
    engine.reset()
    #expect(engine.manualRenderingSampleTime == 0)
    _ = try offline.render(1_000)
    engine.disableManualRenderingMode()
    #expect(!engine.isRunning && engine.manualRenderingSampleTime == 0)
    #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 0)?.node === source)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 1))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 100)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    #expect(try engine.renderOffline(100, to: buffer) == .success)
    #expect(source.outputFormat(forBus: 0) == format)
  }
}
