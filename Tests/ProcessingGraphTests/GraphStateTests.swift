// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("States of a graph")
struct GraphStateTests {
  /// A graph of a source, an effect and a generic output.
  private func chain() throws -> (Graph, source: AUNode, effect: AUNode, output: AUNode) {
    let graph = try Graph()
    let nodes = (try graph.add(.steps), try graph.add(.gain), try graph.addOutput())
    #expect(graph.connect(nodes.0, to: nodes.1) == noErr)
    #expect(graph.connect(nodes.1, to: nodes.2) == noErr)
    return (graph, nodes.0, nodes.1, nodes.2)
  }

  @Test("follow in order: created, open, initialised, running, and back")
  func order() throws {
    let (graph, _, _, output) = try chain()
    #expect(graph.states == [false, false, false])
    try graph.open()
    #expect(graph.states == [true, false, false])
    try graph.initialize()
    #expect(graph.states == [true, true, false])
    try graph.start()
    #expect(graph.states == [true, true, true])
    #expect(try graph.render(output, 8) == Array(repeating: 1, count: 8))
    try graph.stop()
    #expect(graph.states == [true, true, false])
    #expect(AUGraphUninitialize(graph.handle) == noErr)
    #expect(graph.states == [true, false, false])
    #expect(AUGraphClose(graph.handle) == noErr)
    #expect(graph.states == [false, false, false])
    #expect(graph.nodeCount == 3)
    #expect(graph.interactionCount == 2)
    // The same again.
    try graph.open()
    try graph.initialize()
    try graph.start()
    #expect(try graph.render(output, 8) == Array(repeating: 1, count: 8))
    #expect(graph.dispose() == noErr)
  }

  @Test("may be requested twice")
  func repeated() throws {
    let (graph, _, _, _) = try chain()
    for _ in 0..<2 { try graph.open() }
    for _ in 0..<2 { try graph.initialize() }
    for _ in 0..<2 { try graph.start() }
    for _ in 0..<2 { try graph.stop() }
    for _ in 0..<2 { #expect(AUGraphUninitialize(graph.handle) == noErr) }
    for _ in 0..<2 { #expect(AUGraphClose(graph.handle) == noErr) }
  }

  @Test("cannot be skipped; the error names the missing call")
  func wrongOrder() throws {
    let (graph, _, _, _) = try chain()
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_InvalidAudioUnit)
    #expect(explanation.contains("AUGraphOpen"))
    #expect(AUGraphStart(graph.handle) == kAudioUnitErr_Uninitialized)
    #expect(explanation.contains("initialize"))
    try graph.open()
    #expect(AUGraphStart(graph.handle) == kAudioUnitErr_Uninitialized)
    #expect(AUGraphStop(graph.handle) == noErr)
    #expect(AUGraphUninitialize(graph.handle) == noErr)
    #expect(graph.states == [true, false, false])
  }

  @Test("are all left when a running graph is closed or disposed of")
  func closeRunning() throws {
    let (graph, source, _, _) = try chain()
    try graph.open()
    try graph.initialize()
    try graph.start()
    let unit = try graph.unit(source)
    #expect(AUGraphClose(graph.handle) == noErr)
    #expect(graph.states == [false, false, false])
    #expect(AudioUnitInitialize(unit) == kAudio_ParamError)
    try graph.open()
    try graph.initialize()
    try graph.start()
    #expect(graph.dispose() == noErr)
    var isOpen = true
    #expect(AUGraphIsOpen(graph.handle, &isOpen) == kAudio_ParamError)
  }

  @Test("need exactly one output node")
  func outputNode() throws {
    let graph = try Graph()
    _ = try graph.add(.steps)
    try graph.open()
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_OutputNodeErr)
    _ = try graph.addOutput()
    var (second, node) = (
      AudioComponentDescription.output(kAudioUnitSubType_RemoteIO), AUNode(7)
    )
    #expect(AUGraphAddNode(graph.handle, &second, &node) == kAUGraphErr_OutputNodeErr)
    #expect(explanation.contains("GenericOutput"))
    #expect(graph.nodeCount == 2)
    try graph.initialize()
  }

  @Test("create the units when the graph is opened, and keep them until it is closed")
  func units() throws {
    let (graph, source, _, _) = try chain()
    var unit: AudioUnit? = AudioUnit(bitPattern: 1)
    var description = AudioComponentDescription()
    #expect(AUGraphNodeInfo(graph.handle, source, &description, &unit) == noErr)
    #expect(unit == nil)
    #expect(description.componentSubType == TestUnit.steps.description.componentSubType)
    try graph.open()
    let opened = try graph.unit(source)
    #expect(try graph.unit(source) == opened)
    try graph.initialize()
    #expect(try graph.unit(source) == opened)
    #expect(AUGraphNodeInfo(graph.handle, source, nil, nil) == noErr)
  }

  @Test("apply at once to nodes that are added to an open graph")
  func lateNode() throws {
    let (graph, _, _, _) = try chain()
    try graph.open()
    let late = try graph.add(.gain)
    _ = try graph.unit(late)
    try graph.initialize()
    _ = try graph.unit(graph.add(.gain))
  }

  @Test("initialise the connected units; others are initialised when they are connected")
  func participants() throws {
    let (graph, _, _, _) = try chain()
    let lonely = try graph.add(.gain)
    try graph.open()
    try graph.initialize()
    // The maximum slice of an initialised unit cannot be changed.
    let frames = UInt32(512)
    try graph.set(lonely, kAudioUnitProperty_MaximumFramesPerSlice, frames)
    #expect(graph.feed(lonely, 0, .constant(1)) == noErr)
    try graph.set(lonely, kAudioUnitProperty_MaximumFramesPerSlice, frames)
    #expect(graph.update() == noErr)
    #expect(throws: CallFailure.self) {
      try graph.set(lonely, kAudioUnitProperty_MaximumFramesPerSlice, frames)
    }
    #expect(graph.disconnect(lonely) == noErr)
    #expect(graph.update() == noErr)
    try graph.set(lonely, kAudioUnitProperty_MaximumFramesPerSlice, frames)
  }

  @Test("are refused, with the node, for a component that does not exist")
  func unknownComponent() throws {
    let graph = try Graph()
    let node = try graph.add(.apple(kAudioUnitType_Effect, code("????")))
    #expect(AUGraphOpen(graph.handle) == invalidComponentID)
    #expect(explanation.contains("node \(node)"))
    #expect(graph.states == [false, false, false])
    #expect(graph.remove(node) == noErr)
    try graph.open()
  }

  @Test("that a unit refuses are reverted; the error names the node")
  func refusedInitialization() throws {
    let (graph, source, effect, _) = try chain()
    try graph.open()
    try graph.setFormat(effect, kAudioUnitScope_Output, rate: 48_000)
    #expect(AUGraphInitialize(graph.handle) == kAudioUnitErr_FormatNotSupported)
    #expect(explanation.contains("node \(effect) (Gain)"))
    #expect(graph.states == [true, false, false])
    // Nothing stays initialised.
    try graph.set(source, kAudioUnitProperty_MaximumFramesPerSlice, UInt32(512))
    try graph.setFormat(effect, kAudioUnitScope_Output)
    try graph.initialize()
  }
}
