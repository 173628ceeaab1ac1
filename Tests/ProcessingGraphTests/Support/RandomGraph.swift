// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A graph that is made up by chance, before it is one: what stands at each place, and what feeds it.
struct RandomGraph {
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
