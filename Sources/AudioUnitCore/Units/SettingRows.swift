// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The properties of a kernel's settings and clipping report, for hosts.
extension UnitDefinition {
  /// A row for each property that a setting declares.
  func makeSettingRows() -> [UnitProperty] {
    var rows: [UnitProperty] = []
    for (index, setting) in settings.enumerated() {
      if let flag = setting.flag { rows.append(setting.flagRow(flag, index)) }
      guard let id = setting.property else { continue }
      switch setting.form {
      case .choice(let values, let globalMeansAll):
        rows.append(setting.choiceRow(id, index, values, globalMeansAll: globalMeansAll))
      // The first member makes the row of its structure.
      case .member(_, let structure) where !settings[..<index].contains { $0.property == id }:
        let members = settings.indices.filter { settings[$0].property == id }
        rows.append(structureRow(id, members, structure))
      case .member, .own: break
      }
    }
    return rows + (meters.reportsClipping ? [clippingRow] : [])
  }

  /// A row of consecutive members, as one structure of Float32.
  private func structureRow(_ id: AudioUnitPropertyID, _ members: [Int], _ name: String)
    -> UnitProperty
  {
    UnitProperty.bytes(
      id, in: settings[members[0]].scopes, size: .bytes(4 * members.count), type: name,
      get: { (unit, address) throws(AudioError) in
        let store = try unit.store(address)
        return members.flatMap { member in
          withUnsafeBytes(of: store.setting(member)) { Array($0) }
        }
      },
      set: { (unit, address, data) throws(AudioError) in
        let data = data.bytes
        guard data.count >= 4 * members.count else {
          throw .invalidPropertyValue.because(
            "\(data.count) bytes were given, \(name) has \(4 * members.count)")
        }
        let numbers = members.indices.map {
          data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
        }
        for (member, number) in zip(members, numbers) {
          guard case .member(let range, _) = settings[member].form, !range.contains(number) else {
            continue
          }
          throw .invalidPropertyValue.because(
            "\(number); expected \(range.lowerBound) to \(range.upperBound)")
        }
        let store = try unit.store(address)
        for (member, number) in zip(members, numbers) { store.setSetting(member, to: number) }
      })
  }

  /// A row of the clipping since the last read, of the first output or of a matrix.
  private var clippingRow: UnitProperty {
    UnitProperty.value(
      kAudioUnitProperty_MeterClipping, in: [kAudioUnitScope_Global],
      AudioUnitMeterClipping.self,
      get: { (unit, _) throws(AudioError) in
        let store =
          unit.elements.matrix == nil ? unit.outputs[0].parameters : unit.global.parameters
        return AudioUnitMeterClipping(
          peakValueSinceLastCall: store.readAndClear(.peak),
          sawInfinity: store.readAndClear(.infinity) != 0,
          sawNotANumber: store.readAndClear(.notANumber) != 0)
      })
  }
}

extension SettingSpec {
  /// A row of a UInt32 with one of `values`.
  fileprivate func choiceRow(
    _ id: AudioUnitPropertyID, _ index: Int, _ values: [UInt32], globalMeansAll: Bool
  ) -> UnitProperty {
    UnitProperty.value(
      id, in: scopes, UInt32.self,
      get: { (unit, address) throws(AudioError) in
        let stores = try stores(unit, address, globalMeansAll)
        return UInt32(stores.map { $0.setting(index) }.min() ?? 0)
      },
      set: { (unit, address, value) throws(AudioError) in
        guard values.contains(value) else {
          let possible = values.map { "\($0)" }.joined(separator: ", ")
          throw .invalidPropertyValue.because("\(value); possible values are \(possible)")
        }
        for store in try stores(unit, address, globalMeansAll) {
          store.setSetting(index, to: Float(value))
        }
      })
  }

  /// A row of a UInt32 that is a Boolean: it sets some bits of the value.
  fileprivate func flagRow(_ flag: Flag, _ index: Int) -> UnitProperty {
    UnitProperty.flag(
      flag.property, in: scopes,
      get: { (unit, address) throws(AudioError) in
        UInt32(try unit.store(address).setting(index)) & flag.bits != 0
      },
      set: { (unit, address, isOn) throws(AudioError) in
        let store = try unit.store(address)
        let others = UInt32(store.setting(index)) & ~flag.bits
        store.setSetting(index, to: Float(isOn ? others | flag.bits : others))
      })
  }

  /// The stores that an address refers to.
  private func stores(_ unit: NativeUnit, _ address: PropertyAddress, _ globalMeansAll: Bool)
    throws(AudioError) -> [ParameterStore]
  {
    guard globalMeansAll, address.scope == kAudioUnitScope_Global else {
      return [try unit.store(address)]
    }
    let elements =
      (scopes.contains(kAudioUnitScope_Input) ? unit.inputs : [])
      + (scopes.contains(kAudioUnitScope_Output) ? unit.outputs : [])
    return elements.map(\.parameters)
  }
}

extension NativeUnit {
  fileprivate func store(_ address: PropertyAddress) throws(AudioError) -> ParameterStore {
    try element(address.scope, address.element).parameters
  }
}
