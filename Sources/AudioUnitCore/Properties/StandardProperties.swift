// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The properties of every unit, one row each.
enum StandardProperties {
  private typealias Row = UnitProperty

  static let table = PropertyTable(
    .units, rendering + formats + parameters + presets + hosting + absent)

  private static let global = [kAudioUnitScope_Global]
  private static let buses = [kAudioUnitScope_Input, kAudioUnitScope_Output]
  private static let all = [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output]
  /// A callback or connection belongs to an input; as on Apple's systems, the global scope is
  /// accepted too.
  private static let sources = [kAudioUnitScope_Input, kAudioUnitScope_Global]

  private static func initialized(_ what: String) -> UnitProperty.Writability {
    .uninitialized(.initialized.because("\(what); uninitialize the unit first"))
  }

  private static let rendering: [UnitProperty] = [
    Row.value(
      kAudioUnitProperty_CPULoad, in: global, reading: { Float32($0.side.pointee.load.load) }),
    Row.value(kAudioUnitProperty_Latency, in: global, reading: { Float64($0.latency) }),
    Row.value(kAudioUnitProperty_TailTime, in: global, reading: { Float64($0.tailTime ?? 0) })
      .when { $0.tailTime != nil },
    Row.value(
      kAudioUnitProperty_MaximumFramesPerSlice, in: global,
      writable: initialized("the maximum slice is fixed while the unit is initialized"),
      get: { unit, _ in UInt32(unit.maximumFrames) },
      set: { (unit, _, frames) throws(AudioError) in try unit.setMaximumFrames(frames) }),
    Row.value(
      kAudioUnitProperty_LastRenderError, in: global,
      reading: { $0.side.pointee.lastRenderError.exchange(0, ordering: .relaxed) }),
    Row.value(
      kAudioUnitProperty_LastRenderSampleTime, in: global,
      reading: { Float64(bitPattern: $0.side.pointee.lastSampleTime.load(ordering: .relaxed)) }),
    Row.value(
      kAudioUnitProperty_LoadedOutOfProcess, in: global,
      reading: { $0.isLoadedOutOfProcess ? 1 : 0 as UInt32 }),
    Row.value(
      kAudioUnitProperty_RenderQuality, in: global,
      get: { unit, _ in UInt32(unit.renderQuality) },
      set: { (unit, _, quality) throws(AudioError) in
        guard quality <= 127 else {
          throw .invalidPropertyValue.because("\(quality); expected 0 to 127")
        }
        unit.renderQuality = Int(quality)
      }
    ).when({ $0.hasRenderQuality }, otherwise: "it always uses the best quality"),
    Row.flag(
      kAudioUnitProperty_OfflineRender, in: global, get: { unit, _ in unit.host.isOffline },
      set: { unit, _, isOffline in unit.host.isOffline = isOffline }
    ).when(
      { $0.hasRenderQuality && $0.rendersOffline },
      otherwise: "it renders the same online and offline"),
    Row.value(
      kAudioUnitProperty_MakeConnection, in: sources, AudioUnitConnection.self,
      set: { (unit, _, connection) throws(AudioError) in try unit.connect(connection) }
    ).when { !$0.inputs.isEmpty },
    Row.value(
      kAudioUnitProperty_SetRenderCallback, in: sources, AURenderCallbackStruct.self,
      set: { (unit, address, callback) throws(AudioError) in
        try unit.setRenderCallback(callback, address.element)
      }
    ).when { !$0.inputs.isEmpty },
    Row.value(
      kAudioUnitProperty_SetExternalBuffer, in: global,
      writable: initialized("buffers are allocated when the unit is initialized"),
      AudioUnitExternalBuffer.self,
      set: { unit, _, buffer in unit.host.externalBuffer = buffer }
    ).when(
      { $0.usesExternalBuffer },
      otherwise: "callbacks do not write into input memory of this unit"),
    Row.flag(
      kAudioUnitProperty_ShouldAllocateBuffer, in: buses,
      writable: initialized("buffers are allocated when the unit is initialized"),
      get: { (unit, address) throws(AudioError) in
        try unit.element(address.scope, address.element).allocatesBuffer
      },
      set: { (unit, address, allocates) throws(AudioError) in
        try unit.element(address.scope, address.element).allocatesBuffer = allocates
      }),
  ]

