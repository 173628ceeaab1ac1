// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A property that the headers declare.
struct PropertyEntry: Sendable {
  let id: AudioUnitPropertyID
  /// The C constant.
  let name: String
  /// The C type of its value.
  let type: String
  /// Whether it is a property of a parameter: its element is the parameter's ID.
  var isByParameter = false

  /// Whether its value is an object that the caller must release.
  var isObject: Bool { type.hasPrefix("CF") }

  /// Whether reading it requires an argument in the value's memory.
  var requiresArgument: Bool {
    [
      "AudioUnitParameterStringFromValue", "AudioUnitParameterValueFromString",
      "AudioUnitParameterIDName",
    ].contains(type)
  }
}

extension PropertyEntry {
  /// Every property that the headers declare, with its C type.
  static let all =
    general + equalizer + converter + player + mixer + output + voice + plugIn

  private static let general: [PropertyEntry] = [
    .init(kAudioUnitProperty_ClassInfo, "ClassInfo", "CFPropertyListRef"),
    .init(kAudioUnitProperty_MakeConnection, "MakeConnection", "AudioUnitConnection"),
    .init(kAudioUnitProperty_SampleRate, "SampleRate", "Float64"),
    .init(kAudioUnitProperty_ParameterList, "ParameterList", "AudioUnitParameterID[]"),
    .init(
      kAudioUnitProperty_ParameterInfo, "ParameterInfo",
      "AudioUnitParameterInfo", isByParameter: true),
    .init(kAudioUnitProperty_CPULoad, "CPULoad", "Float32"),
    .init(kAudioUnitProperty_StreamFormat, "StreamFormat", "AudioStreamBasicDescription"),
    .init(kAudioUnitProperty_ReverbRoomType, "ReverbRoomType", "UInt32"),
    .init(kAudioUnitProperty_ElementCount, "ElementCount", "UInt32"),
    .init(kAudioUnitProperty_Latency, "Latency", "Float64"),
    .init(kAudioUnitProperty_SupportedNumChannels, "SupportedNumChannels", "AUChannelInfo[]"),
    .init(kAudioUnitProperty_MaximumFramesPerSlice, "MaximumFramesPerSlice", "UInt32"),
    .init(kAudioUnitProperty_SetExternalBuffer, "SetExternalBuffer", "AudioUnitExternalBuffer"),
    .init(
      kAudioUnitProperty_ParameterValueStrings, "ParameterValueStrings",
      "CFArrayRef", isByParameter: true),
    .init(kAudioUnitProperty_AudioChannelLayout, "AudioChannelLayout", "AudioChannelLayout"),
    .init(kAudioUnitProperty_TailTime, "TailTime", "Float64"),
    .init(kAudioUnitProperty_BypassEffect, "BypassEffect", "UInt32"),
    .init(kAudioUnitProperty_LastRenderError, "LastRenderError", "OSStatus"),
    .init(kAudioUnitProperty_SetRenderCallback, "SetRenderCallback", "AURenderCallbackStruct"),
    .init(kAudioUnitProperty_FactoryPresets, "FactoryPresets", "CFArrayRef"),
    .init(kAudioUnitProperty_ContextName, "ContextName", "CFStringRef"),
    .init(kAudioUnitProperty_RenderQuality, "RenderQuality", "UInt32"),
    .init(kAudioUnitProperty_HostCallbacks, "HostCallbacks", "HostCallbackInfo"),
    .init(kAudioUnitProperty_CurrentPreset, "CurrentPreset", "AUPreset"),
    .init(kAudioUnitProperty_InPlaceProcessing, "InPlaceProcessing", "UInt32"),
    .init(kAudioUnitProperty_ElementName, "ElementName", "CFStringRef"),
    .init(
      kAudioUnitProperty_ParameterStringFromValue, "ParameterStringFromValue",
      "AudioUnitParameterStringFromValue"),
    .init(kAudioUnitProperty_ParameterIDName, "ParameterIDName", "AudioUnitParameterIDName"),
    .init(kAudioUnitProperty_ParameterClumpName, "ParameterClumpName", "AudioUnitParameterIDName"),
    .init(kAudioUnitProperty_PresentPreset, "PresentPreset", "AUPreset"),
    .init(kAudioUnitProperty_OfflineRender, "OfflineRender", "UInt32"),
    .init(
      kAudioUnitProperty_ParameterValueFromString, "ParameterValueFromString",
      "AudioUnitParameterValueFromString"),
    .init(kAudioUnitProperty_PresentationLatency, "PresentationLatency", "Float64"),
    .init(kAudioUnitProperty_AUHostIdentifier, "AUHostIdentifier", "AUHostVersionIdentifier"),
    .init(kAudioUnitProperty_ClassInfoFromDocument, "ClassInfoFromDocument", "CFDictionaryRef"),
    .init(kAudioUnitProperty_ShouldAllocateBuffer, "ShouldAllocateBuffer", "UInt32"),
    .init(
      kAudioUnitProperty_FrequencyResponse, "FrequencyResponse",
      "AudioUnitFrequencyResponseBin[]"),
    .init(kAudioUnitProperty_NickName, "NickName", "CFStringRef"),
    .init(
      kAudioUnitProperty_ParametersForOverview, "ParametersForOverview",
      "AudioUnitParameter[]"),
    .init(kAudioUnitProperty_LastRenderSampleTime, "LastRenderSampleTime", "Float64"),
  ]

