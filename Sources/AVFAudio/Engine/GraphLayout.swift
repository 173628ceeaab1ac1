// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What the units of an engine shall be: their formats, and what feeds their inputs.
struct GraphLayout {
  /// A bus of a unit.
  struct Port: Hashable {
    let unit: AudioUnit
    let bus: UInt32
  }

  /// What feeds an input.
  enum Source: Equatable {
    case output(Port)
    case feed(NodeFeed)

    static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.output(let left), .output(let right)): left == right
      case (.feed(let left), .feed(let right)): left === right
      default: false
      }
    }
  }

  /// The format of a bus.
  struct Setting {
    let unit: NodeUnit
    let scope: AudioUnitScope
    let bus: UInt32
    let format: AVAudioFormat
  }

  /// A unit that the engine adds between nodes.
  enum Helper: Hashable {
    /// Copies an output to several inputs.
    case splitter(ObjectIdentifier, output: Int, count: Int)
    /// Converts for an input of a mixer.
    case converter(ObjectIdentifier, input: Int)
    /// Mixes more than two channels to stereo for an input of a mixer.
    case mixdown(ObjectIdentifier, input: Int, from: AVAudioFormat)
  }

  var sources: [Port: Source] = [:]
  var settings: [Setting] = []
  /// The number of buses of units whose number varies.
  var busCounts: [(unit: NodeUnit, scope: AudioUnitScope, count: Int)] = []
  var helpers: [Helper: NodeUnit] = [:]
  /// Everything that must stay alive while the layout is in effect.
  var nodes: [any GraphNode] = []

  /// Every unit that takes part.
  var units: Set<AudioUnit> {
    var units: Set<AudioUnit> = []
    for (port, source) in sources {
      units.insert(port.unit)
      if case .output(let port) = source { units.insert(port.unit) }
    }
    return units
  }
}

/// Derives the layout from the connections of an engine.
struct LayoutBuilder {
  let table: ConnectionTable
  /// The helpers so far, which are used again.
  let helpers: [GraphLayout.Helper: NodeUnit]
  /// The output of the input node, and the input of the output node.
  let input: (unit: NodeUnit, bus: UInt32)
  let output: NodeUnit
  /// Whether the output plays: not that of a device which was opened to capture only.
  let plays: Bool
  /// What feeds the input node's unit in manual rendering.
  let manualInput: ManualInput?
  private var layout = GraphLayout()

  init(
    _ table: ConnectionTable, helpers: [GraphLayout.Helper: NodeUnit], _ io: EngineIO,
    isManual: Bool
  ) {
    self.table = table
    self.helpers = helpers
    input = io.inputPort(isManual: isManual)
    output = io.head(isManual: isManual)
    plays = isManual || io.plays
    manualInput = isManual ? io.manualInput : nil
  }

  /// The layout of all connections.
  consuming func build() -> GraphLayout {
    var nodes: [ObjectIdentifier: any GraphNode] = [:]
    for connection in table.list {
      nodes[ObjectIdentifier(connection.source)] = connection.source
      nodes[ObjectIdentifier(connection.destination)] = connection.destination
    }
    layout.nodes = Array(nodes.values)
    for node in nodes.values { add(node) }
    var outputs: Set<GraphLayout.Helper> = []
    for connection in table.list {
      // The connections of one output together.
      let key = GraphLayout.Helper.splitter(
        ObjectIdentifier(connection.source), output: connection.output, count: 0)
      guard outputs.insert(key).inserted else { continue }
      add(table.fed(by: connection.source, connection.output))
    }
    return layout
  }

  /// Adds the formats of a node's unit, and what feeds it.
  private mutating func add(_ node: any GraphNode) {
    guard let unit = node.unit else { return addInput(node) }
    let inputs = table.list.filter { $0.enters(node) }
    let outputs = table.list.filter { $0.leaves(node) }
    for bus in Set(outputs.map(\.output)) {
      set(unit, kAudioUnitScope_Output, bus, table.outputFormat(of: node, bus))
    }
    if let feed = node.feed {
      layout.sources[.init(unit: unit.handle, bus: 0)] = .feed(feed)
      set(
        unit, kAudioUnitScope_Input, 0, node.unitInputFormat(for: table.outputFormat(of: node, 0)))
    } else if let mixer = node.mixerInputs {
      add(mixer, unit, table.outputFormat(of: node, 0), Set(inputs.map(\.input)))
    } else {
      for connection in inputs {
        let format = table.format(of: connection)
        set(unit, kAudioUnitScope_Input, connection.input, format)
        // An effect that feeds nothing runs at the rate of its input.
        if outputs.isEmpty, node.role.sink != nil || node.formatRule == .passes {
          let channels = node.onlyChannelCount ?? format.channelCount
          set(unit, kAudioUnitScope_Output, 0, .standard(format.sampleRate, channels))
        }
      }
      // An effect that nothing feeds is silent in the format of its output.
      if inputs.isEmpty, node.formatRule == .passes, node.numberOfInputs > 0 {
        set(unit, kAudioUnitScope_Input, 0, table.outputFormat(of: node, 0))
        layout.sources[.init(unit: unit.handle, bus: 0)] = .feed(SilentFeed.shared)
      }
    }
  }

