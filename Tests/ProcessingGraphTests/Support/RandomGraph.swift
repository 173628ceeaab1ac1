// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The plan of a random graph: the nodes and their connections.
struct RandomGraph {
  enum Kind {
    case steps(step: Float, start: Float)
    case gain(Float)
    case sum, split
  }

  /// An output of an earlier node.
  struct Output: Hashable {
    var nodeIndex: Int
    var bus: Int
  }

  var kinds: [Kind] = []
  /// The inputs of each node, in order. An input of a sum may be unconnected.
  var inputs: [[Output?]] = []

  /// Every source precedes the nodes it feeds. The last node is the sum of all free outputs.
  init(seed: Int, nodeCount: Int) {
    var random = RandomNumbers(seed)
    var free: [Output] = []
    func removeFree() -> Output? {
      free.isEmpty ? nil : free.remove(at: random.next(free.count))
    }
    for index in 0..<nodeCount - 1 {
      switch free.isEmpty ? 0 : random.next(4) {
      case 0:
        kinds.append(.steps(step: Float(random.next(8)), start: Float(random.next(30))))
        inputs.append([])
        free.append(Output(nodeIndex: index, bus: 0))
      case 1:
        kinds.append(.gain([1, -1, 0.5][random.next(3)]))
        inputs.append([removeFree()])
        free.append(Output(nodeIndex: index, bus: 0))
      case 2:
        kinds.append(.split)
        inputs.append([removeFree()])
        free += (0..<2).map { Output(nodeIndex: index, bus: $0) }
      default:
        kinds.append(.sum)
        let inputCount = random.next(6) + 1
        inputs.append((0..<inputCount).map { _ in random.next(4) == 0 ? nil : removeFree() })
        free.append(Output(nodeIndex: index, bus: 0))
      }
    }
    kinds.append(.sum)
    inputs.append(free)
  }

  /// The value of the last node at a frame, calculated with the same sums in the same order.
  func value(at frame: Int) -> Float {
    var values: [Float] = []
    for (kind, sources) in zip(kinds, inputs) {
      let inputs = sources.map { $0.map { values[$0.nodeIndex] } ?? 0 }
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

  /// Builds the graph. `seed` determines the order in which nodes and connections are added.
  func build(seed: Int) throws -> Built {
    var random = RandomNumbers(seed)
    let graph = try Graph()
    var nodes = [AUNode](repeating: 0, count: kinds.count)
    var output = AUNode()
    for index in (-1..<kinds.count).shuffled(using: &random) {
      guard index >= 0 else {
        output = try graph.addOutput()
        continue
      }
      let unit: TestUnit =
        switch kinds[index] {
        case .steps: .steps
        case .gain: .gain
        case .sum: .sum
        case .split: .split
        }
      nodes[index] = try graph.add(unit)
    }
    try graph.open()
    for (index, kind) in kinds.enumerated() {
      switch kind {
      case .steps(let step, let start):
        try graph.setParameter(nodes[index], 0, step)
        try graph.setParameter(nodes[index], 1, start)
      case .gain(let gain): try graph.setParameter(nodes[index], 0, gain)
      case .sum:
        try graph.set(
          nodes[index], kAudioUnitProperty_ElementCount, UInt32(max(inputs[index].count, 1)),
          kAudioUnitScope_Input)
      case .split: break
      }
    }
    for (source, node, input) in connections(nodes).shuffled(using: &random) {
      try check(
        graph.connect(nodes[source.nodeIndex], UInt32(source.bus), to: node, UInt32(input)))
    }
    try check(graph.connect(nodes[kinds.count - 1], to: output))
    return Built(graph: graph, nodes: nodes, output: output)
  }

  private func connections(_ nodes: [AUNode]) -> [(Output, AUNode, Int)] {
    inputs.enumerated().flatMap { index, sources in
      sources.enumerated().compactMap { input, source in source.map { ($0, nodes[index], input) } }
    }
  }
}
