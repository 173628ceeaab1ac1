// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Testing

/// The headers as imported into Swift. Type annotations check what only has to compile.
@Suite("Headers in Swift")
struct ImportTests {
  @Test("have the sizes of the tables")
  func sizes() {
    #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
    #expect(MemoryLayout<AudioBuffer>.size == 16)
    #expect(MemoryLayout<AudioBufferList>.size == 24)
    #expect(MemoryLayout<AudioTimeStamp>.size == 64)
    #expect(MemoryLayout<SMPTETime>.size == 24)
    #expect(MemoryLayout<AudioChannelLayout>.size == 32)
    #expect(MemoryLayout<AudioComponentDescription>.size == 20)
    #expect(MemoryLayout<AURenderCallbackStruct>.size == 16)
    #expect(MemoryLayout<AudioUnitConnection>.size == 16)
    #expect(MemoryLayout<AudioUnitParameterEvent>.size == 32)
    #expect(MemoryLayout<AudioUnitEvent>.size == 32)
    #expect(MemoryLayout<AUPreset>.size == 16)
    #expect(MemoryLayout<AudioUnitParameterInfo>.size == 104)
    #expect(MemoryLayout<AudioUnitParameterNameInfo>.size == 16)
    #expect(MemoryLayout<AudioUnitParameterStringFromValue>.size == 24)
    #expect(MemoryLayout<AudioUnitParameterValueFromString>.size == 24)
    #expect(MemoryLayout<AUHostVersionIdentifier>.size == 16)
    #expect(MemoryLayout<HostCallbackInfo>.size == 40)
    #expect(MemoryLayout<AudioOutputUnitStartAtTimeParams>.size == 72)
  }

  @Test("have zero initializers if no field needs a value")
  func zeroInitializers() {
    #expect(AudioStreamBasicDescription().mSampleRate == 0)
    #expect(AudioTimeStamp().mFlags == [])
    #expect(AudioBufferList().mNumberBuffers == 0)
    #expect(AudioComponentDescription().componentType == 0)
    #expect(AURenderCallbackStruct().inputProc == nil)
    #expect(AudioUnitConnection().sourceAudioUnit == nil)
    #expect(AudioUnitParameterInfo().unit == .generic)
    #expect(AudioUnitParameterEvent().parameter == 0)
    #expect(HostCallbackInfo().beatAndTempoProc == nil)
  }

  @Test("keep the names of option sets")
  func optionSets() {
    let render: AudioUnitRenderActionFlags = [
      .unitRenderAction_PreRender, .unitRenderAction_PostRender,
      .unitRenderAction_OutputIsSilence, .offlineUnitRenderAction_Preflight,
      .offlineUnitRenderAction_Render, .offlineUnitRenderAction_Complete,
      .unitRenderAction_PostRenderError, .unitRenderAction_DoNotCheckRenderArgs,
    ]
    #expect(render.rawValue == 0x3fc)
    let time: AudioTimeStampFlags = [
      .sampleTimeValid, .hostTimeValid, .rateScalarValid, .wordClockTimeValid, .smpteTimeValid,
      .sampleHostTimeValid,
    ]
    #expect(time.rawValue == 0x1f)
    let film: SMPTETimeFlags = [.valid, .running]
    #expect(film.rawValue == 3)
    let component: AudioComponentFlags = [
      .unsearchable, .sandboxSafe, .isV3AudioUnit, .requiresAsyncInstantiation, .canLoadInProcess,
    ]
    #expect(component.rawValue == 0x1f)
    let making: AudioComponentInstantiationOptions = [
      .loadOutOfProcess, .loadInProcess, .loadedRemotely,
    ]
    #expect(making.rawValue == 0x8000_0003)
    let coordinates: AudioChannelFlags = [
      .rectangularCoordinates, .sphericalCoordinates, .meters,
    ]
    #expect(coordinates.rawValue == 7)
    let channels: AudioChannelBitmap = [.bit_Left, .bit_LFEScreen, .bit_RightTopRear]
    #expect(channels.rawValue == 0x400_0009)
  }

