// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// The interface of every effect of the catalogue to its host.
@Suite("Every effect, to its host")
struct EffectConformanceTests {
  @Test("has the parameters of its specs at their defaults", arguments: EffectCase.all)
  func defaults(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    #expect(!(try unit.parameters).isEmpty || !effect.definition.factoryPresets.isEmpty)
    for id in try unit.parameters {
      let info = try unit.info(id)
      let spec = try #require(effect.definition.values.first { $0.id == id }).spec
      #expect(info.minValue <= info.defaultValue && info.defaultValue <= info.maxValue)
      #expect(info.minValue < info.maxValue)
      #expect(info.unit == spec.unit && info.flags.contains(.flag_IsReadable))
      #expect(!spec.name.isEmpty)
      if info.flags.contains(.flag_IsWritable) { #expect(try unit.value(id) == info.defaultValue) }
      if !spec.valueNames.isEmpty {
        #expect(Float(spec.valueNames.count - 1) == info.maxValue - info.minValue)
      }
    }
    let ids = try unit.parameters
    #expect(Set(ids).count == ids.count)
  }

  @Test(
    "refuses unknown parameters, and NaN", arguments: EffectCase.all)
  func unknown(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let handle = unit.host.handle
    for id in [999_999, AudioUnitParameterID.max] {
      #expect(
        AudioUnitSetParameter(handle, id, kAudioUnitScope_Global, 0, 0, 0)
          == kAudioUnitErr_InvalidParameter)
    }
    guard let id = try unit.writable.first else { return }
    let before = try unit.value(id)
    #expect(
      AudioUnitSetParameter(handle, id, kAudioUnitScope_Global, 1, 0, 0)
        == kAudioUnitErr_InvalidElement)
    #expect(
      AudioUnitSetParameter(handle, id, kAudioUnitScope_Input, 0, 0, 0)
        == kAudioUnitErr_InvalidParameter)
    #expect(
      AudioUnitSetParameter(handle, id, kAudioUnitScope_Global, 0, .nan, 0)
        == kAudioUnitErr_InvalidParameterValue)
    #expect(try unit.value(id) == before)
  }

  @Test("names the groups of its parameters, and no others", arguments: EffectCase.all)
  func clumps(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    var ids: Set<UInt32> = []
    for id in try unit.parameters {
      let info = try unit.info(id)
      #expect(info.flags.contains(.flag_HasClump) == (info.clumpID != 0))
      if info.clumpID != 0 { ids.insert(info.clumpID) }
    }
    var names: Set<String> = []
    for id in ids { names.insert(try unit.clumpName(id)) }
    #expect(names.count == ids.count && !names.contains(""))
    for unknown in [0, (ids.max() ?? 0) + 1] {
      var question = AudioUnitParameterNameInfo(inID: unknown, inDesiredLength: -1, outName: nil)
      var size = UInt32(MemoryLayout.size(ofValue: question))
      let status = AudioUnitGetProperty(
        unit.host.handle, kAudioUnitProperty_ParameterClumpName, kAudioUnitScope_Global, 0,
        &question, &size)
      #expect(
        status
          == (ids.isEmpty ? kAudioUnitErr_InvalidProperty : kAudioUnitErr_InvalidPropertyValue))
    }
  }

  @Test("outputs finite samples at the ends of every range, and beyond", arguments: EffectCase.all)
  func extremes(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let sound = quietNoise(2048)
    for id in try unit.writable {
      let info = try unit.info(id)
      for value in [info.minValue, info.maxValue, -3e38, 3e38, 0] {
        try unit.set(id, value)
        #expect(try unit.render(sound).isFinite, "parameter \(id) = \(value)")
      }
      try unit.set(id, info.defaultValue)
    }
  }

  @Test("supports the declared channel counts, and no others", arguments: EffectCase.all)
  func channels(effect: EffectCase) throws {
    for counts in effect.channelCounts {
      let unit = try effect.make(channels: counts)
      try unit.host.initialize()
      let sound = try unit.render(quietNoise(4096))
      #expect(sound.count == counts.output && sound.isFinite)
    }
    let unit = try effect.make(channels: (3, 2))
    #expect(AudioUnitInitialize(unit.host.handle) == kAudioUnitErr_FormatNotSupported)
  }

  @Test(
    "runs at every sample rate", arguments: EffectCase.all,
    [8_000, 11_025, 22_050, 44_100, 96_000, 192_000, 384_000.0])
  func rates(effect: EffectCase, rate: Double) throws {
    let unit = try effect.makeReady(rate: rate)
    #expect(try unit.render(quietNoise(8192)).isFinite)
    try unit.changeParameters()
    #expect(try unit.render(quietNoise(8192)).isFinite)
  }

  @Test("restores presets and states while another thread renders", arguments: EffectCase.all)
  func restoredWhileRendering(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    let states = try [Float(0.2), 0.8].map { part in
      let other = try effect.make()
      try other.changeParameters(part)
      return try #require(
        try other.host.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none))
    }
    defer { for state in states { Unmanaged<AnyObject>.fromOpaque(state).release() } }
    let renderer = OwnThread {
      (0..<200).allSatisfy { round in
        (try? unit.render(quietNoise(480, seed: UInt64(round + 1)), slice: 96))?.isFinite == true
      }
    }
    for round in 0..<60 {
      try unit.host.set(kAudioUnitProperty_ClassInfo, to: states[round % 2])
      for preset in effect.definition.factoryPresets.prefix(3) {
        var selection = AUPreset()
        selection.presetNumber = preset.number
        try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
      }
    }
    #expect(renderer.join())
    // Only the last state counts.
    try unit.host.set(kAudioUnitProperty_ClassInfo, to: states[1])
    try unit.reset()
    let fresh = try effect.makeReady()
    try fresh.host.set(kAudioUnitProperty_ClassInfo, to: states[1])
    #expect(try unit.render(quietNoise(4_800)) == fresh.render(quietNoise(4_800)))
  }

  @Test("restores a saved state: the same values, the same sound", arguments: EffectCase.all)
  func state(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    try unit.changeParameters()
    let state = try unit.host.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none)
    let object = try #require(state)
    defer { Unmanaged<AnyObject>.fromOpaque(object).release() }
    let other = try effect.makeReady()
    try other.host.set(kAudioUnitProperty_ClassInfo, to: object)
    for id in try unit.writable { #expect(try other.value(id) == unit.value(id)) }
    #expect(try other.render(quietNoise(4096)) == unit.render(quietNoise(4096)))
  }

  @Test("sets its factory presets, whose values are in range", arguments: EffectCase.withPresets)
  func presets(effect: EffectCase) throws {
    let unit = try effect.makeReady()
    var names: Set<String> = []
    for preset in effect.definition.factoryPresets {
      var selection = AUPreset()
      selection.presetNumber = preset.number
      try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
      let present = try unit.host.get(kAudioUnitProperty_PresentPreset, as: AUPreset())
      let name = try #require(present.__presetName)
      #expect(present.presetNumber == preset.number)
      #expect("\(Unmanaged<AnyObject>.fromOpaque(name).takeRetainedValue())" == preset.name)
      for id in try unit.writable {
        let info = try unit.info(id)
        #expect(
          (info.minValue...info.maxValue).contains(try unit.value(id)), "\(preset.name) \(id)")
      }
      // A unit may hide the values of its presets; then it lists no parameters at all.
      let listed = try unit.parameters
      for id in preset.values.keys { #expect(listed.isEmpty || listed.contains(id)) }
      #expect(try unit.render(quietNoise(2048)).isFinite)
      names.insert(preset.name)
    }
    #expect(names.count == effect.definition.factoryPresets.count)
    var none = AUPreset()
    none.presetNumber = 10_000
    #expect(
      unit.host.setting(kAudioUnitProperty_PresentPreset, to: none)
        == kAudioUnitErr_InvalidPropertyValue)
  }
}