  private static let equalizer: [PropertyEntry] = [
    .init(
      id: kAUNBandEQProperty_NumberOfBands, name: "kAUNBandEQProperty_NumberOfBands", type: "UInt32"
    ),
    .init(
      id: kAUNBandEQProperty_MaxNumberOfBands, name: "kAUNBandEQProperty_MaxNumberOfBands",
      type: "UInt32"),
    .init(
      id: kAUNBandEQProperty_BiquadCoefficients, name: "kAUNBandEQProperty_BiquadCoefficients",
      type: "Float64[]"),
  ]

  private static let mixer: [PropertyEntry] = [
    .init(kAudioUnitProperty_UsesInternalReverb, "UsesInternalReverb", "UInt32"),
    .init(kAudioUnitProperty_SpatializationAlgorithm, "SpatializationAlgorithm", "UInt32"),
    .init(
      kAudioUnitProperty_SpatialMixerRenderingFlags, "SpatialMixerRenderingFlags", "UInt32"),
    .init(kAudioUnitProperty_SpatialMixerSourceMode, "SpatialMixerSourceMode", "UInt32"),
    .init(kAudioUnitProperty_MatrixLevels, "MatrixLevels", "Float32[]"),
    .init(kAudioUnitProperty_MeteringMode, "MeteringMode", "UInt32"),
    .init(kAudioUnitProperty_MatrixDimensions, "MatrixDimensions", "UInt32[2]"),
    .init(kAudioUnitProperty_MeterClipping, "MeterClipping", "AudioUnitMeterClipping"),
    .init(kAudioUnitProperty_DopplerShift, "DopplerShift", "UInt32"),
    .init(kAudioUnitProperty_SpatialMixerOutputType, "SpatialMixerOutputType", "UInt32"),
    .init(
      kAudioUnitProperty_SpatialMixerDistanceParams, "SpatialMixerDistanceParams",
      "MixerDistanceParams"),
    .init(
      kAudioUnitProperty_SpatialMixerAttenuationCurve, "SpatialMixerAttenuationCurve", "UInt32"),
  ]

  private static let converter: [PropertyEntry] = [
    .init(
      kAudioUnitProperty_SampleRateConverterComplexity, "SampleRateConverterComplexity", "UInt32"),
    .init(kAudioUnitProperty_DeferredRendererPullSize, "DeferredRendererPullSize", "UInt32"),
    .init(
      kAudioUnitProperty_DeferredRendererExtraLatency, "DeferredRendererExtraLatency", "UInt32"),
    PropertyEntry(
      id: kAUDiagnosticsProperty_KeepsFormants, name: "kAUDiagnosticsProperty_KeepsFormants",
      type: "UInt32"),
  ]

