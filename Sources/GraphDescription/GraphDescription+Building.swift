// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import PlainText
import ProcessingGraph
import UnitTexts
@_spi(TrappingConversions) import CheckedNumbers

/// The error of building a graph from a description: a status, a reason and its place in the text.
package struct GraphDescriptionFailure: Error {
  /// The status that the C function returns.
  package let status: OSStatus
  /// The reason and its place.
  package let error: GraphDescriptionError

  /// The failure for an invalid text.
  init(_ error: GraphDescriptionError) {
    status = kAudio_ParamError
    self.error = error
  }

  /// The failure for invalid text at a place.
  init(at place: TextPlace, _ reason: String) {
    self.init(GraphDescriptionError(at: place, reason))
  }

  /// Runs `body`, and adds the place, and the name of `unit`, to its error.
  static func at<Result>(
    _ place: TextPlace, of unit: UnitInstance? = nil,
    _ body: () throws(AudioError) -> Result
  ) throws(GraphDescriptionFailure) -> Result {
    do throws(AudioError) { return try body() } catch {
      let reason = error.reason
      throw Self(
        status: error.status,
        error: GraphDescriptionError(at: place, unit.map { "\($0.title): \(reason)" } ?? reason))
    }
  }

  private init(status: OSStatus, error: GraphDescriptionError) {
    self.status = status
    self.error = error
  }
}

extension GraphDescription {
  /// [control thread] Makes the graph and opens it: the units exist, are set up and connected, but
  /// are not initialised.
  package func build() throws(GraphDescriptionFailure) -> ProcessingGraph {
    let graph = try GraphDescriptionFailure.at(.nowhere) { () throws(AudioError) in
      try ProcessingGraph.make(place: place.text)
    }
    do throws(GraphDescriptionFailure) {
      try build(graph)
      return graph
    } catch {
      if let handle = graph.handle { try? ProcessingGraph.dispose(handle) }
      throw error
    }
  }

  /// Sets the formats and connections of all units before everything else: connections determine
  /// the channels of a mixer, and these determine its other settings.
  private func build(_ graph: ProcessingGraph) throws(GraphDescriptionFailure) {
    if let compensatesLatency {
      try GraphDescriptionFailure.at(.nowhere) { () throws(AudioError) in
        try graph.setCompensatesLatency(compensatesLatency)
      }
    }
    if let renderThreads {
      try GraphDescriptionFailure.at(renderThreads.place) { () throws(AudioError) in
        try graph.setThreadCount(Int(renderThreads.value))
      }
    }
    var numbers: [String: Int32] = [:]
    for node in nodes { numbers[node.name] = try node.add(to: graph) }
    try GraphDescriptionFailure.at(.nowhere) { () throws(AudioError) in try graph.open() }
    let inputs = buses(\.destination, \.input)
    let outputs = buses(\.source, \.output)
    var units: [(node: Node, unit: UnitInstance)] = []
    for node in nodes {
      guard let number = numbers[node.name] else { continue }
      let unit = try Self.unit(of: number, in: graph, at: node.place)
      try node.shape(unit, inputs: inputs[node.name], outputs: outputs[node.name])
      units.append((node, unit))
    }
    for connection in connections {
      guard let source = numbers[connection.value.source],
        let destination = numbers[connection.value.destination]
      else { continue }
      try GraphDescriptionFailure.at(connection.place) { () throws(AudioError) in
        try graph.connect(
          source, connection.value.output, to: destination, connection.value.input,
          place: connection.place.text)
      }
    }
    for (node, unit) in units { try node.setUp(unit) }
  }

  private static func unit(of node: Int32, in graph: ProcessingGraph, at place: TextPlace)
    throws(GraphDescriptionFailure) -> UnitInstance
  {
    let unit = try GraphDescriptionFailure.at(place) { () throws(AudioError) in
      try graph.control { () throws(AudioError) in try graph.node(node).unit }
    }
    guard let unit else { throw GraphDescriptionFailure(at: place, "the node has no unit") }
    return unit
  }

