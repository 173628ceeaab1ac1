// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_COMPONENT_H
#define CAUDIOTOOLBOX_AU_COMPONENT_H

#include "AudioComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Names of units

/// A unit: one instance of a component of one of the types below.
typedef AudioComponentInstance AudioUnit;

/// Types of units, the first part of a component's triple.
CF_ENUM(UInt32) {
  /// Head of a chain: a device, or a caller that pulls.
  kAudioUnitType_Output = 0x61756f75,  // 'auou'
  /// Notes in, sound out.
  kAudioUnitType_MusicDevice = 0x61756d75,  // 'aumu'
  /// An effect that is also played by notes.
  kAudioUnitType_MusicEffect = 0x61756d66,  // 'aumf'
  /// May ask its input for another number of frames than it was asked for.
  kAudioUnitType_FormatConverter = 0x61756663,  // 'aufc'
  /// As many frames out as in.
  kAudioUnitType_Effect = 0x61756678,  // 'aufx'
  /// Several inputs, one or more outputs.
  kAudioUnitType_Mixer = 0x61756d78,  // 'aumx'
  /// One input placed in space at one output.
  kAudioUnitType_Panner = 0x6175706e,  // 'aupn'
  /// Sound out, nothing in.
  kAudioUnitType_Generator = 0x6175676e,  // 'augn'
  /// Needs to see its whole input.
  kAudioUnitType_OfflineEffect = 0x61756f6c,  // 'auol'
  /// Notes in, notes out.
  kAudioUnitType_MIDIProcessor = 0x61756d69,  // 'aumi'
  kAudioUnitType_SpeechSynthesizer = 0x61757370,  // 'ausp'
  kAudioUnitType_RemoteEffect = 0x61757278,  // 'aurx'
  kAudioUnitType_RemoteGenerator = 0x61757267,  // 'aurg'
  kAudioUnitType_RemoteInstrument = 0x61757269,  // 'auri'
  kAudioUnitType_RemoteMusicEffect = 0x6175726d  // 'aurm'
};

/// The manufacturer under which units of the known names are found.
CF_ENUM(UInt32) {
  kAudioUnitManufacturer_Apple = 0x6170706c  // 'appl'
};

/// Subtypes of effects: filters.
CF_ENUM(UInt32) {
  /// Passes what lies below a frequency.
  kAudioUnitSubType_LowPassFilter = 0x6c706173,  // 'lpas'
  /// Passes what lies above a frequency.
  kAudioUnitSubType_HighPassFilter = 0x68706173,  // 'hpas'
  /// Passes what lies around a frequency.
  kAudioUnitSubType_BandPassFilter = 0x62706173,  // 'bpas'
  /// Raises or lowers what lies above a frequency.
  kAudioUnitSubType_HighShelfFilter = 0x68736866,  // 'hshf'
  /// Raises or lowers what lies below a frequency.
  kAudioUnitSubType_LowShelfFilter = 0x6c736866,  // 'lshf'
  /// Raises or lowers what lies around a frequency.
  kAudioUnitSubType_ParametricEQ = 0x706d6571,  // 'pmeq'
  /// Many bands, each one of eleven kinds of filter.
  kAudioUnitSubType_NBandEQ = 0x6e626571,  // 'nbeq'
  /// Gains at ten or 31 fixed frequencies.
  kAudioUnitSubType_GraphicEQ = 0x67726571,  // 'greq'
  /// A choice of named curves.
  kAudioUnitSubType_AUiPodEQ = 0x69706571  // 'ipeq'
};

/// Subtypes of output units.
CF_ENUM(UInt32) {
  /// No device: the caller pulls, and linear PCM is converted between its two sides.
  kAudioUnitSubType_GenericOutput = 0x67656e72,  // 'genr'
  /// A device for output, input or both.
  kAudioUnitSubType_HALOutput = 0x6168616c,  // 'ahal'
  /// The device that the user chose for sound.
  kAudioUnitSubType_DefaultOutput = 0x64656620,  // 'def '
  /// The device that the user chose for alerts.
  kAudioUnitSubType_SystemOutput = 0x73797320,  // 'sys '
  /// The device of the audio session, for output, input or both.
  kAudioUnitSubType_RemoteIO = 0x72696f63  // 'rioc'
};

