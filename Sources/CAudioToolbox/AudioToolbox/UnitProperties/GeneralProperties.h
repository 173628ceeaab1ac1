// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_GENERAL_PROPERTIES_H
#define CAUDIOTOOLBOX_GENERAL_PROPERTIES_H

#include "../AUComponent.h"
#include "../AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Scopes

/// Scopes of a unit.
CF_ENUM(AudioUnitScope) {
  /// The unit as a whole; always one element.
  kAudioUnitScope_Global = 0,
  kAudioUnitScope_Input = 1,
  kAudioUnitScope_Output = 2,
  kAudioUnitScope_Group = 3,
  kAudioUnitScope_Part = 4,
  kAudioUnitScope_Note = 5,
  kAudioUnitScope_Layer = 6,
  kAudioUnitScope_LayerItem = 7
};

// MARK: Properties of every unit

/// Identifiers of properties: type of the value, scope, and R or W for what the host may do.
///
/// "(U)": the property can be set only while the unit is not initialized. A unit need not have all
/// properties; a missing one returns `kAudioUnitErr_InvalidProperty`.
CF_ENUM(AudioUnitPropertyID) {
  /// CFPropertyListRef, global, RW: the state of the unit.
  kAudioUnitProperty_ClassInfo = 0,
  /// AudioUnitConnection, input, W: connects an input bus, or disconnects it.
  kAudioUnitProperty_MakeConnection = 1,
  /// Float64 in Hz, input and output, RW (U).
  kAudioUnitProperty_SampleRate = 2,
  /// AudioUnitParameterID[], any scope, R.
  kAudioUnitProperty_ParameterList = 3,
  /// AudioUnitParameterInfo, any scope, element = parameter, R.
  kAudioUnitProperty_ParameterInfo = 4,
  /// Float32, global, RW: the part of the render time that the unit may use, 0 to 1.
  kAudioUnitProperty_CPULoad = 6,
  /// AudioStreamBasicDescription, input and output, RW (U).
  kAudioUnitProperty_StreamFormat = 8,
  /// UInt32, global, RW: the room of a 3D mixer (AUReverbRoomType); initially a small one.
  kAudioUnitProperty_ReverbRoomType = 10,
  /// UInt32, any scope, R; RW (U) if the host chooses the number of the unit's buses.
  kAudioUnitProperty_ElementCount = 11,
  kAudioUnitProperty_BusCount = kAudioUnitProperty_ElementCount,
  /// Float64 in seconds, global, R: the delay from input to output.
  kAudioUnitProperty_Latency = 12,
  /// AUChannelInfo[], global, R.
  kAudioUnitProperty_SupportedNumChannels = 13,
  /// UInt32, global, RW (U): the most frames of one render call.
  kAudioUnitProperty_MaximumFramesPerSlice = 14,
  /// AudioUnitExternalBuffer, global, W.
  kAudioUnitProperty_SetExternalBuffer = 15,
  /// CFArrayRef of CFStringRef, any scope, element = parameter, R: a name for each whole value.
  kAudioUnitProperty_ParameterValueStrings = 16,
  /// AudioChannelLayout, input and output, RW.
  kAudioUnitProperty_AudioChannelLayout = 19,
  /// Float64 in seconds, global, R: how long the output continues after the input fell silent.
  kAudioUnitProperty_TailTime = 20,
  /// UInt32 as a Boolean, global, RW.
  kAudioUnitProperty_BypassEffect = 21,
  /// OSStatus, global, R: the first error since the property was read; reading clears it.
  kAudioUnitProperty_LastRenderError = 22,
  /// AURenderCallbackStruct, input, W: the source of an input bus.
  kAudioUnitProperty_SetRenderCallback = 23,
  /// CFArrayRef of pointers to AUPreset, global, R.
  kAudioUnitProperty_FactoryPresets = 24,
  /// CFStringRef, global, RW: the host's purpose for the unit.
  kAudioUnitProperty_ContextName = 25,
  /// UInt32, 0 to 127, global, RW; see `kRenderQuality_Max`.
  kAudioUnitProperty_RenderQuality = 26,
  /// HostCallbackInfo, global, W.
  kAudioUnitProperty_HostCallbacks = 27,
  /// AUPreset, global, RW; replaced by the present preset.
  kAudioUnitProperty_CurrentPreset = 28,
  /// UInt32 as a Boolean, global, RW.
  kAudioUnitProperty_InPlaceProcessing = 29,
  /// CFStringRef, any scope, RW.
  kAudioUnitProperty_ElementName = 30,
  /// AudioUnitParameterStringFromValue, any scope, R.
  kAudioUnitProperty_ParameterStringFromValue = 33,
  kAudioUnitProperty_ParameterValueName = kAudioUnitProperty_ParameterStringFromValue,
  /// AudioUnitParameterIDName, any scope, R: a short name of a parameter.
  kAudioUnitProperty_ParameterIDName = 34,
  /// AudioUnitParameterIDName with a clump as its identifier, any scope, R.
  kAudioUnitProperty_ParameterClumpName = 35,
  /// AUPreset, global, RW: the preset in use.
  kAudioUnitProperty_PresentPreset = 36,
  /// UInt32 as a Boolean, global, RW: whether the unit renders offline, without a clock.
  kAudioUnitProperty_OfflineRender = 37,
  /// AudioUnitParameterValueFromString, any scope, R.
  kAudioUnitProperty_ParameterValueFromString = 38,
  /// Float64 in seconds, input and output, W: the delay from the unit to the listener.
  kAudioUnitProperty_PresentationLatency = 40,
  /// AUHostVersionIdentifier, global, W.
  kAudioUnitProperty_AUHostIdentifier = 46,
  /// CFDictionaryRef, global, RW: the state of the unit within a document.
  kAudioUnitProperty_ClassInfoFromDocument = 50,
  /// UInt32 as a Boolean, input and output, RW (U): whether the unit allocates memory for the bus.
  kAudioUnitProperty_ShouldAllocateBuffer = 51,
  /// AudioUnitFrequencyResponseBin[], input and output, R: frequencies in, gains out.
  kAudioUnitProperty_FrequencyResponse = 52,
  /// CFStringRef, global, RW: the name that a user gave the unit.
  kAudioUnitProperty_NickName = 54,
  /// AudioUnitParameter[], global, R: the most important parameters.
  kAudioUnitProperty_ParametersForOverview = 57,
  /// Float64 in frames, global, R: the sample time of the last render.
  kAudioUnitProperty_LastRenderSampleTime = 61
};