  /// The number of buses that the connections of each node need, and the place of the connection
  /// with the highest bus.
  private func buses(
    _ end: KeyPath<Connection, String>, _ bus: KeyPath<Connection, UInt32>
  ) -> [String: Placed<UInt32>] {
    var buses: [String: Placed<UInt32>] = [:]
    for connection in connections {
      let name = connection.value[keyPath: end]
      let count = connection.value[keyPath: bus].addingReportingOverflow(1)
      let needed = count.overflow ? UInt32.max : count.partialValue
      if needed > buses[name]?.value ?? 0 { buses[name] = Placed(needed, at: connection.place) }
    }
    return buses
  }
}

extension GraphDescription.Node {
  fileprivate func add(to graph: ProcessingGraph) throws(GraphDescriptionFailure) -> Int32 {
    let found = ComponentRegistry.shared.named(unit.value)
    guard let component = found.first else {
      throw GraphDescriptionFailure(
        at: unit.place,
        "there is no unit \(Excerpt.quoted(unit.value))"
          + Component.question(
            for: unit.value, among: ComponentRegistry.shared.all(),
            otherwise: "`au list` shows all units"))
    }
    guard found.count == 1 else {
      let titles = found.map(\.title).joined(separator: "; ")
      throw GraphDescriptionFailure(
        at: unit.place, "\(Excerpt.quoted(unit.value)) matches several units: \(titles)")
    }
    return try GraphDescriptionFailure.at(unit.place) { () throws(AudioError) in
      try graph.addNode(component.description, place: place.text)
    }
  }

  /// Sets a unit's name, buses and formats. `needed` and `given` are the numbers of input and
  /// output buses that its connections need.
  func shape(
    _ unit: UnitInstance, inputs needed: Placed<UInt32>? = nil,
    outputs given: Placed<UInt32>? = nil
  ) throws(GraphDescriptionFailure) {
    unit.setGivenName(name)
    if let frames = maximumFramesPerSlice {
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: frames.value, at: frames.place)
    }
    try setCount(unit, kAudioUnitScope_Input, inputs, needed)
    try setCount(unit, kAudioUnitScope_Output, outputs, given)
    try forEachBus { (scope, number, bus) throws(GraphDescriptionFailure) in
      try bus.format?.value.set(on: unit, scope, number, at: bus.format?.place ?? place)
    }
  }

  /// Sets the remaining values of a unit whose buses exist. The preset and the unit's properties
  /// come before the parameters, because they set parameters too. The properties of a bus come
  /// after its parameters, because they may override them.
  fileprivate func setUp(_ unit: UnitInstance) throws(GraphDescriptionFailure) {
    if let preset { try set(preset, on: unit) }
    for file in files {
      try GraphDescriptionFailure.at(file.place, of: unit) { () throws(AudioError) in
        try unit.play(file.value)
      }
    }
    for property in properties {
      try unit.set(property.value, kAudioUnitScope_Global, 0, at: property.place)
    }
    try set(parameters, on: unit, kAudioUnitScope_Global, 0)
    try forEachBus { (scope, number, bus) throws(GraphDescriptionFailure) in
      try set(bus.parameters, on: unit, scope, number)
      for property in bus.properties {
        try unit.set(property.value, scope, number, at: property.place)
      }
    }
  }

  private func forEachBus(
    _ body: (AudioUnitScope, AudioUnitElement, GraphDescription.Bus)
      throws(GraphDescriptionFailure) -> Void
  ) throws(GraphDescriptionFailure) {
    for (scope, buses) in [(kAudioUnitScope_Input, inputs), (kAudioUnitScope_Output, outputs)] {
      for (number, bus) in (buses?.value ?? []).enumerated() {
        try body(scope, AudioUnitElement(clamping: number), bus)
      }
    }
  }

  /// Sets the number of buses to that of the listed buses, or to more if connections need them;
  /// without either the number remains.
  private func setCount(
    _ unit: UnitInstance, _ scope: AudioUnitScope,
    _ listed: Placed<[GraphDescription.Bus]>?,
    _ connected: Placed<UInt32>?
  ) throws(GraphDescriptionFailure) {
    let current = unit.busCount(scope)
    var count = listed.map { Placed(UInt32(clamping: $0.value.count), at: $0.place) }
    if let connected, connected.value > count?.value ?? current { count = connected }
    guard let count, count.value != current else { return }
    try unit.set(kAudioUnitProperty_ElementCount, to: count.value, scope, at: count.place)
  }

  private func set(
    _ preset: Placed<GraphDescription.Preset>, on unit: UnitInstance
  ) throws(GraphDescriptionFailure) {
    let text =
      switch preset.value {
      case .number(let number): "\(number)"
      case .name(let name): name
      }
    guard let found = unit.preset(text) else {
      let names = unit.presetList.map { "\($0.number) \"\($0.name)\"" }.joined(separator: ", ")
      throw GraphDescriptionFailure(
        at: preset.place,
        names.isEmpty ? "this unit has no presets" : "this unit has the presets \(names)")
    }
    try GraphDescriptionFailure.at(preset.place, of: unit) { () throws(AudioError) in
      try unit.setPreset(found.number)
    }
  }

  private func set(
    _ settings: [(name: String, setting: Placed<GraphDescription.Setting>)],
    on unit: UnitInstance, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(GraphDescriptionFailure) {
    guard !settings.isEmpty else { return }
    let known = unit.parameterDescriptions(scope, element)
    let elements = unit.parameterElements(scope, element)
    for (name, setting) in settings {
      let parameter = try GraphDescription.parameter(name, of: known, at: setting.place)
      let values = try parameter.values(setting, count: elements.count)
      for (element, value) in zip(elements, values) {
        try GraphDescriptionFailure.at(setting.place, of: unit) { () throws(AudioError) in
          try unit.setParameter(
            ParameterAddress(parameter.id, scope, element), to: value, offset: 0)
        }
      }
    }
  }
}