/// Subtypes of effects that work on how loud a sound is, or bend it.
CF_ENUM(UInt32) {
  /// Four compressors, each for a band of frequencies.
  kAudioUnitSubType_MultiBandCompressor = 0x6d636d70,  // 'mcmp'
  /// Echo, coarse samples, ring modulation, polynomial and soft clip.
  kAudioUnitSubType_Distortion = 0x64697374,  // 'dist'
  /// A compressor and expander.
  kAudioUnitSubType_DynamicsProcessor = 0x64636d70,  // 'dcmp'
  /// A limiter that looks ahead.
  kAudioUnitSubType_PeakLimiter = 0x6c6d7472  // 'lmtr'
};

/// Subtypes of mixers.
CF_ENUM(UInt32) {
  /// Any number of mono and stereo inputs, one output of one or two channels.
  kAudioUnitSubType_MultiChannelMixer = 0x6d636d78,  // 'mcmx'
  /// Every channel of every input to every channel of every output.
  kAudioUnitSubType_MatrixMixer = 0x6d786d78,  // 'mxmx'
  /// Mono and stereo inputs, one stereo output.
  kAudioUnitSubType_StereoMixer = 0x736d7872,  // 'smxr'
  /// Mono inputs placed around a listener, one output of up to eight channels.
  kAudioUnitSubType_3DMixer = 0x33646d78,  // '3dmx'
  /// The same with the parameters of its successor.
  kAudioUnitSubType_SpatialMixer = 0x3364656d,  // '3dem'
  kAudioUnitSubType_AU3DMixerEmbedded = kAudioUnitSubType_SpatialMixer,
  /// One input, any number of outputs.
  kAudioUnitSubType_MultiSplitter = 0x6d73706c  // 'mspl'
};

/// Subtypes of format converters.
CF_ENUM(UInt32) {
  /// One input, two outputs.
  kAudioUnitSubType_Splitter = 0x73706c74,  // 'splt'
  /// Two inputs, one output: their sum, or their channels side by side.
  kAudioUnitSubType_Merger = 0x6d657267  // 'merg'
};

/// Subtypes of effects: space and time.
CF_ENUM(UInt32) {
  /// Echoes with feedback and a low-pass filter.
  kAudioUnitSubType_Delay = 0x64656c79,  // 'dely'
  /// A delay of whole frames.
  kAudioUnitSubType_SampleDelay = 0x73646c79,  // 'sdly'
  /// A room by a network of delays.
  kAudioUnitSubType_Reverb2 = 0x72766232,  // 'rvb2'
  /// A small room and a large one behind it.
  kAudioUnitSubType_MatrixReverb = 0x6d726576  // 'mrev'
};

// MARK: Basic types

/// Names a property.
typedef UInt32 AudioUnitPropertyID;
/// A section of a unit; see `kAudioUnitScope_Global` and those after it.
typedef UInt32 AudioUnitScope;
/// A numbered place within a scope; of input and output also called a bus.
typedef UInt32 AudioUnitElement;
/// Names a parameter within its scope and element.
typedef UInt32 AudioUnitParameterID;
/// The value of a parameter.
typedef Float32 AudioUnitParameterValue;

/// What is asked or told in one render call.
typedef CF_OPTIONS(UInt32, AudioUnitRenderActionFlags) {
  /// A render notify is called before the unit renders.
  kAudioUnitRenderAction_PreRender = 1U << 2,
  /// A render notify is called after the unit rendered.
  kAudioUnitRenderAction_PostRender = 1U << 3,
  /// Every buffer is all zero: a hint on the way in, a promise on the way out.
  kAudioUnitRenderAction_OutputIsSilence = 1U << 4,
  kAudioOfflineUnitRenderAction_Preflight = 1U << 5,
  kAudioOfflineUnitRenderAction_Render = 1U << 6,
  kAudioOfflineUnitRenderAction_Complete = 1U << 7,
  /// With PostRender: the unit failed.
  kAudioUnitRenderAction_PostRenderError = 1U << 8,
  /// The caller vouches for its arguments.
  kAudioUnitRenderAction_DoNotCheckRenderArgs = 1U << 9
};

