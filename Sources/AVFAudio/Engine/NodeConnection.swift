// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// A connection between two nodes, as the program made it.
struct NodeConnection {
  let source: any GraphNode
  let output: Int
  let destination: any GraphNode
  let input: Int
  /// The format that the program named.
  let format: AVAudioFormat?

  /// Whether it leaves an output of a node, or enters an input.
  func leaves(_ node: any GraphNode, _ bus: Int? = nil) -> Bool {
    source === node && (bus == nil || bus == output)
  }
  /// Whether it ends at this input of this node.
  func enters(_ node: any GraphNode, _ bus: Int? = nil) -> Bool {
    destination === node && (bus == nil || bus == input)
  }
}

/// The connections of an engine, and the formats that follow from them.
struct ConnectionTable {
  private(set) var list: [NodeConnection] = []

  // MARK: Edits

  /// Adds a connection in place of what was on both buses.
  mutating func connect(_ connection: NodeConnection) {
    list.removeAll { $0.leaves(connection.source, connection.output) }
    add(connection)
  }

  /// Adds a connection beside others of the same output, in place of what fed the input.
  mutating func add(_ connection: NodeConnection) {
    list.removeAll { $0.enters(connection.destination, connection.input) }
    list.append(connection)
  }

  /// Removes the connections that match.
  mutating func remove(where matches: (NodeConnection) -> Bool) { list.removeAll(where: matches) }

  // MARK: Queries

  /// What feeds an input.
  func feeding(_ node: any GraphNode, _ bus: Int) -> NodeConnection? {
    list.first { $0.enters(node, bus) }
  }

  /// What an output feeds.
  func fed(by node: any GraphNode, _ bus: Int) -> [NodeConnection] {
    list.filter { $0.leaves(node, bus) }
  }

  /// Whether the first node feeds the second, directly or through others.
  func reaches(_ node: any GraphNode, _ other: any GraphNode) -> Bool {
    first(from: node) { $0 === other } != nil
  }

  /// The first node that matches, of a node and those after it; with a rule, only through nodes that
  /// have it.
  func first(
    from node: any GraphNode, through rule: FormatRule? = nil,
    where matches: (any GraphNode) -> Bool
  ) -> (any GraphNode)? {
    first(node, rule, matches) { node in list.filter { $0.leaves(node) }.map(\.destination) }
  }

  /// The first node that matches, of a node and those before it; with a rule, only through nodes that
  /// have it.
  func first(
    upTo node: any GraphNode, through rule: FormatRule? = nil,
    where matches: (any GraphNode) -> Bool
  ) -> (any GraphNode)? {
    first(node, rule, matches) { node in list.filter { $0.enters(node) }.map(\.source) }
  }

