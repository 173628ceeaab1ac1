// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import ProcessingGraph

/// Why no graph came of a description: the code to return, and where in the text the reason stands.
struct GraphDescriptionFailure: Error {
  let status: OSStatus
  let error: GraphDescriptionError

  /// Refuses a text that says something impossible.
  init(_ error: GraphDescriptionError) {
    status = kAudio_ParamError
    self.error = error
  }

  /// Refuses what stands at a place.
  init(at place: GraphDescription.Place, _ reason: String) {
    self.init(GraphDescriptionError(at: place, reason))
  }

  /// Fails with the reason of the call that failed.
  static func check(_ status: OSStatus, at place: GraphDescription.Place)
    throws(GraphDescriptionFailure)
  {
    guard status != noErr else { return }
    throw Self(
      status: status,
      error: GraphDescriptionError(at: place, Explanations.last ?? StatusName.text(status)))
  }

  /// Runs what may fail for a reason that stands at a place.
  static func at<Result>(
    _ place: GraphDescription.Place, _ body: () throws(AudioError) -> Result
  ) throws(GraphDescriptionFailure) -> Result {
    do throws(AudioError) { return try body() } catch {
      let reason =
        error.explanation.isEmpty ? StatusName.text(error.status) : error.explanation
      throw Self(status: error.status, error: GraphDescriptionError(at: place, reason))
    }
  }

  private init(status: OSStatus, error: GraphDescriptionError) {
    self.status = status
    self.error = error
  }
}

extension GraphDescription {
  /// [control thread] Makes the graph and opens it: units are there, set up and connected, and
  /// nothing is initialised.
  func build() throws(GraphDescriptionFailure) -> AUGraph {
    let graph = try GraphDescriptionFailure.at(.nowhere) { () throws(AudioError) in
      try ProcessingGraph.make(place: place.text)
    }
    guard let handle = graph.handle else {
      throw GraphDescriptionFailure(at: .nowhere, "no graph")
    }
    do throws(GraphDescriptionFailure) {
      try build(graph, handle)
      return handle
    } catch {
      DisposeAUGraph(handle)
      throw error
    }
  }

