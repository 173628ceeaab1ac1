// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Applies settings in the form of `kAudioConverterPropertySettings`: each sets a property.
struct SettingChanges {
  private let path: SignalPath
  private let table: PropertyTable<SignalPath>

  init(_ path: SignalPath, _ table: PropertyTable<SignalPath>) {
    self.path = path
    self.table = table
  }

  /// Applies every setting that differs; throws at the first that is refused.
  func apply(_ groups: [PropertyList]) throws(AudioError) {
    for group in groups {
      guard case .array(let entries)? = group[kAudioSettings_Parameters] else {
        throw .converterOperation.because(
          "a dictionary of settings has no array '\(kAudioSettings_Parameters)'")
      }
      for entry in entries {
        guard let key = entry[kAudioSettings_SettingKey]?.string,
          let value = entry[kAudioSettings_CurrentValue]
        else {
          throw .converterOperation.because(
            "a setting without '\(kAudioSettings_SettingKey)' or '\(kAudioSettings_CurrentValue)'")
        }
        try apply(key, value)
      }
    }
  }

  private func apply(_ key: String, _ value: PropertyList) throws(AudioError) {
    let id = FourCharacterCode(key)?.rawValue ?? 0
    guard let row = table.row(id), row.write != nil else {
      throw .converterProperty.because("there is no setting '\(key.prefix(40))'")
    }
    let isReal = id == kAudioConverterSampleRateConverterInitialPhase
    let new: [UInt8]
    switch value {
    case .integer(let number) where isReal: new = withUnsafeBytes(of: Double(number)) { Array($0) }
    case .real(let number) where isReal: new = withUnsafeBytes(of: number) { Array($0) }
    case .integer(let number):
      guard let word = UInt32(exactly: number) else { fallthrough }
      new = withUnsafeBytes(of: word) { Array($0) }
    default:
      throw .converterOperation.because(
        "the value of the setting '\(key)' is not a number of the right kind")
    }
    let address = PropertyAddress(id)
    if case .bytes(new, _, _)? = try? table.value(address, of: path) { return }
    var failure: AudioError?
    new.withUnsafeBytes { bytes in
      do throws(AudioError) { try table.write(row, address, of: path, bytes) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
