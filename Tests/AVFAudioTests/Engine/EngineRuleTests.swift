// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

/// Rules of the engine's behaviour that no other suite shows.
@Suite("AVAudioEngine, rules")
struct EngineRuleTests {
  private static func format(_ rate: Double, _ channels: UInt32) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  @Test("has no nodes at first; the main mixer brings the output node, and is connected to it")
  func mainMixer() {
    let engine = AVAudioEngine()
    #expect(engine.attachedNodes.isEmpty && !engine.isRunning && !engine.isAutoShutdownEnabled)
    let mixer = engine.mainMixerNode
    #expect(engine.attachedNodes == [mixer, engine.outputNode])
    let source = engine.inputConnectionPoint(for: engine.outputNode, inputBus: 0)
    #expect(source?.node === mixer && source?.bus == 0)
    #expect(engine.mainMixerNode === mixer)
  }

  @Test("has a new main mixer after the first was detached, which nobody keeps")
  func detachedMainMixer() throws {
    let offline = try Offline()
    let engine = offline.engine
    weak var first: AVAudioMixerNode?
    do {
      let mixer = engine.mainMixerNode
      first = mixer
      engine.detach(mixer)
    }
    #expect(first == nil && engine.attachedNodes == [engine.outputNode])
    let source = Counter().node()
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    #expect(
      engine.inputConnectionPoint(for: engine.outputNode, inputBus: 0)?.node
        === engine.mainMixerNode)
    try engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512))
  }

  @Test("a connection replaces what was on both of its buses")
  func replaces() throws {
    let engine = AVAudioEngine()
    let (first, second) = (Counter().node(), Counter().node())
    let (left, right) = (AVAudioMixerNode(), AVAudioMixerNode())
    for node in [first, second, left, right] as [AVAudioNode] { engine.attach(node) }
    engine.connect(first, to: left, fromBus: 0, toBus: 0, format: nil)
    engine.connect(second, to: right, fromBus: 0, toBus: 0, format: nil)
    engine.connect(first, to: right, fromBus: 0, toBus: 0, format: nil)
    #expect(engine.inputConnectionPoint(for: left, inputBus: 0) == nil)
    #expect(engine.inputConnectionPoint(for: right, inputBus: 0)?.node === first)
    #expect(engine.outputConnectionPoints(for: second, outputBus: 0).isEmpty)
    let points = [left, right].map { AVAudioConnectionPoint(node: $0, bus: 3) }
    engine.connect(first, to: points, fromBus: 0, format: nil)
    #expect(engine.outputConnectionPoints(for: first, outputBus: 0) == points)
    #expect(engine.inputConnectionPoint(for: right, inputBus: 0) == nil)
    engine.connect(first, to: [points[1]], fromBus: 0, format: nil)
    #expect(engine.outputConnectionPoints(for: first, outputBus: 0) == [points[1]])
    #expect(engine.inputConnectionPoint(for: left, inputBus: 3) == nil)
  }

  @Test("the inputs of a mixer grow with the highest connection, and the first free one is next")
  func inputs() throws {
    let engine = AVAudioEngine()
    let (mixer, first, second) = (AVAudioMixerNode(), Counter().node(), Counter().node())
    for node in [mixer, first, second] as [AVAudioNode] { engine.attach(node) }
    #expect(mixer.numberOfInputs == 1 && mixer.nextAvailableInputBus == 0)
    engine.connect(first, to: mixer, fromBus: 0, toBus: 5, format: nil)
    #expect(mixer.numberOfInputs == 6 && mixer.nextAvailableInputBus == 0)
    engine.connect(second, to: mixer, format: nil)
    #expect(engine.inputConnectionPoint(for: mixer, inputBus: 0)?.node === second)
    #expect(mixer.nextAvailableInputBus == 1)
    engine.disconnectNodeInput(mixer)
    #expect(mixer.nextAvailableInputBus == 0)
  }

  @Test("a connection point does not keep its node")
  func points() {
    var node: AVAudioMixerNode? = AVAudioMixerNode()
    let point = node.map { AVAudioConnectionPoint(node: $0, bus: 2) }
    #expect(point?.node === node)
    node = nil
    #expect(point?.node == nil && point?.bus == 2)
  }

  @Test("without a format, an effect passes on that of its source, and a mixer converts it")
  func formats() throws {
    let offline = try Offline()
    let (source, effect) = (Counter().node(try Self.format(22_050, 1)), AVAudioUnitDelay())
    let engine = offline.engine
    for node in [source, effect] as [AVAudioNode] { engine.attach(node) }
    engine.connect(source, to: effect, format: nil)
    engine.connect(effect, to: engine.mainMixerNode, format: nil)
    for format in [source.outputFormat(forBus: 0), effect.inputFormat(forBus: 0)] {
      #expect(format.sampleRate == 22_050 && format.channelCount == 1)
    }
    #expect(effect.outputFormat(forBus: 0).sampleRate == 22_050)
    #expect(engine.mainMixerNode.outputFormat(forBus: 0) == offline.format)
  }

  @Test("has no latencies in manual rendering, and no time for nodes that nothing pulls")
  func times() throws {
    let offline = try Offline()
    let (source, lonely) = (Counter().node(), Counter().node())
    let engine = offline.engine
    for node in [source, lonely] { engine.attach(node) }
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    #expect(source.lastRenderTime == nil)
    try engine.start()
    _ = try offline.render(1_024)
    #expect(source.lastRenderTime?.sampleTime == 512 && lonely.lastRenderTime == nil)
    #expect(source.lastRenderTime?.isHostTimeValid == false)
    #expect(source.outputPresentationLatency == 0)
    #expect(engine.outputNode.presentationLatency == 0)
    engine.stop()
    #expect(source.lastRenderTime == nil)
  }

  @Test("offline rendering may change its thread")
  func threads() throws {
    let offline = try Offline()
    let source = Counter().node()
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    var samples: [Float] = []
    for _ in 0..<4 {
      let thread = OwnThread { try? offline.render(512)[0] }
      samples += thread.join() ?? []
    }
    #expect(samples == Counter.samples(2_048))
  }

  @Test("a switch to manual rendering removes the taps of the device's nodes, and no others")
  func taps() throws {
    try onDevice {
      let (engine, log) = (AVAudioEngine(), TapLog())
      let (mixer, output) = (engine.mainMixerNode, engine.outputNode)
      mixer.removeTap(onBus: 0)  // there is none
      output.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
      mixer.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
      let format = try Self.format(48_000, 2)
      try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      try output.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
      #expect(throws: NSError.self) {
        try mixer.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
      }
      try engine.start()
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
      try engine.renderOffline(200, to: buffer)
      // What is pending is delivered first.
      mixer.removeTap(onBus: 0)
      #expect(log.samples.count == 200)
      try mixer.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
    }
  }

  @Test("amplifies by volumes above 1")
  func amplifies() throws {
    let offline = try Offline()
    let source = Counter().node()
    source.volume = 2
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    offline.engine.mainMixerNode.outputVolume = 1.5
    try offline.engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512).map { 2 * $0 * 1.5 })
  }
}
