// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox
import Synchronization
import Testing

@Suite("What the units of a kind share")
struct UnitKindTests {
  /// Counts how often the rows of its class are asked for.
  private class CountedUnit: NativeUnit, @unchecked Sendable {
    let counter: Counter

    init(_ component: Component, _ counter: Counter) {
      self.counter = counter
      super.init(
        component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
        format: .standard, maximumFrames: 512)
    }

    override var properties: [UnitProperty] {
      counter.count.wrappingAdd(1, ordering: .relaxed)
      return [
        .value(99_001, in: [kAudioUnitScope_Global], reading: { UInt32($0.maximumFrames) })
      ]
    }
  }

  private final class OtherUnit: CountedUnit, @unchecked Sendable {}

  private final class Counter: Sendable {
    let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
  }

  private func component(_ subtype: String) -> Component {
    Component(
      AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: code(subtype),
        componentManufacturer: maker, componentFlags: 0, componentFlagsMask: 0),
      name: "Tests: Counted", version: 1
    ) { _, _ throws(AudioError) in throw .unimplemented }
  }

  @Test("a hundred units of one kind have one table of properties")
  func tables() throws {
    let (component, counter) = (component("one "), Counter())
    let units = (0..<100).map { _ in CountedUnit(component, counter) }
    for (index, unit) in units.enumerated() {
      unit.maximumFrames = 100 + index
      let address = PropertyAddress(99_001, kAudioUnitScope_Global, 0)
      var (value, size) = (UInt32(0), UInt32(4))
      try unit.getProperty(address, into: &value, size: &size)
      #expect(value == UInt32(100 + index))
      #expect(unit.propertyTable === units[0].propertyTable)
    }
    #expect(counter.value == 1)
  }

  @Test("another class or another component makes another kind")
  func kinds() throws {
    let (one, two, counter) = (component("one "), component("two "), Counter())
    let units = [
      CountedUnit(one, counter), OtherUnit(one, counter), CountedUnit(two, counter),
      OtherUnit(one, counter),
    ]
    let tables = Set(units.map { ObjectIdentifier($0.propertyTable) })
    #expect(tables.count == 3)
    #expect(counter.value == 3)
  }

  @Test("threads that need the table at the same time get the same one")
  func threads() async {
    let (component, counter) = (component("one "), Counter())
    let units = (0..<64).map { _ in CountedUnit(component, counter) }
    await withTaskGroup(of: Void.self) { group in
      for unit in units { group.addTask { _ = try? unit.allProperties() } }
    }
    #expect(counter.value == 1)
  }
}
