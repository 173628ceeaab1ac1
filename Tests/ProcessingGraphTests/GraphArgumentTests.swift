// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Arguments of graph functions")
struct GraphArgumentTests {
  @Test("are refused by every function when the handle is stale, null or of another type")
  func handles() throws {
    let graph = try Graph()
    _ = graph.dispose()
    for bits: UInt in [0, 8, UInt(bitPattern: graph.handle)] {
      let bad = fromBits(bits, AUGraph.self)
      for call in GraphCall.all { #expect(call(bad) == kAudio_ParamError, "\(call.name)") }
      var text: Unmanaged<CFString>?
      #expect(AUGraphCopyDescription(bad, &text) == kAudio_ParamError)
      #expect(text == nil)
    }
    // A unit's handle is not a graph's.
    let live = try Graph()
    let node = try live.add(.gain)
    try live.open()
    let foreign = fromBits(UInt(bitPattern: try live.unit(node)), AUGraph.self)
    for call in GraphCall.all { #expect(call(foreign) == kAudio_ParamError, "\(call.name)") }
    #expect(live.states == [true, false, false])
  }

  /// A call with a null pointer as one of its arguments.
  private struct NullCall {
    let argument: String
    let call: (AUGraph) -> OSStatus

    init(_ argument: String, _ call: @escaping (AUGraph) -> OSStatus) {
      self.argument = argument
      self.call = call
    }
  }

  private static func null<Value>() -> UnsafeMutablePointer<Value> {
    fromBits(0, UnsafeMutablePointer<Value>.self)
  }

  @Test("are refused by name when they are null and the function must write or read them")
  func nulls() throws {
    let graph = try Graph()
    let (node, other) = (try graph.add(.steps), try graph.add(.gain))
    let (sub, _) = try graph.addSubgraph()
    try graph.open()
    #expect(graph.connect(node, to: other) == noErr)
    var description = TestUnit.gain.description
    var (n, m, number) = (AUNode(), AUNode(), UInt32(1))
    var (bus, interaction, connection) = (UInt32(), AUNodeInteraction(), AUNodeConnection())
    let calls = [
      NullCall("outGraph") { _ in NewAUGraph(Self.null()) },
      NullCall("outIsOpen") { AUGraphIsOpen($0, Self.null()) },
      NullCall("outIsInitialized") { AUGraphIsInitialized($0, Self.null()) },
      NullCall("outIsRunning") { AUGraphIsRunning($0, Self.null()) },
      NullCall("inDescription") { AUGraphAddNode($0, Self.null(), &n) },
      NullCall("outNode") { AUGraphAddNode($0, &description, Self.null()) },
      NullCall("outNumberOfNodes") { AUGraphGetNodeCount($0, Self.null()) },
      NullCall("outNode") { AUGraphGetIndNode($0, 0, Self.null()) },
      NullCall("outNode") { AUGraphNewNodeSubGraph($0, Self.null()) },
      NullCall("outSubGraph") { AUGraphGetNodeInfoSubGraph($0, sub, Self.null()) },
      NullCall("outFlag") { AUGraphIsNodeSubGraph($0, node, Self.null()) },
      NullCall("inInputCallback") { AUGraphSetNodeInputCallback($0, other, 0, Self.null()) },
      NullCall("outNumInteractions") { AUGraphGetNumberOfInteractions($0, Self.null()) },
      NullCall("outInteraction") { AUGraphGetInteractionInfo($0, 0, Self.null()) },
      NullCall("outNumInteractions") { AUGraphCountNodeInteractions($0, node, Self.null()) },
      NullCall("ioNumInteractions") {
        AUGraphGetNodeInteractions($0, node, Self.null(), &interaction)
      },
      NullCall("outInteractions") { AUGraphGetNodeInteractions($0, node, &number, Self.null()) },
      NullCall("outAverageCPULoad") { AUGraphGetCPULoad($0, Self.null()) },
      NullCall("outMaxLoad") { AUGraphGetMaxCPULoad($0, Self.null()) },
      NullCall("inCallback") {
        AUGraphAddRenderNotify($0, fromBits(0, AURenderCallback.self), nil)
      },
      NullCall("inCallback") {
        AUGraphRemoveRenderNotify($0, fromBits(0, AURenderCallback.self), nil)
      },
      NullCall("inDescription") { AUGraphNewNode($0, Self.null(), 0, nil, &n) },
      NullCall("outNode") { AUGraphNewNode($0, &description, 0, nil, Self.null()) },
      NullCall("outNumConnections") { AUGraphGetNumberOfConnections($0, Self.null()) },
      NullCall("outSourceNode") { AUGraphGetConnectionInfo($0, 0, Self.null(), &bus, &m, &number) },
      NullCall("outSourceOutputNumber") {
        AUGraphGetConnectionInfo($0, 0, &n, Self.null(), &m, &number)
      },
      NullCall("outDestNode") { AUGraphGetConnectionInfo($0, 0, &n, &bus, Self.null(), &number) },
      NullCall("outDestInputNumber") {
        AUGraphGetConnectionInfo($0, 0, &n, &bus, &m, Self.null())
      },
      NullCall("outNumConnections") { AUGraphCountNodeConnections($0, node, Self.null()) },
      NullCall("ioNumConnections") {
        AUGraphGetNodeConnections($0, node, &connection, Self.null())
      },
      NullCall("outConnections") { AUGraphGetNodeConnections($0, node, Self.null(), &number) },
      NullCall("outCompensates") { AUGraphGetLatencyCompensation($0, Self.null()) },
      NullCall("outSeconds") { AUGraphGetLatency($0, Self.null()) },
      NullCall("outThreads") { AUGraphGetRenderThreads($0, Self.null()) },
      NullCall("outDescription") { AUGraphCopyDescription($0, Self.null()) },
    ]
    for call in calls {
      number = 1
      #expect(call.call(graph.handle) == kAudio_ParamError, "\(call.argument)")
      #expect(explanation.contains(call.argument))
    }
    // No call had an effect.
    #expect(graph.nodeCount == 3)
    #expect(graph.interactionCount == 1)
  }

  @Test("may be null where they are optional")
  func optionals() throws {
    let graph = try Graph()
    let node = try graph.add(.steps)
    #expect(AUGraphNodeInfo(graph.handle, node, nil, nil) == noErr)
    #expect(AUGraphGetNodeInfo(graph.handle, node, nil, nil, nil, nil) == noErr)
    #expect(AUGraphUpdate(graph.handle, nil) == noErr)
    #expect(AUGraphAddRenderNotify(graph.handle, Callback.function, nil) == noErr)
    #expect(AUGraphRemoveRenderNotify(graph.handle, Callback.function, nil) == noErr)
    // The caller has space for 0 elements.
    var number: UInt32 = 0
    #expect(AUGraphGetNodeInteractions(graph.handle, node, &number, Self.null()) == noErr)
    #expect(AUGraphGetNodeConnections(graph.handle, node, Self.null(), &number) == noErr)
    // A structure with a null function removes the callback.
    var none = AURenderCallbackStruct()
    let gain = try graph.add(.gain)
    #expect(graph.feed(gain, 0, .constant(1)) == noErr)
    #expect(AUGraphSetNodeInputCallback(graph.handle, gain, 0, &none) == noErr)
    #expect(graph.interactionCount == 0)
  }
}