  /// Setting the current format again succeeds at any time.
  private static let formatCanChange = UnitProperty.Writability.reported { unit, address in
    guard let element = try? unit.formatElement(address) else { return true }
    return unit.formatChangeRefusal(element) == nil && !element.isConnected
  }

  private static let formats: [UnitProperty] = [
    Row.value(
      kAudioUnitProperty_StreamFormat, in: all, writable: formatCanChange,
      AudioStreamBasicDescription.self,
      get: { (unit, address) throws(AudioError) in
        try unit.formatElement(address).format.description
      },
      set: { (unit, address, format) throws(AudioError) in
        let element = try unit.formatElement(address)
        try FormatChange(unit, element, to: StreamFormat(format)).set()
      }),
    Row.value(
      kAudioUnitProperty_SampleRate, in: all, writable: formatCanChange, Float64.self,
      get: { (unit, address) throws(AudioError) in try unit.formatElement(address).format.sampleRate
      },
      set: { (unit, address, rate) throws(AudioError) in
        let element = try unit.formatElement(address)
        var description = element.format.description
        description.mSampleRate = rate
        try FormatChange(unit, element, to: StreamFormat(description)).set()
      }),
    Row.value(
      kAudioUnitProperty_ElementCount, in: all, by: .scope,
      writable: .reported { unit, address in unit.elementCounts.range(of: address.scope).count > 1
      },
      UInt32.self,
      get: { unit, address in UInt32(unit.elements.of(address.scope).count) },
      set: { (unit, address, count) throws(AudioError) in
        try unit.setElementCount(address.scope, Int(count))
      }),
    Row.array(
      kAudioUnitProperty_SupportedNumChannels, in: global,
      get: { unit, _ in unit.channelCapabilities ?? [] }
    ).when { $0.channelCapabilities != nil },
    Row.layout(in: buses, default: { _, _ in nil }),
    Row.string(
      kAudioUnitProperty_ElementName, in: all,
      get: { (unit, address) throws(AudioError) in
        let element = try unit.element(address.scope, address.element)
        return element.name ?? unit.defaultName(of: element)
      },
      set: { (unit, address, name) throws(AudioError) in
        try unit.element(address.scope, address.element).name = name
      }),
  ]

  private static let parameters: [UnitProperty] = [
    Row.array(
      kAudioUnitProperty_ParameterList, in: all, by: .scope, AudioUnitParameterID.self,
      get: { (unit, address) throws(AudioError) in
        unit.parameters.of(address.scope).map(\.id)
      }),
    Row.value(
      kAudioUnitProperty_ParameterInfo, in: all, by: .parameter, AudioUnitParameterInfo.self,
      get: { (unit, address) throws(AudioError) in
        let rate = unit.global.format(or: unit.outputs.first).sampleRate
        return try unit.parameters.parameter(address.element, address.scope).info(at: rate)
      }),
    Row.object(
      kAudioUnitProperty_ParameterValueStrings, in: all, by: .parameter, type: "CFArray",
      get: { (unit, address) throws(AudioError) in
        let names = try unit.parameters.parameter(address.element, address.scope).spec.valueNames
        guard !names.isEmpty else {
          throw .propertyNotInUse.because("parameter \(address.element)'s values have no names")
        }
        return .list(.array(names.map { .string($0) }))
      }),
    Row.exchange(
      kAudioUnitProperty_ParameterStringFromValue, in: all, AudioUnitParameterStringFromValue.self
    ) { (unit, address, query) throws(AudioError) in
      let spec = try unit.parameters.parameter(query.inParamID, address.scope).spec
      let parameter = ParameterAddress(query.inParamID, address.scope, address.element)
      try query.setString(spec) { () throws(AudioError) in
        try unit.parameterControl.value(parameter)
      }
    },
    Row.exchange(
      kAudioUnitProperty_ParameterValueFromString, in: all, AudioUnitParameterValueFromString.self
    ) { (unit, address, query) throws(AudioError) in
      try query.setValue(unit.parameters.parameter(query.inParamID, address.scope).spec)
    },
    Row.exchange(
      kAudioUnitProperty_ParameterIDName, in: all, AudioUnitParameterNameInfo.self
    ) { (unit, address, query) throws(AudioError) in
      query.setName(try unit.parameters.parameter(query.inID, address.scope).spec.name)
    },
    Row.exchange(
      kAudioUnitProperty_ParameterClumpName, in: all, AudioUnitParameterNameInfo.self
    ) { (unit, address, query) throws(AudioError) in
      query.setName(try unit.parameters.clump(query.inID, address.scope).name)
    }.when { $0.parameters.hasClumps },
    Row.array(
      kAudioUnitProperty_ParametersForOverview, in: global, AudioUnitParameter.self,
      get: { (unit, _) throws(AudioError) in
        guard let handle = unit.handle else { throw .instanceInvalidated }
        return unit.parameters.of(kAudioUnitScope_Global).filter { !$0.spec.isReadOnly }.map {
          AudioUnitParameter(
            mAudioUnit: handle, mParameterID: $0.id, mScope: kAudioUnitScope_Global, mElement: 0)
        }
      }),
  ]

