// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Key-value coding of parameters")
struct ParameterKeyTests {
  private let sample = FilterTree()

  @Test("finds the children of a group by their identifiers")
  func children() {
    #expect(sample.tree.value(forKey: "volume") as? AUParameter === sample.volume)
    #expect(sample.tree.value(forKey: "filter") as? AUParameterGroup === sample.filter)
    #expect(sample.tree.value(forKeyPath: "filter.cutoff") as? AUParameter === sample.cutoff)
    #expect(
      sample.tree.value(forKeyPath: sample.resonance.keyPath) as? AUParameter === sample.resonance)
  }

  @Test(
    "finds nothing for other keys",
    arguments: ["", ".", "x", "filter.", "filter.x", ".cutoff", "volume.value.x", "filter..cutoff"])
  func unknown(path: String) {
    #expect(sample.tree.value(forKeyPath: path) == nil)
  }

  @Test("reads what describes a parameter")
  func properties() {
    let cutoff = sample.cutoff
    #expect(cutoff.value(forKey: "identifier") as? String == "cutoff")
    #expect(cutoff.value(forKey: "keyPath") as? String == "filter.cutoff")
    #expect(cutoff.value(forKey: "displayName") as? String == "Cutoff")
    #expect(cutoff.value(forKey: "minValue") as? Float == 20)
    #expect((cutoff.value(forKey: "maxValue") as? NSNumber)?.floatValue == 20_000)
    #expect(cutoff.value(forKey: "address") as? UInt64 == 20)
    #expect((cutoff.value(forKey: "unit") as? NSNumber)?.uint32Value == 8)
    #expect((cutoff.value(forKey: "flags") as? NSNumber)?.uint32Value == 0xC000_0000)
    #expect(cutoff.value(forKey: "unitName") == nil)
    #expect(cutoff.value(forKey: "valueStrings") == nil)
    #expect(cutoff.value(forKey: "dependentParameters") == nil)
    #expect(cutoff.value(forKey: "nothing") == nil)
    #expect((sample.tree.value(forKey: "allParameters") as? [AUParameter])?.count == 3)
    #expect((sample.tree.value(forKey: "children") as? [AUParameterNode])?.count == 2)
  }

  @Test("sets the value of a parameter with any kind of number")
  func set() {
    sample.tree.setValue(AUValue(440), forKeyPath: "filter.cutoff.value")
    #expect(sample.cutoff.value == 440)
    sample.tree.setValue(NSNumber(value: 550), forKeyPath: "filter.cutoff.value")
    #expect(sample.cutoff.value == 550)
    sample.cutoff.setValue(660, forKey: "value")
    #expect(sample.cutoff.value == 660)
    sample.cutoff.setValue(770.0, forKey: "value")
    #expect(sample.tree.value(forKeyPath: "filter.cutoff.value") as? Float == 770)
    sample.cutoff.setValue(UInt64.max, forKey: "value")
    #expect(sample.cutoff.value == 20_000)
    sample.cutoff.setValue(true, forKey: "value")
    #expect(sample.cutoff.value == 20)
    sample.cutoff.setValue(Double.nan, forKey: "value")
    #expect(sample.cutoff.value == 20)
  }
}
