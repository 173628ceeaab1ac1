// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Copies of a parameter group")
struct ParameterTemplateTests {
  private let template: AUParameterGroup = {
    let gain = parameter("gain", 1, dependents: [2, 50])
    gain.value = 0.5
    return AUParameterTree.createGroupTemplate([gain, group("more", [parameter("pan", 2, -1...1)])])
  }()

  private func copy(_ identifier: String, _ offset: AUParameterAddress) -> AUParameterGroup {
    AUParameterTree.createGroup(
      fromTemplate: template, identifier: identifier, name: "Strip", addressOffset: offset)
  }

  @Test("have moved addresses and their own values")
  func addresses() {
    let (first, second) = (copy("one", 100), copy("two", 200))
    let tree = AUParameterTree.createTree(withChildren: [first, second])
    #expect(tree.allParameters.map(\.address) == [101, 102, 201, 202])
    #expect(
      tree.allParameters.map(\.keyPath) == ["one.gain", "one.more.pan", "two.gain", "two.more.pan"])
    #expect(first.displayName == "Strip")
    first.allParameters[0].value = 1
    #expect(tree.parameter(withAddress: 101)?.value == 1)
    #expect(tree.parameter(withAddress: 201)?.value == 0.5)
    #expect(template.allParameters[0].value == 0.5)
    #expect(second.allParameters[1].minValue == -1)
  }

  @Test("move dependent parameters that are in the group")
  func dependents() {
    #expect(copy("one", 100).allParameters[0].dependentParameters == [102, 50])
  }

  @Test("may have addresses that wrap around")
  func wrapping() {
    #expect(copy("one", .max).allParameters.map(\.address) == [0, 1])
  }

  @Test("keep callbacks, and no observers")
  func callbacks() {
    template.allParameters[1].implementorStringFromValueCallback = { _, _ in "centre" }
    let calls = Received<AUValue>()
    let tokens = template.token(byAddingParameterRecordingObserver: { _, events in
      calls.add(events.pointee.value)
    })
    let copy = copy("one", 10)
    #expect(copy.allParameters[1].string(fromValue: nil) == "centre")
    copy.allParameters[1].value = 1
    template.allParameters[1].value = -1
    template.removeParameterObserver(tokens)
    #expect(!calls.all.contains(1))
  }
}
