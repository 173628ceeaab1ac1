// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

import AudioToolbox
import AudioUnitCore

@testable import GraphDescription

/// A saved graph restores everything that affects its output.
@Suite("Saving a graph")
struct GraphSavingTests {
  private typealias Codes = (type: OSType, subType: OSType)

  /// An open graph of one unit.
  private func graph(_ type: OSType, _ subType: OSType) throws -> AUGraph {
    var made: AUGraph?
    NewAUGraph(&made)
    let graph = try #require(made)
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var node = AUNode()
    #expect(AUGraphAddNode(graph, &description, &node) == noErr)
    #expect(AUGraphOpen(graph) == noErr)
    return graph
  }

  private func unit(_ graph: AUGraph) throws -> AudioUnit {
    var node = AUNode()
    var unit: AudioUnit?
    #expect(AUGraphGetIndNode(graph, 0, &node) == noErr)
    #expect(AUGraphNodeInfo(graph, node, nil, &unit) == noErr)
    return try #require(unit)
  }

  /// The only unit of a graph; it is valid as long as the graph.
  private func instance(_ graph: AUGraph) throws -> UnitInstance {
    try #require(UnitInstance.use(try unit(graph)) { $0 })
  }

  private func saved(_ graph: AUGraph) throws -> String {
    var text: Unmanaged<CFString>?
    #expect(AUGraphCopyDescription(graph, &text) == noErr)
    return String(describing: try #require(text).takeRetainedValue())
  }

  private func read(_ text: String) throws -> AUGraph {
    var graph: AUGraph?
    #expect(AUGraphNewFromDescription(text as CFString, &graph) == noErr, "\(explanation())")
    return try #require(graph)
  }

  private func explanation() -> String {
    AUDiagnosticsCopyLastExplanation().map { String(describing: $0.takeRetainedValue()) } ?? ""
  }

  /// The scopes and elements that may have parameters and properties: matrix mixers have more
  /// elements than buses.
  private func elements(_ unit: UnitInstance, _ subType: OSType) -> [(
    scope: AudioUnitScope, element: AudioUnitElement
  )] {
    let buses = [kAudioUnitScope_Input, kAudioUnitScope_Output].flatMap { scope in
      (0..<unit.busCount(scope)).map { (scope, $0) }
    }
    guard subType == kAudioUnitSubType_MatrixMixer else {
      return [(kAudioUnitScope_Global, 0)] + buses
    }
    let crosspoints = (0..<3).flatMap { input in (0..<2).map { input << 16 | $0 } as [UInt32] }
    return (crosspoints + [0xFFFF_FFFF]).map { (kAudioUnitScope_Global, $0) }
      + (0..<3).map { (kAudioUnitScope_Input, $0) } + (0..<2).map { (kAudioUnitScope_Output, $0) }
  }

  private static let mixers: [OSType] = [
    kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
    kAudioUnitSubType_MatrixMixer, kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer,
    kAudioUnitSubType_MultiSplitter,
  ]

  @Test("a mixer is restored with every parameter, crosspoint and property", arguments: mixers)
  func mixer(subType: OSType) throws {
    let first = try graph(kAudioUnitType_Mixer, subType)
    defer { DisposeAUGraph(first) }
    let mixer = try instance(first)
    let isSplitter = subType == kAudioUnitSubType_MultiSplitter
    try mixer.set(
      kAudioUnitProperty_ElementCount, UInt32(isSplitter ? 3 : 2),
      isSplitter ? kAudioUnitScope_Output : kAudioUnitScope_Input)
    if !isSplitter {
      var format = try #require(mixer.streamDescription(kAudioUnitScope_Input, 0))
      format.mChannelsPerFrame = 1
      try mixer.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 0)
    }
    var number: Float = 0
    for (scope, element) in elements(mixer, subType) {
      for parameter in mixer.parameterDescriptions(scope, element) where parameter.isWritable {
        // A different value everywhere; it may exceed a small range, as programs may do.
        number += 1
        let value = parameter.info.minValue + number / 16
        #expect(
          AudioUnitSetParameter(try unit(first), parameter.id, scope, element, value, 0) == noErr)
      }
    }
    var changed = 0
    for (scope, element) in elements(mixer, subType) {
      // The levels of the first input override its pan; those of the second follow from its pan.
      for kind in DescribedProperty.all
      where kind.id != kAudioUnitProperty_MatrixLevels
        || scope == kAudioUnitScope_Input && element == 0
      {
        guard let property = mixer.property(kind, scope, element) else { continue }
        changed += try change(property, of: mixer, scope, element) ? 1 : 0
      }
    }
    #expect(changed >= (isSplitter ? 0 : 4), "the unit has properties that can be set")

