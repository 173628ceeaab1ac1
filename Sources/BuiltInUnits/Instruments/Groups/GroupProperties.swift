// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// What hosts can ask of the group scope of an instrument.
enum GroupProperties {
  private typealias Row = PropertyRow<MIDIInstrumentUnit>
  private static let scopes = [kAudioUnitScope_Group]

  /// Whether an address is of the group scope, and of a property in the table.
  static func has(_ address: PropertyAddress) -> Bool {
    address.scope == kAudioUnitScope_Group && table.row(address.id) != nil
  }

  static let table = PropertyTable<MIDIInstrumentUnit>(
    .units,
    [
      Row.value(
        kAudioUnitProperty_ElementCount, in: scopes, by: .scope, UInt32.self,
        get: { _, _ in UInt32(SynthRack.channelCount) }),
      Row.array(
        kAudioUnitProperty_ParameterList, in: scopes, by: .scope, AudioUnitParameterID.self,
        get: { _, _ in GroupParameter.list.of(kAudioUnitScope_Group).map(\.id) }),
      Row.value(
        kAudioUnitProperty_ParameterInfo, in: scopes, by: .parameter, AudioUnitParameterInfo.self,
        get: { (unit, address) throws(AudioError) in
          try GroupParameter.list.parameter(address.element, kAudioUnitScope_Group)
            .info(at: unit.outputs[0].format.sampleRate)
        }),
      Row.exchange(
        kAudioUnitProperty_ParameterIDName, in: scopes, AudioUnitParameterNameInfo.self
      ) { (_, _, query) throws(AudioError) in
        query.setName(
          try GroupParameter.list.parameter(query.inID, kAudioUnitScope_Group).spec.name)
      },
    ])
}

extension InstrumentUnit {
  /// The output buses of groups.
  static let groupProperties = PropertyRow<InstrumentUnit>.rows([
    .value(
      kMusicDeviceProperty_GroupOutputBus, in: [kAudioUnitScope_Group], by: .owner, UInt32.self,
      get: { (unit, address) throws(AudioError) in
        let group = try InstrumentUnit.group(address.element)
        return UInt32(unit.player.memory.pointee.groups[group, GroupValues.bus])
      },
      set: { (unit, address, bus) throws(AudioError) in
        let group = try InstrumentUnit.group(address.element)
        guard bus < unit.outputs.count else {
          throw .invalidPropertyValue.because(
            "bus \(bus); the unit has \(unit.outputs.count), counted from 0: set "
              + "kAudioUnitProperty_ElementCount of the output scope first")
        }
        unit.player.memory.pointee.groups[group, GroupValues.bus] = Int(bus)
      })
  ])

  /// The number of a group.
  private static func group(_ element: AudioUnitElement) throws(AudioError) -> Int {
    guard element < AudioUnitElement(SynthRack.channelCount) else {
      throw .invalidElement.because("group \(element); groups are MIDI channels, 0 to 15")
    }
    return Int(element)
  }
}
