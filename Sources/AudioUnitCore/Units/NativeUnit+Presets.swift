// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The saved state of a unit: a property list with the component's codes and, as data, the parameter
// values of every element.
extension NativeUnit {
  /// The value of `kAudioUnitProperty_ClassInfo`.
  final var savedState: PropertyList {
    let codes = component.description
    var entries: [String: PropertyList] = [
      kAUPresetVersionKey: .integer(0),
      kAUPresetTypeKey: .integer(Int(Int32(bitPattern: codes.componentType))),
      kAUPresetSubtypeKey: .integer(Int(Int32(bitPattern: codes.componentSubType))),
      kAUPresetManufacturerKey: .integer(Int(Int32(bitPattern: codes.componentManufacturer))),
      kAUPresetNameKey: .string(preset.name),
      kAUPresetDataKey: .data(parameterData),
    ]
    if presetSetsSettings { entries[kAUPresetNumberKey] = .integer(Int(preset.number)) }
    entries.merge(ownState) { standard, _ in standard }
    if hasRenderQuality, renderQuality != 127 {
      entries[kAUPresetRenderQualityKey] = .integer(renderQuality)
    }
    let names = elementNames
    if !names.isEmpty { entries[kAUPresetElementNameKey] = .dictionary(names) }
    return .dictionary(entries)
  }

  /// Restores a `savedState` of a unit of the same kind; if the state is refused, nothing changes.
  final func restore(from object: UnsafeRawPointer?) throws(AudioError) {
    guard let object, let state = Bridge.current.propertyList(object), case .dictionary = state
    else {
      throw .invalidPropertyValue.because("expected a saved state, a CFDictionary of plain values")
    }
    try restore(state)
    changedProperties.append(
      PropertyAddress(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0))
  }

  final func restore(_ state: PropertyList) throws(AudioError) {
    let codes = component.description
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
    var values: [(ParameterAddress, Float)] = []
    if let entry = state[kAUPresetDataKey] {
      guard case .data(let bytes) = entry, let read = Self.parse(bytes) else {
        throw .invalidPropertyValue.because("its data is incomplete or not data")
      }
      values = read
    }
    try restoreOwnState(state)
    for (address, value) in values where value.isFinite { try? set(address, to: value, offset: 0) }
    if hasRenderQuality, let quality = state[kAUPresetRenderQualityKey]?.integer,
      (0...127).contains(quality)
    {
      renderQuality = quality
    }
    restoreElementNames(state[kAUPresetElementNameKey])
    preset = (-1, state[kAUPresetNameKey]?.string ?? "Untitled")
    let number = state[kAUPresetNumberKey]?.integer
    if presetSetsSettings,
      let factory = factoryPresets.first(where: { Int($0.number) == number })
    {
      setSettings(factory)
      preset = (factory.number, factory.name)
    }
  }

  /// For each element: scope, element, count, and `count` pairs of identifier and value. All are
  /// big-endian words of 32 bits.
  private var parameterData: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ word: UInt32) { withUnsafeBytes(of: word.bigEndian) { bytes += Array($0) } }
    if let matrix {
      for (address, value) in zip(matrix.addresses, global.parameters.values) {
        [address.scope, address.element, 1, address.id, value.bitPattern].forEach(append)
      }
      return bytes
    }
    for element in [global] + inputs + outputs {
      let store = element.parameters
      let slots = store.ownSlots.filter {
        let options = parameterDefinitions[$0].spec.options
        return options.intersection([.flag_OmitFromPresets, .flag_MeterReadOnly]).isEmpty
      }
      guard !slots.isEmpty else { continue }
      append(element.scope)
      append(UInt32(element.index))
      append(UInt32(slots.count))
      for slot in slots {
        append(parameterDefinitions[slot].id)
        append(store.value(slot).bitPattern)
      }
    }
    return bytes
  }

  private static func parse(_ bytes: [UInt8]) -> [(ParameterAddress, Float)]? {
    guard bytes.count % 4 == 0 else { return nil }
    var words = stride(from: 0, to: bytes.count, by: 4).map { at in
      bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }[...]
    var values: [(ParameterAddress, Float)] = []
    while !words.isEmpty {
      guard words.count >= 3 else { return nil }
      let head = Array(words.prefix(3))
      words = words.dropFirst(3)
      let count = Int(head[2])
      guard count <= words.count / 2 else { return nil }
      for _ in 0..<count {
        let pair = Array(words.prefix(2))
        words = words.dropFirst(2)
        values.append((ParameterAddress(pair[0], head[0], head[1]), Float(bitPattern: pair[1])))
      }
    }
    return values
  }

  private var elementNames: [String: PropertyList] {
    var scopes: [String: PropertyList] = [:]
    for elements in [[global], inputs, outputs] {
      let named = elements.compactMap { element in
        element.name.map { (String(element.index), PropertyList.string($0)) }
      }
      guard let scope = elements.first?.scope, !named.isEmpty else { continue }
      scopes[String(scope)] = .dictionary(Dictionary(uniqueKeysWithValues: named))
    }
    return scopes
  }

  private func restoreElementNames(_ names: PropertyList?) {
    for element in [global] + inputs + outputs {
      if let name = names?[String(element.scope)]?[String(element.index)]?.string {
        element.name = name
      }
    }
  }

  /// The value of `kAudioUnitProperty_PresentPreset`; the caller owns the name.
  final var presentPreset: AUPreset {
    var present = AUPreset()
    present.presetNumber = preset.number
    present.__presetName = UnsafeRawPointer(Bridge.current.retainedString(preset.name))
    return present
  }

  /// Selects a factory preset by its number, or stores number and name of a user preset.
  final func setPreset(_ new: AUPreset) throws(AudioError) {
    guard new.presetNumber >= 0 else {
      guard let object = new.__presetName, let name = Bridge.current.string(object) else {
        throw .invalidPropertyValue.because("a user preset (negative number) needs a name")
      }
      preset = (new.presetNumber, name)
      return
    }
    guard let factory = factoryPresets.first(where: { $0.number == new.presetNumber }) else {
      throw .invalidPropertyValue.because(
        factoryPresets.isEmpty
          ? "this unit has no factory presets"
          : "there is no factory preset \(new.presetNumber); there are "
            + factoryPresets.map { "\($0.number) \($0.name)" }.joined(separator: ", "))
    }
    for definition in definitions(in: kAudioUnitScope_Global) where !definition.spec.isReadOnly {
      try set(
        ParameterAddress(definition.id, kAudioUnitScope_Global, 0),
        to: factory.values[definition.id] ?? definition.spec.defaultValue, offset: 0)
    }
    setSettings(factory)
    preset = (factory.number, factory.name)
  }

  /// Whether presets set settings, because hosts control the unit only by presets.
  private var presetSetsSettings: Bool { factoryPresets.contains { !$0.settings.isEmpty } }

  private func setSettings(_ factory: FactoryPreset) {
    for (index, value) in factory.settings { global.parameters.setSetting(index, to: value) }
  }
}
