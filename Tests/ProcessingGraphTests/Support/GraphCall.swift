// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// A call of one AUGraph function. The arguments are valid if the graph has a node 1.
struct GraphCall: Sendable {
  let name: String
  private let body: @Sendable (AUGraph) -> OSStatus

  private init(_ name: String, _ body: @escaping @Sendable (AUGraph) -> OSStatus) {
    self.name = name
    self.body = body
  }

  func callAsFunction(_ graph: AUGraph) -> OSStatus { body(graph) }

  /// Functions that open, initialise and start a graph. They fail in a callback.
  static let setup = [
    GraphCall("Open") { AUGraphOpen($0) },
    GraphCall("Initialize") { AUGraphInitialize($0) },
    GraphCall("Start") { AUGraphStart($0) },
  ]

  /// Functions that undo the setup. In a callback they take effect later.
  static let teardown = [
    GraphCall("Uninitialize") { AUGraphUninitialize($0) },
    GraphCall("Close") { AUGraphClose($0) },
    GraphCall("Dispose") { DisposeAUGraph($0) },
  ]

  /// All other functions. They take effect at once, or not at all.
  static let others = states + nodes + interactions + rendering + deprecated + options

  /// Every function that takes a graph.
  static let all = setup + teardown + others

  private static func flag(_ call: (UnsafeMutablePointer<Bool>) -> OSStatus) -> OSStatus {
    var flag = false
    return call(&flag)
  }

  private static func number(_ call: (UnsafeMutablePointer<UInt32>) -> OSStatus) -> OSStatus {
    var number: UInt32 = 1
    return call(&number)
  }

  private static func node(_ call: (UnsafeMutablePointer<AUNode>) -> OSStatus) -> OSStatus {
    var node = AUNode()
    return call(&node)
  }

  private static let states = [
    GraphCall("Stop") { AUGraphStop($0) },
    GraphCall("IsOpen") { graph in flag { AUGraphIsOpen(graph, $0) } },
    GraphCall("IsInitialized") { graph in flag { AUGraphIsInitialized(graph, $0) } },
    GraphCall("IsRunning") { graph in flag { AUGraphIsRunning(graph, $0) } },
    GraphCall("Update") { AUGraphUpdate($0, nil) },
    GraphCall("Update with a flag") { graph in flag { AUGraphUpdate(graph, $0) } },
  ]

  private static let nodes = [
    GraphCall("AddNode") { graph in
      var description = TestUnit.gain.description
      return node { AUGraphAddNode(graph, &description, $0) }
    },
    GraphCall("RemoveNode") { AUGraphRemoveNode($0, 1) },
    GraphCall("GetNodeCount") { graph in number { AUGraphGetNodeCount(graph, $0) } },
    GraphCall("GetIndNode") { graph in node { AUGraphGetIndNode(graph, 0, $0) } },
    GraphCall("NodeInfo") { AUGraphNodeInfo($0, 1, nil, nil) },
    GraphCall("NewNodeSubGraph") { graph in node { AUGraphNewNodeSubGraph(graph, $0) } },
    GraphCall("GetNodeInfoSubGraph") { graph in
      var subgraph: AUGraph?
      return AUGraphGetNodeInfoSubGraph(graph, 1, &subgraph)
    },
    GraphCall("IsNodeSubGraph") { graph in flag { AUGraphIsNodeSubGraph(graph, 1, $0) } },
  ]

  private static let interactions = [
    GraphCall("ConnectNodeInput") { AUGraphConnectNodeInput($0, 1, 0, 2, 0) },
    GraphCall("SetNodeInputCallback") { graph in
      var callback = AURenderCallbackStruct(inputProc: Callback.function, inputProcRefCon: nil)
      return AUGraphSetNodeInputCallback(graph, 1, 0, &callback)
    },
    GraphCall("DisconnectNodeInput") { AUGraphDisconnectNodeInput($0, 1, 0) },
    GraphCall("ClearConnections") { AUGraphClearConnections($0) },
    GraphCall("GetNumberOfInteractions") { graph in
      number { AUGraphGetNumberOfInteractions(graph, $0) }
    },
    GraphCall("GetInteractionInfo") { graph in
      var interaction = AUNodeInteraction()
      return AUGraphGetInteractionInfo(graph, 0, &interaction)
    },
    GraphCall("CountNodeInteractions") { graph in
      number { AUGraphCountNodeInteractions(graph, 1, $0) }
    },
    GraphCall("GetNodeInteractions") { graph in
      var interaction = AUNodeInteraction()
      return number { AUGraphGetNodeInteractions(graph, 1, $0, &interaction) }
    },
  ]

  private static let rendering = [
    GraphCall("GetCPULoad") { graph in
      var load = Float()
      return AUGraphGetCPULoad(graph, &load)
    },
    GraphCall("GetMaxCPULoad") { graph in
      var load = Float()
      return AUGraphGetMaxCPULoad(graph, &load)
    },
    GraphCall("AddRenderNotify") { AUGraphAddRenderNotify($0, Callback.function, nil) },
    GraphCall("RemoveRenderNotify") { AUGraphRemoveRenderNotify($0, Callback.function, nil) },
  ]

  private static let deprecated = [
    GraphCall("NewNode") { graph in
      var description = TestUnit.gain.description
      return node { AUGraphNewNode(graph, &description, 0, nil, $0) }
    },
    GraphCall("GetNodeInfo") { AUGraphGetNodeInfo($0, 1, nil, nil, nil, nil) },
    GraphCall("GetNumberOfConnections") { graph in
      number { AUGraphGetNumberOfConnections(graph, $0) }
    },
    GraphCall("GetConnectionInfo") { graph in
      var nodes = (AUNode(), AUNode())
      var buses = (UInt32(), UInt32())
      return AUGraphGetConnectionInfo(graph, 0, &nodes.0, &buses.0, &nodes.1, &buses.1)
    },
    GraphCall("CountNodeConnections") { graph in
      number { AUGraphCountNodeConnections(graph, 1, $0) }
    },
    GraphCall("GetNodeConnections") { graph in
      var connection = AUNodeConnection()
      return number { AUGraphGetNodeConnections(graph, 1, &connection, $0) }
    },
  ]

  private static let options = [
    GraphCall("SetLatencyCompensation") { AUGraphSetLatencyCompensation($0, true) },
    GraphCall("GetLatencyCompensation") { graph in
      flag { AUGraphGetLatencyCompensation(graph, $0) }
    },
    GraphCall("GetLatency") { graph in
      var seconds = 0.0
      return AUGraphGetLatency(graph, &seconds)
    },
    GraphCall("SetEditFades") { AUGraphSetEditFades($0, .never) },
    GraphCall("GetEditFades") { graph in
      var fades = AUGraphEditFades.never
      return AUGraphGetEditFades(graph, &fades)
    },
    GraphCall("SetRenderThreads") { AUGraphSetRenderThreads($0, 1) },
    GraphCall("GetRenderThreads") { graph in number { AUGraphGetRenderThreads(graph, $0) } },
  ]
}
