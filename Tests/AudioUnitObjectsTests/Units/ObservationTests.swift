// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Observers of a unit's properties")
struct ObservationTests {
  /// What observers were called with.
  private final class Record: @unchecked Sendable {  // one thread makes all changes
    var texts: [String] = []
  }

  @Test("are called with the values that they want, when a setter changes a property")
  func setters() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("obs1")
    let record = Record()
    let bypass = unit.observe(\.shouldBypassEffect, options: [.new, .old, .initial]) {
      owner, change in
      #expect(owner === unit && change.kind == .setting && change.indexes == nil)
      record.texts.append("\(change.oldValue.map(String.init) ?? "-") \(change.newValue ?? false)")
    }
    let name = unit.observe(\.contextName, options: [.old, .prior]) { _, change in
      record.texts.append("\(change.isPrior) \((change.oldValue ?? nil) ?? "none")")
      #expect(change.newValue == nil)
    }
    unit.shouldBypassEffect = true
    unit.contextName = "Track"
    unit.contextName = "Bus"
    #expect(
      record.texts == [
        "- false", "false true", "true none", "false none", "true Track", "false Track",
      ])
    record.texts = []
    bypass.invalidate()
    unit.shouldBypassEffect = false
    #expect(record.texts.isEmpty)
    withExtendedLifetime(name) {}
  }

  @Test("are called when a subclass says that a property has changed, by any of its names")
  func announced() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("obs2")
    let record = Record()
    let observations = [
      unit.observe(\.latency, options: [.new, .prior]) { _, change in
        record.texts.append("latency \(change.isPrior) \(change.newValue ?? -1)")
      },
      unit.observe(\.isRenderingOffline) { _, _ in record.texts.append("offline") },
      unit.observe(\.midiOutputNames) { _, _ in record.texts.append("names") },
    ]
    unit.willChangeValue(forKey: "latency")
    unit.didChangeValue(forKey: "latency")
    unit.didChangeValue(forKey: "isRenderingOffline")
    unit.didChangeValue(forKey: "MIDIOutputNames")
    unit.didChangeValue(forKey: "noSuchKey")
    #expect(
      record.texts == ["latency true -1.0", "latency false 0.25", "offline", "names"])
    withExtendedLifetime(observations) {}
  }

  @Test("are called for a new tree, a state, presets and resources")
  func others() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("obs3")
    let record = Record()
    let observations = [
      unit.observe(\.parameterTree) { _, _ in record.texts.append("tree") },
      unit.observe(\.allParameterValues) { _, _ in record.texts.append("values") },
      unit.observe(\.currentPreset) { _, _ in record.texts.append("preset") },
      unit.observe(\.renderResourcesAllocated, options: .new) { _, change in
        record.texts.append("allocated \(change.newValue ?? false)")
      },
      unit.observe(\.maximumFramesToRender) { _, _ in record.texts.append("frames") },
    ]
    unit.parameterTree = unit.parameterTree
    unit.fullState = unit.fullState
    unit.currentPreset = unit.factoryPresets?[0]
    unit.maximumFramesToRender = 100
    try unit.allocateRenderResources()
    try unit.allocateRenderResources()
    unit.deallocateRenderResources()
    #expect(
      record.texts == ["tree", "values", "preset", "frames", "allocated true", "allocated false"])
    withExtendedLifetime(observations) {}
  }

  @Test("of a C unit are called for what C programs change, and once for what its object changes")
  func bridged() throws {
    let unit = try AUAudioUnitV2Bridge(
      componentDescription: .apple(kAudioUnitSubType_LowPassFilter))
    let record = Record()
    let observations = [
      unit.observe(\.shouldBypassEffect, options: [.old, .new]) { _, change in
        record.texts.append("\(change.oldValue ?? true) \(change.newValue ?? false)")
      },
      unit.observe(\.maximumFramesToRender) { _, _ in record.texts.append("frames") },
      unit.observe(\.allParameterValues) { _, _ in record.texts.append("values") },
    ]
    var (flag, frames) = (1 as UInt32, 300 as UInt32)
    try check(
      AudioUnitSetProperty(unit.audioUnit, kAudioUnitProperty_BypassEffect, 0, 0, &flag, 4))
    unit.shouldBypassEffect = false
    try check(
      AudioUnitSetProperty(
        unit.audioUnit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &frames, 4))
    unit.maximumFramesToRender = 400
    unit.fullState = unit.fullState
    #expect(record.texts == ["false true", "true false", "frames", "frames", "values"])
    withExtendedLifetime(observations) {}
  }

  @Test("end with their observation, and keep neither the unit nor themselves")
  func lifetime() async throws {
    let record = Record()
    weak var gone: GainUnit?
    do {
      let unit: GainUnit = try await AUAudioUnit.registered("obs4")
      gone = unit
      do {
        let short = unit.observe(\.contextName) { _, _ in record.texts.append("short") }
        unit.contextName = "a"
        withExtendedLifetime(short) {}
      }
      unit.contextName = "b"
      #expect(record.texts == ["short"])
      let long = unit.observe(\.contextName) { _, _ in record.texts.append("long") }
      unit.contextName = "c"
      withExtendedLifetime(long) {}
    }
    #expect(gone == nil && record.texts == ["short", "long"])
  }

  @Test("may end their own observation, and set properties")
  func inside() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("obs5")
    let record = Record()
    nonisolated(unsafe) var observation: NSKeyValueObservation?
    observation = unit.observe(\.contextName, options: .new) { unit, change in
      record.texts.append((change.newValue ?? nil) ?? "none")
      observation?.invalidate()
      unit.contextName = "again"
    }
    unit.contextName = "first"
    #expect(record.texts == ["first"])
    #expect(unit.contextName == "again")
  }

  @Test("of another property end the program with a sentence")
  func unknown() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
      _ = unit.observe(\.hash) { _, _ in }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("there are no observers of"))
  }
}
