// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Foundation
import PlainText
import ToneModel
import UnitTexts
@_spi(TrappingConversions) import CheckedNumbers

/// A unit and what a view shows and changes: parameters in their groups, presets, two settings to compare, and the
/// bypass.
final class ViewedUnit {
  let unit: AudioUnit
  let title: String
  /// The parameters in the order of the view, each group after its name.
  let rows: [Row]
  /// The presets of the unit, then those of the user.
  private(set) var presets: [Preset]
  /// The unit as an object, which keeps the presets of the user.
  private let object: AUAudioUnit
  /// The settings that are compared; the one in use changes with the unit.
  private var settings: [CFPropertyList?] = [nil, nil]
  private var presetIndices: [Int?] = [nil, nil]
  private(set) var setting = 0

  /// A line of the view.
  enum Row {
    case group(String)
    case parameter(ViewedParameter)
  }

  /// A preset of the unit or of the user.
  struct Preset {
    let name: String
    let number: Int
    /// Nil: it is one of the unit.
    let ofUser: AUAudioUnitPreset?
  }

  /// [control thread] What a unit has; the unit of `node` must live longer.
  init(_ node: AVAudioUnit, title: String) {
    unit = node.audioUnit
    object = node.auAudioUnit
    self.title = title
    presets = Self.presets(of: unit, object)
    rows = ViewedGroup.all(of: unit).flatMap { group in
      [group.name.map(Row.group)].compactMap { $0 } + group.parameters.map(Row.parameter)
    }
  }

  /// The rows that can be selected.
  var selectable: [Int] {
    rows.indices.filter { index in
      if case .parameter(let parameter) = rows[index] { return !parameter.isMeter }
      return false
    }
  }

  func parameter(_ row: Int) -> ViewedParameter? {
    guard rows.indices.contains(row), case .parameter(let parameter) = rows[row] else { return nil }
    return parameter
  }

  // MARK: Presets and settings

  /// The preset that was chosen last in this setting, and its name.
  var presetIndex: Int? { presetIndices[setting] }
  var presetName: String? { presetIndex.map { presets[$0].name } }

  private static func presets(of unit: AudioUnit, _ object: AUAudioUnit) -> [Preset] {
    unit.presets.map { Preset(name: $0.name, number: Int($0.number), ofUser: nil) }
      + object.userPresets.map { Preset(name: $0.name, number: $0.number, ofUser: $0) }
  }

  /// Selects the next or the previous preset; false: there are none, or the unit refuses.
  func stepPreset(_ direction: Int) -> Bool {
    guard !presets.isEmpty else { return false }
    let next = (presetIndex ?? (direction > 0 ? -1 : 0)) + direction
    return selectPreset((next + presets.count) % presets.count)
  }

  /// Selects a preset; false: the unit refuses.
  func selectPreset(_ index: Int) -> Bool {
    if let ofUser = presets[index].ofUser {
      object.currentPreset = ofUser
    } else {
      var preset = AUPreset(
        presetNumber: Int32(clamping: presets[index].number), presetName: nil)
      let status = AudioUnitSetProperty(
        unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
        UInt32(clamping: MemoryLayout<AUPreset>.size))
      guard status == noErr else { return false }
    }
    presetIndices[setting] = index
    return true
  }

  /// Saves the setting as a preset of the user; one with the same name is replaced.
  func savePreset(_ name: String) throws {
    let preset = AUAudioUnitPreset()
    let numbers = presets.compactMap { $0.ofUser?.number }
    preset.number = presets.first { $0.ofUser?.name == name }?.number ?? (numbers.min() ?? 0) - 1
    preset.name = name
    try object.saveUserPreset(preset)
    readPresets(selecting: name)
  }

  /// Deletes a preset of the user.
  func deletePreset(_ index: Int) throws {
    guard let preset = presets[index].ofUser else { return }
    try object.deleteUserPreset(preset)
    readPresets(selecting: nil)
  }

  private func readPresets(selecting name: String?) {
    presets = Self.presets(of: unit, object)
    presetIndices = [nil, nil]
    presetIndices[setting] = presets.firstIndex { $0.ofUser != nil && $0.name == name }
  }

  /// All that the unit is set to.
  private var state: CFPropertyList? {
    unit.value(
      kAudioUnitProperty_ClassInfo, over: Unmanaged<CFPropertyList>?.none)??.takeRetainedValue()
  }

  /// Sets a unit to a state; false: it refuses.
  private static func restore(_ state: CFPropertyList, to unit: AudioUnit) -> Bool {
    withExtendedLifetime(state) {
      var value: Unmanaged<CFPropertyList>? = .passUnretained(state)
      return AudioUnitSetProperty(
        unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &value,
        UInt32(clamping: MemoryLayout<CFPropertyList?>.size)) == noErr
    }
  }

  /// Changes to the other of the two settings, which is at first the same; false: the unit refuses.
  func exchangeSettings() -> Bool {
    settings[setting] = state
    setting = 1 - setting
    guard let other = settings[setting] else { return true }
    return Self.restore(other, to: unit)
  }

  /// Makes the other setting the same as this one.
  func copySetting() { settings[1 - setting] = state }

  /// Sets every parameter to its default.
  func setDefaults() {
    for case .parameter(let parameter) in rows where !parameter.isMeter {
      parameter.set(parameter.about.info.defaultValue)
    }
  }

  /// Whether the unit plays notes.
  var playsNotes: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect]
      .contains(object.componentDescription.componentType)
  }

  // MARK: Bypass

  /// Whether it is bypassed; nil: it cannot be.
  var isBypassed: Bool? {
    unit.value(kAudioUnitProperty_BypassEffect, over: 0 as UInt32).map { $0 != 0 }
  }

  /// Bypasses the unit, or ends that; nothing if it cannot be bypassed.
  func toggleBypass() {
    guard let isBypassed else { return }
    var value: UInt32 = isBypassed ? 0 : 1
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &value, 4)
  }

  /// Copies all settings to another unit of the same component.
  func copy(to other: AudioUnit) {
    if let state { _ = Self.restore(state, to: other) }
  }

  /// The values of all parameters that can be changed: what a plot follows.
  var values: [Float] {
    rows.compactMap { row in
      guard case .parameter(let parameter) = row, !parameter.isMeter else { return nil }
      return parameter.value
    }
  }

  /// Why the last render had no sound of the unit; nil: it had.
  func takeRenderError() -> String? {
    guard let status = unit.value(kAudioUnitProperty_LastRenderError, over: OSStatus(0)),
      status != noErr
    else { return nil }
    return "\(AUDiagnosticsCopyReason(status).takeRetainedValue())"
  }
}