// MARK: Values of those properties

/// Values of `kAudioUnitProperty_RenderQuality`.
enum {
  kRenderQuality_Max = 127,
  kRenderQuality_High = 96,
  kRenderQuality_Medium = 64,
  kRenderQuality_Low = 32,
  kRenderQuality_Min = 0
};

/// The largest number of bins of one `kAudioUnitProperty_FrequencyResponse`.
enum { kNumberOfResponseFrequencies = 1024 };

/// A connection from the output bus of one unit to the input bus of the unit whose property is set.
typedef struct AudioUnitConnection {
  /// The unit to pull from; null disconnects.
  AudioUnit _Nullable sourceAudioUnit;
  UInt32 sourceOutputNumber;
  UInt32 destInputNumber;
} AudioUnitConnection;

/// The numbers of input and output channels of a unit.
///
/// -1: any number, the same in both scopes; -1 and -2: any numbers; below -2: the maximum of all
/// buses in that scope together; 0: no such buses.
typedef struct AUChannelInfo {
  SInt16 inChannels;
  SInt16 outChannels;
} AUChannelInfo;

/// Memory of the host for the unit to use.
typedef struct AudioUnitExternalBuffer {
  Byte *buffer;
  /// In bytes.
  UInt32 size;
} AudioUnitExternalBuffer;

/// A render callback and its first argument.
typedef struct AURenderCallbackStruct {
  /// Null removes the source of the bus.
  AURenderCallback _Nullable inputProc;
  void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

/// A named set of parameter values.
typedef struct AUPreset {
  /// 0 or more for factory presets, negative for user presets.
  SInt32 presetNumber;
  AU_CF_FIELD(CFStringRef, presetName);
} AUPreset;

/// A point of a frequency response; a negative frequency ends the array.
typedef struct AudioUnitFrequencyResponseBin {
  /// In Hz.
  Float64 mFrequency;
  /// Linear gain.
  Float64 mMagnitude;
} AudioUnitFrequencyResponseBin;

/// Returns the beat at the start of the buffer, and the tempo in beats per minute. [render thread]
typedef OSStatus (*HostCallback_GetBeatAndTempo)(void *_Nullable inHostUserData,
                                                 Float64 *_Nullable outCurrentBeat,
                                                 Float64 *_Nullable outCurrentTempo);

/// Returns the musical position. [render thread]
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(
    void *_Nullable inHostUserData, UInt32 *_Nullable outDeltaSampleOffsetToNextBeat,
    Float32 *_Nullable outTimeSig_Numerator, UInt32 *_Nullable outTimeSig_Denominator,
    Float64 *_Nullable outCurrentMeasureDownBeat);

/// Returns whether the host plays, and its position. [render thread]
typedef OSStatus (*HostCallback_GetTransportState)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying,
    Boolean *_Nullable outTransportStateChanged, Float64 *_Nullable outCurrentSampleInTimeLine,
    Boolean *_Nullable outIsCycling, Float64 *_Nullable outCycleStartBeat,
    Float64 *_Nullable outCycleEndBeat);

/// Returns whether the host plays or records, and its position. [render thread]
typedef OSStatus (*HostCallback_GetTransportState2)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying,
    Boolean *_Nullable outIsRecording, Boolean *_Nullable outTransportStateChanged,
    Float64 *_Nullable outCurrentSampleInTimeLine, Boolean *_Nullable outIsCycling,
    Float64 *_Nullable outCycleStartBeat, Float64 *_Nullable outCycleEndBeat);

/// Functions with which a unit queries its host; the last one and its bytes may be omitted.
typedef struct HostCallbackInfo {
  void *_Nullable hostUserData;
  HostCallback_GetBeatAndTempo _Nullable beatAndTempoProc;
  HostCallback_GetMusicalTimeLocation _Nullable musicalTimeLocationProc;
  HostCallback_GetTransportState _Nullable transportStateProc;
  HostCallback_GetTransportState2 _Nullable transportStateProc2;
} HostCallbackInfo;

/// The program that hosts the unit.
typedef struct AUHostVersionIdentifier {
  AU_CF_NONNULL_FIELD(CFStringRef, hostName);
  UInt32 hostVersion;
} AUHostVersionIdentifier;

// MARK: Presets

/// Keys of the dictionary of `kAudioUnitProperty_ClassInfo`.
#define kAUPresetVersionKey "version"
#define kAUPresetTypeKey "type"
#define kAUPresetSubtypeKey "subtype"
#define kAUPresetManufacturerKey "manufacturer"
#define kAUPresetDataKey "data"
#define kAUPresetNameKey "name"
#define kAUPresetNumberKey "preset-number"
#define kAUPresetRenderQualityKey "render-quality"
#define kAUPresetCPULoadKey "cpu-load"
#define kAUPresetElementNameKey "element-name"
#define kAUPresetExternalFileRefs "file-references"
#define kAUPresetPartKey "part"

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
