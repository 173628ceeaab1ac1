// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import Foundation

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

  private init(status: OSStatus, error: GraphDescriptionError) {
    self.status = status
    self.error = error
  }
}

extension GraphDescription {
  /// [control thread] Makes the graph and opens it: units are there, set up and connected, and
  /// nothing is initialised.
  func build() throws(GraphDescriptionFailure) -> AUGraph {
    var made: AUGraph?
    try GraphDescriptionFailure.check(NewAUGraph(&made), at: .nowhere)
    guard let graph = made else { throw GraphDescriptionFailure(at: .nowhere, "no graph") }
    do throws(GraphDescriptionFailure) {
      try build(in: graph)
      return graph
    } catch {
      DisposeAUGraph(graph)
      throw error
    }
  }

  private func build(in graph: AUGraph) throws(GraphDescriptionFailure) {
    if let compensatesLatency {
      try GraphDescriptionFailure.check(
        AUGraphSetLatencyCompensation(graph, compensatesLatency), at: .nowhere)
    }
    if let renderThreads {
      try GraphDescriptionFailure.check(
        AUGraphSetRenderThreads(graph, renderThreads.value), at: renderThreads.place)
    }
    var numbers: [String: AUNode] = [:]
    for node in nodes { numbers[node.name] = try node.add(to: graph) }
    try GraphDescriptionFailure.check(AUGraphOpen(graph), at: .nowhere)
    for node in nodes {
      guard let number = numbers[node.name] else { continue }
      try node.setUp(
        DescribedUnit(try Self.unit(of: number, in: graph, at: node.place)),
        inputs: buses(of: node, \.destination, \.input),
        outputs: buses(of: node, \.source, \.output))
    }
    for connection in connections {
      guard let source = numbers[connection.value.source],
        let destination = numbers[connection.value.destination]
      else { continue }
      try GraphDescriptionFailure.check(
        AUGraphConnectNodeInput(
          graph, source, connection.value.output, destination, connection.value.input),
        at: connection.place)
    }
  }

  private static func unit(of node: AUNode, in graph: AUGraph, at place: Place)
    throws(GraphDescriptionFailure) -> AudioUnit
  {
    var unit: AudioUnit?
    try GraphDescriptionFailure.check(AUGraphNodeInfo(graph, node, nil, &unit), at: place)
    guard let unit else { throw GraphDescriptionFailure(at: place, "the node has no unit") }
    return unit
  }

  /// How many buses the connections of a node reach.
  private func buses(
    of node: Node, _ end: KeyPath<Connection, String>, _ bus: KeyPath<Connection, UInt32>
  ) -> UInt32 {
    connections.filter { $0.value[keyPath: end] == node.name }
      .map { $0.value[keyPath: bus] &+ 1 }.max() ?? 0
  }
}

extension GraphDescription.Node {
  fileprivate func add(to graph: AUGraph) throws(GraphDescriptionFailure) -> AUNode {
    let found = ComponentLookup.components(unit.value)
    guard let component = found.first else {
      throw GraphDescriptionFailure(
        at: unit.place, "there is no unit \"\(unit.value)\"; `au list` shows those that there are")
    }
    guard found.count == 1 else {
      let titles = found.map(ComponentLookup.title).joined(separator: "; ")
      throw GraphDescriptionFailure(at: unit.place, "\"\(unit.value)\" may be \(titles)")
    }
    var description = AudioComponentDescription()
    try GraphDescriptionFailure.check(
      AudioComponentGetDescription(component, &description), at: unit.place)
    var node = AUNode()
    try GraphDescriptionFailure.check(AUGraphAddNode(graph, &description, &node), at: unit.place)
    return node
  }