  // The name in a preset is a new string at each reading, so that values cannot be compared.
  private static let presets: [UnitProperty] = [
    Row.object(
      kAudioUnitProperty_ClassInfo, in: global, type: "CFPropertyList",
      get: { (unit, _) throws(AudioError) in
        .list(SavedState(of: unit).list)
      },
      write: { (unit, _, data) throws(AudioError) in
        try SavedState(of: unit).restore(from: try data.object("CFPropertyList"))
      }),
    Row.object(
      kAudioUnitProperty_ClassInfoFromDocument, in: global, type: "CFPropertyList",
      get: { (unit, _) throws(AudioError) in
        .list(SavedState(of: unit).list)
      },
      write: { (unit, _, data) throws(AudioError) in
        try SavedState(of: unit).restore(from: try data.object("CFPropertyList"))
      }),
    Row.object(
      kAudioUnitProperty_FactoryPresets, in: global, type: "CFArray",
      get: { (unit, _) throws(AudioError) in
        .presets(unit.factoryPresets)
      }
    ).when { !$0.factoryPresets.isEmpty },
    Row.value(
      kAudioUnitProperty_PresentPreset, in: global, notifies: .sets, AUPreset.self,
      get: { unit, _ in SavedState(of: unit).presentPreset },
      set: { (unit, _, preset) throws(AudioError) in try SavedState(of: unit).setPreset(preset) }),
    Row.value(
      kAudioUnitProperty_CurrentPreset, in: global, notifies: .sets, AUPreset.self,
      get: { unit, _ in SavedState(of: unit).presentPreset },
      set: { (unit, _, preset) throws(AudioError) in try SavedState(of: unit).setPreset(preset) }),
  ]

  private static let hosting: [UnitProperty] = [
    Row.string(
      kAudioUnitProperty_ContextName, in: global, get: { unit, _ in unit.host.contextName },
      set: { unit, _, name in unit.host.contextName = name }),
    Row.string(
      kAudioUnitProperty_NickName, in: global, isNullWhenUnset: true,
      get: { unit, _ in unit.host.nickName },
      set: { unit, _, name in unit.host.nickName = name }),
    Row.value(
      kAudioUnitProperty_AUHostIdentifier, in: global, AUHostVersionIdentifier.self,
      set: { (unit, _, host) throws(AudioError) in
        unit.host.identifier = (try host.nameText(), host.hostVersion)
      }),
  ]

  /// Properties that hosts set on any unit, but that would have no effect.
  private static let absent: [UnitProperty] = [
    .absent(
      kAudioUnitProperty_PresentationLatency,
      because: "output units report that of their devices"),
    .absent(
      kAudioUnitProperty_HostCallbacks,
      because: "it does not use the host's beat, tempo or transport"),
  ]
}
