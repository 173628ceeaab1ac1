// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

// The properties of a C unit that its object has.
extension ObjectUnit {
  static let rows: [UnitProperty] =
    PropertyRow<ObjectUnit>.rows(parameterRows + stateRows + hostRows + midiRows)

  private typealias Row = PropertyRow<ObjectUnit>

  private static let global = [kAudioUnitScope_Global]

  // MARK: Parameters

  private static let all = [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output]

  private static let parameterRows: [Row] = [
    Row.array(
      kAudioUnitProperty_ParameterList, in: all, by: .scope, AudioUnitParameterID.self,
      get: { unit, address in
        address.scope == kAudioUnitScope_Global ? unit.parameterMap?.ids ?? [] : []
      }),
    Row.value(
      kAudioUnitProperty_ParameterInfo, in: all, by: .parameter, AudioUnitParameterInfo.self,
      get: { (unit, address) throws(AudioError) in try unit.information(address) }),
    Row.object(
      kAudioUnitProperty_ParameterValueStrings, in: all, by: .parameter, type: "CFArray",
      get: { (unit, address) throws(AudioError) in
        guard let names = try unit.object(address.parameter).valueStrings, !names.isEmpty else {
          throw .propertyNotInUse.because("parameter \(address.element)'s values have no names")
        }
        return .list(.array(names.map { .string($0) }))
      }),
    Row.exchange(
      kAudioUnitProperty_ParameterStringFromValue, in: all, AudioUnitParameterStringFromValue.self
    ) { (unit, address, query) throws(AudioError) in
      let parameter = try unit.object(ParameterAddress(query.inParamID, address.scope, 0))
      let value: UnsafePointer<AudioUnitParameterValue>? = query.inValue
      let text = parameter.string(fromValue: value)
      query.__outString = UnsafeRawPointer(Bridge.current.retainedString(text))
    },
    Row.exchange(
      kAudioUnitProperty_ParameterValueFromString, in: all, AudioUnitParameterValueFromString.self
    ) { (unit, address, query) throws(AudioError) in
      let parameter = try unit.object(ParameterAddress(query.inParamID, address.scope, 0))
      guard let text = Bridge.current.string(query.__inString) else {
        throw .invalidPropertyValue.because("expected a CFString")
      }
      query.outValue = parameter.value(from: text)
    },
    Row.exchange(
      kAudioUnitProperty_ParameterIDName, in: all, AudioUnitParameterNameInfo.self
    ) { (unit, address, query) throws(AudioError) in
      let parameter = try unit.object(ParameterAddress(query.inID, address.scope, 0))
      let length = Int(query.inDesiredLength)
      query.setName(length > 0 ? parameter.displayName(withLength: length) : parameter.displayName)
    },
    Row.exchange(
      kAudioUnitProperty_ParameterClumpName, in: all, AudioUnitParameterNameInfo.self
    ) { (unit, _, query) throws(AudioError) in
      let clumps = unit.parameterMap?.clumps ?? []
      guard query.inID > 0, query.inID <= clumps.count else {
        throw .invalidPropertyValue.because(
          "there is no clump \(query.inID); there are 1 to \(clumps.count)")
      }
      query.setName(clumps[Int(query.inID) - 1])
    }.when { !($0.parameterMap?.clumps.isEmpty ?? true) },
    Row.array(
      kAudioUnitProperty_ParametersForOverview, in: global, AudioUnitParameter.self,
      get: { (unit, _) throws(AudioError) in
        guard let handle = unit.handle else { throw .instanceInvalidated }
        let addresses = unit.object.parametersForOverview(withCount: .max)
        return addresses.compactMap { unit.parameterMap?.id(of: $0.uint64Value) }.map {
          AudioUnitParameter(
            mAudioUnit: handle, mParameterID: $0, mScope: kAudioUnitScope_Global, mElement: 0)
        }
      }),
    Row.array(
      kAudioUnitProperty_DependentParameters, in: global, by: .parameter, AUDependentParameter.self,
      get: { (unit, address) throws(AudioError) in
        let addresses = try unit.object(address.parameter).dependentParameters ?? []
        return addresses.compactMap { unit.parameterMap?.id(of: $0.uint64Value) }.map {
          AUDependentParameter(mScope: kAudioUnitScope_Global, mParameterID: $0)
        }
      }),
  ]

  /// What hosts know about a parameter.
  private func information(_ address: PropertyAddress) throws(AudioError) -> AudioUnitParameterInfo
  {
    let parameter = try object(address.parameter)
    var info = AudioUnitParameterInfo()
    info.__cfNameString = UnsafeRawPointer(Bridge.current.retainedString(parameter.displayName))
    if parameter.unit == .customUnit, let name = parameter.unitName {
      info.__unitName = UnsafeRawPointer(Bridge.current.retainedString(name))
    }
    info.unit = parameter.unit
    info.minValue = parameter.minValue
    info.maxValue = parameter.maxValue
    info.defaultValue = parameterMap?.defaultValue(of: address.element) ?? 0
    info.clumpID = parameterMap?.clump(of: address.element) ?? 0
    info.flags = parameter.flags.union([.flag_HasCFNameString, .flag_CFNameRelease])
    if info.clumpID > 0 { info.flags.insert(.flag_HasClump) }
    if parameter.valueStrings != nil { info.flags.insert(.flag_ValuesHaveStrings) }
    return info
  }