    let text = try saved(first)
    let second = try read(text)
    defer { DisposeAUGraph(second) }
    let copy = try instance(second)
    for (scope, element) in elements(mixer, subType) {
      for parameter in mixer.parameterDescriptions(scope, element) where parameter.isWritable {
        #expect(
          copy.setting(parameter.id, scope, element) == mixer.setting(parameter.id, scope, element),
          "\(parameter.name) of \(scope), \(element)")
      }
      for kind in DescribedProperty.all {
        #expect(
          copy.property(kind, scope, element)?.rows == mixer.property(kind, scope, element)?.rows,
          "\(kind.name) of \(scope), \(element)")
      }
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(copy.busCount(scope) == mixer.busCount(scope))
    }
    #expect(try saved(second) == text)
  }

  /// Sets a property to another value; returns false if the unit accepts only one.
  private func change(
    _ old: GraphDescription.Property, of unit: UnitInstance, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) throws -> Bool {
    for number in [1, 2, 4, 0, 30] as [UInt32] {
      let rows =
        switch old.kind.form {
        case .numbers, .matrix:
          old.rows.map { $0.indices.map { Float(number + UInt32($0)).bitPattern } }
        default: [[number]]
        }
      guard rows != old.rows else { continue }
      let new = GraphDescription.Property(kind: old.kind, rows: rows)
      if (try? unit.set(new, scope, element, at: .nowhere)) != nil { return true }
    }
    return false
  }

  @Test("a pan that no matrix level overrides is saved as a pan")
  func pan() throws {
    let graph = try graph(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    defer { DisposeAUGraph(graph) }
    AudioUnitSetParameter(
      try unit(graph), kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, -0.5, 0)
    let text = try saved(graph)
    #expect(text.contains("\"pan\": -0.5") && !text.contains("matrixLevels"), "\(text)")
  }

  @Test("a unit with a preset is saved as its difference from the preset")
  func preset() throws {
    let graph = try graph(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
    defer { DisposeAUGraph(graph) }
    let reverb = try unit(graph)
    let original = try instance(graph)
    try original.setPreset(8)
    AudioUnitSetParameter(reverb, kReverb2Param_DryWetMix, kAudioUnitScope_Global, 0, 12, 0)
    let text = try saved(graph)
    #expect(text.contains("\"preset\": \"Cathedral\""))
    #expect(text.components(separatedBy: "\"parameters\":").count == 2, "\(text)")
    let copy = try read(text)
    defer { DisposeAUGraph(copy) }
    let second = try instance(copy)
    for parameter in original.parameterDescriptions(kAudioUnitScope_Global, 0) {
      #expect(
        second.setting(parameter.id, kAudioUnitScope_Global, 0)
          == original.setting(parameter.id, kAudioUnitScope_Global, 0),
        "\(parameter.name)")
    }
    #expect(try saved(copy) == text)
  }

  @Test("the bands of an equalizer are restored, also while it is initialized")
  func bands() throws {
    let text = """
      {
        "nodes": {
          "bands": {
            "unit": "nbeq", "properties": { "numberOfBands": 20, "bypassEffect": true },
            "parameters": { "gain 20": 3 }
          },
          "out": { "unit": "genr" }
        },
        "connections": ["bands -> out"]
      }
      """
    let graph = try read(text)
    defer { DisposeAUGraph(graph) }
    #expect(AUGraphInitialize(graph) == noErr)
    let saved = try saved(graph)
    #expect(saved.contains("\"bypassEffect\": true, \"numberOfBands\": 20"), "\(saved)")
    #expect(saved.contains("\"gain 20\": 3"))
  }

  @Test("a graph that is not open, or has a sub-graph, is refused with that reason")
  func refusal() throws {
    let graph = try graph(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    defer { DisposeAUGraph(graph) }
    var node = AUNode()
    #expect(AUGraphNewNodeSubGraph(graph, &node) == noErr)
    var text: Unmanaged<CFString>?
    #expect(AUGraphCopyDescription(graph, &text) != noErr)
    #expect(explanation().contains("node 2 is a sub-graph, which cannot be described"))
    #expect(AUGraphRemoveNode(graph, node) == noErr)
    #expect(AUGraphClose(graph) == noErr)
    #expect(AUGraphCopyDescription(graph, &text) != noErr)
    #expect(explanation().contains("not open"))
    #expect(text == nil)
  }
}