  private static let player: [PropertyEntry] = [
    .init(kAudioUnitProperty_ScheduleAudioSlice, "ScheduleAudioSlice", "ScheduledAudioSlice"),
    .init(kAudioUnitProperty_ScheduleStartTimeStamp, "ScheduleStartTimeStamp", "AudioTimeStamp"),
    .init(kAudioUnitProperty_CurrentPlayTime, "CurrentPlayTime", "AudioTimeStamp"),
    .init(kAudioUnitProperty_ScheduledFileIDs, "ScheduledFileIDs", "AudioFileID[]"),
    .init(
      kAudioUnitProperty_ScheduledFileRegion, "ScheduledFileRegion", "ScheduledAudioFileRegion"),
    .init(kAudioUnitProperty_ScheduledFilePrime, "ScheduledFilePrime", "UInt32"),
    .init(
      kAudioUnitProperty_ScheduledFileBufferSizeFrames, "ScheduledFileBufferSizeFrames", "UInt32"),
    .init(kAudioUnitProperty_ScheduledFileNumberBuffers, "ScheduledFileNumberBuffers", "UInt32"),
  ]

  private static let voice: [PropertyEntry] = [
    .voice(kAUVoiceIOProperty_BypassVoiceProcessing, "BypassVoiceProcessing", "UInt32"),
    .voice(kAUVoiceIOProperty_VoiceProcessingEnableAGC, "VoiceProcessingEnableAGC", "UInt32"),
    .voice(kAUVoiceIOProperty_DuckNonVoiceAudio, "DuckNonVoiceAudio", "UInt32"),
    .voice(kAUVoiceIOProperty_VoiceProcessingQuality, "VoiceProcessingQuality", "UInt32"),
    .voice(kAUVoiceIOProperty_MuteOutput, "MuteOutput", "UInt32"),
    .voice(
      kAUVoiceIOProperty_MutedSpeechActivityEventListener, "MutedSpeechActivityEventListener",
      "AUVoiceIOMutedSpeechActivityEventListener"),
    .voice(
      kAUVoiceIOProperty_OtherAudioDuckingConfiguration, "OtherAudioDuckingConfiguration",
      "AUVoiceIOOtherAudioDuckingConfiguration"),
  ]

  private static let output: [PropertyEntry] = [
    .output(kAudioOutputUnitProperty_CurrentDevice, "CurrentDevice", "AudioObjectID"),
    .output(kAudioOutputUnitProperty_IsRunning, "IsRunning", "UInt32"),
    .output(kAudioOutputUnitProperty_ChannelMap, "ChannelMap", "SInt32[]"),
    .output(kAudioOutputUnitProperty_EnableIO, "EnableIO", "UInt32"),
    .output(kAudioOutputUnitProperty_StartTime, "StartTime", "AudioOutputUnitStartAtTimeParams"),
    .output(
      kAudioOutputUnitProperty_SetInputCallback, "SetInputCallback", "AURenderCallbackStruct"),
    .output(kAudioOutputUnitProperty_HasIO, "HasIO", "UInt32"),
    .output(kAudioOutputUnitProperty_StartTimestampsAtZero, "StartTimestampsAtZero", "UInt32"),
    PropertyEntry(
      id: kAudioDevicePropertyBufferFrameSize, name: "kAudioDevicePropertyBufferFrameSize",
      type: "UInt32"),
    PropertyEntry(
      id: kAUDiagnosticsProperty_Xruns, name: "kAUDiagnosticsProperty_Xruns",
      type: "AUDiagnosticsXruns"),
    PropertyEntry(
      id: kAUDiagnosticsProperty_Interruption, name: "kAUDiagnosticsProperty_Interruption",
      type: "CFStringRef"),
    PropertyEntry(
      id: kAUDiagnosticsProperty_Head, name: "kAUDiagnosticsProperty_Head", type: "CFStringRef"),
  ]

