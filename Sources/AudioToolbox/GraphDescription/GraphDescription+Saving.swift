// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import Foundation

extension GraphDescription {
  /// [control thread] Describes an open graph. Render callbacks are the program's and are left out.
  init(_ graph: AUGraph) throws(AudioError) {
    var names: [AUNode: String] = [:]
    for node in try Self.nodes(of: graph) {
      var description = AudioComponentDescription()
      var unit: AudioUnit?
      try Self.check(AUGraphNodeInfo(graph, node, &description, &unit))
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
  /// Describes a unit by what is not as in a new one.
  fileprivate init(
    _ name: String, _ unit: DescribedUnit, _ description: AudioComponentDescription
  ) {
    self.init(name: name, unit: .init(ComponentLookup.codes(description)))
    let fresh = FreshUnit(description)
    let preset = unit.presentPreset
    self.preset = preset.map { number in
      .init(unit.presets.first { $0.number == number }.map { .name($0.name) } ?? .number(number))
    }
    // What a preset set may equal a default, but would not come back without being said.
    let isComplete = preset != nil
    parameters = unit.settings(kAudioUnitScope_Global, 0, isComplete: isComplete)
    let frames = unit.value(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0))
    if let frames, frames != fresh?.maximumFrames { maximumFramesPerSlice = .init(frames) }
    inputs = Self.buses(kAudioUnitScope_Input, of: unit, fresh, isComplete: isComplete)
    outputs = Self.buses(kAudioUnitScope_Output, of: unit, fresh, isComplete: isComplete)
  }

  private static func buses(
    _ scope: AudioUnitScope, of unit: DescribedUnit, _ fresh: FreshUnit?, isComplete: Bool
  ) -> GraphDescription.Placed<[GraphDescription.Bus]>? {
    let count = unit.elementCount(scope)
    let buses = (0..<count).map { bus in
      let format = unit.format(scope, bus)
      let isNew = format.map { fresh?.hasFormat($0, scope, bus) ?? false } ?? true
      return GraphDescription.Bus(
        format: isNew
          ? nil : format.flatMap { GraphDescription.Format(describing: $0) }.map { .init($0) },
        parameters: unit.settings(scope, bus, isComplete: isComplete))
    }
    let isPlain = buses.allSatisfy { $0.format == nil && $0.parameters.isEmpty }
    return isPlain && count == fresh?.unit.elementCount(scope) ? nil : .init(buses)
  }
}

extension DescribedUnit {
  /// The settings of an element that are not the default ones; all of them when `isComplete`.
  fileprivate func settings(
    _ scope: AudioUnitScope, _ element: AudioUnitElement, isComplete: Bool
  ) -> [(name: String, setting: GraphDescription.Placed<GraphDescription.Setting>)] {
    parameters(scope, element).compactMap { parameter in
      guard parameter.isReadable, parameter.isWritable,
        let value = setting(parameter.id, scope, element),
        isComplete || value != parameter.info.defaultValue
      else { return nil }
      // The shortest number that reads back as this one.
      return (parameter.name, .init(.number(Double("\(value)") ?? Double(value))))
    }
  }
}

/// A unit as it comes, to compare with.
private final class FreshUnit {
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
