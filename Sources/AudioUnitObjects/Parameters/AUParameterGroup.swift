// SPDX-License-Identifier: Apache-2.0
import CoreAudio
public import Foundation

/// A group of parameters and groups.
///
/// Created by `AUParameterTree.createGroup`.
open class AUParameterGroup: AUParameterNode, NSSecureCoding, @unchecked Sendable {
  private let nodes: [AUParameterNode]

  /// A group of nodes, which leave the groups where they were.
  init(identifier: String, name: String, children: [AUParameterNode]) {
    nodes = children
    super.init(NodeCore(identifier: identifier), name: name)
    adopt(nodes)
  }

  /// Nodes are in this group now, and leave the groups where they were.
  final func adopt(_ nodes: [AUParameterNode]) {
    for node in nodes { node.core.changeLinks { $0.parent = core } }
  }

  /// The nodes of the group.
  open var children: [AUParameterNode] { nodes }

  /// The parameters of the group and of the groups in it.
  open var allParameters: [AUParameter] {
    children.flatMap { node -> [AUParameter] in
      switch node {
      case let parameter as AUParameter: [parameter]
      case let group as AUParameterGroup: group.allParameters
      default: []
      }
    }
  }

  /// The units that have the values of the parameters below this node.
  override var implementors: [any ParameterImplementor] {
    var found: [any ParameterImplementor] = []
    for implementor in nodes.flatMap(\.implementors)
    where !found.contains(where: { $0 === implementor }) {
      found.append(implementor)
    }
    return found
  }

  /// Copies of the nodes, with addresses among `addresses` moved by an offset.
  final func copyChildren(
    addressOffset: AUParameterAddress, of addresses: Set<AUParameterAddress>
  ) -> [AUParameterNode] {
    children.compactMap { node in
      switch node {
      case let parameter as AUParameter:
        return parameter.copy(addressOffset: addressOffset, of: addresses)
      case let group as AUParameterGroup:
        let copy = AUParameterGroup(
          identifier: group.identifier, name: group.displayName,
          children: group.copyChildren(addressOffset: addressOffset, of: addresses))
        copy.core.takeCallbacks(of: group.core)
        return copy
      default: return nil
      }
    }
  }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above, or the identifier of a child.
  @discardableResult
  open override func value(forKey key: String) -> Any? {
    switch key {
    case "children": children
    case "allParameters": allParameters
    default: super.value(forKey: key)
    }
  }

  /// The child with this identifier; nil if there is none.
  open override func value(forUndefinedKey key: String) -> Any? {
    children.first { $0.identifier == key }
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the group and all nodes in it to an archive, without callbacks and observers.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(displayName, forKey: "name")
    coder.encode(children, forKey: "children")
  }

  /// Reads a group from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSArray.self, AUParameter.self, AUParameterGroup.self]
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let nodes = coder.decodeObject(of: classes, forKey: "children") as? [AUParameterNode]
    else { return nil }
    self.nodes = nodes
    super.init(NodeCore(identifier: identifier.description), name: name.description)
    adopt(nodes)
  }
}
