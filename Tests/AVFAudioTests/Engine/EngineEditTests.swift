// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioEngine, edits of connections")
struct EngineEditTests {
  private static func format(_ rate: Double, _ channels: UInt32 = 2) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  /// A source of equal samples.
  private static func constant(_ value: Float) -> AVAudioSourceNode {
    AVAudioSourceNode { _, _, _, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(buffer.mDataByteSize) / 4 { samples?[frame] = value }
      }
      return noErr
    }
  }

  /// A node that a block of its own asks.
  private final class WeakNode: @unchecked Sendable {  // set before it is read
    weak var node: AVAudioNode?
  }

  /// The last sample of the next frames, when what came before has faded.
  private static func level(_ offline: Offline) throws -> Float {
    try #require(try offline.render(8_192)[0].last)
  }

  @Test("connect in another format after a stop, and after a pause", arguments: [true, false])
  func otherFormat(stops: Bool) throws {
    let offline = try Offline()
    let (engine, source) = (offline.engine, Self.constant(0.25))
    let effect = AVAudioUnitEQ(numberOfBands: 1)
    engine.attach(source)
    engine.attach(effect)
    for rate in [44_100, 48_000, 22_050] as [Double] {
      let format = try Self.format(rate)
      try engine.connectNode(source, to: effect, format: format)
      try engine.connectNode(effect, to: engine.mainMixerNode, format: format)
      try engine.start()
      #expect(abs(try Self.level(offline) - 0.25) < 0.001)
      #expect(effect.outputFormat(forBus: 0) == format)
      if stops { engine.stop() } else { engine.pause() }
    }
  }

  @Test("keep connections when manual rendering gets another rate")
  func otherRate() throws {
    let offline = try Offline()
    let (engine, source) = (offline.engine, Self.constant(0.25))
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    #expect(try Self.level(offline) == 0.25)
    engine.disableManualRenderingMode()
    let format = try Self.format(44_100)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    #expect(buffer.floatChannelData?[0][511] == 0.25)
  }

  @Test("keep the volume of a source before an effect")
  func volumeBeforeEffect() throws {
    // The order of the nodes in an engine depends on their addresses.
    let engines = try (0..<12).map { _ in try Offline(48_000, 2, maximum: 512) }
    for offline in engines {
      let (engine, source) = (offline.engine, Self.constant(0.5))
      let effects = [AVAudioUnitEQ(numberOfBands: 1), AVAudioUnitEQ(numberOfBands: 1)]
      for node in [source] + effects { engine.attach(node) }
      source.volume = 0.5
      engine.connect(source, to: effects[0], format: nil)
      engine.connect(effects[0], to: effects[1], format: nil)
      engine.connect(effects[1], to: engine.mainMixerNode, format: nil)
      try engine.start()
      #expect(abs(try Self.level(offline) - 0.25) < 0.001)
    }
  }

  @Test("free a node that is detached after a stop")
  func freed() throws {
    let offline = try Offline()
    weak var node: AVAudioSourceNode?
    do {
      let source = Self.constant(0.25)
      node = source
      offline.engine.attach(source)
      offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
      try offline.engine.start()
      _ = try offline.render(512)
      offline.engine.stop()
      offline.engine.detach(source)
    }
    #expect(wait { node == nil })
  }

  @Test("leave effects without a source or a destination, at any rate", arguments: [true, false])
  func loneEffects(losesSource: Bool) throws {
    let offline = try Offline(48_000)
    let (engine, source, effect) = (offline.engine, Self.constant(0.25), AVAudioUnitEQ())
    let (mixer, other) = (AVAudioMixerNode(), Self.constant(0.5))
    for node in [source, effect, mixer, other] as [AVAudioNode] { engine.attach(node) }
    engine.connect(source, to: effect, format: nil)
    engine.connect(effect, to: mixer, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    engine.connect(other, to: engine.mainMixerNode, format: nil)
    try engine.start()
    #expect(try offline.render(512)[0][511] == 0.75)
    engine.detach(losesSource ? source : mixer)
    #expect(try offline.render(512)[0][511] == 0.5)
    // The engine can be stopped and started like that, too.
    engine.stop()
    try engine.start()
    #expect(try offline.render(512)[0][511] == 0.5)
  }

  @Test("limit the connections of mixers to two channels")
  func surround() throws {
    let (engine, source) = (AVAudioEngine(), Self.constant(0.25))
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_096)
    try engine.connectNode(engine.mainMixerNode, to: engine.outputNode, format: format)
    #expect(engine.mainMixerNode.outputFormat(forBus: 0).channelCount == 2)
    #expect(engine.outputNode.inputFormat(forBus: 0).channelCount == 2)
    try engine.start()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096))
    #expect(try engine.renderOffline(4_096, to: buffer) == .success)
    #expect(buffer.floatChannelData?[0][4_095] == 0.25)
  }

  @Test("do not take the output away while the engine runs")
  func runningOutput() throws {
    let offline = try Offline()
    let (engine, source, other) = (offline.engine, Self.constant(0.25), AVAudioMixerNode())
    engine.attach(source)
    engine.attach(other)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    #expect(throws: NSError.self) {
      try engine.connectNode(engine.mainMixerNode, to: other, format: nil)
    }
    #expect(throws: NSError.self) {
      try engine.connectNode(
        engine.mainMixerNode, to: [AVAudioConnectionPoint(node: other, bus: 0)], fromBus: 0,
        format: nil)
    }
    #expect(try Self.level(offline) == 0.25)
  }

  @Test("let a render ask for formats and times while the engine stops")
  func queriesOfARender() throws {
    let offline = try Offline()
    let engine = offline.engine
    let (stops, asked) = (Shared(false), Shared(0))
    let asking = WeakNode()
    let source = AVAudioSourceNode { _, _, _, _ in
      stops.value = true
      usleep(50_000)
      guard let node = asking.node else { return noErr }
      let rate = node.outputFormat(forBus: 0).sampleRate
      _ = node.lastRenderTime
      asked.value = Int(rate)
      return noErr
    }
    asking.node = source
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    let stopper = OwnThread {
      _ = wait { stops.value }
      engine.stop()
    }
    _ = try offline.render(512)
    stopper.join()
    #expect(asked.value == 48_000 && !engine.isRunning)
  }

  @Test("clear what splitters repeat, in a reset")
  func resetOfSplitters() throws {
    let offline = try Offline()
    let (engine, counter, mixer) = (offline.engine, Counter(), AVAudioMixerNode())
    let source = counter.node()
    engine.attach(source)
    engine.attach(mixer)
    let main = engine.mainMixerNode
    let points = [
      AVAudioConnectionPoint(node: main, bus: 0), AVAudioConnectionPoint(node: mixer, bus: 0),
    ]
    engine.connect(source, to: points, fromBus: 0, format: nil)
    engine.connect(mixer, to: main, fromBus: 0, toBus: 1, format: nil)
    mixer.outputVolume = 0
    try engine.start()
    _ = try offline.render(4_096)
    let next = counter.next
    _ = try offline.render(512)
    engine.reset()
    _ = try offline.render(512)
    #expect(counter.next == next + 1_024)
    engine.reset()
    #expect(try offline.render(512)[0] == Counter.samples(512, from: next + 1_024))
  }
}
