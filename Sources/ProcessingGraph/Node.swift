// SPDX-License-Identifier: Apache-2.0
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

  init(_ number: Int32, _ description: AudioComponentDescription, subgraph: ProcessingGraph? = nil)
  {
    self.number = number
    self.description = description
    self.subgraph = subgraph
  }

  /// Whether it stands at the end of a graph and pulls the rest.
  public var isOutput: Bool {
    subgraph == nil && description.componentType == kAudioUnitType_Output
  }

  /// How explanations call it: "node 3 (AULowpass)".
  public var title: String {
    if subgraph != nil { return "node \(number) (a sub-graph)" }
    if let unit { return "node \(number) (\(unit.title))" }
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

  init(_ source: Source, to node: Int32, _ bus: UInt32) {
    self.source = source
    self.node = node
    self.bus = bus
  }

  /// Whether a node takes part in it.
  func concerns(_ node: Int32) -> Bool {
    if self.node == node { return true }
    if case .connection(node, _) = source { return true }
    return false
  }
}