/// Results of the unit functions.
CF_ENUM(OSStatus) {
  /// The unit has no such property.
  kAudioUnitErr_InvalidProperty = -10879,
  /// The unit has no such parameter.
  kAudioUnitErr_InvalidParameter = -10878,
  /// The element is not there.
  kAudioUnitErr_InvalidElement = -10877,
  /// An input that is needed has no source.
  kAudioUnitErr_NoConnection = -10876,
  /// The unit cannot be made ready.
  kAudioUnitErr_FailedInitialization = -10875,
  /// More frames than the maximum per slice.
  kAudioUnitErr_TooManyFramesToProcess = -10874,
  kAudioUnitErr_IllegalInstrument = -10873,
  kAudioUnitErr_InstrumentTypeNotFound = -10872,
  kAudioUnitErr_InvalidFile = -10871,
  kAudioUnitErr_UnknownFileType = -10870,
  kAudioUnitErr_FileNotSpecified = -10869,
  /// The stream format, or the number of channels, is refused.
  kAudioUnitErr_FormatNotSupported = -10868,
  /// Only an initialized unit can do this.
  kAudioUnitErr_Uninitialized = -10867,
  /// The property or parameter is not in this scope.
  kAudioUnitErr_InvalidScope = -10866,
  /// The property cannot be set, or not now.
  kAudioUnitErr_PropertyNotWritable = -10865,
  /// Impossible at this moment, or from this thread.
  kAudioUnitErr_CannotDoInCurrentContext = -10863,
  /// The value of the property, or its size, is wrong.
  kAudioUnitErr_InvalidPropertyValue = -10851,
  /// The property has no value.
  kAudioUnitErr_PropertyNotInUse = -10850,
  /// Only an uninitialized unit can do this.
  kAudioUnitErr_Initialized = -10849,
  kAudioUnitErr_InvalidOfflineRender = -10848,
  kAudioUnitErr_Unauthorized = -10847,
  kAudioUnitErr_MIDIOutputBufferFull = -66753,
  kAudioUnitErr_RenderTimeout = -66745,
  kAudioUnitErr_ExtensionNotFound = -66744,
  /// The value of the parameter is not a number, or infinite.
  kAudioUnitErr_InvalidParameterValue = -66743,
  kAudioUnitErr_InvalidFilePath = -66742,
  kAudioUnitErr_MissingKey = -66741,
  kAudioUnitErr_ComponentManagerNotSupported = -66740,
  kAudioUnitErr_MultipleVoiceProcessors = -66635
};

/// Kinds of parameter events.
typedef CF_ENUM(UInt32, AUParameterEventType) {
  /// One value, from one frame on.
  kParameterEvent_Immediate = 1,
  /// A straight line between two values.
  kParameterEvent_Ramped = 2
};

/// A change of one parameter within the next render call.
typedef struct AudioUnitParameterEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterID parameter;
  AUParameterEventType eventType;
  union {
    struct {
      /// Frames from the start of the buffer; negative for a ramp that began before it.
      SInt32 startBufferOffset;
      UInt32 durationInFrames;
      AudioUnitParameterValue startValue;
      AudioUnitParameterValue endValue;
    } ramp;
    struct {
      /// Frames from the start of the buffer.
      UInt32 bufferOffset;
      AudioUnitParameterValue value;
    } immediate;
  } eventValues;
} AudioUnitParameterEvent;

