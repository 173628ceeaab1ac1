// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Parameter tree")
struct ParameterTreeTests {
  private let sample = FilterTree()

  @Test("has the nodes that it was made with, in their order")
  func children() {
    #expect(sample.tree.children == [sample.volume, sample.filter])
    #expect(sample.filter.children == [sample.cutoff, sample.resonance])
    #expect(sample.tree.allParameters == [sample.volume, sample.cutoff, sample.resonance])
    #expect(sample.filter.allParameters == [sample.cutoff, sample.resonance])
  }

  @Test("finds parameters by address, at any depth")
  func addresses() {
    #expect(sample.tree.parameter(withAddress: 10) === sample.volume)
    #expect(sample.tree.parameter(withAddress: 21) === sample.resonance)
    #expect(sample.tree.parameter(withAddress: 22) == nil)
    #expect(sample.tree.parameter(withAddress: .max) == nil)
  }

  @Test("finds the identifier of a C unit as an address of the global scope")
  func identifiers() {
    #expect(
      sample.tree.parameter(withID: 20, scope: kAudioUnitScope_Global, element: 0)
        === sample.cutoff)
    #expect(sample.tree.parameter(withID: 20, scope: kAudioUnitScope_Input, element: 0) == nil)
    #expect(sample.tree.parameter(withID: 20, scope: kAudioUnitScope_Global, element: 1) == nil)
    #expect(sample.tree.parameter(withID: .max, scope: .max, element: .max) == nil)
  }

  @Test("finds the first of several parameters with one address")
  func duplicates() {
    let first = parameter("first", 1)
    let tree = AUParameterTree.createTree(withChildren: [
      group("a", [first]), parameter("second", 1), group("b", [parameter("third", 1)]),
    ])
    #expect(tree.parameter(withAddress: 1) === first)
    #expect(tree.allParameters.count == 3)
  }

  @Test(
    "takes every address", arguments: [0, 1, .max, 1 << 63, 0xFFFF_FFFF] as [AUParameterAddress])
  func anyAddress(address: AUParameterAddress) {
    let tree = AUParameterTree.createTree(withChildren: [parameter("one", address)])
    #expect(tree.parameter(withAddress: address)?.address == address)
  }

  @Test("joins identifiers to key paths")
  func keyPaths() {
    #expect(sample.cutoff.keyPath == "filter.cutoff")
    #expect(sample.volume.keyPath == "volume")
    #expect(sample.filter.keyPath == "filter")
    #expect(sample.tree.keyPath == "")
    #expect(parameter("alone", 1).keyPath == "alone")
    let deep = (0..<50).reduce(parameter("x", 1) as AUParameterNode) { node, number in
      group("g\(number)", [node])
    }
    let tree = AUParameterTree.createTree(withChildren: [deep])
    #expect(tree.allParameters[0].keyPath.split(separator: ".").count == 51)
  }

  @Test("describes a parameter as it was made")
  func description() {
    let parameter = AUParameterTree.createParameter(
      withIdentifier: "rate", name: "Rate of change", address: 7, min: -1, max: 9,
      unit: .customUnit, unitName: "turns", flags: [.flag_IsReadable, .flag_CanRamp],
      valueStrings: ["a", "b"], dependentParameters: [3, 4])
    #expect(parameter.identifier == "rate")
    #expect(parameter.displayName == "Rate of change")
    #expect(parameter.address == 7)
    #expect(parameter.minValue == -1 && parameter.maxValue == 9)
    #expect(parameter.unit == .customUnit && parameter.unitName == "turns")
    #expect(parameter.flags == [.flag_IsReadable, .flag_CanRamp])
    #expect(parameter.valueStrings == ["a", "b"])
    #expect(parameter.dependentParameters == [3, 4])
    #expect(parameter.value == 0)
  }

  @Test("moves a node to the group that was made last")
  func move() {
    let other = group("other", [sample.cutoff])
    #expect(sample.cutoff.keyPath == "other.cutoff")
    #expect(other.allParameters == [sample.cutoff])
    for number in 0..<2_000 { _ = group("g\(number)", [sample.cutoff]) }
    #expect(sample.cutoff.keyPath == "g1999.cutoff")
  }

  @Test("may end before its parameters")
  func lifetime() {
    weak var tree: AUParameterTree?
    let cutoff = {
      let sample = FilterTree()
      tree = sample.tree
      sample.tree.implementorValueProvider = { _ in 440 }
      return sample.cutoff
    }()
    #expect(tree == nil)
    #expect(cutoff.keyPath == "filter.cutoff")
    #expect(cutoff.value == 440)
    cutoff.value = 100
  }

  @Test("cuts names to a length, or asks for shorter ones")
  func names() {
    #expect(sample.resonance.displayName(withLength: 4) == "Reso")
    #expect(sample.resonance.displayName(withLength: 100) == "Resonance")
    #expect(sample.resonance.displayName(withLength: 0) == "")
    #expect(sample.resonance.displayName(withLength: -1) == "Resonance")
    sample.tree.implementorDisplayNameWithLengthCallback = { node, length in
      "\(node.identifier.first ?? "-")\(length)"
    }
    #expect(sample.resonance.displayName(withLength: 2) == "r2")
    #expect(sample.filter.displayName(withLength: 3) == "f3")
  }
}
