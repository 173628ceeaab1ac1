// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_PROPERTIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_PROPERTIES_H

#include "AUComponent.h"
#include "AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Scopes

/// Sections of a unit.
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
/// "(U)" says that the property can be set only while the unit is not initialized. Units need not
/// have all of them; one that is missing gives `kAudioUnitErr_InvalidProperty`.
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
  /// Part of the render time that the unit may use, 0 to 1, global, RW.
  kAudioUnitProperty_CPULoad = 6,
  /// AudioStreamBasicDescription, input and output, RW (U).
  kAudioUnitProperty_StreamFormat = 8,
  /// OSType, global, RW: a kind of resampling; replaced by the render quality.
  kAudioUnitProperty_SRCAlgorithm = 9,
  /// UInt32, global, RW: the room of a 3D mixer (AUReverbRoomType); a small one at first.
  kAudioUnitProperty_ReverbRoomType = 10,
  /// UInt32, any scope, R; RW (U) where a unit has as many buses as the host wants.
  kAudioUnitProperty_ElementCount = 11,
  kAudioUnitProperty_BusCount = kAudioUnitProperty_ElementCount,
  /// Float64 in seconds, global, R: how far the output lags behind the input.
  kAudioUnitProperty_Latency = 12,
  /// AUChannelInfo[], global, R.
  kAudioUnitProperty_SupportedNumChannels = 13,
  /// UInt32, global, RW (U): the most frames that one render call may ask for.
  kAudioUnitProperty_MaximumFramesPerSlice = 14,
  /// AudioUnitExternalBuffer, global, W.
  kAudioUnitProperty_SetExternalBuffer = 15,
  /// CFArrayRef of CFStringRef, any scope, element = parameter, R: a name for each whole value.
  kAudioUnitProperty_ParameterValueStrings = 16,
  /// AudioChannelLayout, input and output, RW.
  kAudioUnitProperty_AudioChannelLayout = 19,
  /// Float64 in seconds, global, R: how long the output sounds after the input fell silent.
  kAudioUnitProperty_TailTime = 20,
  /// UInt32 as a Boolean, global, RW.
  kAudioUnitProperty_BypassEffect = 21,
  /// OSStatus, global, R: the first error since the property was read; reading clears it.
  kAudioUnitProperty_LastRenderError = 22,
  /// AURenderCallbackStruct, input, W: the source of an input bus.
  kAudioUnitProperty_SetRenderCallback = 23,
  /// CFArrayRef of pointers to AUPreset, global, R.
  kAudioUnitProperty_FactoryPresets = 24,
  /// CFStringRef, global, RW: what the host uses the unit for.
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
  /// AudioChannelLayoutTag[], input and output, R.
  kAudioUnitProperty_SupportedChannelLayoutTags = 32,
  /// AudioUnitParameterStringFromValue, any scope, R.
  kAudioUnitProperty_ParameterStringFromValue = 33,
  kAudioUnitProperty_ParameterValueName = kAudioUnitProperty_ParameterStringFromValue,
  /// AudioUnitParameterIDName, any scope, R: a name of a parameter that fits in little room.
  kAudioUnitProperty_ParameterIDName = 34,
  /// AudioUnitParameterIDName with a clump as its identifier, any scope, R.
  kAudioUnitProperty_ParameterClumpName = 35,
  /// AUPreset, global, RW: the preset in use.
  kAudioUnitProperty_PresentPreset = 36,
  /// UInt32 as a Boolean, global, RW: rendering is not bound to the clock.
  kAudioUnitProperty_OfflineRender = 37,
  /// AudioUnitParameterValueFromString, any scope, R.
  kAudioUnitProperty_ParameterValueFromString = 38,
  /// Float64 in seconds, input and output, W: from the unit to the ear.
  kAudioUnitProperty_PresentationLatency = 40,
  /// AUDependentParameter[], any scope, element = parameter, R: what changes with it.
  kAudioUnitProperty_DependentParameters = 45,
  /// AUHostVersionIdentifier, global, W.
  kAudioUnitProperty_AUHostIdentifier = 46,
  /// AUInputSamplesInOutputCallbackStruct, global, RW.
  kAudioUnitProperty_InputSamplesInOutput = 49,
  /// CFDictionaryRef, global, RW: the state of the unit within a document.
  kAudioUnitProperty_ClassInfoFromDocument = 50,
  /// UInt32 as a Boolean, input and output, RW (U): whether the unit brings memory for the bus.
  kAudioUnitProperty_ShouldAllocateBuffer = 51,
  /// AudioUnitFrequencyResponseBin[], input and output, R: frequencies in, gains out.
  kAudioUnitProperty_FrequencyResponse = 52,
  /// AudioUnitParameterHistoryInfo, global, R.
  kAudioUnitProperty_ParameterHistoryInfo = 53,
  /// CFStringRef, global, RW: the name that a user gave the unit.
  kAudioUnitProperty_NickName = 54,
  /// AudioUnitParameter[], global, R: the parameters that matter most.
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

