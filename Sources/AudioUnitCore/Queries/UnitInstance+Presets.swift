// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import PlainText

// The presets of any unit.
extension UnitInstance {
  /// [control thread] Its factory presets, without their values.
  package var presetList: [FactoryPreset] {
    object(kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0) {
      Bridge.current.presets($0)
    } ?? []
  }

  /// [control thread] The preset with a name or number, as people type it.
  package func preset(_ text: String) -> FactoryPreset? {
    let key = NameKey.of(text)
    return presetList.first { NameKey.of($0.name) == key || "\($0.number)" == text }
  }

  /// [control thread] The number of the current factory preset; nil if there is none.
  package var presetNumber: Int32? {
    guard let preset = value(kAudioUnitProperty_PresentPreset, over: AUPreset()) else { return nil }
    if let name = preset.__presetName { Bridge.current.release(name) }
    return presetList.contains { $0.number == preset.presetNumber } ? preset.presetNumber : nil
  }

  /// [control thread] Selects a factory preset.
  package func setPreset(_ number: Int32) throws(AudioError) {
    var preset = AUPreset()
    preset.presetNumber = number
    try set(kAudioUnitProperty_PresentPreset, preset)
  }
}