  /// Properties of plug-ins and instruments.
  private static let plugIn: [PropertyEntry] = [
    .init(
      kAudioUnitProperty_SupportedChannelLayoutTags, "SupportedChannelLayoutTags",
      "AudioChannelLayoutTag[]"),
    .init(kAudioUnitProperty_IconLocation, "IconLocation", "CFURLRef"),
    .init(
      kAudioUnitProperty_AllParameterMIDIMappings, "AllParameterMIDIMappings",
      "AUParameterMIDIMapping[]"),
    .init(
      kAudioUnitProperty_AddParameterMIDIMapping, "AddParameterMIDIMapping",
      "AUParameterMIDIMapping[]"),
    .init(
      kAudioUnitProperty_RemoveParameterMIDIMapping, "RemoveParameterMIDIMapping",
      "AUParameterMIDIMapping[]"),
    .init(
      kAudioUnitProperty_HotMapParameterMIDIMapping, "HotMapParameterMIDIMapping",
      "AUParameterMIDIMapping"),
    .init(
      kAudioUnitProperty_DependentParameters, "DependentParameters",
      "AUDependentParameter[]", isByParameter: true),
    .init(
      kAudioUnitProperty_InputSamplesInOutput, "InputSamplesInOutput",
      "AUInputSamplesInOutputCallbackStruct"),
    .init(
      kAudioUnitProperty_ParameterHistoryInfo, "ParameterHistoryInfo",
      "AudioUnitParameterHistoryInfo"),
    .init(kAudioUnitProperty_SupportsMPE, "SupportsMPE", "UInt32"),
    .musicDevice(kMusicDeviceProperty_InstrumentCount, "InstrumentCount", "UInt32"),
    .musicDevice(kMusicDeviceProperty_InstrumentName, "InstrumentName", "char[]"),
    .musicDevice(kMusicDeviceProperty_GroupOutputBus, "GroupOutputBus", "UInt32"),
    .musicDevice(kMusicDeviceProperty_InstrumentNumber, "InstrumentNumber", "UInt32"),
    .musicDevice(kMusicDeviceProperty_MIDIXMLNames, "MIDIXMLNames", "CFURLRef"),
    .musicDevice(kMusicDeviceProperty_BankName, "BankName", "CFStringRef"),
    .musicDevice(kMusicDeviceProperty_PartGroup, "PartGroup", "UInt32"),
    .musicDevice(kMusicDeviceProperty_DualSchedulingMode, "DualSchedulingMode", "UInt32"),
    .musicDevice(kMusicDeviceProperty_SupportsStartStopNote, "SupportsStartStopNote", "UInt32"),
    .musicDevice(kMusicDeviceProperty_SoundBankURL, "SoundBankURL", "CFURLRef"),
    PropertyEntry(
      id: kAUMIDISynthProperty_EnablePreload, name: "kAUMIDISynthProperty_EnablePreload",
      type: "UInt32"),
    PropertyEntry(
      id: kAUSamplerProperty_LoadPresetFromBank, name: "kAUSamplerProperty_LoadPresetFromBank",
      type: "AUSamplerBankPresetData"),
    PropertyEntry(
      id: kAUSamplerProperty_LoadAudioFiles, name: "kAUSamplerProperty_LoadAudioFiles",
      type: "CFArrayRef"),
    PropertyEntry(
      id: kAUSamplerProperty_LoadInstrument, name: "kAUSamplerProperty_LoadInstrument",
      type: "AUSamplerInstrumentData"),
  ]

  private init(
    _ id: AudioUnitPropertyID, _ name: String, _ type: String, isByParameter: Bool = false
  ) {
    self.init(
      id: id, name: "kAudioUnitProperty_\(name)", type: type, isByParameter: isByParameter)
  }

  private static func musicDevice(
    _ id: AudioUnitPropertyID, _ name: String, _ type: String
  ) -> PropertyEntry {
    PropertyEntry(id: id, name: "kMusicDeviceProperty_\(name)", type: type)
  }

  private static func output(
    _ id: AudioUnitPropertyID, _ name: String, _ type: String
  ) -> PropertyEntry {
    PropertyEntry(id: id, name: "kAudioOutputUnitProperty_\(name)", type: type)
  }

  private static func voice(
    _ id: AudioUnitPropertyID, _ name: String, _ type: String
  ) -> PropertyEntry {
    PropertyEntry(id: id, name: "kAUVoiceIOProperty_\(name)", type: type)
  }
}