  /// Formats and connections of all units first: how many channels a mixer has follows from what feeds
  /// it, and what can be set from its channels.
  private func build(_ graph: ProcessingGraph, _ handle: AUGraph) throws(GraphDescriptionFailure) {
    if let compensatesLatency {
      try GraphDescriptionFailure.check(
        AUGraphSetLatencyCompensation(handle, compensatesLatency), at: .nowhere)
    }
    if let renderThreads {
      try GraphDescriptionFailure.check(
        AUGraphSetRenderThreads(handle, renderThreads.value), at: renderThreads.place)
    }
    var numbers: [String: AUNode] = [:]
    for node in nodes { numbers[node.name] = try node.add(to: graph) }
    try GraphDescriptionFailure.check(AUGraphOpen(handle), at: .nowhere)
    var units: [(node: Node, unit: DescribedUnit)] = []
    for node in nodes {
      guard let number = numbers[node.name] else { continue }
      let unit = DescribedUnit(try Self.unit(of: number, in: handle, at: node.place))
      try node.shape(
        unit, inputs: buses(of: node, \.destination, \.input),
        outputs: buses(of: node, \.source, \.output))
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

  private static func unit(of node: AUNode, in graph: AUGraph, at place: Place)
    throws(GraphDescriptionFailure) -> AudioUnit
  {
    var unit: AudioUnit?
    try GraphDescriptionFailure.check(AUGraphNodeInfo(graph, node, nil, &unit), at: place)
    guard let unit else { throw GraphDescriptionFailure(at: place, "the node has no unit") }
    return unit
  }

  /// How many buses the connections of a node reach, and where the one stands that needs the most.
  private func buses(
    of node: Node, _ end: KeyPath<Connection, String>, _ bus: KeyPath<Connection, UInt32>
  ) -> Placed<UInt32>? {
    connections.filter { $0.value[keyPath: end] == node.name }
      .map { Placed($0.value[keyPath: bus] &+ 1, at: $0.place) }.max { $0.value < $1.value }
  }
}

extension GraphDescription.Node {
  fileprivate func add(to graph: ProcessingGraph) throws(GraphDescriptionFailure) -> AUNode {
    let found = ComponentLookup.components(unit.value)
    guard let component = found.first else {
      throw GraphDescriptionFailure(
        at: unit.place, "there is no unit \"\(unit.value)\"; `au list` shows all units")
    }
    guard found.count == 1 else {
      let titles = found.map(ComponentLookup.title).joined(separator: "; ")
      throw GraphDescriptionFailure(at: unit.place, "\"\(unit.value)\" may be \(titles)")
    }
    var description = AudioComponentDescription()
    try GraphDescriptionFailure.check(
      AudioComponentGetDescription(component, &description), at: unit.place)
    return try GraphDescriptionFailure.at(unit.place) { () throws(AudioError) in
      try graph.addNode(description, place: place.text)
    }
  }

  /// Gives a unit its name, its buses and their formats; `needed` and `given` are buses that
  /// connections reach.
  func shape(
    _ unit: DescribedUnit, inputs needed: GraphDescription.Placed<UInt32>? = nil,
    outputs given: GraphDescription.Placed<UInt32>? = nil
  ) throws(GraphDescriptionFailure) {
    unit.nickName = name
    if let frames = maximumFramesPerSlice {
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: frames.value, at: frames.place)
    }
    try setCount(unit, kAudioUnitScope_Input, inputs, needed)
    try setCount(unit, kAudioUnitScope_Output, outputs, given)
    try forEachBus { (scope, number, bus) throws(GraphDescriptionFailure) in
      try bus.format?.value.set(on: unit, scope, number, at: bus.format?.place ?? place)
    }
  }

  /// Gives a unit with its buses what else is said: a preset sets parameters, and so do the properties
  /// of a unit; those of a bus may stand in the place of its parameters.
  fileprivate func setUp(_ unit: DescribedUnit) throws(GraphDescriptionFailure) {
    if let preset { try set(preset, on: unit) }
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
        try body(scope, AudioUnitElement(number), bus)
      }
    }
  }

  /// As many buses as are listed, or connected; else as many as there are.
  private func setCount(
    _ unit: DescribedUnit, _ scope: AudioUnitScope,
    _ listed: GraphDescription.Placed<[GraphDescription.Bus]>?,
    _ connected: GraphDescription.Placed<UInt32>?
  ) throws(GraphDescriptionFailure) {
    let current = unit.elementCount(scope)
    var wanted = listed.map { GraphDescription.Placed(UInt32($0.value.count), at: $0.place) }
    if let connected, connected.value > wanted?.value ?? current { wanted = connected }
    guard let wanted, wanted.value != current else { return }
    try unit.set(
      kAudioUnitProperty_ElementCount, scope, 0, to: wanted.value, at: wanted.place)
  }

  private func set(
    _ preset: GraphDescription.Placed<GraphDescription.Preset>, on unit: DescribedUnit
  ) throws(GraphDescriptionFailure) {
    let known = unit.presets
    let found = known.first { entry in
      switch preset.value {
      case .number(let number): entry.number == number
      case .name(let name): ComponentLookup.key(entry.name) == ComponentLookup.key(name)
      }
    }
    guard let found else {
      let names = known.map { "\($0.number) \"\($0.name)\"" }.joined(separator: ", ")
      throw GraphDescriptionFailure(
        at: preset.place,
        known.isEmpty ? "this unit has no presets" : "this unit has the presets \(names)")
    }
    let value = AUPreset(presetNumber: found.number, presetName: nil)
    try unit.set(kAudioUnitProperty_PresentPreset, to: value, at: preset.place)
  }

  private func set(
    _ settings: [(name: String, setting: GraphDescription.Placed<GraphDescription.Setting>)],
    on unit: DescribedUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(GraphDescriptionFailure) {
    guard !settings.isEmpty else { return }
    let known = unit.parameters(scope, element)
    let elements = unit.parameterElements(scope, element)
    for (name, setting) in settings {
      let parameter = try GraphDescription.parameter(name, of: known, at: setting.place)
      let values = try parameter.values(setting, count: elements.count)
      for (element, value) in zip(elements, values) {
        try GraphDescriptionFailure.check(
          AudioUnitSetParameter(unit.unit, parameter.id, scope, element, value, 0),
          at: setting.place)
      }
    }
  }
}

extension GraphDescription {
  /// The parameter that a name means: all of it, the only one that begins so, or its number.
  fileprivate static func parameter(
    _ name: String, of known: [DescribedUnit.Parameter], at place: Place
  ) throws(GraphDescriptionFailure) -> DescribedUnit.Parameter {
    let key = ComponentLookup.key(name)
    if let exact = known.first(where: { ComponentLookup.key($0.name) == key }) { return exact }
    if let id = AudioUnitParameterID(name), let byNumber = known.first(where: { $0.id == id }) {
      return byNumber
    }
    let beginning = known.filter { !key.isEmpty && ComponentLookup.key($0.name).hasPrefix(key) }
    guard beginning.count == 1, let parameter = beginning.first else {
      let names = (beginning.isEmpty ? known : beginning).map { "\"\($0.name)\"" }
        .joined(separator: ", ")
      throw GraphDescriptionFailure(
        at: place, known.isEmpty ? "there are no parameters here" : "the parameters are \(names)")
    }
    return parameter
  }
}

extension DescribedUnit.Parameter {
  /// What a setting means for this parameter, which is there `count` times.
  fileprivate func values(
    _ setting: GraphDescription.Placed<GraphDescription.Setting>, count: Int
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

  /// A number may be beyond the parameter's range, as when a program sets it.
  private func value(_ setting: GraphDescription.Setting, at place: GraphDescription.Place)
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
    case .name(let wanted):
      let index = valueNames.firstIndex {
        ComponentLookup.key($0) == ComponentLookup.key(wanted)
      }
      guard let index else {
        let names = valueNames.map { "\"\($0)\"" }.joined(separator: ", ")
        throw GraphDescriptionFailure(
          at: place,
          valueNames.isEmpty ? "\"\(name)\" is a number" : "\"\(name)\" is one of \(names)")
      }
      return info.minValue + Float(index)
    case .each: throw GraphDescriptionFailure(at: place, "\"\(name)\" is a number")
    }
  }
}