  /// Elements first, for formats stand on them; parameters last, for a preset sets them too.
  fileprivate func setUp(_ unit: DescribedUnit, inputs needed: UInt32, outputs given: UInt32)
    throws(GraphDescriptionFailure)
  {
    unit.nickName = name
    if let frames = maximumFramesPerSlice {
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: frames.value, at: frames.place)
    }
    try setCount(unit, kAudioUnitScope_Input, inputs, needed)
    try setCount(unit, kAudioUnitScope_Output, outputs, given)
    for (scope, buses) in [(kAudioUnitScope_Input, inputs), (kAudioUnitScope_Output, outputs)] {
      for (bus, format) in (buses?.value ?? []).map(\.format).enumerated() {
        guard let format else { continue }
        try format.value.set(on: unit, scope, AudioUnitElement(bus), at: format.place)
      }
    }
    if let preset { try set(preset, on: unit) }
    try set(parameters, on: unit, kAudioUnitScope_Global, 0)
    for (scope, buses) in [(kAudioUnitScope_Input, inputs), (kAudioUnitScope_Output, outputs)] {
      for (bus, entry) in (buses?.value ?? []).enumerated() {
        try set(entry.parameters, on: unit, scope, AudioUnitElement(bus))
      }
    }
  }

  /// As many buses as are listed; without a list, as many as are connected.
  private func setCount(
    _ unit: DescribedUnit, _ scope: AudioUnitScope,
    _ listed: GraphDescription.Placed<[GraphDescription.Bus]>?, _ connected: UInt32
  ) throws(GraphDescriptionFailure) {
    let current = unit.elementCount(scope)
    let wanted = max(listed.map { UInt32($0.value.count) } ?? current, connected)
    guard wanted > current || listed != nil && wanted != current else { return }
    try unit.set(
      kAudioUnitProperty_ElementCount, scope, 0, to: wanted, at: listed?.place ?? place)
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
    for (name, setting) in settings {
      let parameter = try GraphDescription.parameter(name, of: known, at: setting.place)
      let value = try parameter.value(setting)
      try GraphDescriptionFailure.check(
        AudioUnitSetParameter(unit.unit, parameter.id, scope, element, value, 0),
        at: setting.place)
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
  /// What a setting means for this parameter.
  fileprivate func value(_ setting: GraphDescription.Placed<GraphDescription.Setting>)
    throws(GraphDescriptionFailure) -> Float
  {
    guard isWritable else {
      throw GraphDescriptionFailure(at: setting.place, "\"\(name)\" can only be read")
    }
    switch setting.value {
    case .number(let number):
      guard (Double(info.minValue)...Double(info.maxValue)).contains(number) else {
        throw GraphDescriptionFailure(
          at: setting.place,
          "\"\(name)\" is from \(info.minValue) to \(info.maxValue), not "
            + GraphDescription.plain(number))
      }
      return Float(number)
    case .name(let wanted):
      let index = valueNames.firstIndex {
        ComponentLookup.key($0) == ComponentLookup.key(wanted)
      }
      guard let index else {
        let names = valueNames.map { "\"\($0)\"" }.joined(separator: ", ")
        throw GraphDescriptionFailure(
          at: setting.place,
          valueNames.isEmpty ? "\"\(name)\" is a number" : "\"\(name)\" is one of \(names)")
      }
      return info.minValue + Float(index)
    }
  }
}

extension GraphDescription.Format {
  /// Gives a bus what is said, and leaves the rest as it is.
  fileprivate func set(
    on unit: DescribedUnit, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
    at place: GraphDescription.Place
  ) throws(GraphDescriptionFailure) {
    if let sampleRate, channels == nil, samples == nil, isInterleaved == nil {
      return try unit.set(kAudioUnitProperty_SampleRate, scope, bus, to: sampleRate, at: place)
    }
    guard let current = unit.format(scope, bus) else {
      throw GraphDescriptionFailure(at: place, "this bus has no stream format")
    }
    try unit.set(kAudioUnitProperty_StreamFormat, scope, bus, to: over(current), at: place)
  }

  /// The format that comes of `current` and what is said.
  func over(_ current: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    let samples = samples ?? Samples(current) ?? .float32
    let isInterleaved =
      isInterleaved ?? (current.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
    let channels = channels ?? current.mChannelsPerFrame
    let bytes = samples.bytes * (isInterleaved ? channels : 1)
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate ?? current.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: samples.flags | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: channels, mBitsPerChannel: samples.bytes * 8, mReserved: 0)
  }

  /// All of a format; nil when it is none that can be described.
  init?(describing format: AudioStreamBasicDescription) {
    guard let samples = Samples(format) else { return nil }
    self.init(
      sampleRate: format.mSampleRate, channels: format.mChannelsPerFrame, samples: samples,
      isInterleaved: format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
  }
}

extension GraphDescription.Format.Samples {
  var bytes: UInt32 { self == .int16 ? 2 : 4 }

  var flags: AudioFormatFlags {
    switch self {
    case .float32: kAudioFormatFlagsNativeFloatPacked
    case .int16, .int32: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    case .fixed824:
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (24 << kLinearPCMFormatFlagsSampleFractionShift)
    }
  }

  /// How the samples of a format are written; nil when in another way than these.
  init?(_ format: AudioStreamBasicDescription) {
    let ignored = kAudioFormatFlagIsNonInterleaved | kAudioFormatFlagIsPacked
    let match = Self.allCases.first { samples in
      samples.flags & ~ignored == format.mFormatFlags & ~ignored
        && samples.bytes * 8 == format.mBitsPerChannel
    }
    guard format.mFormatID == kAudioFormatLinearPCM, let match else { return nil }
    self = match
  }
}
