// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

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
