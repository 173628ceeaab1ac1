// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Values of a parameter")
struct ParameterValueTests {
  private let sample = FilterTree()

  @Test("begin with the nearest to zero")
  func initial() {
    #expect(sample.volume.value == 0)
    #expect(sample.cutoff.value == 20)
    #expect(parameter("below", 1, -9 ... -3).value == -3)
  }

  @Test(
    "are limited to the range",
    arguments: [(5, 1), (-2, 0), (0.25, 0.25), (1e38, 1)] as [(AUValue, AUValue)])
  func range(value: AUValue, expected: AUValue) {
    sample.volume.value = value
    #expect(sample.volume.value == expected)
  }

  @Test(
    "do not change when they are set to no number",
    arguments: [.nan, .infinity, -.infinity] as [AUValue])
  func noNumber(value: AUValue) {
    let observed = Received<AUValue>()
    sample.tree.implementorValueObserver = { observed.add($1) }
    sample.volume.value = 0.5
    sample.volume.value = value
    sample.volume.setValue(value, originator: nil, atHostTime: 0, eventType: .touch)
    #expect(sample.volume.value == 0.5)
    #expect(observed.all == [0.5])
  }

  @Test("may have a range that makes no sense")
  func hostileRanges() {
    for (low, high) in [(1, 0), (.nan, 1), (0, .nan), (.nan, .nan)] as [(AUValue, AUValue)] {
      let odd = AUParameterTree.createParameter(
        withIdentifier: "odd", name: "", address: 0, min: low, max: high, unit: .generic,
        unitName: nil, valueStrings: ["a"], dependentParameters: nil)
      odd.value = 7
      #expect(odd.value == 7)
      _ = odd.string(fromValue: nil)
    }
    let open = parameter("open", 1, -AUValue.infinity...AUValue.infinity)
    open.value = .greatestFiniteMagnitude
    #expect(open.value == .greatestFiniteMagnitude)
  }

  @Test("reach the unit on the thread that sets them")
  func observer() {
    let observed = Received<(AUParameterAddress, AUValue, Bool)>()
    let thread = pthread_self()
    sample.tree.implementorValueObserver = { parameter, value in
      observed.add((parameter.address, value, pthread_equal(thread, pthread_self()) != 0))
    }
    sample.cutoff.value = 1_000
    sample.resonance.value = 100
    let expected: [(AUParameterAddress, AUValue, Bool)] = [(20, 1_000, true), (21, 40, true)]
    #expect(observed.all.elementsEqual(expected, by: ==))
  }

  @Test("come from the unit if it provides them")
  func provider() {
    sample.cutoff.value = 1_000
    sample.tree.implementorValueProvider = { AUValue($0.address) * 2 }
    #expect(sample.cutoff.value == 40)
    #expect(sample.resonance.value == 42)
  }

  @Test("are those that were set when the unit provides no number")
  func hostileProvider() {
    sample.cutoff.value = 1_000
    for value in [AUValue.nan, .infinity] {
      sample.tree.implementorValueProvider = { _ in value }
      #expect(sample.cutoff.value == 1_000)
    }
  }

  @Test("use the callbacks of the nearest node")
  func nearest() {
    sample.tree.implementorValueProvider = { _ in 1 }
    sample.filter.implementorValueProvider = { _ in 2 }
    sample.resonance.implementorValueProvider = { _ in 3 }
    #expect(sample.volume.value == 1)
    #expect(sample.cutoff.value == 2)
    #expect(sample.resonance.value == 3)
    #expect(sample.cutoff.implementorValueProvider(sample.volume) == 2)
  }

  @Test("have callbacks without a program")
  func defaults() {
    sample.volume.value = 0.5
    #expect(sample.tree.implementorValueProvider(sample.volume) == 0.5)
    sample.tree.implementorValueObserver(sample.volume, 1)
    #expect(sample.volume.value == 0.5)
    #expect(sample.tree.implementorStringFromValueCallback(sample.volume, nil) == "0.5")
    #expect(sample.tree.implementorValueFromStringCallback(sample.volume, "0.25") == 0.25)
    #expect(sample.tree.implementorDisplayNameWithLengthCallback(sample.volume, 3) == "Vol")
  }

  @Test("may replace a callback inside it")
  func replacement() {
    let tree = sample.tree
    let calls = Received<Int>()
    for number in 0..<100 {
      tree.implementorValueProvider = { [weak tree] _ in
        calls.add(number)
        tree?.implementorValueProvider = { _ in 0.25 }
        return 0.75
      }
      #expect(sample.volume.value == 0.75)
      #expect(sample.volume.value == 0.25)
    }
    #expect(calls.all == Array(0..<100))
  }

  @Test("release a replaced callback, and all of them at the end")
  func release() {
    weak var first: Received<Int>?
    weak var second: Received<Int>?
    do {
      let tree = FilterTree().tree
      var object: Received<Int>? = Received()
      first = object
      tree.implementorValueObserver = { [object] _, _ in object?.add(1) }
      object = Received()
      second = object
      tree.implementorValueObserver = { [object] _, _ in object?.add(1) }
      object = nil
      #expect(first == nil)
      #expect(second != nil)
    }
    #expect(second == nil)
  }
}
