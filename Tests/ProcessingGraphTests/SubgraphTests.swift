// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Sub-graphs")
struct SubgraphTests {
  /// A graph with a sub-graph that multiplies its input by its gain and adds 1.
  private func nested() throws -> (Graph, sub: Graph, node: AUNode, gain: AUNode, output: AUNode) {
    let graph = try Graph()
    let output = try graph.addOutput()
    let (node, sub) = try graph.addSubgraph()
    let (gain, steps) = (try sub.add(.gain), try sub.add(.steps))
    let (sum, end) = (try sub.add(.sum), try sub.addOutput())
    #expect(sub.connect(steps, to: sum, 0) == noErr)
    #expect(sub.connect(gain, to: sum, 1) == noErr)
    #expect(sub.connect(sum, to: end) == noErr)
    #expect(graph.connect(node, to: output) == noErr)
    return (graph, sub, node, gain, output)
  }

  @Test("are nodes with the output of their own output node")
  func output() throws {
    let (graph, sub, node, gain, output) = try nested()
    var isSubgraph = false
    #expect(AUGraphIsNodeSubGraph(graph.handle, node, &isSubgraph) == noErr)
    #expect(isSubgraph)
    #expect(AUGraphIsNodeSubGraph(graph.handle, output, &isSubgraph) == noErr)
    #expect(!isSubgraph)
    var none: AUGraph?
    #expect(
      AUGraphGetNodeInfoSubGraph(graph.handle, output, &none) == kAUGraphErr_NodeNotFound)
    try graph.open()
    #expect(sub.states == [true, false, false])
    // The first free input of the sub-graph is that of the gain.
    #expect(graph.feed(node, 0, .constant(10)) == noErr)
    try sub.setParameter(gain, 0, 2)
    try graph.initialize()
    #expect(sub.states == [true, true, false])
    try graph.start()
    #expect(sub.states == [true, true, true])
    #expect(try graph.render(output, 3) == [21, 21, 21])
  }

  @Test("are edited and updated with the whole graph, through either handle")
  func edits() throws {
    let (graph, sub, node, gain, output) = try nested()
    try graph.open()
    #expect(graph.feed(node, 0, .constant(10)) == noErr)
    try graph.initialize()
    #expect(try graph.render(output, 2) == [11, 11])
    let late = try sub.add(.steps)
    try sub.setParameter(late, 1, 5)
    #expect(sub.connect(late, to: gain) == noErr)
    #expect(try graph.render(output, 2, from: 2) == [11, 11])
    // The gain has a source inside now: the first free input is one of the sum's.
    #expect(sub.update() == noErr)
    #expect(try graph.render(output, 2, from: 4) == [16, 16])
    #expect(sub.disconnect(gain) == noErr)
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 2, from: 6) == [11, 11])
    // A cycle may pass through both graphs.
    let outer = try graph.add(.gain)
    #expect(graph.disconnect(output) == noErr)
    #expect(graph.connect(node, to: outer) == noErr)
    #expect(graph.disconnect(node) == noErr)
    #expect(graph.connect(outer, to: node) == noErr)
    #expect(graph.update() == kAUGraphErr_InvalidConnection)
    #expect(explanation.contains("node \(node).\(gain) (Gain)"))
    #expect(try graph.render(output, 2, from: 8) == [11, 11])
  }

  @Test("have the states of the graph that contains them, and are disposed of with their node")
  func ownership() throws {
    let (graph, sub, node, gain, _) = try nested()
    #expect(AUGraphOpen(sub.handle) == kAudio_ParamError)
    #expect(explanation.contains("contains it"))
    #expect(DisposeAUGraph(sub.handle) == kAudio_ParamError)
    #expect(sub.nodeCount == 4)
    try graph.open()
    try graph.initialize()
    let unit = try sub.unit(gain)
    #expect(graph.remove(node) == noErr)
    // It exists until the update.
    #expect(sub.nodeCount == 4)
    #expect(graph.update() == noErr)
    var count: UInt32 = 0
    #expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError)
    for _ in 0..<20_000 where AUGraphGetNodeCount(sub.handle, &count) == noErr { usleep(100) }
    #expect(AUGraphGetNodeCount(sub.handle, &count) == kAudio_ParamError)
  }

  @Test("are disposed of when they were added and removed between two updates")
  func added() throws {
    let (graph, _, _, _, _) = try nested()
    try graph.open()
    try graph.initialize()
    let (node, sub) = try graph.addSubgraph()
    let unit = try sub.unit(try sub.add(.gain))
    try check(graph.remove(node))
    try check(graph.update())
    #expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError)
    var count: UInt32 = 0
    for _ in 0..<20_000 where AUGraphGetNodeCount(sub.handle, &count) == noErr { usleep(100) }
    #expect(AUGraphGetNodeCount(sub.handle, &count) == kAudio_ParamError)
  }

  @Test("need an output node")
  func noOutput() throws {
    let graph = try Graph()
    let output = try graph.addOutput()
    let (node, sub) = try graph.addSubgraph()
    _ = try sub.add(.steps)
    #expect(graph.connect(node, to: output) == noErr)
    try graph.open()
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_OutputNodeErr)
    #expect(explanation.contains("node \(node) (a sub-graph)"))
  }
}

