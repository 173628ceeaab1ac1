// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import CAllocationProbe
import Foundation
import Testing

@Suite("AVAudioEngine, life and storms")
struct EngineLifeTests {
  @Test("frees the engine and its nodes")
  func released() throws {
    weak var (engine, node): (AVAudioEngine?, AVAudioSourceNode?)
    do {
      let offline = try Offline()
      let source = Counter().node()
      (engine, node) = (offline.engine, source)
      offline.engine.attach(source)
      offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
      source.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
      try offline.engine.start()
      _ = try offline.render(512)
    }
    #expect(engine == nil)
    #expect(wait { node == nil })
  }

  @Test("keeps a node that the program holds, which another engine may have")
  func outlives() throws {
    let source = Counter().node()
    do {
      let offline = try Offline()
      offline.engine.attach(source)
      offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
      try offline.engine.start()
      _ = try offline.render(512)
    }
    #expect(source.engine == nil)
    let offline = try Offline()
    offline.engine.attach(source)
    offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    #expect(try offline.render(512)[0] == Counter.samples(512, from: 512))
  }

  @Test("describes chains, and nodes that reach nothing")
  func description() throws {
    let engine = AVAudioEngine()
    let (source, lonely) = (Counter().node(), AVAudioMixerNode())
    engine.attach(source)
    engine.attach(lonely)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    let text = engine.description
    let parts = text.components(separatedBy: "other nodes")
    #expect(parts.count == 2)
    #expect(parts[0].contains("AVAudioSourceNode") && parts[0].contains("AVAudioOutputNode"))
    #expect(parts[1].contains("AVAudioMixerNode"))
  }

  @Test("counts no heap operation while it renders", .enabled(if: heap_is_counted()))
  func heap() throws {
    let offline = try Offline()
    let engine = offline.engine
    let source = AVAudioSourceNode { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
      }
      return noErr
    }
    let probe = HeapProbe()
    engine.attach(source)
    let mixer = AVAudioMixerNode()
    engine.attach(mixer)
    engine.connect(
      source, to: mixer, format: AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    source.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
    mixer.installTap(onBus: 0, bufferSize: 1_024, format: nil) { _, _ in }
    let head = try #require(engine.outputNode.audioUnit)
    AudioUnitAddRenderNotify(head, HeapProbe.notify, probe.context)
    try engine.start()
    _ = try offline.render(48_000, slice: 1_000)
    AudioUnitRemoveRenderNotify(head, HeapProbe.notify, probe.context)
    #expect(probe.rounds == 48 && probe.operations == 0)
  }

  /// Counts heap operations between the notifications of a unit.
  private final class HeapProbe: @unchecked Sendable {  // one render thread
    private var before: Int64 = 0
    private(set) var operations: Int64 = 0
    private(set) var rounds = 0
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let notify: AURenderCallback = { context, flags, _, _, _, _ in
      let probe = Unmanaged<HeapProbe>.fromOpaque(context).takeUnretainedValue()
      if flags.pointee.contains(.unitRenderAction_PreRender) {
        probe.before = heap_operations()
      } else {
        probe.operations += heap_operations() - probe.before
        probe.rounds += 1
      }
      return noErr
    }
  }

  @Test("needs no more memory and descriptors after some hundred cycles")
  func flat() async {
    await #expect(processExitsWith: .success) {
      func cycle() throws {
        let offline = try Offline(48_000, 2, maximum: 512)
        let source = Counter().node()
        offline.engine.attach(source)
        offline.engine.connect(source, to: offline.engine.mainMixerNode, format: nil)
        source.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        try offline.engine.start()
        _ = try offline.render(1_024)
        offline.engine.detach(source)
        offline.engine.stop()
      }
      // Handles of units are used again after many others.
      for _ in 0..<1_100 { _ = AVAudioMixerNode() }
      for _ in 0..<20 { try cycle() }
      let before = ProcessState()
      let growth = try await heapGrowth(
        of: 40, until: { !ProcessState().threadNames.contains("audio tap") }, cycle)
      let after = ProcessState()
      guard growth < 16, after.threadCount <= before.threadCount + 1,
        after.descriptorCount <= before.descriptorCount
      else { fatalError("\(growth) bytes for each cycle; \(before); \(after)") }
    }
  }

  @Test("bears edits, starts, stops and taps from several threads", arguments: [false, true])
  func storm(device: Bool) throws {
    try onDevice {
      let engine = AVAudioEngine()
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      if !device {
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      }
      _ = engine.mainMixerNode
      try engine.start()
      let mixers = (0..<3).map { _ in AVAudioMixerNode() }
      for mixer in mixers { engine.attach(mixer) }
      let workers = (0..<3).map { worker in
        OwnThread { Self.storm(engine, mixers, worker, renders: !device) }
      }
      for worker in workers { worker.join() }
      try engine.start()
      #expect(engine.isRunning)
      engine.stop()
    }
  }

  private static func storm(
    _ engine: AVAudioEngine, _ mixers: [AVAudioMixerNode], _ worker: Int, renders: Bool
  ) {
    let buffer = AVAudioPCMBuffer(
      pcmFormat: engine.outputNode.inputFormat(forBus: 0), frameCapacity: 512)
    let mono = AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1)
    for round in 0..<24 {
      let node = Counter().node()
      let mixer = mixers[(worker + round) % mixers.count]
      engine.attach(node)
      try? engine.connectNode(node, to: mixer, format: round % 2 == 0 ? nil : mono)
      try? engine.connectNode(mixer, to: engine.mainMixerNode, format: nil)
      try? mixer.installAudioTap(onBus: 0, bufferSize: 256, format: nil) { _, _ in }
      node.volume = Float(round) / 24
      if renders, let buffer { _ = try? engine.renderOffline(256, to: buffer) }
      if round % 8 == worker { engine.pause() }
      if round % 16 == worker { engine.stop() }
      try? engine.start()
      mixer.removeTap(onBus: 0)
      engine.disconnectNodeOutput(node)
      engine.detach(node)
    }
  }
}
