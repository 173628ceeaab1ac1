// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Random graphs")
struct RandomGraphTests {
  @Test(
    "render what a direct evaluation gives, in any order of building and any slice size",
    arguments: 0..<24)
  func evaluation(seed: Int) throws {
    let plan = RandomGraph(seed: seed, nodeCount: [5, 20, 60, 200][seed % 4])
    let expected = (0..<700).map { plan.value(at: $0) }
    for (build, slice) in [512, 64, 37].enumerated() {
      let built = try plan.build(seed: 100 * seed + build)
      try built.graph.initialize()
      #expect(try built.graph.render(built.output, 700, slice: slice) == expected)
    }
  }

  @Test("render the same when they are connected while they play", arguments: 0..<8)
  func reconnection(seed: Int) throws {
    let plan = RandomGraph(seed: seed + 50, nodeCount: 60)
    let whole = try plan.build(seed: seed)
    let graph = whole.graph
    try graph.initialize()
    try graph.start()
    // All connections are removed, then restored in one update; the units begin at frame 0.
    var interactions = [AUNodeInteraction](repeating: .init(), count: graph.interactionCount)
    for index in interactions.indices { interactions[index] = try graph.interaction(index) }
    _ = try graph.render(whole.output, 200)
    #expect(AUGraphClearConnections(graph.handle) == noErr)
    #expect(graph.update() == noErr)
    var random = RandomNumbers(seed)
    for interaction in interactions.shuffled(using: &random) {
      let link = interaction.nodeInteraction.connection
      try check(
        graph.connect(
          link.sourceNode, link.sourceOutputNumber, to: link.destNode, link.destInputNumber))
    }
    #expect(graph.update() == noErr)
    #expect(
      try graph.render(whole.output, 300, from: 200) == (0..<300).map { plan.value(at: $0) })
  }

  @Test("are refused with a cycle, whose nodes the error names", arguments: 0..<12)
  func cycles(seed: Int) throws {
    let plan = RandomGraph(seed: seed + 90, nodeCount: 40)
    let built = try plan.build(seed: seed)
    let graph = built.graph
    // The last node feeds the output and, through the split's second output, an earlier sum.
    let split = try graph.add(.split)
    #expect(graph.disconnect(built.output) == noErr)
    #expect(graph.connect(built.nodes[plan.kinds.count - 1], to: split) == noErr)
    #expect(graph.connect(split, to: built.output) == noErr)
    let sums = plan.kinds.indices.filter { if case .sum = plan.kinds[$0] { true } else { false } }
    let index = sums[seed % sums.count]
    let (sum, free) = (built.nodes[index], UInt32(plan.inputs[index].count))
    try graph.set(sum, kAudioUnitProperty_ElementCount, free + 1, kAudioUnitScope_Input)
    func expectRefusal(_ status: OSStatus) {
      #expect(status == kAUGraphErr_InvalidConnection)
      let text = explanation
      #expect(text.contains("cycle"))
      #expect(text.contains("node \(split) (Split) → node \(sum) (Sum)"))
    }
    #expect(graph.connect(split, 1, to: sum, free) == noErr)
    expectRefusal(AUGraphInitialize(graph.handle))
    #expect(graph.disconnect(sum, free) == noErr)
    try graph.initialize()
    #expect(try graph.render(built.output, 64) == (0..<64).map { plan.value(at: $0) })
    // The same while it is rendered: the graph stays as it was, and the edit is discarded.
    #expect(graph.connect(split, 1, to: sum, free) == noErr)
    expectRefusal(graph.update())
    #expect(
      try graph.render(built.output, 64, from: 64) == (64..<128).map { plan.value(at: $0) })
    #expect(graph.update() == noErr)
    #expect(
      try graph.render(built.output, 64, from: 128) == (128..<192).map { plan.value(at: $0) })
  }
}
