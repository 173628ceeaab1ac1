// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_GENERAL_PROPERTIES_H
#define CAUDIOTOOLBOX_GENERAL_PROPERTIES_H

#include "../AUComponent.h"
#include "../AUCoreFoundationFields.h"

// Scopes, and the properties that every unit may have.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Scopes

/// Scopes of a unit.
CF_ENUM(AudioUnitScope) {
  /// The unit as a whole; always one element.
  kAudioUnitScope_Global = 0,
  /// The inputs; each element is a bus.
  kAudioUnitScope_Input = 1,
  /// The outputs; each element is a bus.
  kAudioUnitScope_Output = 2,
  /// Groups of notes of an instrument; each element is a MIDI channel.
  kAudioUnitScope_Group = 3,
  /// Parts of a multitimbral instrument.
  kAudioUnitScope_Part = 4,
  /// Sounding notes; the element is a NoteInstanceID.
  kAudioUnitScope_Note = 5,
  /// Layers of an instrument.
  kAudioUnitScope_Layer = 6,
  /// What a layer consists of, such as its samples.
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
  /// Float64 in Hz, input and output, RW (U): the rate of the stream format.
  kAudioUnitProperty_SampleRate = 2,
  /// AudioUnitParameterID[], any scope, R: the parameters that the unit has in the scope.
  kAudioUnitProperty_ParameterList = 3,
  /// AudioUnitParameterInfo, any scope, element = parameter, R: its name, range, unit and flags.
  kAudioUnitProperty_ParameterInfo = 4,
  /// Float32, global, RW: the part of the render time that the unit may use, 0 to 1.
  kAudioUnitProperty_CPULoad = 6,
  /// AudioStreamBasicDescription, input and output, RW (U): the format of a bus.
  kAudioUnitProperty_StreamFormat = 8,
  /// UInt32, global, RW: the room of a 3D mixer (AUReverbRoomType); initially a small one.
  kAudioUnitProperty_ReverbRoomType = 10,
  /// UInt32, any scope, R: the number of elements; RW (U) if the host chooses the number of the
  /// unit's buses.
  kAudioUnitProperty_ElementCount = 11,
  /// Another name of kAudioUnitProperty_ElementCount.
  kAudioUnitProperty_BusCount = kAudioUnitProperty_ElementCount,
  /// Float64 in seconds, global, R: the delay from input to output.
  kAudioUnitProperty_Latency = 12,
  /// AUChannelInfo[], global, R: the numbers of channels that the unit supports.
  kAudioUnitProperty_SupportedNumChannels = 13,
  /// UInt32, global, RW (U): the most frames of one render call.
  kAudioUnitProperty_MaximumFramesPerSlice = 14,
  /// AudioUnitExternalBuffer, global, W: memory that the unit uses for its input.
  kAudioUnitProperty_SetExternalBuffer = 15,
  /// CFArrayRef of CFStringRef, any scope, element = parameter, R: a name for each whole value.
  kAudioUnitProperty_ParameterValueStrings = 16,
  /// AudioChannelLayout, input and output, RW: the loudspeakers of the channels of a bus.
  kAudioUnitProperty_AudioChannelLayout = 19,
  /// Float64 in seconds, global, R: how long the output continues after the input fell silent.
  kAudioUnitProperty_TailTime = 20,
  /// UInt32 as a Boolean, global, RW: whether the input passes unprocessed, at equal latency.
  kAudioUnitProperty_BypassEffect = 21,
  /// OSStatus, global, R: the first error since the property was read; reading clears it.
  kAudioUnitProperty_LastRenderError = 22,
  /// AURenderCallbackStruct, input, W: the source of an input bus.
  kAudioUnitProperty_SetRenderCallback = 23,
  /// CFArrayRef of pointers to AUPreset, global, R: the presets of the unit.
  kAudioUnitProperty_FactoryPresets = 24,
  /// CFStringRef, global, RW: the host's purpose for the unit.
  kAudioUnitProperty_ContextName = 25,
  /// UInt32, 0 to 127, global, RW; see `kRenderQuality_Max`.
  kAudioUnitProperty_RenderQuality = 26,
  /// HostCallbackInfo, global, W: how the unit queries tempo and transport.
  kAudioUnitProperty_HostCallbacks = 27,
  /// AUPreset, global, RW: the older form of kAudioUnitProperty_PresentPreset.
  kAudioUnitProperty_CurrentPreset = 28,
  /// UInt32 as a Boolean, global, RW: whether the output may be the memory of the input.
  kAudioUnitProperty_InPlaceProcessing = 29,
  /// CFStringRef, any scope, RW: the name of an element.
  kAudioUnitProperty_ElementName = 30,
  /// AudioUnitParameterStringFromValue, any scope, R: the text of a parameter's value.
  kAudioUnitProperty_ParameterStringFromValue = 33,
  /// Another name of kAudioUnitProperty_ParameterStringFromValue.
  kAudioUnitProperty_ParameterValueName = kAudioUnitProperty_ParameterStringFromValue,
  /// AudioUnitParameterIDName, any scope, R: a short name of a parameter.
  kAudioUnitProperty_ParameterIDName = 34,
  /// AudioUnitParameterIDName with a clump as its identifier, any scope, R.
  kAudioUnitProperty_ParameterClumpName = 35,
  /// AUPreset, global, RW: the preset in use.
  kAudioUnitProperty_PresentPreset = 36,
  /// UInt32 as a Boolean, global, RW: whether the unit renders offline, without a clock.
  kAudioUnitProperty_OfflineRender = 37,
  /// AudioUnitParameterValueFromString, any scope, R: the value of what a user has typed.
  kAudioUnitProperty_ParameterValueFromString = 38,
  /// Float64 in seconds, input and output, W: the delay from the unit to the listener.
  kAudioUnitProperty_PresentationLatency = 40,
  /// AUHostVersionIdentifier, global, W: the program that hosts the unit.
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
  kAudioUnitProperty_LastRenderSampleTime = 61,
  /// UInt32 as a Boolean, global, R: whether the unit runs in a process of its own.
  kAudioUnitProperty_LoadedOutOfProcess = 62
};