/// The most bins of one reading of `kAudioUnitProperty_FrequencyResponse`.
enum { kNumberOfResponseFrequencies = 1024 };

/// A connection from the output bus of one unit to the input bus of the unit that gets the
/// property.
typedef struct AudioUnitConnection {
  /// The unit to pull from; null disconnects.
  AudioUnit _Nullable sourceAudioUnit;
  UInt32 sourceOutputNumber;
  UInt32 destInputNumber;
} AudioUnitConnection;

/// How many channels a unit takes and gives.
///
/// -1 is any number, the same on both sides; -1 and -2 are any numbers; a number below -2 is the
/// most in all buses of that side together; 0 says that there is no such side.
typedef struct AUChannelInfo {
  SInt16 inChannels;
  SInt16 outChannels;
} AUChannelInfo;

/// Memory of the host that the unit shall use.
typedef struct AudioUnitExternalBuffer {
  Byte *buffer;
  /// In bytes.
  UInt32 size;
} AudioUnitExternalBuffer;

/// A render callback and what it gets as its first argument.
typedef struct AURenderCallbackStruct {
  /// Null removes the source of the bus.
  AURenderCallback _Nullable inputProc;
  void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

/// A named set of parameter values.
typedef struct AUPreset {
  /// From 0 on for factory presets; negative for those of the user.
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

/// Tells the beat at the start of the buffer, and the tempo in beats per minute. [render thread]
typedef OSStatus (*HostCallback_GetBeatAndTempo)(void *_Nullable inHostUserData,
                                                 Float64 *_Nullable outCurrentBeat,
                                                 Float64 *_Nullable outCurrentTempo);

/// Tells the place in the music. [render thread]
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(
    void *_Nullable inHostUserData, UInt32 *_Nullable outDeltaSampleOffsetToNextBeat,
    Float32 *_Nullable outTimeSig_Numerator, UInt32 *_Nullable outTimeSig_Denominator,
    Float64 *_Nullable outCurrentMeasureDownBeat);

/// Tells whether the host plays, and where. [render thread]
typedef OSStatus (*HostCallback_GetTransportState)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying,
    Boolean *_Nullable outTransportStateChanged, Float64 *_Nullable outCurrentSampleInTimeLine,
    Boolean *_Nullable outIsCycling, Float64 *_Nullable outCycleStartBeat,
    Float64 *_Nullable outCycleEndBeat);

/// Tells whether the host plays or records, and where. [render thread]
typedef OSStatus (*HostCallback_GetTransportState2)(
    void *_Nullable inHostUserData, Boolean *_Nullable outIsPlaying,
    Boolean *_Nullable outIsRecording, Boolean *_Nullable outTransportStateChanged,
    Float64 *_Nullable outCurrentSampleInTimeLine, Boolean *_Nullable outIsCycling,
    Float64 *_Nullable outCycleStartBeat, Float64 *_Nullable outCycleEndBeat);

/// What a unit may ask its host; the last function may be left out with its bytes.
typedef struct HostCallbackInfo {
  void *_Nullable hostUserData;
  HostCallback_GetBeatAndTempo _Nullable beatAndTempoProc;
  HostCallback_GetMusicalTimeLocation _Nullable musicalTimeLocationProc;
  HostCallback_GetTransportState _Nullable transportStateProc;
  HostCallback_GetTransportState2 _Nullable transportStateProc2;
} HostCallbackInfo;

/// A parameter that changes with another one.
typedef struct AUDependentParameter {
  AudioUnitScope mScope;
  AudioUnitParameterID mParameterID;
} AUDependentParameter;

/// The program that hosts the unit.
typedef struct AUHostVersionIdentifier {
  AU_CF_NONNULL_FIELD(CFStringRef, hostName);
  UInt32 hostVersion;
} AUHostVersionIdentifier;

/// A function that hears which input the output stems from.
typedef struct AUInputSamplesInOutputCallbackStruct {
  AUInputSamplesInOutputCallback inputToOutputCallback;
  void *_Nullable userData;
} AUInputSamplesInOutputCallbackStruct;

/// How often a parameter should be read for a plot, and how much of the past to show.
typedef struct AudioUnitParameterHistoryInfo {
  Float32 updatesPerSecond;
  Float32 historyDurationInSeconds;
} AudioUnitParameterHistoryInfo;

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

// MARK: Parameters

/// Units of measure of parameters.
typedef CF_ENUM(UInt32, AudioUnitParameterUnit) {
  kAudioUnitParameterUnit_Generic = 0,
  /// A whole number that names a choice.
  kAudioUnitParameterUnit_Indexed = 1,
  /// 0 is false, anything else is true.
  kAudioUnitParameterUnit_Boolean = 2,
  /// As a rule 0 to 100.
  kAudioUnitParameterUnit_Percent = 3,
  kAudioUnitParameterUnit_Seconds = 4,
  kAudioUnitParameterUnit_SampleFrames = 5,
  /// -180 to 180 degrees.
  kAudioUnitParameterUnit_Phase = 6,
  /// A factor of speed.
  kAudioUnitParameterUnit_Rate = 7,
  kAudioUnitParameterUnit_Hertz = 8,
  kAudioUnitParameterUnit_Cents = 9,
  kAudioUnitParameterUnit_RelativeSemiTones = 10,
  kAudioUnitParameterUnit_MIDINoteNumber = 11,
  kAudioUnitParameterUnit_MIDIController = 12,
  kAudioUnitParameterUnit_Decibels = 13,
  kAudioUnitParameterUnit_LinearGain = 14,
  /// -180 to 180.
  kAudioUnitParameterUnit_Degrees = 15,
  /// 0 to 100; the gains of the two sides are square roots.
  kAudioUnitParameterUnit_EqualPowerCrossfade = 16,
  /// 0 to 1; the gain is the third power.
  kAudioUnitParameterUnit_MixerFaderCurve1 = 17,
  /// -1 is left, 1 is right.
  kAudioUnitParameterUnit_Pan = 18,
  kAudioUnitParameterUnit_Meters = 19,
  /// 1200 * log2(f / 440 Hz) + 6900.
  kAudioUnitParameterUnit_AbsoluteCents = 20,
  kAudioUnitParameterUnit_Octaves = 21,
  kAudioUnitParameterUnit_BPM = 22,
  kAudioUnitParameterUnit_Beats = 23,
  kAudioUnitParameterUnit_Milliseconds = 24,
  kAudioUnitParameterUnit_Ratio = 25,
  /// Named by `unitName` of the parameter's information.
  kAudioUnitParameterUnit_CustomUnit = 26,
  kAudioUnitParameterUnit_MIDI2Controller = 27
};

/// Traits of a parameter. The "Display" values say on which scale a control should show it.
typedef CF_OPTIONS(UInt32, AudioUnitParameterOptions) {
  /// The receiver of the information releases `cfNameString`.
  kAudioUnitParameterFlag_CFNameRelease = 1U << 4,
  kAudioUnitParameterFlag_OmitFromPresets = 1U << 13,
  kAudioUnitParameterFlag_PlotHistory = 1U << 14,
  /// A meter: the unit writes it, the host reads it.
  kAudioUnitParameterFlag_MeterReadOnly = 1U << 15,

  /// The bits that hold the scale.
  kAudioUnitParameterFlag_DisplayMask = (7U << 16) | (1U << 22),
  kAudioUnitParameterFlag_DisplaySquareRoot = 1U << 16,
  kAudioUnitParameterFlag_DisplaySquared = 2U << 16,
  kAudioUnitParameterFlag_DisplayCubed = 3U << 16,
  kAudioUnitParameterFlag_DisplayCubeRoot = 4U << 16,
  kAudioUnitParameterFlag_DisplayExponential = 5U << 16,

  /// `clumpID` is set.
  kAudioUnitParameterFlag_HasClump = 1U << 20,
  kAudioUnitParameterFlag_ValuesHaveStrings = 1U << 21,
  kAudioUnitParameterFlag_DisplayLogarithmic = 1U << 22,
  /// A control should offer fine steps.
  kAudioUnitParameterFlag_IsHighResolution = 1U << 23,
  kAudioUnitParameterFlag_NonRealTime = 1U << 24,
  kAudioUnitParameterFlag_CanRamp = 1U << 25,
  kAudioUnitParameterFlag_ExpertMode = 1U << 26,
  /// `cfNameString` is set.
  kAudioUnitParameterFlag_HasCFNameString = 1U << 27,
  /// Changes other parameters of the unit.
  kAudioUnitParameterFlag_IsGlobalMeta = 1U << 28,
  /// Changes other parameters of its element.
  kAudioUnitParameterFlag_IsElementMeta = 1U << 29,
  kAudioUnitParameterFlag_IsReadable = 1U << 30,
  kAudioUnitParameterFlag_IsWritable = 1U << 31
};

/// The scale of a parameter's flags.
#define GetAudioUnitParameterDisplayType(flags) ((flags) & kAudioUnitParameterFlag_DisplayMask)
/// The flags with another scale.
#define SetAudioUnitParameterDisplayType(flags, displayType) \
  (((flags) & ~kAudioUnitParameterFlag_DisplayMask) | (displayType))
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
#define AudioUnitDisplayTypeIsSquared(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
#define AudioUnitDisplayTypeIsCubed(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
#define AudioUnitDisplayTypeIsCubeRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
#define AudioUnitDisplayTypeIsExponential(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayExponential)

enum {
  /// The clump that hosts keep for themselves.
  kAudioUnitClumpID_System = 0
};

/// What a host may know of a parameter.
typedef struct AudioUnitParameterInfo {
  /// Not used: zero. The name is `cfNameString`.
  char name[52];
  /// The unit of measure, when it is `kAudioUnitParameterUnit_CustomUnit`.
  AU_CF_FIELD(CFStringRef, unitName);
  UInt32 clumpID;
  AU_CF_FIELD(CFStringRef, cfNameString);
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minValue;
  AudioUnitParameterValue maxValue;
  AudioUnitParameterValue defaultValue;
  AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

enum {
  /// As a desired length: the whole name.
  kAudioUnitParameterName_Full = -1
};

/// Asks for a name of a parameter, or of a clump, that is no longer than wanted.
typedef struct AudioUnitParameterNameInfo {
  UInt32 inID;
  /// In characters, or `kAudioUnitParameterName_Full`.
  SInt32 inDesiredLength;
  AU_CF_FIELD(CFStringRef, outName);
} AudioUnitParameterNameInfo;
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

/// Asks for the text of a value.
typedef struct AudioUnitParameterStringFromValue {
  AudioUnitParameterID inParamID;
  /// In C a null pointer asks for the text of the present value.
  const AudioUnitParameterValue *inValue;
  AU_CF_FIELD(CFStringRef, outString);
} AudioUnitParameterStringFromValue;

/// Asks for the value of a text.
typedef struct AudioUnitParameterValueFromString {
  AudioUnitParameterID inParamID;
  AU_CF_NONNULL_FIELD(CFStringRef, inString);
  AudioUnitParameterValue outValue;
} AudioUnitParameterValueFromString;

// MARK: Properties of the equaliser of many bands

/// Identifiers of properties; written as those of every unit.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): 1 to the most that there can be.
  kAUNBandEQProperty_NumberOfBands = 2200,
  /// UInt32, global, R: 64.
  kAUNBandEQProperty_MaxNumberOfBands = 2201,
  /// Float64[], global, R: b0, b1, b2, a1, a2 of each band; a0 is 1.
  kAUNBandEQProperty_BiquadCoefficients = 2203
};

// MARK: Properties of output units

/// Identifiers of properties; written as those of every unit.
///
/// Input comes in through element 1 and output leaves through element 0.
CF_ENUM(AudioUnitPropertyID) {
  /// AudioObjectID (UInt32), global, RW: the device.
  kAudioOutputUnitProperty_CurrentDevice = 2000,
  /// UInt32 as a Boolean, global, R; has listeners.
  kAudioOutputUnitProperty_IsRunning = 2001,
  /// SInt32[], input and output, RW: for each destination channel its source, or -1 for silence.
  kAudioOutputUnitProperty_ChannelMap = 2002,
  /// UInt32 as a Boolean, input element 1 and output element 0, RW (U).
  kAudioOutputUnitProperty_EnableIO = 2003,
  /// AudioOutputUnitStartAtTimeParams, global, W: for the next start only.
  kAudioOutputUnitProperty_StartTime = 2004,
  /// AURenderCallbackStruct, global, RW: called when input is there to be rendered.
  kAudioOutputUnitProperty_SetInputCallback = 2005,
  /// UInt32 as a Boolean, input element 1 and output element 0, R: whether the device has it.
  kAudioOutputUnitProperty_HasIO = 2006,
  /// UInt32 as a Boolean, global, RW: sample time starts at 0 with each start.
  kAudioOutputUnitProperty_StartTimestampsAtZero = 2007
};

// MARK: Properties of mixers

/// Identifiers of properties; written as those of every unit.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: whether a 3D mixer has a room; not at first. The parameters of its
  /// inputs say how much of each fills it.
  kAudioUnitProperty_UsesInternalReverb = 1005,
  /// UInt32, input, RW: how a mono source is placed (AUSpatializationAlgorithm).
  kAudioUnitProperty_SpatializationAlgorithm = 3000,
  /// UInt32 as a Boolean, input, RW: k3DMixerRenderingFlags_DopplerShift of the 3D mixer by itself.
  kAudioUnitProperty_DopplerShift = 3002,
  /// UInt32, input, RW: AUSpatialMixerRenderingFlags, both at first; of the 3D mixer
  /// AU3DMixerRenderingFlags, the same two at first.
  kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,
  kAudioUnitProperty_3DMixerRenderingFlags = kAudioUnitProperty_SpatialMixerRenderingFlags,
  /// UInt32, input, RW: what becomes of a source (AUSpatialMixerSourceMode).
  kAudioUnitProperty_SpatialMixerSourceMode = 3005,
  /// Float32[], RW. Of a matrix mixer, global: every gain, row by row. A row for each input channel,
  /// its own gain last; a last row with the gains of the outputs and that of all. Of a multichannel
  /// mixer, input: a row for each channel of the bus, with its gain into each channel of the output;
  /// they stand in the place of the pan until that is set.
  kAudioUnitProperty_MatrixLevels = 3006,
  /// UInt32 as a Boolean, input and (but of 3D mixers) output, RW: whether the element's meters run; off
  /// at first. Of a matrix mixer also global: those of all buses.
  kAudioUnitProperty_MeteringMode = 3007,
  /// UInt32[2], R: the input and the output channels of a matrix mixer (global), or of what an input of
  /// a multichannel mixer has levels for (input).
  kAudioUnitProperty_MatrixDimensions = 3009,
  /// AudioUnitMeterClipping, global, R: of a multichannel, stereo or matrix mixer, what has come out
  /// since this was read last, of outputs whose meters run.
  kAudioUnitProperty_MeterClipping = 3011,
  /// MixerDistanceParams, input, RW: how distance attenuates.
  kAudioUnitProperty_SpatialMixerDistanceParams = 3010,
  kAudioUnitProperty_3DMixerDistanceParams = kAudioUnitProperty_SpatialMixerDistanceParams,
  /// UInt32, input, RW: AUSpatialMixerAttenuationCurve.
  kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,
  kAudioUnitProperty_3DMixerAttenuationCurve = kAudioUnitProperty_SpatialMixerAttenuationCurve,
  /// UInt32, global, RW: what a spatial mixer plays to (AUSpatialMixerOutputType), for inputs of
  /// kSpatializationAlgorithm_UseOutputType.
  kAudioUnitProperty_SpatialMixerOutputType = 3100
};

