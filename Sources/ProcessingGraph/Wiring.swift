// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// The connections of an open graph and its sub-graphs, from unit to unit.
struct Wiring {
  /// One input of a unit.
  struct Input: Hashable {
    let unit: UnitInstance
    let bus: UInt32

    static func == (left: Self, right: Self) -> Bool {
      left.unit === right.unit && left.bus == right.bus
    }
    /// Hashes the identity of the unit.
    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(unit))
      hasher.combine(bus)
    }
  }

  /// The source of an input.
  enum Source {
    case connection(UnitInstance, bus: UInt32)
    case callback(AURenderCallbackStruct)

    /// Whether both are the same function or the same output.
    func isSame(as other: Self?) -> Bool {
      switch (self, other) {
      case (.connection(let left, let bus), .connection(let right, let other)):
        left === right && bus == other
      case (.callback(let left), .callback(let right)):
        unsafeBitCast(left.inputProc, to: UInt.self)
          == unsafeBitCast(right.inputProc, to: UInt.self)
          && left.inputProcRefCon == right.inputProcRefCon
      default: false
      }
    }
  }

  /// A unit, and the name of its node in error messages.
  struct Member {
    let node: Node
    let unit: UnitInstance
    /// The numbers of the sub-graphs that contain it, each followed by a point.
    let path: String

    var title: String { node.title(in: path) }
  }

  /// The connection or callback that feeds one input of a member.
  struct Feed {
    /// The index of the source member; nil: a callback.
    var from: Int?
    var to: Int
    var bus: UInt32
    var source: Source
    var place: String?
  }

  private(set) var members: [Member] = []
  private(set) var links: [Feed] = []
  /// For each member, the positions of its links in `links`.
  private var incoming: [[Int]] = []
  private var numbers: [ObjectIdentifier: Int] = [:]

  /// [under the graph's lock] The wiring of the units that exist.
  init(_ topology: Topology) throws(AudioError) {
    collect(topology, path: "")
    incoming = Array(repeating: [], count: members.count)
    try link(topology)
  }

  private mutating func collect(_ topology: Topology, path: String) {
    for node in topology.nodes {
      if let subgraph = node.subgraph {
        collect(subgraph, path: "\(path)\(node.number).")
      } else if let unit = node.unit {
        numbers[ObjectIdentifier(unit)] = members.count
        members.append(Member(node: node, unit: unit, path: path))
      }
    }
  }

  private mutating func link(_ topology: Topology) throws(AudioError) {
    for interaction in topology.interactions {
      let (unit, bus) = try Self.input(topology, interaction.node, interaction.bus)
      guard let to = numbers[ObjectIdentifier(unit)] else { continue }
      switch interaction.source {
      case .callback(let callback):
        add(
          Feed(
            from: nil, to: to, bus: bus, source: .callback(callback), place: interaction.place))
      case .connection(let node, let output):
        let (source, output) = try Self.output(topology, node, output)
        guard let from = numbers[ObjectIdentifier(source)] else { continue }
        add(
          Feed(
            from: from, to: to, bus: bus, source: .connection(source, bus: output),
            place: interaction.place))
      }
    }
    for node in topology.nodes { if let subgraph = node.subgraph { try link(subgraph) } }
  }

  private mutating func add(_ link: Feed) {
    incoming[link.to].append(links.count)
    links.append(link)
  }

  /// The links to a member.
  func links(to member: Int) -> [Feed] { incoming[member].map { links[$0] } }

  /// The unit and bus of a node's output; for a sub-graph, those of its head.
  private static func output(_ topology: Topology, _ number: Int32, _ bus: UInt32)
    throws(AudioError) -> (UnitInstance, UInt32)
  {
    let node = try topology.nodes.numbered(number)
    if let unit = node.unit { return (unit, bus) }
    guard let subgraph = node.subgraph, let head = subgraph.nodes.head else {
      throw .outputNode.because(
        "\(node.title) has no output node, so it has no output")
    }
    return try output(subgraph, head.number, bus)
  }

  /// The unit and bus of a node's input. The inputs of a sub-graph are the inputs of its units that
  /// nothing in the sub-graph feeds, in order of node and bus.
  private static func input(_ topology: Topology, _ number: Int32, _ bus: UInt32)
    throws(AudioError) -> (UnitInstance, UInt32)
  {
    let node = try topology.nodes.numbered(number)
    if let unit = node.unit { return (unit, bus) }
    guard let subgraph = node.subgraph else {
      throw .invalidAudioUnit.because("\(node.title) has no unit")
    }
    let open = try openInputs(subgraph)
    guard bus < open.count else {
      throw .invalidConnection.because(
        "\(node.title) has no input \(bus); \(open.count) of its units' inputs are free")
    }
    return open[Int(bus)]
  }

  private static func openInputs(_ topology: Topology) throws(AudioError)
    -> [(UnitInstance, UInt32)]
  {
    var open: [(UnitInstance, UInt32)] = []
    for node in topology.nodes {
      var inputs: [(UnitInstance, UInt32)] = []
      if let unit = node.unit {
        // Input 1 of an output unit belongs to the device.
        let count = try unit.elementCount(kAudioUnitScope_Input)
        inputs = (0..<(node.isOutput ? min(count, 1) : count)).map { (unit, $0) }
      } else if let subgraph = node.subgraph {
        inputs = try openInputs(subgraph)
      }
      for (bus, input) in inputs.enumerated()
      where topology.interactions.feeding(node.number, UInt32(bus)) == nil {
        open.append(input)
      }
    }
    return open
  }

  /// The source of each input.
  var sources: [Input: Source] {
    var sources: [Input: Source] = [:]
    for link in links { sources[Input(unit: members[link.to].unit, bus: link.bus)] = link.source }
    return sources
  }

  /// Members that have a connection or a callback, and `head`.
  func participants(_ head: UnitInstance?) -> Set<Int> {
    var found: Set<Int> = []
    for link in links {
      found.insert(link.to)
      if let from = link.from { found.insert(from) }
    }
    if let head, let number = numbers[ObjectIdentifier(head)] { found.insert(number) }
    return found
  }

  /// The name of a link in error messages.
  func title(_ link: Feed) -> String {
    let to = "\(members[link.to].title), input \(link.bus)"
    guard let from = link.from, case .connection(_, let bus) = link.source else {
      return "callback to \(to)"
    }
    return "\(members[from].title), output \(bus), to \(to)"
  }

  // MARK: Order

  /// Whether the source of a link must be rendered first. The captured input of an I/O unit does
  /// not depend on its output.
  func isDependency(_ link: Feed) -> Bool {
    guard let from = link.from, case .connection(let unit, let bus) = link.source else {
      return false
    }
    return from != link.to && !unit.graphUnit.feedsItself(from: bus)
  }

  /// The members in rendering order: every source before the members that it feeds.
  func order() throws(AudioError) -> [Int] {
    var waiting = [Int](repeating: 0, count: members.count)
    var fed = [[Int]](repeating: [], count: members.count)
    for link in links where isDependency(link) {
      guard let from = link.from else { continue }
      waiting[link.to] += 1
      fed[from].append(link.to)
    }
    var order = members.indices.filter { waiting[$0] == 0 }
    var next = 0
    while next < order.count {
      for member in fed[order[next]] {
        waiting[member] -= 1
        if waiting[member] == 0 { order.append(member) }
      }
      next += 1
    }
    guard order.count == members.count else {
      let cycle = cycle(waiting)
      let names = cycle.map { members[$0.to].title }
      let path = (names.suffix(1) + names).joined(separator: " → ")
      throw .invalidConnection.because("the connections form a cycle: \(path)")
        .at(cycle.last?.place)
    }
    return order
  }

  /// The links of one cycle in the direction of the signal; the last is the one that was made last.
  /// `waiting` is above zero for members of a cycle.
  private func cycle(_ waiting: [Int]) -> [Feed] {
    guard var member = waiting.firstIndex(where: { $0 > 0 }) else { return [] }
    var path: [Int] = []
    while !path.contains(where: { links[$0].to == member }) {
      // A waiting member has a source that waits too.
      let link = incoming[member].first {
        isDependency(links[$0]) && links[$0].from.map { waiting[$0] > 0 } ?? false
      }
      guard let link, let from = links[link].from else { return [] }
      path.append(link)
      member = from
    }
    let start = path.firstIndex { links[$0].to == member } ?? 0
    let cycle = Array(path[start...].reversed())
    let last = cycle.indices.max { cycle[$0] < cycle[$1] } ?? 0
    return (cycle[(last + 1)...] + cycle[...last]).map { links[$0] }
  }
}
