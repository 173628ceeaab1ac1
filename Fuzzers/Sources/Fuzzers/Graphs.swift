// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Makes the graph that a text in JSON describes, and describes it again.
func buildGraph(_ bytes: [UInt8]) {
  guard let text = String(validating: bytes, as: UTF8.self) else { return }
  var made: AUGraph?
  guard AUGraphNewFromDescription(text as NSString, &made) == noErr, let graph = made else {
    return
  }
  defer { DisposeAUGraph(graph) }
  var description: Unmanaged<CFString>?
  require(AUGraphCopyDescription(graph, &description) == noErr, "no description")
  guard let again = description?.takeRetainedValue() else { return }
  var copy: AUGraph?
  require(AUGraphNewFromDescription(again, &copy) == noErr, "the description is refused: \(again)")
  if let copy { DisposeAUGraph(copy) }
  _ = AUGraphInitialize(graph)
}

/// Edits a graph in any order, with any arguments, and renders it in between.
func callGraph(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  var made: AUGraph?
  guard NewAUGraph(&made) == noErr, let graph = made else { return }
  defer { DisposeAUGraph(graph) }
  var nodes: [AUNode] = []
  add((kAudioUnitType_Output, kAudioUnitSubType_GenericOutput), to: graph, &nodes)
  _ = AUGraphOpen(graph)
  for _ in 0..<48 where !choices.isEmpty {
    let node = choices.number(below: 16) == 15 ? AUNode(choices.byte()) : choices.one(of: nodes)
    switch choices.number(below: 13) {
    case 0, 1:
      if nodes.count < 12 { add(choices.one(of: familiarUnits), to: graph, &nodes) }
    case 2: _ = AUGraphRemoveNode(graph, node)
    case 3, 4, 5:
      _ = AUGraphConnectNodeInput(
        graph, node, UInt32(choices.number(below: 3)), choices.one(of: nodes),
        UInt32(choices.number(below: 3)))
    case 6: _ = AUGraphDisconnectNodeInput(graph, node, UInt32(choices.number(below: 3)))
    case 7:
      var callback = AURenderCallbackStruct(inputProc: silence, inputProcRefCon: nil)
      _ = AUGraphSetNodeInputCallback(graph, node, UInt32(choices.number(below: 3)), &callback)
    case 8: _ = AUGraphUpdate(graph, nil)
    case 9: _ = AUGraphInitialize(graph)
    case 10:
      switch choices.number(below: 4) {
      case 0: _ = AUGraphUninitialize(graph)
      case 1: _ = AUGraphClearConnections(graph)
      case 2: _ = AUGraphClose(graph)
      default: _ = AUGraphOpen(graph)
      }
    case 11: ask(graph, node)
    default: render(graph, nodes[0], choices.number(below: 256))
    }
  }
  var description: Unmanaged<CFString>?
  if AUGraphCopyDescription(graph, &description) == noErr { description?.release() }
}

private func add(_ unit: (OSType, OSType), to graph: AUGraph, _ nodes: inout [AUNode]) {
  var description = AudioComponentDescription(
    componentType: unit.0, componentSubType: unit.1,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  var node = AUNode(0)
  if AUGraphAddNode(graph, &description, &node) == noErr { nodes.append(node) }
}

private func ask(_ graph: AUGraph, _ node: AUNode) {
  var count = UInt32(0)
  guard AUGraphCountNodeInteractions(graph, node, &count) == noErr else { return }
  require(count < 1_000, "\(count) interactions")
  var interactions = [AUNodeInteraction](repeating: .init(), count: Int(count) + 1)
  let expected = count
  require(AUGraphGetNodeInteractions(graph, node, &count, &interactions) == noErr, "interactions")
  require(count == expected, "\(count) interactions instead of \(expected)")
}

/// Renders frames of the output, which must be finite.
private func render(_ graph: AUGraph, _ node: AUNode, _ frameCount: Int) {
  var unit: AudioUnit?
  guard AUGraphNodeInfo(graph, node, nil, &unit) == noErr, let unit else { return }
  var time = AudioTimeStamp()
  time.mFlags = .sampleTimeValid
  renderFinite(unit, &time, frameCount)
}