@Suite("CAShow")
struct CAShowTests {
  /// The description that is printed of an object.
  private func shown(_ object: UnsafeMutableRawPointer) throws -> String {
    var (memory, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    let file = try #require(open_memstream(&memory, &size))
    CAShowFile(object, file)
    fclose(file)
    defer { free(memory) }
    return String(cString: try #require(memory))
  }

  @Test("prints nodes, connections with formats, callbacks and the state")
  func graph() throws {
    let graph = try Graph()
    let (source, sum, output) = (try graph.add(.steps), try graph.add(.sum), try graph.addOutput())
    #expect(graph.connect(source, to: sum, 2) == noErr)
    #expect(graph.connect(sum, to: output) == noErr)
    #expect(graph.feed(sum, 4, .constant(0)) == noErr)
    #expect(try shown(UnsafeMutableRawPointer(graph.handle)).contains("isOpen=F"))
    try graph.open()
    try graph.initialize()
    let text = try shown(UnsafeMutableRawPointer(graph.handle))
    #expect(text.hasPrefix("AudioUnitGraph 0x"))
    #expect(text.contains("node \(source): augn step tgra, instance 0x"))
    #expect(text.contains("node \(output): auou genr appl, instance 0x"))
    #expect(text.contains(" O I\n"))
    #expect(
      text.contains(
        "node \(source) bus 0 => node \(sum) bus 2  [44,100 Hz, 2 channels, Float32, planar]"))
    #expect(text.contains("=> node \(sum) bus 4  ["))
    #expect(text.contains("isInitialized=T, isRunning=F"))
    #expect(AUGraphConnectNodeInput(graph.handle, sum, 0, source, 0) != noErr)
    #expect(graph.disconnect(output) == noErr)
    #expect(try shown(UnsafeMutableRawPointer(graph.handle)).contains("eventsToProcess=T"))
  }

  @Test("prints units and components, and does not access other memory")
  func others() throws {
    let graph = try Graph()
    let node = try graph.add(.gain)
    try graph.open()
    let unit = try graph.unit(node)
    #expect(try shown(unit).hasPrefix("AudioUnit 0x"))
    #expect(try shown(unit).contains("aufx gain tgra, Tests: Gain"))
    let component = AudioComponentInstanceGetComponent(unit)
    #expect(try shown(UnsafeMutableRawPointer(component)).hasPrefix("AudioComponent 0x"))
    #expect(
      try shown(fromBits(12, UnsafeMutableRawPointer.self))
        == "0xc: not an object of AudioToolbox\n")
  }
}
