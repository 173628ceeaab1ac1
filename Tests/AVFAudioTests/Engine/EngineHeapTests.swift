// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import CAllocationProbe
import Synchronization
import Testing

/// The renders of every kind of node, in real-time rendering and in the cycles of a device. The blocks of
/// these tests allocate nothing themselves.
@Suite("Renders of an engine do not use the heap", .serialized, .enabled(if: heap_is_counted()))
struct EngineHeapTests {
  /// An engine in real-time rendering, whose renders are counted.
  private struct Rendering {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    private let list = AudioBufferList.allocate(maximumBuffers: 2)

    init() throws {
      format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 1_024)
    }

    /// Renders slices of several sizes; `meanwhile` is called between two of them. All must succeed.
    func expectNoHeap(_ meanwhile: (Int) throws -> Void = { _ in }) throws {
      defer { free(list.unsafeMutablePointer) }
      if !engine.isRunning { try engine.start() }
      let block = engine.manualRenderingBlock
      let sizes: [UInt32] = [512, 1_000, 1, 64]
      var operations: Int64 = 0
      for slice in 0..<200 {
        for channel in 0..<2 {
          list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        }
        let before = heap_operations()
        let status = block(sizes[slice % 4], list.unsafeMutablePointer, nil)
        operations += heap_operations() - before
        #expect(status == .success)
        try meanwhile(slice)
      }
      #expect(operations == 0)
    }