  /// Adds what feeds the input node in manual rendering.
  private mutating func addInput(_ node: any GraphNode) {
    guard let manualInput, node.role.isInput else { return }
    let format = table.outputFormat(of: node, 0)
    set(manualInput.unit, kAudioUnitScope_Input, 0, manualInput.format ?? format)
    set(manualInput.unit, kAudioUnitScope_Output, 0, format)
    layout.sources[.init(unit: manualInput.unit.handle, bus: 0)] = .feed(manualInput)
  }

  private mutating func add(
    _ inputs: MixerInputs, _ unit: NodeUnit, _ output: AVAudioFormat, _ buses: Set<Int>
  ) {
    inputs.keep(buses)
    for connection in table.list where connection.destination.mixerInputs === inputs {
      _ = inputs.element(of: connection.input, channels: channels(connection))
    }
    set(unit, kAudioUnitScope_Output, 0, output)
    layout.busCounts.append((unit, kAudioUnitScope_Input, inputs.elementCount))
    for element in 0..<inputs.elementCount {
      let channels = UInt32(MixerInputs.channelCount(element))
      set(
        unit, kAudioUnitScope_Input, element, .standard(output.sampleRate, channels))
    }
  }

  private mutating func set(
    _ unit: NodeUnit, _ scope: AudioUnitScope, _ bus: Int, _ format: AVAudioFormat
  ) {
    layout.settings.append(
      .init(unit: unit, scope: scope, bus: UInt32(clamping: bus), format: format))
  }

  /// The channels of a mixer's element for a connection.
  private func channels(_ connection: NodeConnection) -> Int {
    Int(min(table.format(of: connection).channelCount, 2))
  }

  // MARK: Connections

  /// Adds the connections of one output.
  private mutating func add(_ connections: [NodeConnection]) {
    guard let first = connections.first else { return }
    let source = port(of: first)
    guard connections.count > 1 else { return add(first, from: source) }
    let format = table.format(of: first)
    let splitter = helper(
      .splitter(ObjectIdentifier(first.source), output: first.output, count: connections.count)
    ) { NodeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiSplitter) }
    layout.busCounts.append((splitter, kAudioUnitScope_Output, connections.count))
    set(splitter, kAudioUnitScope_Input, 0, format)
    layout.sources[.init(unit: splitter.handle, bus: 0)] = .output(source)
    for (bus, connection) in connections.enumerated() {
      set(splitter, kAudioUnitScope_Output, bus, format)
      add(connection, from: .init(unit: splitter.handle, bus: UInt32(bus)))
    }
  }

  private mutating func add(_ connection: NodeConnection, from source: GraphLayout.Port) {
    let node = connection.destination
    guard let unit = node.unit else {
      guard plays else { return }
      set(output, kAudioUnitScope_Input, 0, table.format(of: connection))
      return layout.sources[.init(unit: output.handle, bus: 0)] = .output(source)
    }
    guard let mixer = node.mixerInputs else {
      let input = UInt32(clamping: connection.input)
      return layout.sources[.init(unit: unit.handle, bus: input)] = .output(source)
    }
    let channels = channels(connection)
    let element = mixer.element(of: connection.input, channels: channels)
    let wanted = AVAudioFormat.standard(
      table.outputFormat(of: node, 0).sampleRate, UInt32(channels))
    var (format, source) = (table.format(of: connection), source)
    if format.channelCount > 2 {
      let mixdown = helper(
        .mixdown(ObjectIdentifier(node), input: connection.input, from: format)
      ) { .mixdown(from: format) }
      layout.sources[.init(unit: mixdown.handle, bus: 0)] = .output(source)
      source = .init(unit: mixdown.handle, bus: 0)
      format = .standard(format.sampleRate, 2)
    }
    let target = GraphLayout.Port(unit: unit.handle, bus: element)
    guard !format.hasSamples(of: wanted) else { return layout.sources[target] = .output(source) }
    let converter = helper(.converter(ObjectIdentifier(node), input: connection.input)) {
      NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
    }
    set(converter, kAudioUnitScope_Input, 0, format)
    set(converter, kAudioUnitScope_Output, 0, wanted)
    layout.sources[.init(unit: converter.handle, bus: 0)] = .output(source)
    layout.sources[target] = .output(.init(unit: converter.handle, bus: 0))
  }

  /// The unit and bus of a connection's source.
  private func port(of connection: NodeConnection) -> GraphLayout.Port {
    if let unit = connection.source.unit {
      return .init(unit: unit.handle, bus: UInt32(clamping: connection.output))
    }
    return .init(unit: input.unit.handle, bus: input.bus)
  }

  private mutating func helper(
    _ key: GraphLayout.Helper, _ make: () -> NodeUnit
  ) -> NodeUnit {
    let unit = helpers[key] ?? make()
    layout.helpers[key] = unit
    return unit
  }
}
