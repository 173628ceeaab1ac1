// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import ProcessingGraph
@_spi(TrappingConversions) import CheckedNumbers

extension GraphDescription {
  /// [control thread] Describes an open graph, without the program's render callbacks.
  package init(_ graph: ProcessingGraph) throws(AudioError) {
    let (members, interactions) = try graph.control { () in (graph.nodes, graph.interactions) }
    var names: [Int32: String] = [:]
    for member in members {
      guard member.subgraph == nil else {
        throw AudioError.invalidAudioUnit.because(
          "node \(member.number) is a sub-graph, which cannot be described")
      }
      guard let handle = try graph.control({ () in member.unit?.handle }) else {
        throw AudioError.uninitialized.because("the graph is not open: its nodes have no units yet")
      }
      let newUnit = TemporaryUnit(member.description)
      let described = withExtendedLifetime(newUnit) {
        UnitInstance.use(handle) { unit in
          let name = Self.name(of: unit, member.description, besides: names.values)
          return Node(name, unit, member.description, unlike: newUnit?.unit)
        }
      }
      guard let described else {
        throw AudioError.instanceInvalidated.because("the unit of node \(member.number) has ended")
      }
      names[member.number] = described.name
      nodes.append(described)
    }
    for interaction in interactions {
      guard case .connection(let node, let output) = interaction.source,
        let source = names[node], let destination = names[interaction.node]
      else { continue }
      connections.append(
        Placed(
          Connection(
            source: source, output: output, destination: destination, input: interaction.bus)))
    }
    if try graph.doesCompensateLatency() {
      compensatesLatency = true
    }
    let threads = try graph.requestedThreadCount()
    if threads != 1 { renderThreads = Placed(UInt32(clamping: threads)) }
  }

  /// A name for a unit: its nickname or its subtype, with a number if that name is already used.
  private static func name(
    of unit: UnitInstance, _ description: AudioComponentDescription,
    besides taken: some Collection<String>
  ) -> String {
    let code = "\(FourCharacterCode(description.componentSubType))".filter { $0 != " " }
    let allowed = unit.givenName.map { $0.filter { !" :>".contains($0) } } ?? ""
    let name = allowed.isEmpty ? code : allowed
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}

extension GraphDescription.Node {
  /// Describes a unit by its differences from `newUnit`, a new unit of the same kind. Each value
  /// that is described is also set in the new unit, so that values that follow from it are not
  /// described.
  fileprivate init(
    _ name: String, _ unit: UnitInstance, _ description: AudioComponentDescription,
    unlike newUnit: UnitInstance?
  ) {
    self.init(name: name, unit: .init(description.codes))
    let frames = unit.maximumFramesPerSlice
    if let frames, frames != newUnit?.maximumFramesPerSlice {
      maximumFramesPerSlice = .init(frames)
    }
    let counts = [kAudioUnitScope_Input, kAudioUnitScope_Output].map { scope in
      newUnit.map { Int($0.busCount(scope)) }
    }
    var inputs = Self.buses(kAudioUnitScope_Input, of: unit, unlike: newUnit)
    var outputs = Self.buses(kAudioUnitScope_Output, of: unit, unlike: newUnit)
    (self.inputs, self.outputs) = (.init(inputs), .init(outputs))
    if let newUnit { try? shape(newUnit) }

    if let number = unit.presetNumber, number != newUnit?.presetNumber {
      let name = unit.presetList.first { $0.number == number }?.name
      preset = .init(name.map { .name($0) } ?? .number(number))
      try? newUnit?.setPreset(number)
    }
    files = unit.playedFiles.map { .init($0) }
    properties = unit.properties(kAudioUnitScope_Global, 0, unlike: newUnit)
    parameters = unit.settings(kAudioUnitScope_Global, 0, unlike: newUnit)
    for bus in inputs.indices {
      inputs[bus].describe(unit, kAudioUnitScope_Input, UInt32(clamping: bus), unlike: newUnit)
    }
    for bus in outputs.indices {
      outputs[bus].describe(unit, kAudioUnitScope_Output, UInt32(clamping: bus), unlike: newUnit)
    }
    self.inputs = inputs.allSatisfy(\.isPlain) && inputs.count == counts[0] ? nil : .init(inputs)
    self.outputs =
      outputs.allSatisfy(\.isPlain) && outputs.count == counts[1] ? nil : .init(outputs)
  }

