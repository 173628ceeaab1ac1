// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// A graph that is made up by chance, before it is one: what stands at each place, and what feeds it.
private struct RandomGraph {
  enum Kind {
    case steps(step: Float, start: Float)
    case gain(Float)
    case sum, split
  }

  /// An output of an earlier place.
  struct Output: Hashable {
    var place: Int
    var bus: Int
  }

  var kinds: [Kind] = []
  /// Inputs in their order; a sum may have gaps.
  var inputs: [[Output?]] = []

  /// Places are in an order in which every source comes first; the last is a sum of all that is left.
  init(seed: Int, places: Int) {
    var random = RandomNumbers(seed)
    var free: [Output] = []
    func takeFree() -> Output? {
      free.isEmpty ? nil : free.remove(at: random.next(free.count))
    }
    for place in 0..<places - 1 {
      switch free.isEmpty ? 0 : random.next(4) {
      case 0:
        kinds.append(.steps(step: Float(random.next(8)), start: Float(random.next(30))))
        inputs.append([])
        free.append(Output(place: place, bus: 0))
      case 1:
        kinds.append(.gain([1, -1, 0.5][random.next(3)]))
        inputs.append([takeFree()])
        free.append(Output(place: place, bus: 0))
      case 2:
        kinds.append(.split)
        inputs.append([takeFree()])
        free += (0..<2).map { Output(place: place, bus: $0) }
      default:
        kinds.append(.sum)
        inputs.append((0..<random.next(6) + 1).map { _ in random.next(4) == 0 ? nil : takeFree() })
        free.append(Output(place: place, bus: 0))
      }
    }
    kinds.append(.sum)
    inputs.append(free)
  }

  /// What the last place gives at a frame, by the same sums in the same order.
  func value(at frame: Int) -> Float {
    var values: [Float] = []
    for (kind, sources) in zip(kinds, inputs) {
      let inputs = sources.map { $0.map { values[$0.place] } ?? 0 }
      switch kind {
      case .steps(let step, let start):
        values.append(Steps.value(frame, step: step, start: start))
      case .gain(let gain): values.append(inputs[0] * gain)
      case .split: values.append(inputs[0])
      case .sum: values.append(inputs.reduce(0, +))
      }
    }
    return values[values.count - 1]
  }

  struct Built {
    var graph: Graph
    var nodes: [AUNode]
    var output: AUNode
  }

  /// Builds it; places and connections are added in an order that `seed` chooses.
  func build(seed: Int) throws -> Built {
    var random = RandomNumbers(seed)
    let graph = try Graph()
    var nodes = [AUNode](repeating: 0, count: kinds.count)
    var output = AUNode()
    for place in (-1..<kinds.count).shuffled(using: &random) {
      guard place >= 0 else {
        output = try graph.addOutput()
        continue
      }
      let unit: TestUnit =
        switch kinds[place] {
        case .steps: .steps
        case .gain: .gain
        case .sum: .sum
        case .split: .split
        }
      nodes[place] = try graph.add(unit)
    }
    try graph.open()
    for (place, kind) in kinds.enumerated() {
      switch kind {
      case .steps(let step, let start):
        try graph.setParameter(nodes[place], 0, step)
        try graph.setParameter(nodes[place], 1, start)
      case .gain(let gain): try graph.setParameter(nodes[place], 0, gain)
      case .sum:
        try graph.set(
          nodes[place], kAudioUnitProperty_ElementCount, UInt32(max(inputs[place].count, 1)),
          kAudioUnitScope_Input)
      case .split: break
      }
    }
    for (source, node, input) in connections(nodes).shuffled(using: &random) {
      try check(graph.connect(nodes[source.place], UInt32(source.bus), to: node, UInt32(input)))
    }
    try check(graph.connect(nodes[kinds.count - 1], to: output))
    return Built(graph: graph, nodes: nodes, output: output)
  }

  private func connections(_ nodes: [AUNode]) -> [(Output, AUNode, Int)] {
    inputs.enumerated().flatMap { place, sources in
      sources.enumerated().compactMap { input, source in source.map { ($0, nodes[place], input) } }
    }
  }
}

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
