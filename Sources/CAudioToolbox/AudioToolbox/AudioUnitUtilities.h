// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_UTILITIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_UTILITIES_H

#include "AUComponent.h"

// Listeners for parameters and properties of units, and conversions between a parameter's value and
// a control.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// The identifier that stands for any parameter.
CF_ENUM(AudioUnitParameterID) {
  /// In AudioUnitParameter.mParameterID, when a listener is added.
  kAUParameterListener_AnyParameter = 0xffffffff
};

/// Kinds of events.
typedef CF_ENUM(UInt32, AudioUnitEventType) {
  /// A parameter has a new value.
  kAudioUnitEvent_ParameterValueChange = 0,
  /// The user begins to move a control.
  kAudioUnitEvent_BeginParameterChangeGesture = 1,
  /// The user has released the control.
  kAudioUnitEvent_EndParameterChangeGesture = 2,
  /// A property has a new value.
  kAudioUnitEvent_PropertyChange = 3
};

/// An event of a parameter or a property.
typedef struct AudioUnitEvent {
  /// Which member of `mArgument` applies.
  AudioUnitEventType mEventType;
  /// What has changed, by the type of the event.
  union {
    /// The parameter of a change or a gesture.
    AudioUnitParameter mParameter;
    /// Used by `kAudioUnitEvent_PropertyChange`.
    AudioUnitProperty mProperty;
  } mArgument;
} AudioUnitEvent;

/// A listener for changes of parameters, called on a run loop or a dispatch queue.
typedef struct OpaqueAUListener *AUParameterListenerRef;
/// A listener that receives all kinds of events.
typedef AUParameterListenerRef AUEventListenerRef;

/// Called when a parameter has changed. [control thread]
typedef void (*AUParameterListenerProc)(void *_Nullable inUserData, void *_Nullable inObject,
                                        const AudioUnitParameter *inParameter,
                                        AudioUnitParameterValue inValue);

/// Called for an event, with its host time. [control thread]
typedef void (*AUEventListenerProc)(void *_Nullable inUserData, void *_Nullable inObject,
                                    const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
                                    AudioUnitParameterValue inParameterValue);

// MARK: Parameter listeners

#ifndef __swift__
/// Creates a listener that is called on a run loop. [control thread]
///
/// A null run loop is the current thread's, and a null mode the default one. Changes are collected
/// for the interval, in seconds, then the last value of each parameter is reported. With an
/// interval of 0, each change is reported immediately, on the thread that made it; a change made on
/// a render thread is reported on the run loop.
OSStatus AUListenerCreate(AUParameterListenerProc inProc, void *inUserData,
                          CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
                          Float32 inNotificationInterval,
                          AUParameterListenerRef _Nullable *_Nonnull outListener);
#endif

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// As AUParameterListenerProc.
typedef void (^AUParameterListenerBlock)(void *_Nullable inObject,
                                         const AudioUnitParameter *inParameter,
                                         AudioUnitParameterValue inValue);

/// As AUEventListenerProc.
typedef void (^AUEventListenerBlock)(void *_Nullable inObject, const AudioUnitEvent *inEvent,
                                     UInt64 inEventHostTime,
                                     AudioUnitParameterValue inParameterValue);

/// Creates a listener that is called on a dispatch queue. [control thread]
///
/// Changes are collected for the interval, in seconds; 0 reports them as soon as the queue can. The
/// listener retains the queue.
OSStatus AUListenerCreateWithDispatchQueue(
    AUParameterListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    dispatch_queue_t inDispatchQueue, AUParameterListenerBlock inBlock);
#endif

/// Disposes of a parameter or event listener. [any thread]
///
/// On return, no call of the listener is in progress, except one that has called this function.
OSStatus AUListenerDispose(AUParameterListenerRef inListener);

/// Adds a parameter to a listener, on behalf of an object. [control thread]
///
/// `kAUParameterListener_AnyParameter` listens to every parameter of the unit.
OSStatus AUListenerAddParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                const AudioUnitParameter *inParameter);

/// Removes a parameter that `AUListenerAddParameter` added. [control thread]
OSStatus AUListenerRemoveParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                   const AudioUnitParameter *inParameter);

/// Sets a parameter and notifies all listeners except the sender. [any thread]
OSStatus AUParameterSet(AUParameterListenerRef _Nullable inSendingListener,
                        void *_Nullable inSendingObject, const AudioUnitParameter *inParameter,
                        AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/// Notifies all listeners except the sender that a parameter has changed. [any thread]
///
/// Without a sending object, none of the sending listener's objects is notified.
/// `kAUParameterListener_AnyParameter` notifies the listeners of every parameter of the unit.
OSStatus AUParameterListenerNotify(AUParameterListenerRef _Nullable inSendingListener,
                                   void *_Nullable inSendingObject,
                                   const AudioUnitParameter *inParameter);

// MARK: Event listeners

#ifndef __swift__
/// Creates an event listener that is called on a run loop. [control thread]
///
/// Like `AUListenerCreate`; pending changes of a parameter less than the granularity apart, in
/// seconds, are reported as one.
OSStatus AUEventListenerCreate(AUEventListenerProc inProc, void *_Nullable inUserData,
                               CFRunLoopRef _Nullable inRunLoop,
                               CFStringRef _Nullable inRunLoopMode, Float32 inNotificationInterval,
                               Float32 inValueChangeGranularity,
                               AUEventListenerRef _Nullable *_Nonnull outListener);
#endif

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// Creates an event listener that is called on a dispatch queue, like
/// AUListenerCreateWithDispatchQueue; the granularity is that of AUEventListenerCreate. [control
/// thread]
OSStatus AUEventListenerCreateWithDispatchQueue(
    AUEventListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, dispatch_queue_t inDispatchQueue,
    AUEventListenerBlock inBlock);
#endif

/// Adds events of one kind to a listener, on behalf of an object. [control thread]
OSStatus AUEventListenerAddEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                     const AudioUnitEvent *inEvent);

/// Removes events that `AUEventListenerAddEventType` added. [control thread]
OSStatus AUEventListenerRemoveEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                        const AudioUnitEvent *inEvent);

/// Notifies all listeners except the sender of an event. [any thread]
OSStatus AUEventListenerNotify(AUEventListenerRef _Nullable inSendingListener,
                               void *_Nullable inSendingObject, const AudioUnitEvent *inEvent);

// MARK: Values and controls

/// The value of a parameter for a position of a control, 0 to 1. [control thread]
///
/// The parameter's flags define the scale: on a scale of the logarithm, root or power of a value,
/// equal steps of the control are equal steps of that quantity. 0 when there is no such parameter.
AudioUnitParameterValue AUParameterValueFromLinear(Float32 inLinearValue,
                                                   const AudioUnitParameter *inParameter);

/// The position of a control, 0 to 1, for a value of a parameter. [control thread]
Float32 AUParameterValueToLinear(AudioUnitParameterValue inParameterValue,
                                 const AudioUnitParameter *inParameter);

/// Writes a value as text with a useful number of digits. [control thread]
///
/// A frequency has `inDigits` significant digits. Other values have the number of decimals that
/// gives `inDigits` digits to the parameter's largest value. The text has at most 32 bytes.
/// - Returns: `inTextBuffer`.
char *AUParameterFormatValue(Float64 inParameterValue, const AudioUnitParameter *inParameter,
                             char *inTextBuffer, UInt32 inDigits);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
