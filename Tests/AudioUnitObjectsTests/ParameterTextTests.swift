// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Texts of parameters")
struct ParameterTextTests {
  private let shape = parameter(
    "shape", 1, 1...3, unit: .indexed, strings: ["sine", "square", "saw"])
  private let gain = parameter("gain", 2, -100...20, unit: .decibels)

  @Test("are the names of values, or numbers")
  func text() {
    for (number, text) in [
      (1, "sine"), (2.2, "square"), (3, "saw"), (4, "4"), (-1e30, "-1e+30"),
    ] as [(AUValue, String)] {
      var value = number
      #expect(shape.string(fromValue: &value) == text)
    }
    var level: AUValue = -6.5
    #expect(gain.string(fromValue: &level) == "-6.5")
  }

  @Test("are those of the current value without a value")
  func current() {
    shape.value = 2
    gain.value = 3
    #expect(shape.string(fromValue: nil) == "square")
    #expect(gain.string(fromValue: nil) == "3")
  }

  @Test(
    "are read as values",
    arguments: [("-6", -6), ("2.5 dB", 2.5), (" 1e1", 10), ("99", 20)] as [(String, AUValue)])
  func value(text: String, expected: AUValue) {
    #expect(gain.value(from: text) == expected)
  }

  @Test(
    "that say nothing are the current value", arguments: ["", "loud", "nan", "inf", "-", "dB 3"])
  func noValue(text: String) {
    gain.value = -7
    #expect(gain.value(from: text) == -7)
  }

  @Test("are found among the names")
  func names() {
    #expect(shape.value(from: "saw") == 3)
    #expect(shape.value(from: "2") == 2)
  }

  @Test("come from the program if it has callbacks")
  func callbacks() {
    let tree = AUParameterTree.createTree(withChildren: [gain, shape])
    tree.implementorStringFromValueCallback = { parameter, value in
      "\(parameter.identifier)=\(value?.pointee ?? parameter.value)"
    }
    tree.implementorValueFromStringCallback = { parameter, text in
      AUValue(text.count) + AUValue(parameter.address)
    }
    gain.value = 1.5
    var value: AUValue = 3
    #expect(gain.string(fromValue: nil) == "gain=1.5")
    #expect(gain.string(fromValue: &value) == "gain=3.0")
    #expect(gain.value(from: "four") == 6)
  }
}
