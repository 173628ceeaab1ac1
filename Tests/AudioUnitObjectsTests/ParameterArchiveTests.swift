// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Archives of parameters and presets")
struct ParameterArchiveTests {
  private func archive(_ object: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  @Test("keep the tree, its descriptions and values")
  func tree() throws {
    let sample = FilterTree()
    sample.cutoff.value = 440
    let shape = parameter("shape", 5, 0...2, strings: ["a", "b", "c"], dependents: [20])
    let tree = AUParameterTree.createTree(withChildren: [sample.volume, sample.filter, shape])
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: AUParameterTree.self, from: archive(tree)))
    #expect(copy.allParameters.map(\.keyPath) == tree.allParameters.map(\.keyPath))
    #expect(copy.allParameters.map(\.address) == [10, 20, 21, 5])
    #expect(copy.allParameters.map(\.value) == [0, 440, 0, 0])
    let cutoff = try #require(copy.parameter(withAddress: 20))
    #expect(cutoff.minValue == 20 && cutoff.maxValue == 20_000 && cutoff.unit == .hertz)
    #expect(cutoff.flags == sample.cutoff.flags)
    #expect(cutoff.valueStrings == nil && cutoff.unitName == nil)
    let copiedShape = try #require(copy.value(forKey: "shape") as? AUParameter)
    #expect(copiedShape.valueStrings == ["a", "b", "c"])
    #expect(copiedShape.dependentParameters == [20])
  }

  @Test("that are damaged give nothing")
  func damaged() throws {
    let data = try archive(FilterTree().tree)
    for cut in stride(from: 0, to: data.count, by: 37) {
      let tree = try? NSKeyedUnarchiver.unarchivedObject(
        ofClass: AUParameterTree.self, from: data.prefix(cut))
      #expect(tree == nil)
    }
    #expect(
      (try? NSKeyedUnarchiver.unarchivedObject(
        ofClass: AUParameterTree.self, from: archive("x" as NSString))) == nil)
  }

  @Test("keep a preset")
  func preset() throws {
    let preset = AUAudioUnitPreset()
    #expect(preset.number == 0 && preset.name == "")
    preset.number = -3
    preset.name = "Warm"
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClass: AUAudioUnitPreset.self, from: archive(preset)))
    #expect(copy.number == -3 && copy.name == "Warm")
    #expect(preset.value(forKey: "number") as? Int == -3)
    #expect(preset.value(forKey: "name") as? String == "Warm")
    #expect(preset.value(forKey: "other") == nil)
  }
}