/// One parameter of one unit.
typedef struct AudioUnitParameter {
  AudioUnit mAudioUnit;
  AudioUnitParameterID mParameterID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitParameter;

/// One property of one unit.
typedef struct AudioUnitProperty {
  AudioUnit mAudioUnit;
  AudioUnitPropertyID mPropertyID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitProperty;

// MARK: Callbacks

/// Supplies or sees sound. [render thread]
///
/// As a source it fills `ioData`, or points it at memory of its own. As a render notify it is
/// called before and after the unit renders. As the input callback of an output unit it gets no
/// `ioData`.
typedef OSStatus (*AURenderCallback)(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                     const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                                     UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

/// Hears that a property changed. [control thread]
///
/// Called on the thread that set it, or on the notifier thread when it changed while rendering.
typedef void (*AudioUnitPropertyListenerProc)(void *inRefCon, AudioUnit inUnit,
                                              AudioUnitPropertyID inID, AudioUnitScope inScope,
                                              AudioUnitElement inElement);

/// Hears which input frame the first frame of the output stems from. [render thread]
typedef void (*AUInputSamplesInOutputCallback)(void *inRefCon,
                                               const AudioTimeStamp *inOutputTimeStamp,
                                               Float64 inInputSample,
                                               Float64 inNumberInputSamples);

// MARK: Life

/// Makes a unit ready to render; formats are fixed until it is uninitialized. [control thread]
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/// Frees what rendering needed. [control thread]
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

// MARK: Properties

/// The size of a property in bytes, and whether it can be set now. [control thread]
OSStatus AudioUnitGetPropertyInfo(AudioUnit inUnit, AudioUnitPropertyID inID,
                                  AudioUnitScope inScope, AudioUnitElement inElement,
                                  UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);

/// Copies the value of a property. [control thread]
///
/// `ioDataSize` is the room at `outData` going in, and the size of the value coming out. A value
/// that is larger is cut to the room. Objects of CoreFoundation are the caller's to release.
OSStatus AudioUnitGetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, void *outData, UInt32 *ioDataSize);

/// Sets the value of a property; no data and size 0 remove it. [control thread]
OSStatus AudioUnitSetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, const void *_Nullable inData,
                              UInt32 inDataSize);

/// Calls a function when a property changes, in any scope and element. [control thread]
OSStatus AudioUnitAddPropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                      AudioUnitPropertyListenerProc inProc,
                                      void *_Nullable inProcUserData);

/// Removes the listeners with this function and user data. [control thread]
OSStatus AudioUnitRemovePropertyListenerWithUserData(AudioUnit inUnit, AudioUnitPropertyID inID,
                                                     AudioUnitPropertyListenerProc inProc,
                                                     void *_Nullable inProcUserData);

/// Removes the listeners with this function, whatever their user data. [control thread]
OSStatus AudioUnitRemovePropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                         AudioUnitPropertyListenerProc inProc);

// MARK: Rendering

/// Calls a function before and after each render of a unit. [control thread]
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                  void *_Nullable inProcUserData);

/// Removes a render notify. [control thread]
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                     void *_Nullable inProcUserData);

/// The value of a parameter. [any thread]
OSStatus AudioUnitGetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue *outValue);

/// Sets a parameter at a frame of the next slice; at once while uninitialized. [any thread]
OSStatus AudioUnitSetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue inValue,
                               UInt32 inBufferOffsetInFrames);

/// Schedules changes of parameters within the next render call. [any thread]
///
/// From a render notify before rendering they belong to that same render call.
OSStatus AudioUnitScheduleParameters(AudioUnit inUnit,
                                     const AudioUnitParameterEvent *inParameterEvent,
                                     UInt32 inNumParamEvents);

/// Pulls frames from one output bus of a unit. [render thread]
///
/// One buffer list entry per channel, or one for all when the format is interleaved. Buffers
/// without memory get the unit's, which is good until the next render.
OSStatus AudioUnitRender(AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                         const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber,
                         UInt32 inNumberFrames, AudioBufferList *ioData);

/// Processes frames in place without pulling; effects only. [render thread]
OSStatus AudioUnitProcess(AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                          const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                          AudioBufferList *ioData);

/// Processes frames of several buses without pulling. [render thread]
OSStatus AudioUnitProcessMultiple(AudioUnit inUnit,
                                  AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                  const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                                  UInt32 inNumberInputBufferLists,
                                  const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists,
                                  UInt32 inNumberOutputBufferLists,
                                  AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);

