// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

extension GraphDescription {
  /// [control thread] Describes an open graph. Render callbacks are the program's and are left out.
  init(_ graph: AUGraph) throws(AudioError) {
    var names: [AUNode: String] = [:]
    for node in try Self.nodes(of: graph) {
      var description = AudioComponentDescription()
      var unit: AudioUnit?
      try Self.check(AUGraphNodeInfo(graph, node, &description, &unit))
      var isSubgraph: DarwinBoolean = false
      try Self.check(AUGraphIsNodeSubGraph(graph, node, &isSubgraph))
      guard !isSubgraph.boolValue else {
        throw AudioError.invalidAudioUnit.because(
          "node \(node) is a sub-graph, which cannot be described")
      }
      guard let unit else {
        throw AudioError.uninitialized.because("the graph is not open: its nodes have no units yet")
      }
      let described = DescribedUnit(unit)
      let name = Self.name(of: described, description, besides: names.values)
      names[node] = name
      nodes.append(Node(name, described, description))
    }
    for interaction in try Self.interactions(of: graph)
    where interaction.nodeInteractionType == UInt32(kAUNodeInteraction_Connection) {
      let connection = interaction.nodeInteraction.connection
      guard let source = names[connection.sourceNode],
        let destination = names[connection.destNode]
      else { continue }
      connections.append(
        Placed(
          Connection(
            source: source, output: connection.sourceOutputNumber, destination: destination,
            input: connection.destInputNumber)))
    }
    var compensates = false
    var threads: UInt32 = 1
    try Self.check(AUGraphGetLatencyCompensation(graph, &compensates))
    try Self.check(AUGraphGetRenderThreads(graph, &threads))
    if compensates { compensatesLatency = true }
    if threads != 1 { renderThreads = Placed(threads) }
  }

  private static func nodes(of graph: AUGraph) throws(AudioError) -> [AUNode] {
    var count: UInt32 = 0
    try check(AUGraphGetNodeCount(graph, &count))
    var nodes: [AUNode] = []
    for index in 0..<count {
      var node = AUNode()
      try check(AUGraphGetIndNode(graph, index, &node))
      nodes.append(node)
    }
    return nodes
  }

  private static func interactions(of graph: AUGraph) throws(AudioError) -> [AUNodeInteraction] {
    var count: UInt32 = 0
    try check(AUGraphGetNumberOfInteractions(graph, &count))
    var interactions: [AUNodeInteraction] = []
    for index in 0..<count {
      var interaction = AUNodeInteraction()
      try check(AUGraphGetInteractionInfo(graph, index, &interaction))
      interactions.append(interaction)
    }
    return interactions
  }

  /// Its nickname, else the subtype; with a number when that is taken.
  private static func name(
    of unit: DescribedUnit, _ description: AudioComponentDescription,
    besides taken: some Collection<String>
  ) -> String {
    let code = ComponentLookup.codes(description).split(separator: " ").dropFirst().first ?? "unit"
    let allowed = unit.nickName.map { $0.filter { !" :>".contains($0) } } ?? ""
    let name = allowed.isEmpty ? String(code) : allowed
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  private static func check(_ status: OSStatus) throws(AudioError) {
    guard status != noErr else { return }
    throw AudioError(status: status)
  }
}

extension GraphDescription.Node {
  /// Describes a unit by what is not as in a twin that got all that was said before.
  fileprivate init(
    _ name: String, _ unit: DescribedUnit, _ description: AudioComponentDescription
  ) {
    self.init(name: name, unit: .init(ComponentLookup.codes(description)))
    let twin = TwinUnit(description)
    let frames = unit.value(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0))
    if let frames, frames != twin?.maximumFrames { maximumFramesPerSlice = .init(frames) }
    let counts = [kAudioUnitScope_Input, kAudioUnitScope_Output].map { scope in
      twin.map { Int($0.unit.elementCount(scope)) }
    }
    var inputs = Self.buses(kAudioUnitScope_Input, of: unit, twin)
    var outputs = Self.buses(kAudioUnitScope_Output, of: unit, twin)
    (self.inputs, self.outputs) = (.init(inputs), .init(outputs))
    if let twin { try? shape(twin.unit) }

