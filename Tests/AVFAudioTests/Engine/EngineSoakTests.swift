// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

/// Storms and cycles: for a second, or for as many minutes as `make soak` sets. Storms also for as many
/// seconds as `AUDIOTOOLBOX_TEST_STORM_SECONDS` says.
@Suite("AVAudioEngine, soak")
struct EngineSoak {
  private static let seconds: Double = {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 1
  }()

  // MARK: The storm

  /// Random numbers that are the same each time.
  private struct Dice {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func roll(_ sides: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(sides))
    }
  }

  /// One of the threads, with nodes of its own and mixers that it shares with the others.
  private struct Stormer: @unchecked Sendable {  // its nodes are safe for threads
    let engine: AVAudioEngine
    let mixers: [AVAudioMixerNode]
    let player = AVAudioPlayerNode()
    let equaliser = AVAudioUnitEQ(numberOfBands: 2)
    let processor: AVAudioUnit
    let instrument: AVAudioUnit
    let source = AVAudioSourceNode { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = 0.01 }
      }
      return noErr
    }
    let formats: [AVAudioFormat?]
    let buffer: AVAudioPCMBuffer

    init(
      _ engine: AVAudioEngine, _ mixers: [AVAudioMixerNode],
      _ midi: (processor: AVAudioUnit, instrument: AVAudioUnit)
    ) throws {
      self.engine = engine
      (processor, instrument) = midi
      self.mixers = mixers
      formats = [
        nil, AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1),
        AVAudioFormat(standardFormatWithSampleRate: 96_000, channels: 2),
      ]
      buffer = try PlayerNodeTests.buffer(noise(300))
      for node in nodes + [processor] { engine.attach(node) }
    }

    var nodes: [AVAudioNode] { [player, equaliser, source, instrument] }

    /// One call at random. A call that a state does not allow throws, and changes nothing.
    func act(_ dice: inout Dice) {
      let (node, mixer) = (nodes[dice.roll(4)], mixers[dice.roll(mixers.count)])
      let format = formats[dice.roll(formats.count)]
      switch dice.roll(24) {
      case 0..<3: try? engine.connectNode(node, to: mixer, format: format)
      case 3: try? engine.connectNode(player, to: equaliser, format: format)
      case 4:
        let points = mixers.map { AVAudioConnectionPoint(node: $0, bus: 20 + dice.roll(20)) }
        try? engine.connectNode(node, to: points, fromBus: 0, format: nil)
      case 5: engine.disconnectNodeOutput(node)
      case 6: engine.disconnectNodeInput(equaliser)
      case 7:
        engine.detach(node)
        engine.attach(node)
      case 8, 9: try? player.playAudio()
      case 10: player.pause()
      case 11: player.stop()
      case 12:
        if player.outputFormat(forBus: 0).channelCount == 2 { player.volume = 0.5 }
        player.prepare(withFrameCount: 64)
      case 13: try? mixer.installAudioTap(onBus: 0, bufferSize: 256, format: nil) { _, _ in }
      case 14: mixer.removeTap(onBus: 0)
      case 15: if dice.roll(4) == 0 { engine.stop() }
      case 16: if dice.roll(4) == 0 { engine.pause() }
      case 17: engine.prepare()
      case 18: if dice.roll(8) == 0 { engine.reset() }
      case 19: engine.connectMIDI(processor, to: instrument, format: nil)
      case 20: engine.disconnectMIDIInput(instrument)
      case 21:
        engine.detach(processor)
        engine.attach(processor)
      default: try? engine.start()
      }
      node.reset()
      _ = node.lastRenderTime
      _ = engine.attachedNodes
    }
  }

  @Test("any calls from several threads leave an engine that plays", arguments: [false, true])
  func storm(device: Bool) async throws {
    var units: [(processor: AVAudioUnit, instrument: AVAudioUnit)] = []
    for _ in 0..<4 {
      let processor = try await SendingProcessor.node()
      units.append((processor, try await SendingProcessor.node(kAudioUnitType_MusicDevice)))
    }
    try onDevice(frames: 128) {
      let engine = AVAudioEngine()
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      if !device {
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      }
      let mixers = (0..<2).map { _ in AVAudioMixerNode() }
      for mixer in mixers {
        engine.attach(mixer)
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
      }
      let end = Date().addingTimeInterval(Self.seconds / 2)
      let threads = try units.enumerated().map { seed, midi in
        let stormer = try Stormer(engine, mixers, midi)
        return OwnThread {
          var dice = Dice(seed + 1)
          while Date() < end { for _ in 0..<10 { stormer.act(&dice) } }
          for node in stormer.nodes + [stormer.processor] { engine.detach(node) }
        }
      }
      if !device {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        while Date() < end { _ = try? engine.renderOffline(128, to: buffer) }
      }
      for thread in threads { thread.join() }
      engine.stop()
      for mixer in mixers { mixer.removeTap(onBus: 0) }
      #expect(engine.attachedNodes.count == 4)
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: mixers[0], format: nil)
      try engine.start()
      if device {
        #expect(wait { counter.next > 1_000 })
      } else {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        #expect(try engine.renderOffline(512, to: buffer) == .success)
        let samples = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 512)
        #expect(Array(samples) == Counter.samples(512))
      }
      engine.stop()
    }
  }

  // MARK: Cycles

  @Test("nodes that are detached and released are gone at once, also while the engine runs")
  func gone() throws {
    let offline = try Offline()
    let engine = offline.engine
    _ = engine.mainMixerNode
    try engine.start()
    for make in [
      { AVAudioPlayerNode() }, { AVAudioMixerNode() }, { AVAudioUnitReverb() },
      { AVAudioUnitEQ(numberOfBands: 3) }, { AVAudioUnitTimePitch() }, { Counter().node() },
      { AVAudioEnvironmentNode() },
    ] as [() -> AVAudioNode] {
      weak var gone: AVAudioNode?
      do {
        let node = make()
        gone = node
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: nil)
        node.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        _ = try? offline.render(512)
        node.removeTap(onBus: 0)
        engine.detach(node)
      }
      #expect(gone == nil, "\(String(describing: gone))")
    }
  }

  /// `make soak` does ten thousand.
  @Test("cycles of all kinds of nodes leave no memory and no descriptors behind")
  func flat() async {
    await #expect(processExitsWith: .success) {
      let offline = try Offline(48_000, 2, maximum: 512)
      let engine = offline.engine
      _ = engine.mainMixerNode
      let buffer = try PlayerNodeTests.buffer(noise(50))
      func play(_ player: AVAudioPlayerNode) throws {
        try engine.start()
        player.scheduleBuffer(buffer, at: nil, options: .loops)
        player.play()
        _ = try offline.render(128)
        player.stop()
      }
      func cycle() async throws {
        let (player, equaliser, mixer) = (
          AVAudioPlayerNode(), AVAudioUnitEQ(numberOfBands: 1), AVAudioMixerNode()
        )
        let processor = try await SendingProcessor.node()
        let instrument = try await SendingProcessor.node(kAudioUnitType_MusicDevice)
        let nodes: [AVAudioNode] = [mixer, player, equaliser, processor, instrument]
        for node in nodes { engine.attach(node) }
        engine.connect(instrument, to: engine.mainMixerNode, format: nil)
        engine.connectMIDI(processor, to: instrument, format: nil)
        engine.connect(player, to: equaliser, format: nil)
        engine.connect(equaliser, to: mixer, format: nil)
        engine.connect(mixer, to: engine.mainMixerNode, format: nil)
        try play(player)
        for node in nodes { engine.detach(node) }
        engine.stop()
      }
      let isLong = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil
      // Handles of units are used again after many others.
      for _ in 0..<1_100 { _ = AVAudioMixerNode() }
      for _ in 0..<20 { try await cycle() }
      let before = ProcessState()
      let growth = try await heapGrowth(of: isLong ? 2_000 : 40, cycle)
      let after = ProcessState()
      guard growth < 16, after.threadCount <= before.threadCount + 1,
        after.descriptorCount <= before.descriptorCount
      else { fatalError("\(growth) bytes for each cycle; \(before); \(after)") }
    }
  }
}
