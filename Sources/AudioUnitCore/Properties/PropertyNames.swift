// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The C names of properties, for explanations, tools and documents.
public enum PropertyNames {
  /// The name of a property, or its number where it has none here.
  public static func name(_ id: AudioUnitPropertyID) -> String { names[id] ?? "property \(id)" }

  private static let names: [AudioUnitPropertyID: String] = [
    kAudioUnitProperty_ClassInfo: "kAudioUnitProperty_ClassInfo",
    kAudioUnitProperty_FrequencyResponse: "kAudioUnitProperty_FrequencyResponse",
    kAUNBandEQProperty_NumberOfBands: "kAUNBandEQProperty_NumberOfBands",
    kAUNBandEQProperty_MaxNumberOfBands: "kAUNBandEQProperty_MaxNumberOfBands",
    kAUNBandEQProperty_BiquadCoefficients: "kAUNBandEQProperty_BiquadCoefficients",
    kAudioUnitProperty_MakeConnection: "kAudioUnitProperty_MakeConnection",
    kAudioUnitProperty_SampleRate: "kAudioUnitProperty_SampleRate",
    kAudioUnitProperty_ParameterList: "kAudioUnitProperty_ParameterList",
    kAudioUnitProperty_ParameterInfo: "kAudioUnitProperty_ParameterInfo",
    kAudioUnitProperty_CPULoad: "kAudioUnitProperty_CPULoad",
    kAudioUnitProperty_StreamFormat: "kAudioUnitProperty_StreamFormat",
    kAudioUnitProperty_ElementCount: "kAudioUnitProperty_ElementCount",
    kAudioUnitProperty_Latency: "kAudioUnitProperty_Latency",
    kAudioUnitProperty_SupportedNumChannels: "kAudioUnitProperty_SupportedNumChannels",
    kAudioUnitProperty_MaximumFramesPerSlice: "kAudioUnitProperty_MaximumFramesPerSlice",
    kAudioUnitProperty_SetExternalBuffer: "kAudioUnitProperty_SetExternalBuffer",
    kAudioUnitProperty_ParameterValueStrings: "kAudioUnitProperty_ParameterValueStrings",
    kAudioUnitProperty_AudioChannelLayout: "kAudioUnitProperty_AudioChannelLayout",
    kAudioUnitProperty_TailTime: "kAudioUnitProperty_TailTime",
    kAudioUnitProperty_BypassEffect: "kAudioUnitProperty_BypassEffect",
    kAudioUnitProperty_LastRenderError: "kAudioUnitProperty_LastRenderError",
    kAudioUnitProperty_SetRenderCallback: "kAudioUnitProperty_SetRenderCallback",
    kAudioUnitProperty_FactoryPresets: "kAudioUnitProperty_FactoryPresets",
    kAudioUnitProperty_ContextName: "kAudioUnitProperty_ContextName",
    kAudioUnitProperty_RenderQuality: "kAudioUnitProperty_RenderQuality",
    kAudioUnitProperty_HostCallbacks: "kAudioUnitProperty_HostCallbacks",
    kAudioUnitProperty_CurrentPreset: "kAudioUnitProperty_CurrentPreset",
    kAudioUnitProperty_InPlaceProcessing: "kAudioUnitProperty_InPlaceProcessing",
    kAudioUnitProperty_ElementName: "kAudioUnitProperty_ElementName",
    kAudioUnitProperty_ParameterStringFromValue: "kAudioUnitProperty_ParameterStringFromValue",
    kAudioUnitProperty_ParameterIDName: "kAudioUnitProperty_ParameterIDName",
    kAudioUnitProperty_PresentPreset: "kAudioUnitProperty_PresentPreset",
    kAudioUnitProperty_OfflineRender: "kAudioUnitProperty_OfflineRender",
    kAudioUnitProperty_ParameterValueFromString: "kAudioUnitProperty_ParameterValueFromString",
    kAudioUnitProperty_PresentationLatency: "kAudioUnitProperty_PresentationLatency",
    kAudioDevicePropertyBufferFrameSize: "kAudioDevicePropertyBufferFrameSize",
    kAUDiagnosticsProperty_Xruns: "kAUDiagnosticsProperty_Xruns",
    kAUDiagnosticsProperty_Interruption: "kAUDiagnosticsProperty_Interruption",
    kAudioUnitProperty_AUHostIdentifier: "kAudioUnitProperty_AUHostIdentifier",
    kAudioUnitProperty_ClassInfoFromDocument: "kAudioUnitProperty_ClassInfoFromDocument",
    kAudioUnitProperty_ShouldAllocateBuffer: "kAudioUnitProperty_ShouldAllocateBuffer",
    kAudioUnitProperty_NickName: "kAudioUnitProperty_NickName",
    kAudioUnitProperty_ParametersForOverview: "kAudioUnitProperty_ParametersForOverview",
    kAudioUnitProperty_LastRenderSampleTime: "kAudioUnitProperty_LastRenderSampleTime",
    kAudioOutputUnitProperty_CurrentDevice: "kAudioOutputUnitProperty_CurrentDevice",
    kAudioOutputUnitProperty_IsRunning: "kAudioOutputUnitProperty_IsRunning",
    kAudioOutputUnitProperty_ChannelMap: "kAudioOutputUnitProperty_ChannelMap",
    kAudioOutputUnitProperty_EnableIO: "kAudioOutputUnitProperty_EnableIO",
    kAudioOutputUnitProperty_StartTime: "kAudioOutputUnitProperty_StartTime",
    kAudioOutputUnitProperty_SetInputCallback: "kAudioOutputUnitProperty_SetInputCallback",
    kAudioOutputUnitProperty_HasIO: "kAudioOutputUnitProperty_HasIO",
    kAudioOutputUnitProperty_StartTimestampsAtZero:
      "kAudioOutputUnitProperty_StartTimestampsAtZero",
    kAudioUnitProperty_MeteringMode: "kAudioUnitProperty_MeteringMode",
    kAudioUnitProperty_UsesInternalReverb: "kAudioUnitProperty_UsesInternalReverb",
    kAudioUnitProperty_ReverbRoomType: "kAudioUnitProperty_ReverbRoomType",
    kAudioUnitProperty_SpatializationAlgorithm: "kAudioUnitProperty_SpatializationAlgorithm",
    kAudioUnitProperty_SpatialMixerRenderingFlags:
      "kAudioUnitProperty_SpatialMixerRenderingFlags",
    kAudioUnitProperty_SpatialMixerSourceMode: "kAudioUnitProperty_SpatialMixerSourceMode",
    kAudioUnitProperty_MatrixLevels: "kAudioUnitProperty_MatrixLevels",
    kAudioUnitProperty_MatrixDimensions: "kAudioUnitProperty_MatrixDimensions",
    kAudioUnitProperty_SpatialMixerDistanceParams:
      "kAudioUnitProperty_SpatialMixerDistanceParams",
    kAudioUnitProperty_SpatialMixerAttenuationCurve:
      "kAudioUnitProperty_SpatialMixerAttenuationCurve",
  ]
}
