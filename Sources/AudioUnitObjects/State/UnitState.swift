// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import Foundation

/// The state of a unit as a property list.
///
/// That of a C unit is the C unit's. That of a subclass has the codes of the component, and the values
/// of the parameters by key path.
struct UnitState {
  /// The key of the parameter values of a subclass.
  private static let parametersKey = "parameters"

  private let unit: AUAudioUnit

  init(_ unit: AUAudioUnit) { self.unit = unit }

  // MARK: The state

  /// The state that a property of the C unit has, or the state of a subclass.
  func list(_ property: AudioUnitPropertyID) -> [String: Any]? {
    if let bridge = unit.bridge { return bridge.object(property) as? [String: Any] }
    let codes = unit.componentDescription
    var state: [String: Any] = [
      kAUPresetVersionKey: 0,
      kAUPresetTypeKey: Int(Int32(bitPattern: codes.componentType)),
      kAUPresetSubtypeKey: Int(Int32(bitPattern: codes.componentSubType)),
      kAUPresetManufacturerKey: Int(Int32(bitPattern: codes.componentManufacturer)),
      kAUPresetNameKey: unit.currentPreset?.name ?? "Untitled",
    ]
    var values: [String: Any] = [:]
    for parameter in savedParameters { values[parameter.keyPath] = Double(parameter.value) }
    state[Self.parametersKey] = values
    return state
  }

  /// Restores a state. One of another component, or none, changes nothing.
  func restore(_ state: [String: Any]?, _ property: AudioUnitPropertyID) {
    guard let state else { return }
    if let bridge = unit.bridge {
      try? bridge.set(property, toObject: state as NSDictionary)
      return
    }
    guard Self.refusal(of: state, for: unit.componentDescription) == nil else { return }
    let values = state[Self.parametersKey] as? [String: Any] ?? [:]
    for parameter in savedParameters {
      guard let value = values[parameter.keyPath] as? NSNumber ?? number(values[parameter.keyPath])
      else { continue }
      parameter.setValue(value.floatValue, originator: nil)
    }
    unit.keyObservers.call("allParameterValues", .after)
  }

  private func number(_ value: Any?) -> NSNumber? {
    (value as? Double).map { NSNumber(value: $0) } ?? (value as? Int).map { NSNumber(value: $0) }
  }

  private var savedParameters: [AUParameter] {
    (unit.parameterTree?.allParameters ?? []).filter {
      $0.flags.contains(.flag_IsWritable)
        && $0.flags.isDisjoint(with: [.flag_OmitFromPresets, .flag_MeterReadOnly])
    }
  }

  /// Why a state is not one of units with these codes; nil if it is.
  static func refusal(
    of state: [String: Any], for codes: AudioComponentDescription
  ) -> AudioError? {
    for (key, own) in [
      (kAUPresetSubtypeKey, codes.componentSubType),
      (kAUPresetManufacturerKey, codes.componentManufacturer),
    ] {
      let number = state[key] as? Int ?? (state[key] as? NSNumber)?.intValue
      let code = number.map { UInt32(truncatingIfNeeded: $0) }
      guard code == own else {
        return .invalidPropertyValue.because(
          "its \(key) is '\(code.map { FourCharacterCode($0).description } ?? "missing")', "
            + "this unit's '\(FourCharacterCode(own))'")
      }
    }
    return nil
  }

  // MARK: Presets

  /// Selects a preset. A preset of the user restores its state, if the unit supports that; one that
  /// does not exist changes nothing.
  func select(_ preset: AUAudioUnitPreset?) {
    guard let preset else {
      return unit.change("currentPreset") { unit.host.preset = nil }
    }
    if preset.number < 0, unit.supportsUserPresets {
      guard let state = try? unit.presetState(for: preset) else { return }
      unit.fullState = state
    }
    if let bridge = unit.bridge {
      try? bridge.select(preset)
    } else {
      unit.change("currentPreset") { unit.host.preset = preset }
      unit.propertyChanged(kAudioUnitProperty_PresentPreset)
    }
  }
}
