// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioUnitCore
public import CAudioToolbox

/// A node of a graph: a unit's description and, once the graph is open, the unit; or a sub-graph.
public final class Node {
  /// Its number in the C API (`AUNode`), unique within its graph.
  public let number: Int32
  /// The kind of its unit; all zero for a sub-graph.
  public let description: AudioComponentDescription
  /// The sub-graph, if the node is one.
  public let subgraph: ProcessingGraph?
  /// Its unit, while the graph is open.
  public internal(set) var unit: UnitInstance?
  /// Its place in the text that describes the graph; error messages begin with it.
  let place: String?

  init(
    _ number: Int32, _ description: AudioComponentDescription, subgraph: ProcessingGraph? = nil,
    place: String? = nil
  ) {
    self.number = number
    self.description = description
    self.subgraph = subgraph
    self.place = place
  }

  /// Whether it is an output unit, which pulls the rest of the graph.
  public var isOutput: Bool {
    subgraph == nil && description.componentType == kAudioUnitType_Output
  }

  /// Its name in error messages: "node 3 (AULowpass)", or "node 3 "bass" (AULowpass)" if its unit
  /// has a nickname.
  public var title: String { title(in: "") }

  /// The name of a node in a sub-graph: `path` consists of the numbers of the enclosing nodes, each
  /// followed by a point.
  func title(in path: String) -> String {
    let number = "\(path)\(number)"
    if subgraph != nil { return "node \(number) (a sub-graph)" }
    if let unit {
      let name = unit.givenName.map { "\"\($0)\" " } ?? ""
      return "node \(number) \(name)(\(unit.title))"
    }
    let codes = [description.componentType, description.componentSubType]
    return "node \(number) (" + codes.map { "\(FourCharacterCode($0))" }.joined(separator: " ")
      + ")"
  }
}

/// The connection or callback that feeds one input of a node.
public struct Interaction {
  /// Another node's output, or a callback of the host.
  public enum Source {
    case connection(node: Int32, bus: UInt32)
    case callback(AURenderCallbackStruct)
  }

  public var source: Source
  /// The node and the input bus that are fed.
  public var node: Int32
  public var bus: UInt32
  /// Its place in the text that describes the graph; error messages begin with it.
  let place: String?

  init(_ source: Source, to node: Int32, _ bus: UInt32, place: String? = nil) {
    self.source = source
    self.node = node
    self.bus = bus
    self.place = place
  }

  /// Whether it involves a node.
  func concerns(_ node: Int32) -> Bool {
    if self.node == node { return true }
    if case .connection(node, _) = source { return true }
    return false
  }
}