    /// Connects nodes one behind the other, from a steady source to the main mixer.
    func connect(_ nodes: [AVAudioNode], _ format: AVAudioFormat? = nil) {
      let source = Steady.source()
      engine.attach(source)
      var last: AVAudioNode = source
      for node in nodes {
        engine.attach(node)
        engine.connect(last, to: node, format: format)
        last = node
      }
      engine.connect(last, to: engine.mainMixerNode, format: nil)
    }
  }

  /// Steady sound, without the heap.
  private enum Steady {
    static func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ value: Float) {
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        buffer.mData?.assumingMemoryBound(to: Float.self)
          .update(repeating: value, count: Int(buffer.mDataByteSize) / 4)
      }
    }

    static func source(_ format: AVAudioFormat? = nil) -> AVAudioSourceNode {
      let block:
        @Sendable (
          UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
          UnsafeMutablePointer<AudioBufferList>
        ) -> OSStatus = { _, _, _, list in
          fill(list, 0.25)
          return noErr
        }
      return format.map { AVAudioSourceNode(format: $0, renderBlock: block) }
        ?? AVAudioSourceNode(renderBlock: block)
    }
  }

  @Test("in effects", arguments: [0, 1, 2, 3, 4, 5])
  func effects(kind: Int) throws {
    let makers: [() -> AVAudioNode] = [
      { AVAudioUnitEQ(numberOfBands: 4) }, { AVAudioUnitReverb() }, { AVAudioUnitDelay() },
      { AVAudioUnitDistortion() }, { AVAudioUnitTimePitch() }, { AVAudioUnitVarispeed() },
    ]
    let rendering = try Rendering()
    let effect = makers[kind]()
    (effect as? AVAudioUnitTimePitch)?.pitch = 300
    (effect as? AVAudioUnitVarispeed)?.rate = 1.25
    (effect as? AVAudioUnitReverb)?.wetDryMix = 50
    rendering.connect([effect])
    try rendering.expectNoHeap()
  }

  @Test(
    "in an environment with a room",
    arguments: [AVAudio3DMixingRenderingAlgorithm.equalPowerPanning, .HRTF])
  func environment(algorithm: AVAudio3DMixingRenderingAlgorithm) throws {
    let rendering = try Rendering()
    let environment = AVAudioEnvironmentNode()
    environment.reverbParameters.enable = true
    let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
    rendering.connect([environment], mono)
    let source = try #require(
      rendering.engine.inputConnectionPoint(for: environment, inputBus: 0)?.node
        as? AVAudioSourceNode)
    source.reverbBlend = 0.5
    source.renderingAlgorithm = algorithm
    try rendering.expectNoHeap { source.position = AVAudioMake3DPoint(Float($0 % 7) - 3, 0, -1) }
  }

  @Test("where a source and a branch are converted")
  func conversion() throws {
    let rendering = try Rendering()
    let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1))
    let mixer = AVAudioMixerNode()
    rendering.connect([mixer], other)
    let source = Steady.source(other)
    rendering.engine.attach(source)
    rendering.engine.connect(source, to: rendering.engine.mainMixerNode, format: nil)
    try rendering.expectNoHeap()
  }

  @Test("with input of a block, and in taps")
  func manualInput() throws {
    let rendering = try Rendering()
    let engine = rendering.engine
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: rendering.format, frameCapacity: 1_024))
    buffer.frameLength = 1_024
    let list = buffer.mutableAudioBufferList
    Steady.fill(list, 0.5)
    nonisolated(unsafe) let supplied = UnsafePointer(list)
    #expect(
      engine.inputNode.setManualRenderingInputPCMFormat(rendering.format) { _ in supplied })
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    let count = Atomic(0)
    let nodes: [AVAudioNode] = [engine.inputNode, engine.mainMixerNode, engine.outputNode]
    for node in nodes {
      node.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in
        count.wrappingAdd(1, ordering: .relaxed)
      }
    }
    try rendering.expectNoHeap()
    #expect(wait { count.load(ordering: .relaxed) > 0 })
    for node in nodes { node.removeTap(onBus: 0) }
    withExtendedLifetime(buffer) {}
  }

  @Test("in MIDI connections, with lists and with bytes", arguments: [false, true])
  func midi(bytes: Bool) async throws {
    let rendering = try Rendering()
    let engine = rendering.engine
    let source = try await SendingProcessor.node(sendsBytes: bytes)
    let instrument = try await AVAudioUnit.instantiate(
      with: AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_Sampler,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0))
    for node in [source, instrument] { engine.attach(node) }
    engine.connect(instrument, to: engine.mainMixerNode, format: nil)
    let taps = Atomic(0)
    if bytes {
      engine.connectMIDI(
        source, to: instrument, format: nil,
        block: { _, _, _, _ in
          taps.wrappingAdd(1, ordering: .relaxed)
          return noErr
        })
    } else {
      engine.connectMIDI(source, to: instrument, format: nil) { _, _, _ in
        taps.wrappingAdd(1, ordering: .relaxed)
        return noErr
      }
    }
    try rendering.expectNoHeap()
    #expect(taps.load(ordering: .relaxed) == 200)
  }

  @Test("in the cycles of a device: sinks, taps of the input, players")
  func device() throws {
    let recording = [Float](repeating: 0.1, count: 100_000)
    let input = try Tape([recording, recording])
    let received = Atomic(0)
    let tapped = Atomic(0)
    let probe = CycleProbe()
    try onDevice(Tape(), input: input) {
      let engine = AVAudioEngine()
      let sink = AVAudioSinkNode { _, frames, _ in
        received.wrappingAdd(Int(frames), ordering: .relaxed)
        return noErr
      }
      let player = AVAudioPlayerNode()
      for node in [sink, player] { engine.attach(node) }
      engine.connect(engine.inputNode, to: sink, format: nil)
      engine.connect(player, to: engine.mainMixerNode, format: nil)
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in
        tapped.wrappingAdd(1, ordering: .relaxed)
      }
      let unit = try #require(engine.outputNode.audioUnit)
      probe.watch(unit)
      try engine.start()
      player.scheduleBuffer(try PlayerNodeTests.buffer(noise(100)), at: nil, options: .loops)
      player.play()
      #expect(wait { probe.cycles.load(ordering: .relaxed) > 200 })
      #expect(
        wait {
          received.load(ordering: .relaxed) > 10_000 && tapped.load(ordering: .relaxed) > 0
        })
      engine.stop()
      probe.leave(unit)
      engine.inputNode.removeTap(onBus: 0)
    }
    #expect(probe.operations.load(ordering: .relaxed) == 0)
  }

  /// Counts the heap operations of a device's thread from its first cycle to its last.
  private final class CycleProbe: Sendable {
    let cycles = Atomic(0)
    private let first = Atomic<Int64>(0)
    let operations = Atomic<Int64>(0)

    private static let notification: AURenderCallback = { context, _, _, _, _, _ in
      Unmanaged<CycleProbe>.fromOpaque(context)._withUnsafeGuaranteedRef { probe in
        let now = heap_operations()
        if probe.cycles.wrappingAdd(1, ordering: .relaxed).oldValue == 0 {
          probe.first.store(now, ordering: .relaxed)
        }
        probe.operations.store(
          now - probe.first.load(ordering: .relaxed), ordering: .relaxed)
      }
      return noErr
    }

    func watch(_ unit: AudioUnit) {
      #expect(AudioUnitAddRenderNotify(unit, Self.notification, context) == noErr)
    }

    func leave(_ unit: AudioUnit) {
      AudioUnitRemoveRenderNotify(unit, Self.notification, context)
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  }
}
