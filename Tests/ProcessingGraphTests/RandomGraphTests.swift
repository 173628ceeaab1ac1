// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Random graphs")
struct RandomGraphTests {
  @Test(
    "give what a direct evaluation gives, in whatever order they are built and are sliced",
    arguments: 0..<24)
  func evaluation(seed: Int) throws {
    let places = [5, 20, 60, 200][seed % 4]
    let plan = RandomGraph(seed: seed, places: places)
    let expected = (0..<700).map { plan.value(at: $0) }
    for (build, slice) in [512, 64, 37].enumerated() {
      let built = try plan.build(seed: 100 * seed + build)
      try built.graph.initialize()
      #expect(try built.graph.render(built.output, 700, slice: slice) == expected)
    }
  }

  @Test("are the same when they come into being while they play", arguments: 0..<8)
  func growth(seed: Int) throws {
    let plan = RandomGraph(seed: seed + 50, places: 60)
    let whole = try plan.build(seed: seed)
    let graph = whole.graph
    try graph.initialize()
    try graph.start()
    // All is taken away, and comes back in one edit: as new units, so from their first frame on.
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

  @Test("with a cycle in them are refused, and its nodes named", arguments: 0..<12)
  func cycles(seed: Int) throws {
    let plan = RandomGraph(seed: seed + 90, places: 40)
    let built = try plan.build(seed: seed)
    let graph = built.graph
    // Somewhere in it two sums feed each other, by way of some gains.
    var random = RandomNumbers(seed)
    let ring = try (0..<random.next(5) + 2).map { _ in try graph.add(.gain) }
    for (index, node) in ring.enumerated() {
      #expect(graph.connect(node, to: ring[(index + 1) % ring.count]) == noErr)
    }
    #expect(AUGraphInitialize(graph.handle) == kAUGraphErr_InvalidConnection)
    let text = explanation
    #expect(text.contains("cycle"))
    for node in ring { #expect(text.contains("node \(node) (Gain)")) }
    #expect(graph.disconnect(ring[0]) == noErr)
    try graph.initialize()
    #expect(try graph.render(built.output, 64) == (0..<64).map { plan.value(at: $0) })
    // The same while it plays: the old graph plays on.
    #expect(graph.connect(ring[ring.count - 1], to: ring[0]) == noErr)
    #expect(graph.update() == kAUGraphErr_InvalidConnection)
    #expect(
      try graph.render(built.output, 64, from: 64) == (64..<128).map { plan.value(at: $0) })
  }
}