// MARK: Values of those properties

/// Values of `kAudioUnitProperty_RenderQuality`.
enum {
  kRenderQuality_Max = 127,    ///< The best sound, whatever it costs.
  kRenderQuality_High = 96,    ///< Good sound at a moderate cost.
  kRenderQuality_Medium = 64,  ///< A compromise of sound and speed.
  kRenderQuality_Low = 32,     ///< Faster than medium.
  kRenderQuality_Min = 0       ///< The fastest rendering.
};

/// The largest number of bins of one `kAudioUnitProperty_FrequencyResponse`.
enum { kNumberOfResponseFrequencies = 1024 };

/// A connection from the output bus of one unit to the input bus of the unit whose property is set.
typedef struct AudioUnitConnection {
  /// The unit to pull from; null disconnects.
  AudioUnit _Nullable sourceAudioUnit;
  /// The output bus of the source.
  UInt32 sourceOutputNumber;
  /// The input bus of the unit whose property is set.
  UInt32 destInputNumber;
} AudioUnitConnection;

/// The numbers of input and output channels of a unit.
///
/// -1: any number, the same in both scopes; -1 and -2: any numbers; below -2: the maximum of all
/// buses in that scope together; 0: no such buses.
typedef struct AUChannelInfo {
  SInt16 inChannels;   ///< Channels of each input bus, or one of the negative numbers above.
  SInt16 outChannels;  ///< Channels of each output bus, or one of the negative numbers above.
} AUChannelInfo;

/// Memory of the host for the unit to use.
typedef struct AudioUnitExternalBuffer {
  /// The memory, which must remain valid until the property is set again.
  Byte *buffer;
  /// In bytes.
  UInt32 size;
} AudioUnitExternalBuffer;

/// A render callback and its first argument.
typedef struct AURenderCallbackStruct {
  /// Null removes the source of the bus.
  AURenderCallback _Nullable inputProc;
  /// The first argument of the callback.
  void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

/// A named set of parameter values.
typedef struct AUPreset {
  /// 0 or more for factory presets, negative for user presets.
  SInt32 presetNumber;
  /// The name for display.
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
  /// The first argument of all functions.
  void *_Nullable hostUserData;
  /// Returns the beat and the tempo.
  HostCallback_GetBeatAndTempo _Nullable beatAndTempoProc;
  /// Returns the bar and the time signature.
  HostCallback_GetMusicalTimeLocation _Nullable musicalTimeLocationProc;
  /// Returns whether the transport plays, and its cycle.
  HostCallback_GetTransportState _Nullable transportStateProc;
  /// The same, and whether the transport records.
  HostCallback_GetTransportState2 _Nullable transportStateProc2;
} HostCallbackInfo;

/// The program that hosts the unit.
typedef struct AUHostVersionIdentifier {
  AU_CF_NONNULL_FIELD(CFStringRef, hostName);  ///< The name of the program.
  UInt32 hostVersion;  ///< Its version, as of components: 0x00010203 is 1.2.3.
} AUHostVersionIdentifier;

// MARK: Presets

/// Keys of the dictionary of `kAudioUnitProperty_ClassInfo`.
#define kAUPresetVersionKey "version"
/// A number: the type of the component.
#define kAUPresetTypeKey "type"
/// A number: the subtype of the component.
#define kAUPresetSubtypeKey "subtype"
/// A number: the manufacturer of the component.
#define kAUPresetManufacturerKey "manufacturer"
/// Data: the parameters of every scope and element.
#define kAUPresetDataKey "data"
/// A string: the name of the preset.
#define kAUPresetNameKey "name"
/// A number: that of a factory preset.
#define kAUPresetNumberKey "preset-number"
/// A number: kAudioUnitProperty_RenderQuality.
#define kAUPresetRenderQualityKey "render-quality"
/// A number: kAudioUnitProperty_CPULoad.
#define kAUPresetCPULoadKey "cpu-load"
/// A dictionary: the names of elements that a program has set.
#define kAUPresetElementNameKey "element-name"
/// A dictionary: the paths of files on which the state depends.
#define kAUPresetExternalFileRefs "file-references"
/// A number: the part of an instrument to which the state applies.
#define kAUPresetPartKey "part"

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