  /// The buses of a unit, with the formats that differ from the new unit's.
  private static func buses(
    _ scope: AudioUnitScope, of unit: UnitInstance, unlike newUnit: UnitInstance?
  ) -> [GraphDescription.Bus] {
    (0..<unit.busCount(scope)).map { bus in
      let format = unit.streamDescription(scope, bus)
      let isNew = format.map { newUnit?.hasFormat($0, scope, bus) ?? false } ?? true
      return GraphDescription.Bus(
        format: isNew
          ? nil : format.flatMap { GraphDescription.Format(describing: $0) }.map { .init($0) })
    }
  }
}

extension GraphDescription.Bus {
  fileprivate var isPlain: Bool { format == nil && parameters.isEmpty && properties.isEmpty }

  fileprivate mutating func describe(
    _ unit: UnitInstance, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
    unlike newUnit: UnitInstance?
  ) {
    parameters = unit.settings(scope, bus, unlike: newUnit)
    properties = unit.properties(scope, bus, unlike: newUnit)
  }
}

extension UnitInstance {
  /// The settings of an element that differ from the new unit's; they are set in the new unit.
  fileprivate func settings(
    _ scope: AudioUnitScope, _ bus: AudioUnitElement, unlike newUnit: UnitInstance?
  ) -> [(name: String, setting: Placed<GraphDescription.Setting>)] {
    let elements = parameterElements(scope, bus)
    return parameterDescriptions(scope, bus).compactMap { parameter in
      guard parameter.isReadable, parameter.isWritable else { return nil }
      let values = elements.map { setting(parameter.id, scope, $0) ?? .nan }
      let isSame = zip(elements, values).allSatisfy {
        newUnit?.setting(parameter.id, scope, $0) == $1
      }
      guard !isSame, let first = values.first, values.allSatisfy(\.isFinite) else { return nil }
      for (element, value) in zip(elements, values) {
        let address = ParameterAddress(parameter.id, scope, element)
        try? newUnit?.setParameter(address, to: value, offset: 0)
      }
      let settings = values.map {
        GraphDescription.Setting.number(JSONNumbers.shortest($0))
      }
      let areEqual = values.allSatisfy { $0 == first }
      return (parameter.name, .init(areEqual ? settings[0] : .each(settings)))
    }
  }

  /// The properties of an element that differ from the new unit's; they are set in the new unit.
  fileprivate func properties(
    _ scope: AudioUnitScope, _ bus: AudioUnitElement, unlike newUnit: UnitInstance?
  ) -> [Placed<GraphDescription.Property>] {
    DescribedProperty.all.compactMap { kind in
      guard let property = property(kind, scope, bus),
        newUnit?.property(kind, scope, bus)?.rows != property.rows
      else { return nil }
      try? newUnit?.set(property, scope, bus, at: .nowhere)
      return .init(property)
    }
  }

  /// Whether a new bus has this format; additional buses get the format of the last one.
  fileprivate func hasFormat(
    _ format: AudioStreamBasicDescription, _ scope: AudioUnitScope, _ bus: AudioUnitElement
  ) -> Bool {
    let count = busCount(scope)
    guard count > 0, let fresh = streamDescription(scope, min(bus, count - 1)) else { return false }
    return fresh.mSampleRate == format.mSampleRate && fresh.mFormatFlags == format.mFormatFlags
      && fresh.mChannelsPerFrame == format.mChannelsPerFrame
      && fresh.mBitsPerChannel == format.mBitsPerChannel
  }
}
