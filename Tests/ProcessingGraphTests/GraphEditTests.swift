// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Nodes and interactions of a graph")
struct GraphEditTests {
  @Test("are numbered and counted in the order in which they were added")
  func nodes() throws {
    let graph = try Graph()
    let nodes = try (0..<4).map { _ in try graph.add(.gain) }
    #expect(Set(nodes).count == 4)
    #expect(graph.nodeCount == 4)
    #expect(graph.remove(nodes[1]) == noErr)
    var node = AUNode()
    for (index, expected) in [nodes[0], nodes[2], nodes[3]].enumerated() {
      #expect(AUGraphGetIndNode(graph.handle, UInt32(index), &node) == noErr)
      #expect(node == expected)
    }
    #expect(AUGraphGetIndNode(graph.handle, 3, &node) == kAUGraphErr_NodeNotFound)
    #expect(graph.remove(nodes[1]) == kAUGraphErr_NodeNotFound)
    #expect(AUGraphNodeInfo(graph.handle, 77, nil, nil) == kAUGraphErr_NodeNotFound)
    // A number is not used twice.
    #expect(!nodes.contains(try graph.add(.gain)))
  }

  @Test("need a description of exactly one component")
  func incompleteDescription() throws {
    let graph = try Graph()
    var (description, node) = (TestUnit.gain.description, AUNode())
    description.componentManufacturer = 0
    #expect(AUGraphAddNode(graph.handle, &description, &node) == kAudio_ParamError)
    #expect(graph.nodeCount == 0)
  }

  @Test("refuse a connected input or output, the same node, and missing nodes and buses")
  func refusals() throws {
    let graph = try Graph()
    let (source, other) = (try graph.add(.steps), try graph.add(.steps))
    let (sum, gain) = (try graph.add(.sum), try graph.add(.gain))
    #expect(graph.connect(source, to: sum, 1) == noErr)
    #expect(graph.connect(other, to: sum, 1) == kAUGraphErr_InvalidConnection)
    #expect(explanation.contains("disconnect"))
    #expect(graph.connect(source, to: gain) == kAUGraphErr_InvalidConnection)
    #expect(explanation.contains("splitter"))
    #expect(graph.connect(gain, to: gain) == kAUGraphErr_InvalidConnection)
    #expect(graph.connect(gain, to: 99) == kAUGraphErr_NodeNotFound)
    #expect(graph.connect(99, to: gain) == kAUGraphErr_NodeNotFound)
    #expect(graph.disconnect(sum, 0) == kAUGraphErr_InvalidConnection)
    #expect(graph.disconnect(99, 0) == kAUGraphErr_NodeNotFound)
    #expect(graph.interactionCount == 1)
    try graph.open()
    #expect(graph.connect(other, to: sum, 8) == kAUGraphErr_InvalidConnection)
    #expect(explanation.contains("node \(sum) (Sum) has no input 8; it has 8"))
    #expect(graph.connect(other, 1, to: sum, 2) == kAUGraphErr_InvalidConnection)
    #expect(graph.feed(gain, 1, .constant(0)) == kAUGraphErr_InvalidConnection)
  }

