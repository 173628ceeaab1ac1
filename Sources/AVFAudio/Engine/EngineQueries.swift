// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// What nodes ask their engine: a look at its connections at one time.
struct EngineQueries {
  let table: ConnectionTable
  let io: EngineIO
  let manual: ManualRendering

  // MARK: Buses

  /// The format of a connected output; nil if it is not connected.
  func outputFormat(of node: any GraphNode, _ bus: Int) -> AVAudioFormat? {
    guard node.formatRule == .converts || !table.fed(by: node, bus).isEmpty else { return nil }
    return table.outputFormat(of: node, bus)
  }

  /// The format of a connected input; nil if it is not connected.
  func inputFormat(of node: any GraphNode, _ bus: Int) -> AVAudioFormat? {
    table.feeding(node, bus).map { table.format(of: $0) }
  }

  /// The inputs of a node that are fed.
  private func inputs(of node: any GraphNode) -> [Int] {
    table.list.filter { $0.enters(node) }.map(\.input)
  }

  /// The first input of a mixer that nothing feeds.
  func freeInput(of node: any GraphNode) -> Int {
    let used = Set(inputs(of: node))
    return (0...used.count).first { !used.contains($0) } ?? 0
  }

  /// The last input of a mixer that is fed.
  func lastInput(of node: any GraphNode) -> Int? { inputs(of: node).max() }

  // MARK: Device

  /// The format that the output node plays, and that the input node captures; nil if unknown.
  var headFormat: AVAudioFormat? {
    known(manual.isOn ? manual.connectionFormat : io.deviceFormat(input: false))
  }
  var captureFormat: AVAudioFormat? {
    known(manual.isOn ? io.manualInput.connectionFormat : io.deviceFormat(input: true))
  }

  private func known(_ format: AVAudioFormat) -> AVAudioFormat? {
    format.sampleRate > 0 ? format : nil
  }

  /// The unit that pulls the others.
  var head: NodeUnit { io.head(isManual: manual.isOn) }

  /// The latency between a node and the connector of the device; 0 in manual rendering.
  func deviceLatency(input: Bool) -> Double {
    manual.isOn ? 0 : io.presentationLatency(input: input)
  }

  /// The latency of the output unit; 0 in manual rendering.
  var headLatency: Double { manual.isOn ? 0 : io.headLatency }

  // MARK: Time

  /// The seconds from a node's output to the device, on the longest path; 0 in manual rendering.
  func presentationLatency(of node: any GraphNode) -> Double {
    guard !manual.isOn else { return 0 }
    // Each node once, however many paths lead to it; nil: no path to the output.
    var known: [ObjectIdentifier: Double?] = [:]
    func longest(_ node: any GraphNode) -> Double? {
      if node.role.isOutput { return deviceLatency(input: false) }
      if let result = known[ObjectIdentifier(node)] { return result }
      let result = table.list.filter { $0.leaves(node) }
        .compactMap { connection in
          longest(connection.destination).map { $0 + connection.destination.latency }
        }.max()
      known[ObjectIdentifier(node)] = .some(result)
      return result
    }
    return longest(node) ?? 0
  }

  /// The time of the last frames of a running engine's node; nil if nothing pulls it.
  func lastRenderTime(of node: any GraphNode) -> AVAudioTime? {
    if node.role.isInput, !manual.isOn {
      return captureFormat.map { time(io.pump.lastTime, $0.sampleRate) }
    }
    let isOutput = node.role.isOutput
    guard isOutput || !table.fed(by: node, 0).isEmpty else { return nil }
    guard let unit = isOutput ? head : node.unit ?? (manual.isOn ? io.manualInput.unit : nil),
      let rate = isOutput ? headFormat?.sampleRate : table.outputFormat(of: node, 0).sampleRate,
      let time = unit.value(
        kAudioUnitProperty_LastRenderSampleTime, kAudioUnitScope_Global, 0.0 as Float64),
      time >= 0
    else { return nil }
    return self.time(time, rate)
  }

  private func time(_ frames: Double, _ rate: Double) -> AVAudioTime {
    let position = AVAudioFramePosition(saturating: frames)
    guard !manual.isOn else { return AVAudioTime(sampleTime: position, atRate: rate) }
    return AVAudioTime(hostTime: io.clock.hostTime, sampleTime: position, atRate: rate)
  }

  // MARK: Text

  /// The chains of connections, and the nodes that reach nothing.
  func text(of nodes: [any GraphNode], title: String) -> String {
    var lines = [title]
    let ends = nodes.filter { node in !table.list.contains { $0.leaves(node) } }
    let isConnected = { (node: any GraphNode) in table.list.contains { $0.enters(node) } }
    for (heading, end) in [
      ("output chain", ends.filter { $0.role.isOutput && isConnected($0) }),
      ("input chain", ends.filter { $0.role.sink != nil && isConnected($0) }),
      (
        "other nodes",
        ends.filter { !($0.role.isOutput || $0.role.sink != nil) || !isConnected($0) }
      ),
    ] where !end.isEmpty {
      lines.append("  ******** \(heading) ********")
      for node in end.sorted(by: { address(of: $0) < address(of: $1) }) { append(node, to: &lines) }
    }
    return lines.joined(separator: "\n")
  }

  private func append(_ node: any GraphNode, to lines: inout [String]) {
    let head = "  node 0x\(address(of: node)) \(type(of: node))"
    guard !lines.contains(where: { $0.hasPrefix(head) }) else { return }
    let inputs = table.list.filter { $0.enters(node) }.sorted { $0.input < $1.input }
    lines.append("\(head), inputs = \(inputs.count)")
    for input in inputs {
      lines.append(
        "    (bus\(input.input)) <- (bus\(input.output)) 0x\(address(of: input.source)) "
          + "\(type(of: input.source)), \(table.format(of: input))")
    }
    for input in inputs { append(input.source, to: &lines) }
  }

  private func address(of node: any GraphNode) -> String {
    String(UInt(bitPattern: ObjectIdentifier(node)), radix: 16)
  }
}
