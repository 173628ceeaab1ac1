// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// All parameters of a unit.
open class AUParameterTree: AUParameterGroup, @unchecked Sendable {
  /// The parameters by address; of several with the same one, the first.
  private let parameters: [AUParameterAddress: AUParameter]

  /// A tree of nodes, which leave the groups where they were.
  init(children: [AUParameterNode]) {
    parameters = Self.byAddress(children)
    super.init(identifier: "", name: "", children: children)
  }

  /// The parameters below nodes by their addresses; of several with the same one, the first.
  final class func byAddress(_ nodes: [AUParameterNode]) -> [AUParameterAddress: AUParameter] {
    var found: [AUParameterAddress: AUParameter] = [:]
    for node in nodes {
      switch node {
      case let parameter as AUParameter:
        found.merge([parameter.address: parameter]) { first, _ in first }
      case let group as AUParameterGroup:
        found.merge(byAddress(group.children)) { first, _ in first }
      default: break
      }
    }
    return found
  }

  // MARK: Search

  /// The parameter with an address; nil if there is none.
  @discardableResult
  open func parameter(withAddress address: AUParameterAddress) -> AUParameter? {
    parameters[address]
  }

  /// The parameter of a C unit with this identifier, scope and element; nil if there is none. In
  /// other trees it searches for the identifier as an address, in the global scope and element 0.
  @discardableResult
  open func parameter(
    withID paramID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
  ) -> AUParameter? {
    AUParameterAddress(paramID, scope, element).flatMap { parameter(withAddress: $0) }
  }

  // MARK: Creation

  /// A parameter, with the value nearest to 0 in its range.
  ///
  /// - Parameters:
  ///   - identifier: The name in key paths, without dots.
  ///   - name: The name for people.
  ///   - address: The number of the parameter, unique in its tree.
  ///   - min: The smallest value.
  ///   - max: The largest value.
  ///   - unit: The unit of measure.
  ///   - unitName: The name of a unit of measure that is not in the list.
  ///   - flags: How a control for it should look, and what the parameter can do.
  ///   - valueStrings: The names of the values, from the smallest on.
  ///   - dependentParameters: The addresses of the parameters that may change when this one does.
  /// - Returns: The parameter, which is in no group yet.
  @discardableResult
  open class func createParameter(
    withIdentifier identifier: String, name: String, address: AUParameterAddress, min: AUValue,
    max: AUValue, unit: AudioUnitParameterUnit, unitName: String?,
    flags: AudioUnitParameterOptions = [], valueStrings: [String]?,
    dependentParameters: [NSNumber]?
  ) -> AUParameter {
    AUParameter(
      identifier: identifier,
      ParameterDetails(
        name: name, address: address, minimum: min, maximum: max, unit: unit, unitName: unitName,
        flags: flags, valueStrings: valueStrings, dependentParameters: dependentParameters))
  }

  /// A group of nodes. A node that was in another group leaves it for the new one: its key path and
  /// the callbacks that it finds above it are those of the new group.
  @discardableResult
  open class func createGroup(
    withIdentifier identifier: String, name: String, children: [AUParameterNode]
  ) -> AUParameterGroup {
    AUParameterGroup(identifier: identifier, name: name, children: children)
  }

  /// A group to make copies of, with `createGroup(fromTemplate:identifier:name:addressOffset:)`.
  @discardableResult
  open class func createGroupTemplate(_ children: [AUParameterNode]) -> AUParameterGroup {
    AUParameterGroup(identifier: "", name: "", children: children)
  }

  /// A copy of a group: the parameters have the same descriptions, values and callbacks, but no
  /// observers. Their addresses, and those of dependent parameters that are in the group, are moved
  /// by an offset.
  @discardableResult
  open class func createGroup(
    fromTemplate templateGroup: AUParameterGroup, identifier: String, name: String,
    addressOffset: AUParameterAddress
  ) -> AUParameterGroup {
    let addresses = Set(templateGroup.allParameters.map(\.address))
    let copy = AUParameterGroup(
      identifier: identifier, name: name,
      children: templateGroup.copyChildren(addressOffset: addressOffset, of: addresses))
    copy.core.takeCallbacks(of: templateGroup.core)
    return copy
  }

  /// A tree of nodes.
  @discardableResult
  open class func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
    AUParameterTree(children: children)
  }

  // MARK: Coding

  /// Reads a tree from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    // The children are known only after the group has read them.
    guard let group = AUParameterGroup(coder: coder) else { return nil }
    parameters = Self.byAddress(group.children)
    super.init(identifier: "", name: "", children: group.children)
  }
}
