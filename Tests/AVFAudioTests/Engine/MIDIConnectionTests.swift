// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import CoreMIDI
import Testing

/// A unit that sends messages and records what it gets.
private final class MIDINode: AUAudioUnit {
  struct Message: Equatable {
    var time: Int64
    var bytes: [UInt8]
  }

  final class State: @unchecked Sendable {  // one render thread, and the test between renders
    var renders = 0
    var received: [Message] = []
    /// What the next render sends, at a frame after its start.
    var lists: [(frame: Int64, words: [UInt32])] = []
    var bytes: [(frame: Int64, bytes: [UInt8])] = []
  }

  let state = State()
  private var outputs: AUAudioUnitBusArray?

  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }

  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var midiOutputNames: [String] { ["Out"] }

  override var internalRenderBlock: AUInternalRenderBlock {
    let (bytesBlock, listBlock) = (midiOutputEventBlock, midiOutputEventListBlock)
    return { [state] _, time, frames, _, output, events, _ in
      state.renders += 1
      for buffer in UnsafeMutableAudioBufferListPointer(output) {
        buffer.mData?.assumingMemoryBound(to: Float.self)
          .update(repeating: 0, count: Int(frames))
      }
      var event = events
      while let next = event {
        let memory = UnsafeRawPointer(next)
        let bytes = (0..<Int(next.pointee.MIDI.length)).map {
          memory.load(fromByteOffset: 21 + $0, as: UInt8.self)
        }
        state.received.append(Message(time: next.pointee.head.eventSampleTime, bytes: bytes))
        event = UnsafePointer(next.pointee.head.next)
      }
      let start = Int64(time.pointee.mSampleTime)
      for (frame, words) in state.lists {
        let list = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 69)
        list.append(timestamp: 0, words: words)
        list.withUnsafePointer { _ = listBlock?(start + frame, 0, $0) }
      }
      for (frame, bytes) in state.bytes { _ = bytesBlock?(start + frame, 0, bytes.count, bytes) }
      (state.lists, state.bytes) = ([], [])
      return noErr
    }
  }

  /// A node of a new unit.
  static func node(_ type: OSType) async throws -> AVAudioUnit {
    let description = AudioComponentDescription(
      componentType: type, componentSubType: 0x6d63_6f6e, componentManufacturer: 0x5465_7374,
      componentFlags: 0, componentFlagsMask: 0)
    AUAudioUnit.registerSubclass(self, as: description, name: "Tests: MIDI node", version: 1)
    return try await AVAudioUnit.instantiate(with: description)
  }
}

extension AVAudioUnit {
  fileprivate var state: MIDINode.State {
    get throws { try #require((auAudioUnit as? MIDINode)?.state) }
  }
}

@Suite("MIDI connections of an engine", .serialized)
struct MIDIConnectionTests {
  private let offline: Offline
  private let engine: AVAudioEngine

  init() throws {
    offline = try Offline(48_000)
    engine = offline.engine
  }

  private func processor() async throws -> AVAudioUnit {
    let node = try await MIDINode.node(kAudioUnitType_MIDIProcessor)
    engine.attach(node)
    return node
  }

  private func instrument() async throws -> AVAudioUnit {
    let node = try await MIDINode.node(kAudioUnitType_MusicDevice)
    engine.attach(node)
    engine.connect(node, to: engine.mainMixerNode, format: nil)
    return node
  }

  private final class Tapped: @unchecked Sendable {  // one render thread, and the test
    var times: [Int64] = []
    var words: [UInt32] = []
    var bytes: [[UInt8]] = []
  }

  @Test("deliver messages in the cycle in which they are sent, at their frames")
  func delivery() async throws {
    let (source, instrument) = (try await processor(), try await instrument())
    let tapped = Tapped()
    engine.connectMIDI(source, to: instrument, format: nil) { time, _, list in
      tapped.times.append(time)
      for packet in list.unsafeSequence() { tapped.words += packet.words() }
      return noErr
    }
    try engine.start()
    #expect(source.outputFormat(forBus: 0).sampleRate == 48_000, "the rate of the destination")
    try source.state.lists = [(5, [0x2090_3c64]), (9, [0x2080_3c40])]
    _ = try offline.render(1_024, slice: 512)
    try source.state.lists = [(1, [0x20b0_0740])]
    _ = try offline.render(512, slice: 512)
    #expect(
      try instrument.state.received == [
        .init(time: 5, bytes: [0x90, 60, 100]), .init(time: 9, bytes: [0x80, 60, 64]),
        .init(time: 1_025, bytes: [0xb0, 7, 64]),
      ])
    #expect(try source.state.renders == 3)
    #expect(tapped.times == [5, 9, 1_025])
    #expect(tapped.words == [0x2090_3c64, 0x2080_3c40, 0x20b0_0740])
  }

  @Test("carry bytes, which a tap may get too")
  func bytes() async throws {
    let (source, instrument) = (try await processor(), try await instrument())
    let tapped = Tapped()
    engine.connectMIDI(
      source, to: instrument, format: nil,
      block: { time, _, count, bytes in
        tapped.times.append(time)
        tapped.bytes.append(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return noErr
      })
    try engine.start()
    try source.state.bytes = [(3, [0xc0, 7]), (4, [0x90, 60, 1, 0x90, 64, 2])]
    _ = try offline.render(64, slice: 64)
    let messages: [[UInt8]] = [[0xc0, 7], [0x90, 60, 1], [0x90, 64, 2]]
    #expect(tapped.bytes == messages && tapped.times == [3, 4, 4])
    #expect(
      try instrument.state.received.map(\.bytes).map { Array($0.prefix(2)) }
        == messages.map { Array($0.prefix(2)) })
  }

