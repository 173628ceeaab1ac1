// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

@Suite("An engine with many paths between two nodes")
struct DiamondTests {
  /// Mixers in a row, each of which reaches the next on two paths: of forty, there are 2^40 paths.
  private static func engine(_ count: Int) -> (AVAudioEngine, first: AVAudioMixerNode) {
    let engine = AVAudioEngine()
    var next = engine.mainMixerNode
    for _ in 0..<count {
      let (mixer, left, right) = (AVAudioMixerNode(), AVAudioMixerNode(), AVAudioMixerNode())
      for node in [mixer, left, right] { engine.attach(node) }
      engine.connect(left, to: next, format: nil)
      engine.connect(right, to: next, format: nil)
      engine.connect(
        mixer,
        to: [
          AVAudioConnectionPoint(node: left, bus: 0), AVAudioConnectionPoint(node: right, bus: 0),
        ],
        fromBus: 0, format: nil)
      next = mixer
    }
    return (engine, next)
  }

  @Test("answers for all of them", .timeLimit(.minutes(60)))
  func queries() {
    onDevice {
      let (engine, first) = Self.engine(40)
      #expect(first.outputPresentationLatency >= 0)
      #expect(first.outputFormat(forBus: 0).sampleRate == 48_000)
      // Nothing is connected to play.
      engine.isAutoShutdownEnabled = true
      engine.prepare()
      let source = Counter().node()
      engine.attach(source)
      engine.connect(source, to: first, format: nil)
      #expect(engine.description.contains("AVAudioSourceNode"))
    }
  }

  @Test("adds what comes on each path")
  func sum() throws {
    let (engine, first) = Self.engine(4)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
    let source = AVAudioSourceNode { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = 1 / 64 }
      }
      return noErr
    }
    engine.attach(source)
    engine.connect(source, to: first, format: nil)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
    #expect(try engine.renderOffline(64, to: buffer) == .success)
    #expect(buffer.floatChannelData?[0][63] == 0.25)
  }
}
