// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// Units that exist before they are in a graph, and belong to their maker.
@Suite("Borrowed units")
struct BorrowedUnitTests {
  private static func unit(_ type: OSType, _ subType: OSType) throws -> AudioUnit {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: 0, componentFlags: 0, componentFlagsMask: 0)
    var unit: AudioUnit?
    let component = try #require(AudioComponentFindNext(nil, &description))
    #expect(AudioComponentInstanceNew(component, &unit) == noErr)
    return try #require(unit)
  }

  private static func openGraph() throws -> AUGraph {
    var graph: AUGraph?
    #expect(NewAUGraph(&graph) == noErr)
    let made = try #require(graph)
    #expect(AUGraphOpen(made) == noErr)
    return made
  }

  /// Whether a unit exists, and is initialised.
  private static func state(_ unit: AudioUnit) -> (exists: Bool, isInitialized: Bool) {
    var frames: UInt32 = 0
    var size: UInt32 = 4
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, &size)
    // The maximum cannot be set while the unit is initialised.
    let isInitialized =
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
      == kAudioUnitErr_Initialized
    return (status == noErr, isInitialized)
  }

  @Test("are connected, initialised and rendered as others, and outlive the graph")
  func life() throws {
    let graph = try Self.openGraph()
    let tone = try Self.unit(kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator)
    let output = try Self.unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    var (source, head): (AUNode, AUNode) = (0, 0)
    #expect(AUGraphAddBorrowedUnit(graph, tone, &source) == noErr)
    #expect(AUGraphAddBorrowedUnit(graph, output, &head) == noErr)
    var found: AudioUnit?
    #expect(AUGraphNodeInfo(graph, source, nil, &found) == noErr)
    #expect(found == tone)
    #expect(AUGraphConnectNodeInput(graph, source, 0, head, 0) == noErr)
    #expect(AUGraphInitialize(graph) == noErr)
    #expect(Self.state(tone).isInitialized)
    #expect(AUGraphRemoveNode(graph, source) == noErr)
    #expect(AUGraphUpdate(graph, nil) == noErr)
    #expect(Self.state(tone) == (true, false))
    #expect(DisposeAUGraph(graph) == noErr)
    #expect(Self.state(output) == (true, false))
    // Another graph may have them.
    let second = try Self.openGraph()
    #expect(AUGraphAddBorrowedUnit(second, output, &head) == noErr)
    #expect(AUGraphAddBorrowedUnit(second, tone, &source) == noErr)
    #expect(AUGraphConnectNodeInput(second, source, 0, head, 0) == noErr)
    #expect(AUGraphInitialize(second) == noErr)
    #expect(DisposeAUGraph(second) == noErr)
    for unit in [tone, output] { #expect(AudioComponentInstanceDispose(unit) == noErr) }
  }

  @Test("leave a graph that is closed")
  func closed() throws {
    let graph = try Self.openGraph()
    let output = try Self.unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    var node: AUNode = 0
    #expect(AUGraphAddBorrowedUnit(graph, output, &node) == noErr)
    #expect(AUGraphClose(graph) == noErr)
    var count: UInt32 = 1
    #expect(AUGraphGetNodeCount(graph, &count) == noErr)
    #expect(count == 0 && Self.state(output).exists)
    #expect(AUGraphAddBorrowedUnit(graph, output, &node) == kAUGraphErr_InvalidAudioUnit)
    #expect(AUGraphOpen(graph) == noErr)
    #expect(AUGraphAddBorrowedUnit(graph, output, &node) == noErr)
    let other = try Self.unit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    #expect(AUGraphAddBorrowedUnit(graph, other, &node) == kAUGraphErr_OutputNodeErr)
    #expect(AudioComponentInstanceDispose(other) == noErr)
    #expect(AUGraphAddBorrowedUnit(graph, other, &node) == kAudio_ParamError)
    #expect(DisposeAUGraph(graph) == noErr)
    #expect(AudioComponentInstanceDispose(output) == noErr)
  }
}