extension GraphDescription {
  /// The parameter with a name or number.
  fileprivate static func parameter(
    _ name: String, of known: [ParameterDescription], at place: TextPlace
  ) throws(GraphDescriptionFailure) -> ParameterDescription {
    let found = known.named(name)
    guard found.count == 1, let parameter = found.first else {
      let names = (found.isEmpty ? known : found).map { "\"\($0.name)\"" }
        .joined(separator: ", ")
      throw GraphDescriptionFailure(
        at: place, known.isEmpty ? "there are no parameters" : "the parameters are \(names)")
    }
    return parameter
  }
}

extension ParameterDescription {
  /// The values of a setting for this parameter, of which there are `count`.
  fileprivate func values(
    _ setting: Placed<GraphDescription.Setting>, count: Int
  ) throws(GraphDescriptionFailure) -> [Float] {
    guard isWritable else {
      throw GraphDescriptionFailure(at: setting.place, "\"\(name)\" can only be read")
    }
    guard case .each(let settings) = setting.value else {
      return Array(repeating: try value(setting.value, at: setting.place), count: count)
    }
    guard settings.count == count else {
      throw GraphDescriptionFailure(
        at: setting.place,
        "\(settings.count) values of \"\(name)\", where there "
          + (count == 1 ? "is 1" : "are \(count), one for each channel"))
    }
    var values: [Float] = []
    for entry in settings { values.append(try value(entry, at: setting.place)) }
    return values
  }

  /// The value of a number or a text. As in a program's calls, it may exceed the parameter's range.
  private func value(_ setting: GraphDescription.Setting, at place: TextPlace)
    throws(GraphDescriptionFailure) -> Float
  {
    switch setting {
    case .number(let number):
      guard Float(number).isFinite else {
        throw GraphDescriptionFailure(
          at: place,
          "\"\(name)\" is from \(info.minValue) to \(info.maxValue); \(number) is too large")
      }
      return Float(number)
    case .name(let text):
      guard let value = value(of: text) else {
        throw GraphDescriptionFailure(
          at: place, "\"\(name)\" is \(Excerpt.quoted(text)): expected \(expectation)")
      }
      return value
    case .each: throw GraphDescriptionFailure(at: place, "\"\(name)\": expected \(expectation)")
    }
  }
}