  @Test("are checked when the graph is initialised, if it was not open before")
  func missingBus() throws {
    let graph = try Graph()
    let (source, sum, output) = (try graph.add(.steps), try graph.add(.sum), try graph.addOutput())
    #expect(graph.connect(source, to: sum, 20) == noErr)
    #expect(graph.connect(sum, to: output) == noErr)
    try graph.open()
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_InvalidConnection)
    #expect(explanation.contains("node \(sum) (Sum), input 20"))
    try graph.set(sum, kAudioUnitProperty_ElementCount, UInt32(21), kAudioUnitScope_Input)
    try graph.initialize()
    #expect(try graph.render(output, 4) == [1, 1, 1, 1])
  }

  @Test("can be queried")
  func information() throws {
    let graph = try Graph()
    let (source, sum, output) = (try graph.add(.steps), try graph.add(.sum), try graph.addOutput())
    #expect(graph.connect(source, to: sum, 3) == noErr)
    #expect(graph.connect(sum, to: output) == noErr)
    let callback = Callback.constant(2)
    #expect(graph.feed(sum, 5, callback) == noErr)
    #expect(graph.interactionCount == 3)
    let first = try graph.interaction(0)
    #expect(first.nodeInteractionType == kAUNodeInteraction_Connection)
    let connection = first.nodeInteraction.connection
    #expect(connection.sourceNode == source && connection.sourceOutputNumber == 0)
    #expect(connection.destNode == sum && connection.destInputNumber == 3)
    let last = try graph.interaction(2)
    #expect(last.nodeInteractionType == kAUNodeInteraction_InputCallback)
    let input = last.nodeInteraction.inputCallback
    #expect(input.destNode == sum && input.destInputNumber == 5)
    #expect(input.cback.inputProcRefCon == callback.context)
    #expect(throws: CallFailure.self) { try graph.interaction(3) }

    var count: UInt32 = 0
    #expect(AUGraphCountNodeInteractions(graph.handle, sum, &count) == noErr)
    #expect(count == 3)
    #expect(AUGraphCountNodeInteractions(graph.handle, output, &count) == noErr)
    #expect(count == 1)
    var found = [AUNodeInteraction](repeating: .init(), count: 4)
    count = 4
    #expect(AUGraphGetNodeInteractions(graph.handle, sum, &count, &found) == noErr)
    #expect(count == 3 && found[2].nodeInteractionType == kAUNodeInteraction_InputCallback)
    count = 2
    #expect(AUGraphGetNodeInteractions(graph.handle, sum, &count, &found) == noErr)
    #expect(count == 2)
    #expect(
      AUGraphGetNodeInteractions(graph.handle, 99, &count, &found) == kAUGraphErr_NodeNotFound)
    #expect(AUGraphClearConnections(graph.handle) == noErr)
    #expect(graph.interactionCount == 0)
  }

  @Test("are made by a function with five arguments")
  func fiveArguments() throws {
    let connect: (AUGraph, AUNode, UInt32, AUNode, UInt32) -> OSStatus = AUGraphConnectNodeInput
    let graph = try Graph()
    let (source, sum) = (try graph.add(.steps), try graph.add(.sum))
    #expect(connect(graph.handle, source, 0, sum, 3) == noErr)
    let link = try graph.interaction(0).nodeInteraction.connection
    #expect(link.sourceNode == source && link.sourceOutputNumber == 0)
    #expect(link.destNode == sum && link.destInputNumber == 3)
  }

  @Test("support the deprecated functions")
  func deprecated() throws {
    let graph = try Graph()
    var (description, source) = (TestUnit.steps.description, AUNode())
    #expect(AUGraphNewNode(graph.handle, &description, 0, nil, &source) == noErr)
    #expect(AUGraphNewNode(graph.handle, &description, 3, nil, &source) == kAudio_ParamError)
    let sum = try graph.add(.sum)
    #expect(graph.feed(sum, 0, .constant(1)) == noErr)
    #expect(graph.connect(source, to: sum, 1) == noErr)
    var count: UInt32 = 9
    #expect(AUGraphGetNumberOfConnections(graph.handle, &count) == noErr)
    #expect(count == 1)
    var (from, output, to, input) = (AUNode(), UInt32(9), AUNode(), UInt32(9))
    #expect(AUGraphGetConnectionInfo(graph.handle, 0, &from, &output, &to, &input) == noErr)
    #expect(from == source && output == 0 && to == sum && input == 1)
    #expect(
      AUGraphGetConnectionInfo(graph.handle, 1, &from, &output, &to, &input)
        == kAUGraphErr_NodeNotFound)
    #expect(AUGraphCountNodeConnections(graph.handle, sum, &count) == noErr)
    #expect(count == 1)
    var connection = AudioUnitNodeConnection()
    #expect(AUGraphGetNodeConnections(graph.handle, sum, &connection, &count) == noErr)
    #expect(connection.sourceNode == source && count == 1)
    var (size, data, unit): (UInt32, UnsafeMutableRawPointer?, AudioUnit?) = (9, nil, nil)
    #expect(AUGraphGetNodeInfo(graph.handle, sum, &description, &size, &data, &unit) == noErr)
    #expect(size == 0 && data == nil && unit == nil)
    #expect(description.componentType == kAudioUnitType_Mixer)
  }

  @Test("accept a callback in place of a connection")
  func callbackInPlace() throws {
    let graph = try Graph()
    let (source, output) = (try graph.add(.steps), try graph.addOutput())
    #expect(graph.connect(source, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    #expect(try graph.render(output, 3) == [1, 1, 1])
    #expect(graph.feed(output, 0, .constant(5)) == noErr)
    #expect(graph.interactionCount == 1)
    #expect(try graph.interaction(0).nodeInteractionType == kAUNodeInteraction_InputCallback)
    #expect(try graph.render(output, 3, from: 3) == [1, 1, 1])
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 3, from: 6) == [5, 5, 5])
    // A connection does not replace a callback.
    #expect(graph.connect(source, to: output) == kAUGraphErr_InvalidConnection)
    var nothing = AURenderCallbackStruct()
    #expect(AUGraphSetNodeInputCallback(graph.handle, output, 0, &nothing) == noErr)
    #expect(graph.interactionCount == 0)
  }

  @Test("propagate formats in an open graph at once, and again when it is initialised")
  func formats() throws {
    let graph = try Graph()
    let (source, output) = (try graph.add(.steps), try graph.addOutput())
    try graph.open()
    try graph.setFormat(source, kAudioUnitScope_Output, rate: 48_000)
    #expect(graph.connect(source, to: output) == noErr)
    #expect(try graph.format(output, kAudioUnitScope_Input).mSampleRate == 48_000)
    #expect(throws: CallFailure.self) {
      try graph.setFormat(output, kAudioUnitScope_Input, rate: 22_050)
    }
    try graph.setFormat(source, kAudioUnitScope_Output, rate: 32_000)
    try graph.initialize()
    #expect(try graph.format(output, kAudioUnitScope_Input).mSampleRate == 32_000)
  }

  @Test("cannot form a cycle; the error names its nodes in order")
  func cycles() throws {
    let graph = try Graph()
    let sums = try (0..<3).map { _ in try graph.add(.sum) }
    let output = try graph.addOutput()
    #expect(graph.connect(sums[0], to: sums[1], 2) == noErr)
    #expect(graph.connect(sums[1], to: sums[2], 1) == noErr)
    #expect(graph.connect(sums[2], to: sums[0], 7) == noErr)
    #expect(graph.feed(output, 0, .constant(1)) == noErr)
    try graph.open()
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_InvalidConnection)
    let cycleText = explanation.split(separator: ": ").last.map(String.init) ?? ""
    let names = cycleText.components(separatedBy: " → ")
    #expect(names.count == 4 && names.first == names.last)
    #expect(explanation.contains("node \(sums[0]) (Sum) → node \(sums[1]) (Sum)"))
    #expect(graph.disconnect(sums[0], 7) == noErr)
    try graph.initialize()
  }
}
