// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization
import Testing

/// A program that sets a maximum has a callback that was made for it: no more frames fit in there.
@Suite("The maximum slice of a unit in a graph")
struct MaximumSliceTests {
  /// A source whose samples count the frames, and the sizes of its slices.
  private final class Source: Sendable {
    private let sizes = Mutex<[Int]>([])
    var callback: Callback {
      Callback { [self] time, _, list in
        for buffer in list {
          let samples = UnsafeMutableBufferPointer<Float>(buffer)
          for frame in samples.indices {
            samples[frame] = Float(Int(time.mSampleTime) + frame) / 65_536
          }
        }
        sizes.withLock { $0.append(Int(list[0].mDataByteSize) / 4) }
      }
    }
    var largest: Int { sizes.withLock { $0.max() ?? 0 } }
    var total: Int { sizes.withLock { $0.reduce(0, +) } }
  }

  private static let maximum = kAudioUnitProperty_MaximumFramesPerSlice
  private static let mixer = AudioComponentDescription.apple(
    kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)

  /// A unit that is fed by a callback and pulled by `others` and a generic output, in this order.
  private func graph(
    _ first: AudioComponentDescription, _ others: [AudioComponentDescription], _ source: Source
  ) throws -> (Graph, first: AUNode, output: AUNode) {
    let graph = try Graph()
    let nodes = try ([first] + others).map { try graph.add($0) } + [graph.addOutput()]
    for (node, next) in zip(nodes, nodes.dropFirst()) {
      #expect(graph.connect(node, to: next) == noErr)
    }
    #expect(graph.feed(nodes[0], 0, source.callback) == noErr)
    try graph.open()
    return (graph, nodes[0], try #require(nodes.last))
  }

  @Test(
    "is kept if the program set it; the unit that pulls cuts its slices",
    arguments: [
      [], [MaximumSliceTests.mixer], [TestUnit.gain.description], [TestUnit.lag.description],
      [.apple(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)],
    ] as [[AudioComponentDescription]])
  func kept(others: [AudioComponentDescription]) throws {
    let source = Source()
    let (graph, first, output) = try graph(Self.mixer, others, source)
    try graph.set(first, Self.maximum, UInt32(128))
    try graph.initialize()
    #expect(try graph.get(first, Self.maximum, as: UInt32(0)) == 128)
    let samples = try graph.render(output, 4_096, slice: 1_024)
    #expect(source.largest == 128)
    #expect(source.total == 4_096)
    if others.isEmpty { #expect(samples == (0..<4_096).map { Float($0) / 65_536 }) }
  }

  @Test(
    "also holds where the reader needs more frames than it outputs",
    arguments: [kAudioUnitSubType_Varispeed, kAudioUnitSubType_NewTimePitch])
  func faster(subType: OSType) throws {
    let source = Source()
    let (graph, first, output) = try graph(
      Self.mixer, [.apple(kAudioUnitType_FormatConverter, subType)], source)
    try graph.set(first, Self.maximum, UInt32(128))
    let player = AUNode(first + 1)
    try graph.setParameter(player, AudioUnitParameterID(kVarispeedParam_PlaybackRate), 2)
    try graph.initialize()
    _ = try graph.render(output, 4_096, slice: 1_024)
    #expect(source.largest <= 128)
    #expect(source.total > 2_048)
  }

  @Test(
    "of a unit that pulls its own callback is kept too",
    arguments: [
      TestUnit.gain.description,
      .apple(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter),
      .apple(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed),
      .apple(kAudioUnitType_FormatConverter, kAudioUnitSubType_DeferredRenderer),
    ] as [AudioComponentDescription])
  func ownCallback(unit: AudioComponentDescription) throws {
    let source = Source()
    let (graph, first, output) = try graph(unit, [], source)
    try graph.set(first, Self.maximum, UInt32(128))
    try graph.initialize()
    _ = try graph.render(output, 4_096, slice: 1_024)
    #expect(source.largest <= 128)
    #expect(try graph.get(first, Self.maximum, as: UInt32(0)) == 128)
  }

  @Test("is raised to the reader's if nobody set it, each time that the graph is initialised")
  func raised() throws {
    let source = Source()
    let (graph, first, output) = try graph(Self.mixer, [], source)
    try graph.initialize()
    #expect(try graph.get(first, Self.maximum, as: UInt32(0)) == 1_156)
    #expect(AUGraphUninitialize(graph.handle) == noErr)
    try graph.set(output, Self.maximum, UInt32(4_096))
    try graph.initialize()
    #expect(try graph.get(first, Self.maximum, as: UInt32(0)) == 4_096)
    _ = try graph.render(output, 4_096, slice: 4_096)
    #expect(source.largest == 4_096)
  }
}
