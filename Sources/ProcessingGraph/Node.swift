// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioUnitCore
public import CAudioToolbox

/// A place in a graph: the description of a unit and, once the graph is open, the unit; or a graph of
/// its own.
public final class Node {
  /// By which the C API knows it within its graph: `AUNode`.
  public let number: Int32
  /// What kind of unit it stands for; all zero for a sub-graph.
  public let description: AudioComponentDescription
  /// The sub-graph that it is, if any.
  public let subgraph: ProcessingGraph?
  /// Its unit, from the opening of the graph to its closing.
  public internal(set) var unit: UnitInstance?
  /// Where it stands in the text that its graph was made of; explanations begin with it.
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

  /// Whether it stands at the end of a graph and pulls the rest.
  public var isOutput: Bool {
    subgraph == nil && description.componentType == kAudioUnitType_Output
  }

  /// How explanations call it: "node 3 (AULowpass)", or "node 3 "bass" (AULowpass)" where its unit has
  /// a nickname.
  public var title: String { title(in: "") }

  /// The same, in a sub-graph: `path` has the numbers that lead there, each with a point.
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

/// What feeds one input of a node.
public struct Interaction {
  /// Another node's output, or a function of the host's.
  public enum Source {
    case connection(node: Int32, bus: UInt32)
    case callback(AURenderCallbackStruct)
  }

  public var source: Source
  /// The node and the input bus that are fed.
  public var node: Int32
  public var bus: UInt32
  /// Where it stands in the text that its graph was made of; explanations begin with it.
  let place: String?

  init(_ source: Source, to node: Int32, _ bus: UInt32, place: String? = nil) {
    self.source = source
    self.node = node
    self.bus = bus
    self.place = place
  }

  /// Whether a node takes part in it.
  func concerns(_ node: Int32) -> Bool {
    if self.node == node { return true }
    if case .connection(node, _) = source { return true }
    return false
  }
}
