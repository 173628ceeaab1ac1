// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Presets and saved state")
struct PresetTests {
  private func state(_ host: Host) throws -> [String: Any] {
    let object = try host.get(kAudioUnitProperty_ClassInfo, as: Unmanaged<CFDictionary>.self)
    return try #require(object.takeRetainedValue() as? [String: Any])
  }

  private func restore(_ host: Host, _ state: [String: Any]) -> OSStatus {
    let dictionary = NSDictionary(dictionary: state)
    return withExtendedLifetime(dictionary) {
      host.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(dictionary))
    }
  }

  @Test("the state contains the component's codes, the preset's name and the parameters")
  func saved() throws {
    let host = try Host(.values)
    #expect(host.setParameter(0, 0.25) == noErr)
    let state = try state(host)
    #expect(Set(state.keys) == ["version", "type", "subtype", "manufacturer", "name", "data"])
    #expect(state[kAUPresetVersionKey] as? Int == 0)
    #expect(state[kAUPresetTypeKey] as? Int == Int(kAudioUnitType_Generator))
    #expect(state[kAUPresetSubtypeKey] as? Int == Int(code("valu")))
    #expect(state[kAUPresetManufacturerKey] as? Int == Int(code("test")))
    #expect(state[kAUPresetNameKey] as? String == "Untitled")
    // Scope, element and count, then pairs of identifier and value; the meter is left out.
    let words: [UInt32] = [
      0, 0, 4, 0, Float(0.25).bitPattern, 3, Float(2).bitPattern, 7, Float(10).bitPattern, 9,
      Float(30_000).bitPattern,
    ]
    let bytes = words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    #expect(state[kAUPresetDataKey] as? Data == Data(bytes))
  }

  @Test("a restored unit saves the same state again", arguments: TestUnit.allCases)
  func roundTrip(unit: TestUnit) throws {
    let (one, other) = (try Host(unit), try Host(unit))
    for scope in 0..<3 as Range<UInt32> {
      for element in 0..<2 as Range<UInt32> {
        for id in [0, 1, 3, 7, 9] as [UInt32] {
          _ = one.setParameter(id, 0.125 * Float(1 + id + element), scope, element)
        }
      }
    }
    let name = NSString("Left")
    #expect(
      one.set(
        kAudioUnitProperty_ElementName, Unmanaged.passUnretained(name), kAudioUnitScope_Output)
        == noErr)
    // Only units with a render quality store it.
    let hasQuality = one.set(kAudioUnitProperty_RenderQuality, UInt32(64)) == noErr
    #expect(hasQuality == [.values, .echo].contains(unit))
    let saved = try state(one)
    #expect(restore(other, saved) == noErr)
    #expect(NSDictionary(dictionary: try state(other)) == NSDictionary(dictionary: saved))
    if hasQuality {
      #expect(try other.get(kAudioUnitProperty_RenderQuality, as: UInt32.self) == 64)
    }
    let read = try other.get(
      kAudioUnitProperty_ElementName, as: Unmanaged<CFString>.self, kAudioUnitScope_Output)
    #expect(read.takeRetainedValue() == name)
  }

  @Test("the state from a document property is that of the unit")
  func document() throws {
    let host = try Host(.values)
    let object = try host.get(
      kAudioUnitProperty_ClassInfoFromDocument, as: Unmanaged<CFDictionary>.self)
    #expect(object.takeRetainedValue() == NSDictionary(dictionary: try state(host)))
  }

  /// The fault that is added to a valid state before it is restored.
  @Test(
    "an invalid state, or that of another unit, is refused, and nothing changes",
    arguments: [
      "part", "version", "no version", "subtype", "no subtype", "manufacturer", "cut data",
      "wrong data", "overlong data",
    ])
  func refused(fault: String) throws {
    let host = try Host(.values)
    #expect(host.setParameter(0, 1) == noErr)
    var bad = try state(host)
    let data = try #require(bad[kAUPresetDataKey] as? Data)
    switch fault {
    case "part": bad[kAUPresetPartKey] = 0
    case "version": bad[kAUPresetVersionKey] = 1
    case "no version": bad[kAUPresetVersionKey] = nil
    case "subtype": bad[kAUPresetSubtypeKey] = 5
    case "no subtype": bad[kAUPresetSubtypeKey] = nil
    case "manufacturer": bad[kAUPresetManufacturerKey] = "test"
    case "cut data": bad[kAUPresetDataKey] = data.dropLast(1)
    case "wrong data": bad[kAUPresetDataKey] = "data"
    default: bad[kAUPresetDataKey] = Data([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
    }
    #expect(host.setParameter(0, 0.75) == noErr)
    #expect(restore(host, bad) == kAudioUnitErr_InvalidPropertyValue)
    #expect(try host.parameter(0) == 0.75)
  }

  @Test("a state of another type, without data, or with unknown entries, is accepted")
  func tolerated() throws {
    let host = try Host(.values)
    var state = try state(host)
    state[kAUPresetTypeKey] = 1
    state["something else"] = ["unknown"]
    state[kAUPresetNameKey] = "Mine"
    let unknown: [UInt32] = [0, 0, 2, 0, Float(1).bitPattern, 999, 1, 2, 7, 1, 0, 0]
    state[kAUPresetDataKey] = Data(
      unknown.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    #expect(restore(host, state) == noErr)
    #expect(try host.parameter(0) == 1)
    state[kAUPresetDataKey] = nil
    #expect(restore(host, state) == noErr)
    #expect(try present(host) == (-1, "Mine"))
  }

  @Test("a value that is NaN is ignored")
  func notANumber() throws {
    let host = try Host(.values)
    var state = try state(host)
    let words: [UInt32] = [0, 0, 1, 0, Float.nan.bitPattern]
    state[kAUPresetDataKey] = Data(
      words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    #expect(restore(host, state) == noErr)
    #expect(try host.parameter(0) == 0.5)
  }

  @Test("an object that is not a dictionary is refused")
  func noDictionary() throws {
    let host = try Host(.values)
    for object in [NSString("state"), NSArray(), NSNumber(value: 1)] as [NSObject] {
      #expect(
        host.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(object))
          == kAudioUnitErr_InvalidPropertyValue)
    }
    #expect(
      host.set(kAudioUnitProperty_ClassInfo, UInt(0)) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("restoring notifies the listeners of the preset")
  func listeners() throws {
    let (host, watch) = (try Host(.values), PropertyWatch())
    #expect(watch.watch(host, kAudioUnitProperty_PresentPreset) == noErr)
    #expect(restore(host, try state(host)) == noErr)
    #expect(
      watch.notices
        == [.init(host.unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0)])
  }

  // MARK: Presets

  private func present(_ host: Host) throws -> (Int32, String?) {
    let preset = try host.get(kAudioUnitProperty_PresentPreset, as: AUPreset.self)
    return (preset.presetNumber, preset.presetName?.takeRetainedValue().description)
  }

  @Test("a new unit has the preset Untitled")
  func untitled() throws {
    #expect(try present(Host(.values)) == (-1, "Untitled"))
  }

  @Test("factory presets are listed as pointers to presets that remain valid")
  func factoryPresets() throws {
    let host = try Host(.values)
    let array = try host.get(kAudioUnitProperty_FactoryPresets, as: Unmanaged<CFArray>.self)
      .takeRetainedValue()
    let presets = (0..<CFArrayGetCount(array)).compactMap {
      CFArrayGetValueAtIndex(array, $0)?.assumingMemoryBound(to: AUPreset.self).pointee
    }
    #expect(presets.map(\.presetNumber) == [0, 4])
    #expect(presets.map { $0.presetName?.takeUnretainedValue() } == ["Quiet", "Loud"])
    #expect(
      try Host(.echo).statusOfGetting(kAudioUnitProperty_FactoryPresets)
        == kAudioUnitErr_InvalidProperty)
  }

  @Test(
    "a factory preset sets its values, and other parameters to their defaults",
    arguments: [kAudioUnitProperty_PresentPreset, kAudioUnitProperty_CurrentPreset])
  func setFactoryPreset(id: AudioUnitPropertyID) throws {
    let host = try Host(.values)
    #expect(host.setParameter(3, 1) == noErr)
    #expect(host.set(id, AUPreset(presetNumber: 4, presetName: nil)) == noErr)
    #expect(try [0, 3, 7].map { try host.parameter($0) } == [1, 2, 4])
    #expect(try present(host) == (4, "Loud"))
  }

  @Test("an unknown factory preset is refused")
  func unknownPreset() throws {
    for (unit, number) in [(TestUnit.values, 1), (.echo, 0)] as [(TestUnit, Int32)] {
      let host = try Host(unit)
      #expect(
        host.set(
          kAudioUnitProperty_PresentPreset, AUPreset(presetNumber: number, presetName: nil))
          == kAudioUnitErr_InvalidPropertyValue)
    }
  }

  @Test("a preset of the host is stored with its name, which is required")
  func ownPreset() throws {
    let host = try Host(.values)
    let name = NSString("My sound")
    let id = kAudioUnitProperty_PresentPreset
    #expect(
      host.set(id, AUPreset(presetNumber: -3, presetName: .passUnretained(name))) == noErr)
    #expect(try present(host) == (-3, "My sound"))
    #expect(try state(host)[kAUPresetNameKey] as? String == "My sound")
    #expect(
      host.set(id, AUPreset(presetNumber: -3, presetName: nil))
        == kAudioUnitErr_InvalidPropertyValue)
    withExtendedLifetime(name) {}
  }
}