    if let number = unit.presentPreset, number != twin?.unit.presentPreset {
      let name = unit.presets.first { $0.number == number }?.name
      preset = .init(name.map { .name($0) } ?? .number(number))
      try? twin?.unit.set(
        kAudioUnitProperty_PresentPreset, to: AUPreset(presetNumber: number, presetName: nil),
        at: .nowhere)
    }
    properties = unit.properties(kAudioUnitScope_Global, 0, unlike: twin?.unit)
    parameters = unit.settings(kAudioUnitScope_Global, 0, unlike: twin?.unit)
    for bus in inputs.indices {
      inputs[bus].describe(unit, kAudioUnitScope_Input, UInt32(bus), unlike: twin?.unit)
    }
    for bus in outputs.indices {
      outputs[bus].describe(unit, kAudioUnitScope_Output, UInt32(bus), unlike: twin?.unit)
    }
    self.inputs = inputs.allSatisfy(\.isPlain) && inputs.count == counts[0] ? nil : .init(inputs)
    self.outputs =
      outputs.allSatisfy(\.isPlain) && outputs.count == counts[1] ? nil : .init(outputs)
  }

  /// Buses with their formats.
  private static func buses(_ scope: AudioUnitScope, of unit: DescribedUnit, _ twin: TwinUnit?)
    -> [GraphDescription.Bus]
  {
    (0..<unit.elementCount(scope)).map { bus in
      let format = unit.format(scope, bus)
      let isNew = format.map { twin?.hasFormat($0, scope, bus) ?? false } ?? true
      return GraphDescription.Bus(
        format: isNew
          ? nil : format.flatMap { GraphDescription.Format(describing: $0) }.map { .init($0) })
    }
  }
}

extension GraphDescription.Bus {
  fileprivate var isPlain: Bool { format == nil && parameters.isEmpty && properties.isEmpty }

  fileprivate mutating func describe(
    _ unit: DescribedUnit, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
    unlike twin: DescribedUnit?
  ) {
    parameters = unit.settings(scope, bus, unlike: twin)
    properties = unit.properties(scope, bus, unlike: twin)
  }
}

extension DescribedUnit {
  /// The settings of an element that its twin has not; the twin gets them.
  fileprivate func settings(
    _ scope: AudioUnitScope, _ bus: AudioUnitElement, unlike twin: DescribedUnit?
  ) -> [(name: String, setting: GraphDescription.Placed<GraphDescription.Setting>)] {
    let elements = parameterElements(scope, bus)
    return parameters(scope, bus).compactMap { parameter in
      guard parameter.isReadable, parameter.isWritable else { return nil }
      let values = elements.map { setting(parameter.id, scope, $0) ?? .nan }
      let isSame = zip(elements, values).allSatisfy {
        twin?.setting(parameter.id, scope, $0) == $1
      }
      guard !isSame, let first = values.first, values.allSatisfy(\.isFinite) else { return nil }
      for (element, value) in zip(elements, values) {
        if let twin { AudioUnitSetParameter(twin.unit, parameter.id, scope, element, value, 0) }
      }
      let settings = values.map {
        GraphDescription.Setting.number(GraphDescription.shortest($0))
      }
      let areEqual = values.allSatisfy { $0 == first }
      return (parameter.name, .init(areEqual ? settings[0] : .each(settings)))
    }
  }

  /// The properties of an element that its twin has not; the twin gets them.
  fileprivate func properties(
    _ scope: AudioUnitScope, _ bus: AudioUnitElement, unlike twin: DescribedUnit?
  ) -> [GraphDescription.Placed<GraphDescription.Property>] {
    DescribedProperty.all.compactMap { kind in
      guard let property = property(kind, scope, bus),
        twin?.property(kind, scope, bus)?.rows != property.rows
      else { return nil }
      try? twin?.set(property, scope, bus, at: .nowhere)
      return .init(property)
    }
  }
}

/// Another unit of the same kind, to compare with.
private final class TwinUnit {
  let unit: DescribedUnit

  init?(_ description: AudioComponentDescription) {
    var description = description
    var instance: AudioComponentInstance?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let instance
    else { return nil }
    unit = DescribedUnit(instance)
  }

  deinit { AudioComponentInstanceDispose(unit.unit) }

  var maximumFrames: UInt32? {
    unit.value(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0))
  }

  /// Whether a new bus has this format; buses beyond those of a new unit are like its last one.
  func hasFormat(
    _ format: AudioStreamBasicDescription, _ scope: AudioUnitScope, _ bus: AudioUnitElement
  ) -> Bool {
    let count = unit.elementCount(scope)
    guard count > 0, let fresh = unit.format(scope, min(bus, count - 1)) else { return false }
    return fresh.mSampleRate == format.mSampleRate && fresh.mFormatFlags == format.mFormatFlags
      && fresh.mChannelsPerFrame == format.mChannelsPerFrame
      && fresh.mBitsPerChannel == format.mBitsPerChannel
  }
}
