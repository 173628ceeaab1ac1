// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CoreAudio
import Foundation
import UnitTexts

/// Makes the nodes of the tree of a C unit. [control thread]
///
/// The parameters of the global scope are at the top, those of other scopes in a group for the scope
/// and in it one for each element: `input.0.3` is the key path of parameter 3 of the first input. A
/// clump is a group.
struct UnitTreeNodes {
  /// The most parameters of a tree, so that a unit that reports nonsense costs little.
  private static let capacity = 1 << 16

  private let unit: UnitInstance
  private let implementor: UnitParameters
  /// The parameters that the tree has had.
  private let known: [AUParameterAddress: AUParameter]
  /// The numbers of input and output channels of a matrix mixer.
  private let matrix: (inputs: UInt32, outputs: UInt32)?
  private var descriptions: [ParameterAddress: ParameterDescription] = [:]
  private var count = 0

  init(
    _ unit: UnitInstance, _ implementor: UnitParameters, known: [AUParameterAddress: AUParameter]
  ) {
    self.unit = unit
    self.implementor = implementor
    self.known = known
    let sizes = unit.values(kAudioUnitProperty_MatrixDimensions, of: UInt32(0)) ?? []
    matrix = sizes.count >= 2 && sizes[0] > 0 && sizes[1] > 0 ? (sizes[0], sizes[1]) : nil
  }

  /// All nodes.
  mutating func all() -> [AUParameterNode] {
    let scopes = kAudioUnitScope_Global...kAudioUnitScope_LayerItem
    return scopes.flatMap { scope -> [AUParameterNode] in
      var nodes: [AUParameterNode] = []
      var others: [AUParameterNode] = []
      for element in elements(scope) where count < Self.capacity {
        let inside = parameters(scope, element)
        if scope == kAudioUnitScope_Global, element == masterElement {
          nodes = inside
        } else if !inside.isEmpty {
          others.append(
            AUParameterGroup(
              identifier: "\(element)", name: name(scope, element), children: inside))
        }
      }
      guard !others.isEmpty else { return nodes }
      let name = Element.scopeName(scope)
      return nodes + [AUParameterGroup(identifier: name, name: name, children: others)]
    }
  }

  /// The element of the global scope whose parameters are those of the whole unit.
  private var masterElement: AudioUnitElement { matrix == nil ? 0 : .max }

  /// The elements of a scope; of a matrix mixer, its channels and crosspoints.
  private func elements(_ scope: AudioUnitScope) -> [AudioUnitElement] {
    if let matrix {
      let (inputs, outputs) = (matrix.inputs, matrix.outputs)
      switch scope {
      case kAudioUnitScope_Input: return Array(0..<inputs)
      case kAudioUnitScope_Output: return Array(0..<outputs)
      case kAudioUnitScope_Global:
        guard inputs <= 0xFFFF, outputs <= 0xFFFF else { return [.max] }
        return [.max] + (0..<inputs).flatMap { input in (0..<outputs).map { input << 16 | $0 } }
      default: break
      }
    }
    let count = (try? unit.elementCount(scope)) ?? (scope == kAudioUnitScope_Global ? 1 : 0)
    return Array(0..<min(count, UInt32(Self.capacity)))
  }

  private func name(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    unit.text(kAudioUnitProperty_ElementName, scope, element)
      ?? "\(Element.scopeName(scope)) \(element)"
  }

  // MARK: Parameters

  /// The parameters of an element, those of a clump in a group.
  private mutating func parameters(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    -> [AUParameterNode]
  {
    let ids = unit.values(
      kAudioUnitProperty_ParameterList, scope, element, of: AudioUnitParameterID(0))
    var order: [UInt32?] = []
    var clumps: [UInt32?: [AUParameter]] = [:]
    for id in ids ?? [] where count < Self.capacity {
      let place = ParameterAddress(id, scope, element)
      guard let description = description(of: place), let parameter = parameter(place, description)
      else { continue }
      count += 1
      let clump =
        description.info.flags.contains(.flag_HasClump)
          && description.info.clumpID != UInt32(kAudioUnitClumpID_System)
        ? description.info.clumpID : nil
      if clumps[clump] == nil { order.append(clump) }
      clumps[clump, default: []].append(parameter)
    }
    return order.flatMap { clump -> [AUParameterNode] in
      let parameters = clumps[clump] ?? []
      guard let clump else { return parameters }
      return [
        AUParameterGroup(
          identifier: "clump\(clump)", name: unit.clumpName(clump, scope) ?? "Group \(clump)",
          children: parameters)
      ]
    }
  }

  /// The description, which is the same for all elements of a scope.
  private mutating func description(of place: ParameterAddress) -> ParameterDescription? {
    let key = ParameterAddress(place.id, place.scope, 0)
    if let known = descriptions[key] { return known }
    let description = unit.parameterDescription(place.id, place.scope)
    descriptions[key] = description
    return description
  }

  private func parameter(_ place: ParameterAddress, _ description: ParameterDescription)
    -> AUParameter?
  {
    guard let address = AUParameterAddress(place.id, place.scope, place.element),
      let value = try? unit.parameter(place)
    else { return nil }
    let info = description.info
    let names = description.valueNames
    let details = ParameterDetails(
      name: description.name, address: address, minimum: info.minValue, maximum: info.maxValue,
      unit: info.unit, unitName: description.unitName,
      flags: info.flags.subtracting([.flag_CFNameRelease]),
      valueStrings: names.isEmpty ? nil : names, dependentParameters: dependents(of: place))
    if let parameter = known[address], parameter.takeRange(of: details) { return parameter }
    return AUParameter(identifier: "\(place.id)", details, value: value, of: implementor)
  }

  /// The addresses of the parameters that change with one: on the same element, or on the first of
  /// another scope.
  private func dependents(of place: ParameterAddress) -> [NSNumber]? {
    let list = unit.values(
      kAudioUnitProperty_DependentParameters, place.scope, place.id, of: AUDependentParameter())
    guard let list, !list.isEmpty else { return nil }
    return list.compactMap { other in
      AUParameterAddress(
        other.mParameterID, other.mScope, other.mScope == place.scope ? place.element : 0
      ).map { NSNumber(value: $0) }
    }
  }
}
