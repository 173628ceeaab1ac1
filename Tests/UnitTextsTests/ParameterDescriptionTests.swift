// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing
import UnitTexts

@Suite("Parameter descriptions")
struct ParameterDescriptionTests {
  private func parameter(
    _ id: AudioUnitParameterID, _ name: String, _ unit: AudioUnitParameterUnit = .generic,
    _ range: ClosedRange<Float> = 0...1, _ valueNames: [String] = []
  ) -> ParameterDescription {
    var info = AudioUnitParameterInfo()
    (info.unit, info.minValue, info.maxValue) = (unit, range.lowerBound, range.upperBound)
    return ParameterDescription(
      id: id, name: name, info: info, unitName: nil, valueNames: valueNames)
  }

  @Test("are found by name, beginning, part or number")
  func names() {
    let all = [parameter(0, "cutoff frequency"), parameter(7, "resonance"), parameter(9, "cut 2")]
    #expect(all.named("Cutoff-Frequency").map(\.id) == [0])
    #expect(all.named("cut").map(\.id) == [0, 9])
    #expect(all.named("freq").map(\.id) == [0])
    #expect(all.named("7").map(\.id) == [7])
    #expect(all.named("nothing").isEmpty)
  }

  @Test("read values with units, and names of values")
  func values() {
    let cutoff = parameter(0, "cutoff frequency", .hertz, 10...22_050)
    #expect(cutoff.value(of: "1k") == 1_000)
    #expect(cutoff.value(of: "A4") == 440)
    #expect(cutoff.value(of: "99999") == 99_999)
    #expect(cutoff.value(of: "loud") == nil)
    #expect(
      cutoff.expectation == "a number from 10 to 22050, such as 440, A4 or 1k")
    #expect(parameter(0, "switch", .boolean).value(of: "on") == 1)
    let mode = parameter(0, "mode", .indexed, 2...3, ["Up", "Down"])
    #expect(mode.value(of: "down") == 3)
    #expect(mode.expectation.hasSuffix(", or one of Up, Down"))
  }
}
