// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_TYPES_H
#define CAUDIOTOOLBOX_UNIT_TYPES_H

#include "../AudioComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// A unit: one instance of a component of one of the types below.
typedef AudioComponentInstance AudioUnit;

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

/// When something happens, in sample time.
typedef SInt64 AUEventSampleTime;

/// Flags of a render call, set by the caller or the unit.
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

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