  private func first(
    _ node: any GraphNode, _ rule: FormatRule?, _ matches: (any GraphNode) -> Bool,
    _ next: (any GraphNode) -> [any GraphNode]
  ) -> (any GraphNode)? {
    var seen: Set<ObjectIdentifier> = []
    var pending = [node]
    while let node = pending.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      if matches(node) { return node }
      if rule == nil || node.formatRule == rule { pending += next(node) }
    }
    return nil
  }

  /// The sinks that are fed, with their numbers of channels.
  var sinks: [(sink: SinkFeed, channels: Int)] {
    list.compactMap { connection in
      connection.destination.role.sink.map { ($0, Int(format(of: connection).channelCount)) }
    }
  }

  /// Whether a source is connected to the output, or something to a sink.
  var hasChain: Bool {
    var seen: Set<ObjectIdentifier> = []
    func hasSource(_ node: any GraphNode) -> Bool {
      guard node.formatRule != .generates else { return true }
      guard seen.insert(ObjectIdentifier(node)).inserted else { return false }
      return list.contains { $0.enters(node) && hasSource($0.source) }
    }
    return list.contains { $0.destination.formatRule == .consumes && hasSource($0.source) }
  }

  /// The inputs of the next mixers on each path from a node.
  func mixers(after node: any GraphNode) -> [MixingSource.Target] {
    var targets: [MixingSource.Target] = []
    var seen: Set<ObjectIdentifier> = []
    func visit(_ node: any GraphNode) {
      guard seen.insert(ObjectIdentifier(node)).inserted else { return }
      for connection in list where connection.leaves(node) {
        if connection.destination.formatRule == .converts {
          targets.append(.init(mixer: connection.destination, bus: connection.input))
        } else {
          visit(connection.destination)
        }
      }
    }
    visit(node)
    return targets
  }

  /// Whether the output follows a node without a mixer in between.
  func reachesOutputWithoutMixer(_ node: any GraphNode) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    func visit(_ node: any GraphNode) -> Bool {
      if node.role.isOutput { return true }
      guard node.formatRule != .converts, seen.insert(ObjectIdentifier(node)).inserted else {
        return false
      }
      return list.contains { $0.leaves(node) && visit($0.destination) }
    }
    return visit(node)
  }

  /// The first connection of an output whose destinations run at different rates: they would ask for
  /// different frames at the same time.
  var unequalSplit: NodeConnection? {
    list.first { connection in
      let fed = fed(by: connection.source, connection.output)
      return fed.count > 1 && Set(fed.map { rate(after: $0) }).count > 1
    }
  }

  /// The rate at which the destination of a connection runs.
  private func rate(after connection: NodeConnection) -> Double {
    connection.destination.formatRule == .converts
      ? outputFormat(of: connection.destination, 0).sampleRate
      : format(of: connection).sampleRate
  }

  // MARK: Formats

  /// The format of a connection.
  func format(of connection: NodeConnection) -> AVAudioFormat {
    named(connection) ?? outputFormat(of: connection.source, connection.output)
  }

  /// The format that the program named. A mixer has one or two channels.
  private func named(_ connection: NodeConnection) -> AVAudioFormat? {
    guard let format = connection.format, connection.source.formatRule == .converts else {
      return connection.format
    }
    return .standard(format.sampleRate, min(format.channelCount, 2))
  }

  /// The format of a connected output: that of one of its connections, or the node's own, or what
  /// the destination wants.
  func outputFormat(of node: any GraphNode, _ bus: Int) -> AVAudioFormat {
    knownOutputFormat(of: node, bus) ?? limited(Self.standard, node)
  }

  /// The same; nil where nothing determines it yet.
  func knownOutputFormat(of node: any GraphNode, _ bus: Int) -> AVAudioFormat? {
    (given(node, bus) ?? wanted(after: node, bus)).map { limited($0, node) }
  }

  /// A format with the channels that the output of a node can have.
  private func limited(_ format: AVAudioFormat, _ node: any GraphNode) -> AVAudioFormat {
    var wanted = format
    if let only = node.onlyChannelCount { wanted = .standard(wanted.sampleRate, only) }
    guard node.formatRule == .converts else { return wanted }
    // A mixer has one or two channels.
    return .standard(wanted.sampleRate, min(wanted.channelCount, 2))
  }

  /// The format where nothing determines another.
  private static var standard: AVAudioFormat { .standard(44_100, 2) }

  /// The format that an output has by itself, or by what feeds the node.
  private func given(_ node: any GraphNode, _ bus: Int) -> AVAudioFormat? {
    let connection = list.first { $0.leaves(node, bus) && $0.format != nil }
    if let format = connection?.format ?? node.ownFormat(bus) { return format }
    guard node.formatRule == .passes, let source = feeding(node, 0) else { return nil }
    return named(source) ?? given(source.source, source.output)
  }

  /// The format that the destination of an output wants.
  private func wanted(after node: any GraphNode, _ bus: Int) -> AVAudioFormat? {
    var seen: Set<ObjectIdentifier> = []
    return wanted(after: node, bus, &seen)
  }

  /// The same; outputs 0 of nodes in `seen` want nothing.
  private func wanted(
    after node: any GraphNode, _ bus: Int, _ seen: inout Set<ObjectIdentifier>
  ) -> AVAudioFormat? {
    for connection in list where connection.leaves(node, bus) {
      let next = connection.destination
      let format: AVAudioFormat? =
        switch next.formatRule {
        case .converts: outputFormat(of: next, 0)
        case .passes:
          seen.insert(ObjectIdentifier(next)).inserted
            ? given(next, 0) ?? wanted(after: next, 0, &seen) : nil
        case .consumes: next.ownFormat(0)
        case .generates: nil
        }
      if let format, format.sampleRate > 0 { return format }
    }
    return nil
  }
}

extension Guarded<ConnectionTable> {
  /// Sets the connections. Nodes that only the old ones kept end without the lock.
  func set(_ new: ConnectionTable) {
    var table = new
    withLock { swap(&$0, &table) }
  }
}