  @Test("keep the names of parameter options")
  func parameterOptions() {
    let display: AudioUnitParameterOptions = [
      .flag_DisplaySquareRoot, .flag_DisplaySquared, .flag_DisplayCubed, .flag_DisplayCubeRoot,
      .flag_DisplayExponential, .flag_DisplayLogarithmic,
    ]
    #expect(display == .flag_DisplayMask)
    let all: AudioUnitParameterOptions = [
      .flag_CFNameRelease, .flag_OmitFromPresets, .flag_PlotHistory, .flag_MeterReadOnly,
      .flag_DisplayMask, .flag_HasClump, .flag_ValuesHaveStrings, .flag_IsHighResolution,
      .flag_NonRealTime, .flag_CanRamp, .flag_ExpertMode, .flag_HasCFNameString,
      .flag_IsGlobalMeta, .flag_IsElementMeta, .flag_IsReadable, .flag_IsWritable,
    ]
    #expect(all.rawValue == 0xfff7_e010)
  }

  @Test("keep the names of enumerations")
  func enumerations() {
    let units: [AudioUnitParameterUnit] = [
      .generic, .indexed, .boolean, .percent, .seconds, .sampleFrames, .phase, .rate, .hertz,
      .cents, .relativeSemiTones, .midiNoteNumber, .midiController, .decibels, .linearGain,
      .degrees, .equalPowerCrossfade, .mixerFaderCurve1, .pan, .meters, .absoluteCents, .octaves,
      .BPM, .beats, .milliseconds, .ratio, .customUnit, .midi2Controller,
    ]
    #expect(units.map(\.rawValue) == Array(0...27))
    let film: [SMPTETimeType] = [
      .type24, .type25, .type30Drop, .type30, .type2997, .type2997Drop, .type60, .type5994,
      .type60Drop, .type5994Drop, .type50, .type2398,
    ]
    #expect(film.map(\.rawValue) == Array(0...11))
    let events: [AudioUnitEventType] = [
      .parameterValueChange, .beginParameterChangeGesture, .endParameterChangeGesture,
      .propertyChange,
    ]
    #expect(events.map(\.rawValue) == Array(0...3))
    let changes: [AUParameterEventType] = [.parameterEvent_Immediate, .parameterEvent_Ramped]
    #expect(changes.map(\.rawValue) == [1, 2])
    #expect(MPEG4ObjectID.AAC_LC.rawValue == 2)
  }

  @Test("give constants their types")
  func constants() {
    let status: OSStatus = kAudioUnitErr_FormatNotSupported
    let format: AudioFormatID = kAudioFormatLinearPCM
    let flags: AudioFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    let property: AudioUnitPropertyID = kAudioUnitProperty_StreamFormat
    let output: AudioUnitPropertyID = kAudioOutputUnitProperty_EnableIO
    let scope: AudioUnitScope = kAudioUnitScope_Input
    let type: OSType = kAudioUnitType_Output
    let tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    let label: AudioChannelLabel = kAudioChannelLabel_Left
    let quality: Int = kRenderQuality_Max
    let key: String = kAUPresetNameKey
    #expect(status == -10868 && noErr == 0 && format == 0x6c70_636d && flags == 9)
    #expect(property == 8 && output == 2003 && scope == 1 && type == 0x6175_6f75)
    #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == 2 && label == 1)
    #expect(quality == 127 && key == "name")
  }

  @Test("accept closures as callbacks")
  func callbacks() {
    let render: AURenderCallback = { _, actionFlags, timeStamp, _, frameCount, buffers in
      guard buffers != nil, timeStamp.pointee.mFlags.contains(.sampleTimeValid) else {
        return kAudioUnitErr_NoConnection
      }
      actionFlags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return OSStatus(frameCount)
    }
    let source = AURenderCallbackStruct(inputProc: render, inputProcRefCon: nil)
    #expect(source.inputProc != nil)
    let listener: AudioUnitPropertyListenerProc = { _, _, _, _, _ in }
    let event: AUEventListenerProc = { _, _, _, _, _ in }
    _ = (listener, event)
    let plugIn = AudioComponentPlugInInterface(
      Open: { _, _ in noErr }, Close: { _ in noErr }, Lookup: { _ in nil }, reserved: nil)
    #expect(plugIn.Lookup(1) == nil)
  }

  @Test("name the unions of events")
  func unions() {
    var event = AudioUnitParameterEvent(
      scope: kAudioUnitScope_Global, element: 0, parameter: 1, eventType: .parameterEvent_Ramped,
      eventValues: .init(
        ramp: .init(startBufferOffset: -3, durationInFrames: 64, startValue: 0, endValue: 1)))
    #expect(event.eventValues.ramp.durationInFrames == 64)
    event.eventValues = AudioUnitParameterEvent.__Unnamed_union_eventValues(
      immediate: .init(bufferOffset: 7, value: 0.5))
    #expect(event.eventValues.immediate.bufferOffset == 7)
  }
}
