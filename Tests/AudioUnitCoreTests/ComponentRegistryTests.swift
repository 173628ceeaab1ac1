// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioUnitCore

@Suite("The registry of components")
struct ComponentRegistryTests {
  private func component(_ number: UInt32) -> Component {
    let codes = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: number,
      componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
    return Component(codes, name: "Test: \(number)", version: 1) { _, _ throws(AudioError) in
      throw .unimplemented
    }
  }

  /// A registry with `count` components.
  private func registry(_ count: UInt32) throws -> ComponentRegistry {
    let registry = ComponentRegistry()
    for number in 1...count { try registry.register(component(number)) }
    return registry
  }

  /// The names that a walk over all effects finds.
  private func walk(_ registry: ComponentRegistry) -> Int {
    var effects = AudioComponentDescription()
    effects.componentType = kAudioUnitType_Effect
    var count = 0
    var last: Component?
    while let next = registry.next(after: last, matching: effects) {
      count += 1
      last = next
    }
    return count
  }

  @Test("takes as long for each component of a walk, however many there are")
  func walks() throws {
    func shortest(_ count: UInt32) throws -> Duration {
      let registry = try registry(count)
      return (0..<5).reduce(.seconds(60)) { best, _ in
        min(best, ContinuousClock().measure { #expect(walk(registry) == Int(count)) })
      }
    }
    // Ten times as many take ten times as long, and a hundred times if each step searches its place.
    let (few, many) = (try shortest(1_000), try shortest(10_000))
    #expect(many < few * 40)
  }

  @Test("looks for more components only when a walk has passed those that it has")
  func lateSearch() throws {
    let registry = try registry(2)
    let searches = Guarded(0)
    registry.findMore = { searches.withLock { $0 += 1 } }
    let first = registry.next(after: nil, matching: AudioComponentDescription())
    #expect(first?.name == "Test: 1")
    #expect(searches.withLock { $0 } == 0)
    #expect(walk(registry) == 2)
    #expect(searches.withLock { $0 } == 1)
  }

  @Test("finds in the same walk what the search for more has registered")
  func found() throws {
    let registry = try registry(1)
    registry.findMore = { [unowned registry] in
      _ = try? registry.register(
        Component(
          AudioComponentDescription(
            componentType: kAudioUnitType_Effect, componentSubType: 2,
            componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0),
          name: "Test: late", version: 1
        ) { _, _ throws(AudioError) in throw .unimplemented })
    }
    #expect(walk(registry) == 2)
  }
}
