// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioEngine, manual rendering")
struct OfflineTests {
  @Test(
    "passes a stereo source through two mixers unchanged to the bit", arguments: [1, 7, 512, 4_096])
  func bitExact(slice: Int) throws {
    let offline = try Offline()
    let engine = offline.engine
    let (source, mixer) = (Counter().node(), AVAudioMixerNode())
    engine.attach(source)
    engine.attach(mixer)
    engine.connect(source, to: mixer, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    try engine.start()
    let samples = try offline.render(8_192, slice: slice)
    #expect(samples == [Counter.samples(8_192), Counter.samples(8_192)])
    #expect(engine.manualRenderingSampleTime == 8_192)
  }

  @Test("builds the graph before manual rendering is on; the main mixer takes its format")
  func builtFirst() throws {
    let engine = AVAudioEngine()
    let source = Counter().node()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256)
    #expect(engine.mainMixerNode.outputFormat(forBus: 0) == format)
    #expect(engine.outputNode.inputFormat(forBus: 0) == format)
    #expect(source.outputFormat(forBus: 0) == format)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256))
    #expect(try engine.renderOffline(256, to: buffer) == .success)
    let samples = try #require(buffer.floatChannelData)
    #expect(Array(UnsafeBufferPointer(start: samples[0], count: 256)) == Counter.samples(256))
  }

  @Test("applies volumes and pans of sources at their mixers")
  func mixing() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (left, right) = (Counter().node(), Counter().node())
    for node in [left, right] {
      engine.attach(node)
      engine.connect(node, to: engine.mainMixerNode, format: nil)
    }
    left.volume = 0.5
    right.volume = 0
    try engine.start()
    #expect(try offline.render(512)[1] == Counter.samples(512, gain: 0.5))
    #expect(left.destination(forMixer: engine.mainMixerNode, bus: 0)?.volume == 0.5)
    #expect(left.destination(forMixer: engine.mainMixerNode, bus: 1) == nil)
  }

  @Test("connects and disconnects while it renders, without a gap in other inputs")
  func edits() throws {
    let offline = try Offline()
    let engine = offline.engine
    let steady = Counter().node()
    engine.attach(steady)
    engine.connect(steady, to: engine.mainMixerNode, format: nil)
    try engine.start()
    var samples = try offline.render(512)[0]
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    for _ in 0..<10 {
      let silent = AVAudioSourceNode { isSilence, _, _, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          if let data = buffer.mData { memset(data, 0, Int(buffer.mDataByteSize)) }
        }
        isSilence.pointee = true
        return noErr
      }
      engine.attach(silent)
      engine.connect(silent, to: engine.mainMixerNode, format: mono)
      samples += try offline.render(512)[0]
      engine.disconnectNodeOutput(silent)
      samples += try offline.render(512)[0]
      engine.detach(silent)
      samples += try offline.render(512)[0]
    }
    #expect(samples == Counter.samples(samples.count))
  }

  @Test("feeds several mixers from one source")
  func fanOut() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (source, first, second) = (Counter().node(), AVAudioMixerNode(), AVAudioMixerNode())
    for node in [source, first, second] { engine.attach(node) }
    engine.connect(first, to: engine.mainMixerNode, format: nil)
    engine.connect(second, to: engine.mainMixerNode, format: nil)
    engine.connect(
      source,
      to: [
        AVAudioConnectionPoint(node: first, bus: 0), AVAudioConnectionPoint(node: second, bus: 0),
      ],
      fromBus: 0, format: nil)
    first.volume = 0.25
    second.volume = 0.5
    try engine.start()
    #expect(try offline.render(2_048)[0] == Counter.samples(2_048, gain: 0.75))
    #expect(engine.outputConnectionPoints(for: source, outputBus: 0).count == 2)
  }

  @Test("frees a node that has been detached")
  func detached() throws {
    let offline = try Offline()
    let engine = offline.engine
    weak var weakNode: AVAudioSourceNode?
    do {
      let node = Counter().node()
      weakNode = node
      engine.attach(node)
      engine.connect(node, to: engine.mainMixerNode, format: nil)
      try engine.start()
      _ = try offline.render(512)
      #expect(node.lastRenderTime?.sampleTime == 0)
      engine.detach(node)
      #expect(node.engine == nil)
    }
    #expect(weakNode == nil)
  }
}
