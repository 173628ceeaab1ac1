// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("State and presets of a unit", .serialized)
struct StateTests {
  /// A folder for presets; the environment keeps it for the whole process.
  private static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("presets-\(ProcessInfo.processInfo.processIdentifier)")
    setenv("XDG_DATA_HOME", folder.path, 1)
    return folder
  }()

  @Test("the state has the codes and the values, and restores them")
  func state() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("sta1")
    let gain = try #require(unit.parameterTree?.parameter(withAddress: GainUnit.gain))
    gain.value = 2.5
    let state = try #require(unit.fullState)
    #expect(state[kAUPresetSubtypeKey] as? Int == 0x7374_6131)
    gain.value = 0
    unit.fullState = state
    #expect(gain.value == 2.5)
    var other = state
    other[kAUPresetSubtypeKey] = 1
    gain.value = 1
    unit.fullState = other
    #expect(gain.value == 1)
  }

  @Test("the state of a C unit is its class info")
  func bridged() async throws {
    let unit = try await AUAudioUnit.instantiate(with: .apple(kAudioUnitSubType_LowPassFilter))
    let bridge = try #require(unit as? AUAudioUnitV2Bridge)
    AudioUnitSetParameter(bridge.audioUnit, kLowPassParam_CutoffFrequency, 0, 0, 1_234, 0)
    let state = try #require(unit.fullState)
    AudioUnitSetParameter(bridge.audioUnit, kLowPassParam_CutoffFrequency, 0, 0, 100, 0)
    unit.fullState = state
    var value: Float = 0
    AudioUnitGetParameter(bridge.audioUnit, kLowPassParam_CutoffFrequency, 0, 0, &value)
    #expect(value == 1_234)
  }

  @Test("factory presets are selected")
  func factory() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("sta2")
    let presets = try #require(unit.factoryPresets)
    unit.currentPreset = presets[0]
    #expect(unit.parameterTree?.parameter(withAddress: GainUnit.gain)?.value == 0.25)
    #expect(unit.currentPreset?.name == "Quiet")
    let reverb = try await AUAudioUnit.instantiate(with: .apple(kAudioUnitSubType_Reverb2))
    let rooms = try #require(reverb.factoryPresets)
    #expect(!rooms.isEmpty)
    reverb.currentPreset = rooms.last
    #expect(reverb.currentPreset?.number == rooms.last?.number)
    #expect(reverb.currentPreset?.name == rooms.last?.name)
  }

  @Test("presets of the user are saved, listed, restored and deleted")
  func user() async throws {
    _ = Self.folder
    let unit: GainUnit = try await AUAudioUnit.registered("sta3", name: "Tests: User/presets")
    let gain = try #require(unit.parameterTree?.parameter(withAddress: GainUnit.gain))
    let preset = AUAudioUnitPreset(number: 0, name: "Mine: 50% / ä")
    gain.value = 3
    try unit.saveUserPreset(preset)
    #expect(preset.number == -1)
    gain.value = 2
    try unit.saveUserPreset(AUAudioUnitPreset(number: -2, name: "Other"))
    #expect(unit.userPresets.map(\.name) == ["Mine: 50% / ä", "Other"])
    #expect(unit.userPresets.map(\.number) == [-1, -2])
    unit.currentPreset = unit.userPresets[0]
    #expect(gain.value == 3)
    #expect(try unit.presetState(for: preset)[kAUPresetNameKey] as? String == "Mine: 50% / ä")
    try unit.deleteUserPreset(preset)
    #expect(unit.userPresets.map(\.name) == ["Other"])
    // Numbers become negative, and only names are unique.
    let third = AUAudioUnitPreset(number: 2, name: "Third")
    gain.value = 0.5
    try unit.saveUserPreset(third)
    #expect(third.number == -2)
    #expect(Set(unit.userPresets.map(\.name)) == ["Other", "Third"])
    #expect(unit.userPresets.map(\.number) == [-2, -2])
    try unit.saveUserPreset(AUAudioUnitPreset(number: -7, name: "Third"))
    #expect(unit.userPresets.map(\.number) == [-2, -7])
    unit.currentPreset = unit.userPresets[0]
    #expect(gain.value == 2)
    try unit.deleteUserPreset(third)
    #expect(unit.userPresets.map(\.name) == ["Other"])
    #expect(status { try unit.deleteUserPreset(preset) } == kAudio_FileNotFoundError)
    #expect(status { _ = try unit.presetState(for: preset) } == kAudio_FileNotFoundError)
    #expect(
      status { try unit.saveUserPreset(AUAudioUnitPreset(number: 0, name: "")) }
        == kAudio_ParamError)
    try FileManager.default.removeItem(at: Self.folder)
  }

  @Test("presets with long and odd names have files of their own")
  func names() async throws {
    _ = Self.folder
    let unit: GainUnit = try await AUAudioUnit.registered("sta4", name: "Tests: .Names")
    let long = String(repeating: "音", count: 200)
    let names = [".x", "%2Ex", "_.x", "a/b", "a%2Fb", "..", long + "1", long + "2"]
    for name in names { try unit.saveUserPreset(AUAudioUnitPreset(number: 0, name: name)) }
    #expect(Set(unit.userPresets.map(\.name)) == Set(names))
    for preset in unit.userPresets { try unit.deleteUserPreset(preset) }
    #expect(unit.userPresets.isEmpty)
    try FileManager.default.removeItem(at: Self.folder)
  }

  @Test("files that are no presets of the unit are left out, and odd values ignored")
  func damagedFiles() async throws {
    let folder = Self.folder.appendingPathComponent("Audio/Presets/Tests/Damaged")
    let unit: GainUnit = try await AUAudioUnit.registered("sta5", name: "Tests: Damaged")
    let gain = try #require(unit.parameterTree?.parameter(withAddress: GainUnit.gain))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let head = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\
      <key>subtype</key><integer>\(0x7374_6135)</integer>\
      <key>manufacturer</key><integer>\(0x5465_7374)</integer>
      """
    let end = "</dict></plist>"
    let deep = 100_000
    let contents = [
      "empty": "", "text": "no property list", "list": "<plist><array/></plist>",
      "deep": head + "<key>d</key>" + String(repeating: "<array>", count: deep)
        + String(repeating: "</array>", count: deep) + end,
      "open": head + "<key>d</key>" + String(repeating: "<dict>", count: deep),
      "other": head.replacingOccurrences(of: "subtype", with: "type") + end,
      "numbers": head + "<key>user-preset-number</key><real>1e300</real>"
        + "<key>parameters</key><dict><key>gain</key><real>nan</real></dict>" + end,
      "infinite": head + "<key>name</key><integer>3</integer>"
        + "<key>parameters</key><dict><key>gain</key><real>1e300</real></dict>" + end,
      "wrong": head + "<key>parameters</key><dict><key>gain</key><string>2</string></dict>" + end,
      "array": head + "<key>parameters</key><array><string>gain</string></array>" + end,
      "outside": head + "<key>parameters</key><dict><key>gain</key><integer>99</integer></dict>"
        + end,
    ]
    for (name, text) in contents {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name + ".aupreset"))
    }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("folder.aupreset"), withIntermediateDirectories: false)
    try #require(mkfifo(folder.appendingPathComponent("pipe.aupreset").path, 0o600) == 0)
    let presets = unit.userPresets
    #expect(
      Set(presets.map(\.name)) == ["numbers", "infinite", "wrong", "array", "outside"])
    #expect(presets.allSatisfy { $0.number < 0 })
    for preset in presets {
      gain.value = 2
      unit.currentPreset = preset
      #expect(gain.value == (preset.name == "outside" ? 4 : 2), "\(preset.name)")
    }
    try FileManager.default.removeItem(at: Self.folder)
  }

  @Test("a state that no file can have is refused")
  func unsavable() async throws {
    _ = Self.folder
    let unit: OddState = try await AUAudioUnit.registered("sta6", name: "Tests: Odd")
    #expect(throws: (any Error).self) {
      try unit.saveUserPreset(AUAudioUnitPreset(number: 0, name: "Odd"))
    }
    #expect(unit.userPresets.isEmpty)
  }
}

/// A unit whose state has an object that no property list can have.
private final class OddState: AUAudioUnit {
  override var supportsUserPresets: Bool { true }
  override var fullState: [String: Any]? {
    get { (super.fullState ?? [:]).merging(["object": NSObject()]) { $1 } }
    set { super.fullState = newValue }
  }
}
