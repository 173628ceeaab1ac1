// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_TYPES_H
#define CAUDIOTOOLBOX_UNIT_TYPES_H

#include "../AudioComponent.h"

// The handles and identifiers of units, events of parameters, and the functions that units call.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// A unit: one instance of a component of one of the types below.
typedef AudioComponentInstance AudioUnit;

/// The identifier of a property.
typedef UInt32 AudioUnitPropertyID;
/// A scope of a unit; see `kAudioUnitScope_Global` and the following constants.
typedef UInt32 AudioUnitScope;
/// The number of an element within a scope; input and output elements are also called buses.
typedef UInt32 AudioUnitElement;
/// The identifier of a parameter within its scope and element.
typedef UInt32 AudioUnitParameterID;
/// The value of a parameter.
typedef Float32 AudioUnitParameterValue;

/// The sample time of an event.
typedef SInt64 AUEventSampleTime;

/// Flags of a render call, set by the caller or the unit.
typedef CF_OPTIONS(UInt32, AudioUnitRenderActionFlags) {
  /// Passed to a render notify before the unit renders.
  kAudioUnitRenderAction_PreRender = 1U << 2,
  /// Passed to a render notify after the unit has rendered.
  kAudioUnitRenderAction_PostRender = 1U << 3,
  /// All buffers are zero: a hint in the input, a guarantee in the output.
  kAudioUnitRenderAction_OutputIsSilence = 1U << 4,
  /// The unit reads its input to prepare; an offline unit.
  kAudioOfflineUnitRenderAction_Preflight = 1U << 5,
  /// The unit renders; an offline unit.
  kAudioOfflineUnitRenderAction_Render = 1U << 6,
  /// The unit has finished; an offline unit.
  kAudioOfflineUnitRenderAction_Complete = 1U << 7,
  /// With PostRender: the unit failed.
  kAudioUnitRenderAction_PostRenderError = 1U << 8,
  /// The caller guarantees that its arguments are valid.
  kAudioUnitRenderAction_DoNotCheckRenderArgs = 1U << 9
};

/// Kinds of parameter events.
typedef CF_ENUM(UInt32, AUParameterEventType) {
  /// A value that applies from one frame on.
  kParameterEvent_Immediate = 1,
  /// A linear ramp between two values.
  kParameterEvent_Ramped = 2
};

/// A change of one parameter within the next render call.
typedef struct AudioUnitParameterEvent {
  /// The scope of the parameter.
  AudioUnitScope scope;
  /// The element of the parameter.
  AudioUnitElement element;
  /// The identifier of the parameter.
  AudioUnitParameterID parameter;
  /// Which member of `eventValues` applies.
  AUParameterEventType eventType;
  /// The values of the event, by its type.
  union {
    /// A linear ramp: kParameterEvent_Ramped.
    struct {
      /// Frames from the start of the buffer; negative for a ramp that began before it.
      SInt32 startBufferOffset;
      /// The length of the whole ramp in frames.
      UInt32 durationInFrames;
      /// The value at its first frame.
      AudioUnitParameterValue startValue;
      /// The value after its last frame.
      AudioUnitParameterValue endValue;
    } ramp;
    /// A single change: kParameterEvent_Immediate.
    struct {
      /// Frames from the start of the buffer.
      UInt32 bufferOffset;
      /// The value from that frame on.
      AudioUnitParameterValue value;
    } immediate;
  } eventValues;
} AudioUnitParameterEvent;

/// One parameter of one unit.
typedef struct AudioUnitParameter {
  /// The unit that has the parameter.
  AudioUnit mAudioUnit;
  /// The identifier of the parameter, or kAUParameterListener_AnyParameter.
  AudioUnitParameterID mParameterID;
  /// The scope of the parameter.
  AudioUnitScope mScope;
  /// The element of the parameter.
  AudioUnitElement mElement;
} AudioUnitParameter;

/// One property of one unit.
typedef struct AudioUnitProperty {
  AudioUnit mAudioUnit;             ///< The unit that has the property.
  AudioUnitPropertyID mPropertyID;  ///< The identifier of the property.
  AudioUnitScope mScope;            ///< The scope of the property.
  AudioUnitElement mElement;        ///< The element of the property.
} AudioUnitProperty;

// MARK: Callbacks

/// Supplies or observes samples. [render thread]
///
/// As a source, it fills `ioData`, or sets its pointers to other memory. As a render notify, it is
/// called before and after the unit renders. As the input callback of an output unit, it receives
/// no `ioData`.
typedef OSStatus (*AURenderCallback)(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                                     const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                                     UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

/// Called when a property has changed. [control thread]
///
/// It runs on the thread that set the property, or on the notifier's thread if the property changed
/// during a render.
typedef void (*AudioUnitPropertyListenerProc)(void *inRefCon, AudioUnit inUnit,
                                              AudioUnitPropertyID inID, AudioUnitScope inScope,
                                              AudioUnitElement inElement);

/// Receives the input frame that corresponds to the first output frame. [render thread]
typedef void (*AUInputSamplesInOutputCallback)(void *inRefCon,
                                               const AudioTimeStamp *inOutputTimeStamp,
                                               Float64 inInputSample,
                                               Float64 inNumberInputSamples);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