/// Forgets the signal history of a unit; keeps its parameters and formats. [any thread]
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

// MARK: Plug-ins

/// Selectors of the methods of a plug-in.
enum {
  kAudioUnitRange = 0x0000,
  kAudioUnitInitializeSelect = 0x0001,
  kAudioUnitUninitializeSelect = 0x0002,
  kAudioUnitGetPropertyInfoSelect = 0x0003,
  kAudioUnitGetPropertySelect = 0x0004,
  kAudioUnitSetPropertySelect = 0x0005,
  kAudioUnitGetParameterSelect = 0x0006,
  kAudioUnitSetParameterSelect = 0x0007,
  kAudioUnitResetSelect = 0x0009,
  kAudioUnitAddPropertyListenerSelect = 0x000a,
  kAudioUnitRemovePropertyListenerSelect = 0x000b,
  kAudioUnitRenderSelect = 0x000e,
  kAudioUnitAddRenderNotifySelect = 0x000f,
  kAudioUnitRemoveRenderNotifySelect = 0x0010,
  kAudioUnitScheduleParametersSelect = 0x0011,
  kAudioUnitRemovePropertyListenerWithUserDataSelect = 0x0012,
  kAudioUnitComplexRenderSelect = 0x0013,
  kAudioUnitProcessSelect = 0x0014,
  kAudioUnitProcessMultipleSelect = 0x0015
};

/// Types of the methods of a plug-in; `self` is the memory that its factory made.
typedef OSStatus (*AudioUnitInitializeProc)(void *self);
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(void *self, AudioUnitPropertyID inID,
                                                 AudioUnitScope inScope,
                                                 AudioUnitElement inElement,
                                                 UInt32 *_Nullable outDataSize,
                                                 Boolean *_Nullable outWritable);
typedef OSStatus (*AudioUnitGetPropertyProc)(void *self, AudioUnitPropertyID inID,
                                             AudioUnitScope inScope, AudioUnitElement inElement,
                                             void *outData, UInt32 *ioDataSize);
typedef OSStatus (*AudioUnitSetPropertyProc)(void *self, AudioUnitPropertyID inID,
                                             AudioUnitScope inScope, AudioUnitElement inElement,
                                             const void *inData, UInt32 inDataSize);
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(void *self, AudioUnitPropertyID inID,
                                                     AudioUnitPropertyListenerProc inProc,
                                                     void *inProcUserData);
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(void *self, AudioUnitPropertyID inID,
                                                        AudioUnitPropertyListenerProc inProc);
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *inProcUserData);
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(void *self, AURenderCallback inProc,
                                                 void *inProcUserData);
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(void *self, AURenderCallback inProc,
                                                    void *inProcUserData);
typedef OSStatus (*AudioUnitGetParameterProc)(void *self, AudioUnitParameterID inID,
                                              AudioUnitScope inScope, AudioUnitElement inElement,
                                              AudioUnitParameterValue *outValue);
typedef OSStatus (*AudioUnitSetParameterProc)(void *self, AudioUnitParameterID inID,
                                              AudioUnitScope inScope, AudioUnitElement inElement,
                                              AudioUnitParameterValue inValue,
                                              UInt32 inBufferOffsetInFrames);
typedef OSStatus (*AudioUnitScheduleParametersProc)(void *self,
                                                    const AudioUnitParameterEvent *inEvents,
                                                    UInt32 inNumParamEvents);
typedef OSStatus (*AudioUnitRenderProc)(void *self,
                                        AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                        const AudioTimeStamp *inTimeStamp,
                                        UInt32 inOutputBusNumber, UInt32 inNumberFrames,
                                        AudioBufferList *ioData);
typedef OSStatus (*AudioUnitProcessProc)(void *self,
                                         AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                         const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                                         AudioBufferList *ioData);
typedef OSStatus (*AudioUnitProcessMultipleProc)(
    void *self, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists, UInt32 inNumberOutputBufferLists,
    AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);
typedef OSStatus (*AudioUnitResetProc)(void *self, AudioUnitScope inScope,
                                       AudioUnitElement inElement);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
