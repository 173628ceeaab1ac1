// SPDX-License-Identifier: Apache-2.0
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
  let presets: [UnitPreset]
  private(set) var presetIndex: Int?
  /// The settings that are compared; the one in use changes with the unit.
  private var settings: [CFPropertyList?] = [nil, nil]
  private(set) var setting = 0

  /// A line of the view.
  enum Row {
    case group(String)
    case parameter(ViewedParameter)
  }

  /// [control thread] What a unit has; it must live longer.
  init(_ unit: AudioUnit, title: String) {
    self.unit = unit
    self.title = title
    presets = unit.presets
    let all = unit.parameterDescriptions().filter {
      $0.isReadable && !$0.info.flags.contains(.flag_ExpertMode)
    }
    var rows: [Row] = []
    let groups = all.reduce(into: [UInt32]()) { groups, parameter in
      if !groups.contains(parameter.clump) { groups.append(parameter.clump) }
    }
    for group in groups {
      let name = group == 0 ? nil : unit.clumpName(group, kAudioUnitScope_Global)
      let title = name ?? (group == 0 ? "Parameters" : "Group \(group)")
      if groups.count > 1 { rows.append(.group(title)) }
      for parameter in all where parameter.clump == group {
        rows.append(.parameter(ViewedParameter(unit: unit, about: parameter)))
      }
    }
    self.rows = rows
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

  /// The name of the preset that was chosen last.
  var presetName: String? { presetIndex.map { presets[$0].name } }

  /// Selects the next or the previous preset; false: there are none, or the unit refuses.
  func stepPreset(_ direction: Int) -> Bool {
    guard !presets.isEmpty else { return false }
    let next = (presetIndex ?? (direction > 0 ? -1 : 0)) + direction
    let index = (next + presets.count) % presets.count
    var preset = AUPreset(presetNumber: presets[index].number, presetName: nil)
    let status = AudioUnitSetProperty(
      unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
      UInt32(clamping: MemoryLayout<AUPreset>.size))
    guard status == noErr else { return false }
    presetIndex = index
    return true
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

extension ParameterDescription {
  /// The group of the parameter; 0: none.
  fileprivate var clump: UInt32 {
    info.flags.contains(.flag_HasClump) ? info.clumpID : 0
  }
}