  // MARK: State and presets

  private static let stateRows: [Row] = [
    state(kAudioUnitProperty_ClassInfo, \.fullState),
    state(kAudioUnitProperty_ClassInfoFromDocument, \.fullStateForDocument),
    preset(kAudioUnitProperty_PresentPreset), preset(kAudioUnitProperty_CurrentPreset),
  ]

  private static func state(
    _ id: AudioUnitPropertyID,
    _ path: sending ReferenceWritableKeyPath<AUAudioUnit, [String: Any]?>
  ) -> Row {
    nonisolated(unsafe) let path = path
    return Row.object(
      id, in: global, type: "CFPropertyList",
      get: { (unit, _) throws(AudioError) in
        guard let state = unit.object[keyPath: path] else {
          throw .propertyNotInUse.because("the unit has no state")
        }
        guard let list = PropertyList(state: state) else {
          throw .invalidPropertyValue.because("the unit's state is no property list")
        }
        return .list(list)
      },
      write: { (unit, _, data) throws(AudioError) in
        let address = try data.object("CFPropertyList")
        guard Bridge.current.propertyList(address) != nil,
          let state = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
            as? [String: Any]
        else {
          throw .invalidPropertyValue.because(
            "expected a saved state, a CFDictionary of plain values")
        }
        if let refusal = UnitState.refusal(of: state, for: unit.component.description) {
          throw refusal
        }
        unit.object[keyPath: path] = state
      })
  }

  private static func preset(_ id: AudioUnitPropertyID) -> Row {
    Row.value(
      id, in: global, notifies: .sets, AUPreset.self,
      get: { unit, _ in
        let preset = unit.hostPreset.present(own: unit.object.currentPreset)
        var value = AUPreset()
        value.presetNumber = Int32(clamping: preset?.number ?? -1)
        value.__presetName = UnsafeRawPointer(
          Bridge.current.retainedString(preset?.name ?? "Untitled"))
        return value
      },
      set: { (unit, _, new) throws(AudioError) in
        if new.presetNumber < 0 {
          guard let object = new.__presetName, let name = Bridge.current.string(object) else {
            throw .invalidPropertyValue.because("a user preset (negative number) needs a name")
          }
          // The host has the state of its presets.
          let preset = AUAudioUnitPreset(Int(new.presetNumber), name)
          unit.object.host.preset = preset
          return unit.hostPreset.select(preset, own: unit.object.currentPreset)
        }
        let presets = unit.object.factoryPresets ?? []
        guard let preset = presets.first(where: { $0.number == Int(new.presetNumber) }) else {
          throw .invalidPropertyValue.because("there is no factory preset \(new.presetNumber)")
        }
        unit.set(id) { $0.currentPreset = preset }
        unit.hostPreset.forget()
      })
  }

  // MARK: The host

  private static let hostRows: [Row] = [
    Row.flag(
      kAudioUnitProperty_BypassEffect, in: global,
      get: { unit, _ in unit.object.shouldBypassEffect },
      set: { unit, _, bypasses in
        unit.set(kAudioUnitProperty_BypassEffect) { $0.shouldBypassEffect = bypasses }
      }
    ).when { !$0.inputs.isEmpty && !$0.outputs.isEmpty },
    Row.flag(
      kAudioUnitProperty_OfflineRender, in: global,
      get: { unit, _ in unit.object.isRenderingOffline },
      set: { unit, _, isOffline in unit.object.isRenderingOffline = isOffline }),
    Row.value(
      kAudioUnitProperty_RenderQuality, in: global,
      get: { unit, _ in UInt32(clamping: unit.object.renderQuality) },
      set: { (unit, _, quality) throws(AudioError) in
        guard quality <= 127 else {
          throw .invalidPropertyValue.because("\(quality); expected 0 to 127")
        }
        unit.object.renderQuality = Int(quality)
      }),
    Row.string(
      kAudioUnitProperty_ContextName, in: global, get: { unit, _ in unit.object.contextName },
      set: { unit, _, name in unit.set(kAudioUnitProperty_ContextName) { $0.contextName = name } }),
    Row.string(
      kAudioUnitProperty_ElementName, in: [kAudioUnitScope_Input, kAudioUnitScope_Output],
      get: { (unit, address) throws(AudioError) in
        unit.bus(try unit.element(address.scope, address.element))?.name
      },
      set: { (unit, address, name) throws(AudioError) in
        unit.bus(try unit.element(address.scope, address.element))?.name = name
      }),
    Row(
      kAudioUnitProperty_HostCallbacks, in: global,
      size: .bytes(MemoryLayout<HostCallbackInfo>.size), type: "HostCallbackInfo",
      write: { (unit, _, data) throws(AudioError) in
        // The last function may be left out.
        var info = HostCallbackInfo()
        let least = MemoryLayout<HostCallbackInfo>.size - MemoryLayout<UnsafeRawPointer>.size
        guard data.bytes.count >= least else {
          throw .invalidPropertyValue.because(
            "\(data.bytes.count) bytes; expected \(least) or more")
        }
        withUnsafeMutableBytes(of: &info) {
          $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: data.bytes.prefix($0.count)))
        }
        unit.object.takeHostCallbacks(info)
      }),
  ]
}

extension PropertyAddress {
  /// The parameter that the element of an address is the identifier of.
  fileprivate var parameter: ParameterAddress { ParameterAddress(element, scope, 0) }
}