  @Test("reach several destinations, and only as long as they are connected")
  func several() async throws {
    let source = try await processor()
    let (one, two) = (try await instrument(), try await instrument())
    engine.connectMIDI(source, to: [one, two, one], format: nil)
    try engine.start()
    func counts(_ words: [UInt32] = [0x2090_3c64]) throws -> [Int] {
      try source.state.lists = [(0, words)]
      _ = try offline.render(64, slice: 64)
      defer { for node in [one, two] { try? node.state.received = [] } }
      return try [one, two].map { try $0.state.received.count }
    }
    #expect(try counts() == [1, 1])
    #expect(try source.state.renders == 1, "once in a cycle")
    engine.disconnectMIDI(source, from: one)
    #expect(try counts() == [0, 1])
    engine.disconnectMIDIInput(two)
    #expect(try counts() == [0, 0])
    try source.state.lists = []
    engine.connectMIDI(source, to: two, format: nil)
    #expect(try counts() == [0, 1])
    engine.connectMIDI(source, to: one, format: nil)
    #expect(try counts() == [1, 0], "in place of what it fed")
    engine.disconnectMIDIOutput(source)
    #expect(try counts() == [0, 0])
    engine.connectMIDI(source, to: [one, two], format: nil)
    engine.detach(two)
    #expect(try counts() == [1, 0])
    engine.disconnectMIDI(source, from: [one])
    #expect(source.auAudioUnit.midiOutputEventListBlock == nil)
  }

  @Test("go through processors, and a destination has one source")
  func chain() async throws {
    let (first, second) = (try await processor(), try await processor())
    let instrument = try await instrument()
    engine.connectMIDI(first, to: second, format: nil)
    engine.connectMIDI(second, to: instrument, format: nil)
    try engine.start()
    try first.state.lists = [(2, [0x2090_3c64])]
    try second.state.lists = [(3, [0x2080_3c00])]
    _ = try offline.render(64, slice: 64)
    #expect(try first.state.renders == 1 && second.state.renders == 1)
    #expect(try second.state.received == [.init(time: 2, bytes: [0x90, 60, 100])])
    #expect(try instrument.state.received == [.init(time: 3, bytes: [0x80, 60, 0])])
    engine.connectMIDI(first, to: instrument, format: nil)
    try second.state.lists = [(3, [0x2080_3c00])]
    _ = try offline.render(64, slice: 64)
    #expect(try instrument.state.received.count == 1, "the second processor was replaced")
  }

  @Test("go with their source: a processor that is detached and released is gone, and its unit")
  func gone() async throws {
    let instrument = try await instrument()
    try engine.start()
    weak var unit: AUAudioUnit?
    weak var node: AVAudioUnit?
    do {
      let source = try await processor()
      (unit, node) = (source.auAudioUnit, source)
      engine.connectMIDI(source, to: instrument, format: nil)
      _ = try offline.render(64, slice: 64)
      engine.detach(source)
    }
    #expect(unit == nil && node == nil)
    _ = try offline.render(64, slice: 64)
  }

  @Test("begin again with the time of the engine")
  func restart() async throws {
    let (source, instrument) = (try await processor(), try await instrument())
    engine.connectMIDI(source, to: instrument, format: nil)
    for _ in 0..<2 {
      try engine.start()
      try source.state.lists = [(0, [0x2090_3c64])]
      _ = try offline.render(64, slice: 64)
      engine.reset()
      try source.state.lists = [(0, [0x2090_3c64])]
      _ = try offline.render(64, slice: 64)
      engine.stop()
    }
    #expect(try instrument.state.received.count == 4)
  }

  @Test("from what is no processor, to what takes no MIDI, or in a cycle end the program")
  func refusals() async {
    let none = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let engine = AVAudioEngine()
      let player = AVAudioPlayerNode()
      engine.attach(player)
      engine.connectMIDI(player, to: player, format: nil)
    }
    let deaf = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let engine = AVAudioEngine()
      let (source, mixer) = (
        try await MIDINode.node(kAudioUnitType_MIDIProcessor), AVAudioMixerNode()
      )
      engine.attach(source)
      engine.attach(mixer)
      engine.connectMIDI(source, to: mixer, format: nil)
    }
    let cycle = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let engine = AVAudioEngine()
      let nodes = [
        try await MIDINode.node(kAudioUnitType_MIDIProcessor),
        try await MIDINode.node(kAudioUnitType_MIDIProcessor),
      ]
      for node in nodes { engine.attach(node) }
      engine.connectMIDI(nodes[0], to: nodes[1], format: nil)
      engine.connectMIDI(nodes[1], to: nodes[0], format: nil)
    }
    let call = "AVAudioEngine.connectMIDI(_:to:format:eventListBlock:): "
    #expect(said(none).contains("\(call)AVAudioPlayerNode is no MIDI processor with an output; "))
    #expect(said(deaf).contains("\(call)AVAudioMixerNode takes no MIDI; connect to an instrument"))
    #expect(said(cycle).contains("so this makes a cycle; disconnect one of the two"))
  }
}
