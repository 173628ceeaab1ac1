// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension NativeUnit {
  /// [control thread, under the lock] Restores a saved state, as `kAudioUnitProperty_ClassInfo` does.
  public final func restore(_ state: PropertyList) throws(AudioError) {
    try SavedState(of: self).restore(state)
  }
}

/// The state that hosts save and restore, and the presets that set it.
struct SavedState {
  let unit: NativeUnit

  init(of unit: NativeUnit) { self.unit = unit }

  /// The value of `kAudioUnitProperty_ClassInfo`: a property list with the component's codes and, as
  /// data, the parameter values of every element.
  var list: PropertyList {
    let codes = unit.component.description
    var entries: [String: PropertyList] = [
      kAUPresetVersionKey: .integer(0),
      kAUPresetTypeKey: .integer(Int(Int32(bitPattern: codes.componentType))),
      kAUPresetSubtypeKey: .integer(Int(Int32(bitPattern: codes.componentSubType))),
      kAUPresetManufacturerKey: .integer(Int(Int32(bitPattern: codes.componentManufacturer))),
      kAUPresetNameKey: .string(unit.preset.name),
      kAUPresetDataKey: .data(unit.elements.presetData.bytes),
    ]
    if presetSetsSettings { entries[kAUPresetNumberKey] = .integer(Int(unit.preset.number)) }
    entries.merge(unit.ownState) { standard, _ in standard }
    if unit.hasRenderQuality, unit.renderQuality != 127 {
      entries[kAUPresetRenderQualityKey] = .integer(unit.renderQuality)
    }
    let names = unit.elements.names
    if !names.isEmpty { entries[kAUPresetElementNameKey] = .dictionary(names) }
    return .dictionary(entries)
  }

  /// [control thread, under the lock] Restores the `list` of a unit of the same kind; if the state
  /// is refused, nothing changes.
  func restore(from object: UnsafeRawPointer?) throws(AudioError) {
    guard let object, let state = Bridge.current.propertyList(object), case .dictionary = state
    else {
      throw .invalidPropertyValue.because("expected a saved state, a CFDictionary of plain values")
    }
    try restore(state)
    unit.propertyCalls.record(
      PropertyAddress(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0))
  }

  /// [control thread, under the lock] Restores a state; if it is refused, nothing changes.
  func restore(_ state: PropertyList) throws(AudioError) {
    try checkCodes(state)
    var values: [(address: ParameterAddress, value: Float)] = []
    if let entry = state[kAUPresetDataKey] {
      guard case .data(let bytes) = entry, let data = PresetData(bytes) else {
        throw .invalidPropertyValue.because("its data is incomplete or not data")
      }
      values = data.values
    }
    try unit.restoreOwnState(state)
    for (address, value) in values where value.isFinite {
      try? unit.setParameter(address, to: value, offset: 0)
    }
    if unit.hasRenderQuality, let quality = state[kAUPresetRenderQualityKey]?.integer,
      (0...127).contains(quality)
    {
      unit.renderQuality = quality
    }
    unit.elements.setNames(state[kAUPresetElementNameKey])
    unit.preset = (-1, state[kAUPresetNameKey]?.string ?? "Untitled")
    let number = state[kAUPresetNumberKey]?.integer
    if presetSetsSettings,
      let factory = unit.factoryPresets.first(where: { Int($0.number) == number })
    {
      setSettings(factory)
    }
  }

  /// Checks that it is a state of this kind of unit.
  private func checkCodes(_ state: PropertyList) throws(AudioError) {
    let codes = unit.component.description
    guard state[kAUPresetPartKey] == nil else {
      throw .invalidPropertyValue.because("it is the state of a part, not of a unit")
    }
    guard state[kAUPresetVersionKey]?.integer == 0 else {
      throw .invalidPropertyValue.because("its version is not 0")
    }
    for (key, own) in [
      (kAUPresetSubtypeKey, codes.componentSubType),
      (kAUPresetManufacturerKey, codes.componentManufacturer),
    ] {
      let code = state[key]?.integer.map { UInt32(truncatingIfNeeded: $0) }
      guard code == own else {
        throw .invalidPropertyValue.because(
          "its \(key) is '\(code.map { FourCharacterCode($0).description } ?? "missing")', "
            + "this unit's '\(FourCharacterCode(own))'")
      }
    }
  }

  // MARK: Presets

  /// The value of `kAudioUnitProperty_PresentPreset`; the caller owns the name.
  var presentPreset: AUPreset {
    var present = AUPreset()
    present.presetNumber = unit.preset.number
    present.__presetName = UnsafeRawPointer(Bridge.current.retainedString(unit.preset.name))
    return present
  }

  /// [control thread, under the lock] Selects a factory preset by its number, or stores number and
  /// name of a user preset.
  func setPreset(_ new: AUPreset) throws(AudioError) {
    guard new.presetNumber >= 0 else {
      guard let object = new.__presetName, let name = Bridge.current.string(object) else {
        throw .invalidPropertyValue.because("a user preset (negative number) needs a name")
      }
      unit.preset = (new.presetNumber, name)
      return
    }
    guard let factory = unit.factoryPresets.first(where: { $0.number == new.presetNumber }) else {
      throw .invalidPropertyValue.because(
        unit.factoryPresets.isEmpty
          ? "this unit has no factory presets"
          : "there is no factory preset \(new.presetNumber); there are "
            + unit.factoryPresets.map { "\($0.number) \($0.name)" }.joined(separator: ", "))
    }
    try unit.apply(factory)
    let parameters = unit.parameters.of(kAudioUnitScope_Global)
    for definition in parameters where !definition.spec.isReadOnly {
      try unit.setParameter(
        ParameterAddress(definition.id, kAudioUnitScope_Global, 0),
        to: factory.values[definition.id] ?? definition.spec.defaultValue, offset: 0)
    }
    setSettings(factory)
  }

  /// Whether presets set settings, because hosts control the unit only by presets.
  private var presetSetsSettings: Bool { unit.factoryPresets.contains { !$0.settings.isEmpty } }

  private func setSettings(_ factory: FactoryPreset) {
    let store = unit.global.parameters
    for (index, value) in factory.settings { store.setSetting(index, to: value) }
    unit.preset = (factory.number, factory.name)
  }
}
