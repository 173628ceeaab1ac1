// SPDX-License-Identifier: Apache-2.0
import CoreAudio

/// The parameters of a tree, as C hosts number them: all of them are global.
///
/// A parameter whose address fits into 32 bits has it as identifier. Another one gets the next free
/// number from the lower 32 bits of its address on.
final class ParameterMap: Sendable {
  let tree: AUParameterTree?
  /// The parameters in the order of the tree.
  let ids: [AudioUnitParameterID]
  private let parameters: [AudioUnitParameterID: AUParameter]
  /// The values that the parameters had at first.
  private let defaults: [AudioUnitParameterID: AUValue]
  private let numbers: [AUParameterAddress: AudioUnitParameterID]
  /// The groups at the top of the tree, which hosts show as clumps from 1 on.
  let clumps: [String]
  private let clumpNumbers: [AudioUnitParameterID: UInt32]

  init(_ tree: AUParameterTree?) {
    self.tree = tree
    var parameters: [AudioUnitParameterID: AUParameter] = [:]
    var numbers: [AUParameterAddress: AudioUnitParameterID] = [:]
    let all = tree?.allParameters ?? []
    for parameter in all {
      guard let id = AudioUnitParameterID(exactly: parameter.address), parameters[id] == nil else {
        continue
      }
      parameters[id] = parameter
      numbers[parameter.address] = id
    }
    for parameter in all where numbers[parameter.address] == nil {
      var id = AudioUnitParameterID(truncatingIfNeeded: parameter.address)
      while parameters[id] != nil { id &+= 1 }
      parameters[id] = parameter
      numbers[parameter.address] = id
    }
    var clumps: [String] = []
    var clumpNumbers: [AudioUnitParameterID: UInt32] = [:]
    for case let group as AUParameterGroup in tree?.children ?? [] {
      clumps.append(group.displayName)
      for parameter in group.allParameters {
        if let id = numbers[parameter.address] { clumpNumbers[id] = UInt32(clumps.count) }
      }
    }
    self.parameters = parameters
    defaults = parameters.mapValues(\.value)
    self.numbers = numbers
    self.clumps = clumps
    self.clumpNumbers = clumpNumbers
    ids = all.compactMap { numbers[$0.address] }
  }

  /// The parameter with an identifier.
  func parameter(_ id: AudioUnitParameterID) -> AUParameter? { parameters[id] }

  /// The value that a parameter had at first.
  func defaultValue(of id: AudioUnitParameterID) -> AUValue { defaults[id] ?? 0 }

  /// The identifier of the parameter with an address.
  func id(of address: AUParameterAddress) -> AudioUnitParameterID? { numbers[address] }

  /// The clump of a parameter; 0: none.
  func clump(of id: AudioUnitParameterID) -> UInt32 { clumpNumbers[id] ?? 0 }
}