/// What has come out of a mixer since it was asked last, of all channels together.
typedef struct AudioUnitMeterClipping {
  /// The largest magnitude that is a finite number; above 1 a device clips it.
  Float32 peakValueSinceLastCall;
  /// Whether there was an infinite sample.
  Boolean sawInfinity;
  /// Whether there was a sample that is no number.
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

/// How a source is placed at the outputs.
typedef CF_ENUM(UInt32, AUSpatializationAlgorithm) {
  /// Constant power between the two speakers beside the direction.
  kSpatializationAlgorithm_EqualPowerPanning = 0,
  /// The model of a spherical head, for headphones: delay and shadow.
  kSpatializationAlgorithm_SphericalHead = 1,
  /// The same model.
  kSpatializationAlgorithm_HRTF = 2,
  /// Speakers whose directions, weighted by their gains, add up to that of the source.
  kSpatializationAlgorithm_VectorBasedPanning = 4,
  /// Nothing is placed.
  kSpatializationAlgorithm_StereoPassThrough = 5,
  /// The same as `kSpatializationAlgorithm_HRTF`.
  kSpatializationAlgorithm_HRTFHQ = 6,
  /// Of the spatial mixer: the model of a head where it plays to headphones, else vector based panning.
  kSpatializationAlgorithm_UseOutputType = 7
};

/// What a spatial mixer plays to.
typedef CF_ENUM(UInt32, AUSpatialMixerOutputType) {
  kSpatialMixerOutputType_Headphones = 1,
  kSpatialMixerOutputType_BuiltInSpeakers = 2,
  /// At first.
  kSpatialMixerOutputType_ExternalSpeakers = 3
};

/// What becomes of a source.
typedef CF_ENUM(UInt32, AUSpatialMixerSourceMode) {
  /// Mono sources are placed, others pass through.
  kSpatialMixerSourceMode_SpatializeIfMono = 0,
  /// Nothing is placed.
  kSpatialMixerSourceMode_Bypass = 1,
  /// The mean of the channels is placed.
  kSpatialMixerSourceMode_PointSource = 2
};

/// What belongs to placing a source.
typedef CF_OPTIONS(UInt32, AUSpatialMixerRenderingFlags) {
  /// The ears hear at different times.
  kSpatialMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// What is far is quiet.
  kSpatialMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// The same of the 3D mixer.
typedef CF_OPTIONS(UInt32, AU3DMixerRenderingFlags) {
  k3DMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// What comes nearer sounds higher, what goes away lower.
  k3DMixerRenderingFlags_DopplerShift = 1U << 1,
  k3DMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// The rooms of a 3D mixer: those of the factory presets of reverberation units.
typedef CF_ENUM(UInt32, AUReverbRoomType) {
  kReverbRoomType_SmallRoom = 0,
  kReverbRoomType_MediumRoom = 1,
  kReverbRoomType_LargeRoom = 2,
  kReverbRoomType_MediumHall = 3,
  kReverbRoomType_LargeHall = 4,
  kReverbRoomType_Plate = 5,
  kReverbRoomType_MediumChamber = 6,
  kReverbRoomType_LargeChamber = 7,
  kReverbRoomType_Cathedral = 8,
  kReverbRoomType_LargeRoom2 = 9,
  kReverbRoomType_MediumHall2 = 10,
  kReverbRoomType_MediumHall3 = 11,
  kReverbRoomType_LargeHall2 = 12
};

/// How gain falls from the reference to the maximum distance.
typedef CF_ENUM(UInt32, AUSpatialMixerAttenuationCurve) {
  /// By equal decibels in equal ratios of distance.
  kSpatialMixerAttenuationCurve_Power = 0,
  /// By equal decibels in equal steps of distance.
  kSpatialMixerAttenuationCurve_Exponential = 1,
  /// As one over the distance that is added.
  kSpatialMixerAttenuationCurve_Inverse = 2,
  /// In a straight line.
  kSpatialMixerAttenuationCurve_Linear = 3
};

/// How distance attenuates.
typedef struct MixerDistanceParams {
  /// In metres, above 0: up to here nothing is lost. At first 1.
  Float32 mReferenceDistance;
  /// In metres: from here on nothing more is lost. At first 100.
  Float32 mMaxDistance;
  /// In decibels, 0 or more: what is lost at the maximum distance. At first 40.
  Float32 mMaxAttenuation;
} MixerDistanceParams;

/// When an output unit shall start.
typedef struct AudioOutputUnitStartAtTimeParams {
  AudioTimeStamp mTimestamp;
  UInt32 mFlags;
} AudioOutputUnitStartAtTimeParams;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
