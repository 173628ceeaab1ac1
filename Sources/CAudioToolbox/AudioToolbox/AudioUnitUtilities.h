// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_UTILITIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_UTILITIES_H

#include "AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// As the identifier of a parameter: any parameter.
CF_ENUM(AudioUnitParameterID) {
  kAUParameterListener_AnyParameter = 0xffffffff
};

/// Kinds of events.
typedef CF_ENUM(UInt32, AudioUnitEventType) {
  kAudioUnitEvent_ParameterValueChange = 0,
  /// A hand took hold of a control.
  kAudioUnitEvent_BeginParameterChangeGesture = 1,
  /// The hand let go.
  kAudioUnitEvent_EndParameterChangeGesture = 2,
  kAudioUnitEvent_PropertyChange = 3
};

/// Something that happened to a parameter or a property.
typedef struct AudioUnitEvent {
  AudioUnitEventType mEventType;
  union {
    AudioUnitParameter mParameter;
    /// Used by `kAudioUnitEvent_PropertyChange`.
    AudioUnitProperty mProperty;
  } mArgument;
} AudioUnitEvent;

/// Hears of changes of parameters, on a run loop or a queue of its own.
typedef struct OpaqueAUListener *AUParameterListenerRef;
/// A parameter listener that is also notified of events.
typedef AUParameterListenerRef AUEventListenerRef;

/// Hears that a parameter changed. [control thread]
typedef void (*AUParameterListenerProc)(void *_Nullable inUserData, void *_Nullable inObject,
                                        const AudioUnitParameter *inParameter,
                                        AudioUnitParameterValue inValue);

/// Hears of an event, with the host time at which it happened. [control thread]
typedef void (*AUEventListenerProc)(void *_Nullable inUserData, void *_Nullable inObject,
                                    const AudioUnitEvent *inEvent, UInt64 inEventHostTime,
                                    AudioUnitParameterValue inParameterValue);

// MARK: Parameter listeners

#ifndef __swift__
/// Makes a listener that is called on a run loop. [control thread]
///
/// A null run loop is that of the current thread, and a null mode the default one. Changes are
/// collected for the interval, in seconds, and the last value of each parameter is reported. With 0
/// each change is reported immediately, on the thread that made it; one made on a render thread is
/// reported on the run loop.
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

/// Makes a listener that is called on a dispatch queue. [control thread]
///
/// Changes are gathered for the interval, in seconds; 0 reports them as soon as the queue can. The
/// queue lives as long as the listener.
OSStatus AUListenerCreateWithDispatchQueue(
    AUParameterListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    dispatch_queue_t inDispatchQueue, AUParameterListenerBlock inBlock);
#endif

/// Ends a listener of either kind. [any thread]
///
/// When it returns, no call of the listener is under way, unless this is called from within one.
OSStatus AUListenerDispose(AUParameterListenerRef inListener);

/// Adds a parameter to a listener, on behalf of an object. [control thread]
///
/// `kAUParameterListener_AnyParameter` listens to every parameter of the unit.
OSStatus AUListenerAddParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                const AudioUnitParameter *inParameter);

/// Takes back `AUListenerAddParameter`. [control thread]
OSStatus AUListenerRemoveParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                   const AudioUnitParameter *inParameter);

/// Sets a parameter and notifies all listeners except the sender. [any thread]
OSStatus AUParameterSet(AUParameterListenerRef _Nullable inSendingListener,
                        void *_Nullable inSendingObject, const AudioUnitParameter *inParameter,
                        AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/// Tells all listeners but the one that sends that a parameter changed. [any thread]
///
/// A sending listener without an object is spared with all its objects.
/// `kAUParameterListener_AnyParameter` notifies listeners of every parameter of the unit.
OSStatus AUParameterListenerNotify(AUParameterListenerRef _Nullable inSendingListener,
                                   void *_Nullable inSendingObject,
                                   const AudioUnitParameter *inParameter);

// MARK: Event listeners

#ifndef __swift__
/// Makes an event listener that is called on a run loop. [control thread]
///
/// As `AUListenerCreate`; pending changes of a parameter that are less than the granularity apart,
/// in seconds, are reported as one.
OSStatus AUEventListenerCreate(AUEventListenerProc inProc, void *_Nullable inUserData,
                               CFRunLoopRef _Nullable inRunLoop,
                               CFStringRef _Nullable inRunLoopMode, Float32 inNotificationInterval,
                               Float32 inValueChangeGranularity,
                               AUEventListenerRef _Nullable *_Nonnull outListener);
#endif

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// Makes an event listener that is called on a dispatch queue, as AUListenerCreateWithDispatchQueue does; the
/// granularity is that of AUEventListenerCreate. [control thread]
OSStatus AUEventListenerCreateWithDispatchQueue(
    AUEventListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, dispatch_queue_t inDispatchQueue,
    AUEventListenerBlock inBlock);
#endif

/// Adds events of one kind to a listener, on behalf of an object. [control thread]
OSStatus AUEventListenerAddEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                     const AudioUnitEvent *inEvent);

/// Takes back `AUEventListenerAddEventType`. [control thread]
OSStatus AUEventListenerRemoveEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                        const AudioUnitEvent *inEvent);

/// Tells all listeners but the one that sends of an event. [any thread]
OSStatus AUEventListenerNotify(AUEventListenerRef _Nullable inSendingListener,
                               void *_Nullable inSendingObject, const AudioUnitEvent *inEvent);

// MARK: Values and controls

/// The value of a parameter for the place of a control, 0 to 1. [control thread]
///
/// The flags of the parameter say on which scale: a control that shows the logarithm, root or power
/// of a value has equal steps of that. 0 when there is no such parameter.
AudioUnitParameterValue AUParameterValueFromLinear(Float32 inLinearValue,
                                                   const AudioUnitParameter *inParameter);

/// The place of a control, 0 to 1, for a value of a parameter. [control thread]
Float32 AUParameterValueToLinear(AudioUnitParameterValue inParameterValue,
                                 const AudioUnitParameter *inParameter);

/// Writes a value with as many digits as are useful. [control thread]
///
/// Of a frequency these are the first `inDigits`; other values have as many decimals as leave that
/// many digits to the largest of the parameter. The text takes at most 32 bytes.
/// - Returns: `inTextBuffer`.
char *AUParameterFormatValue(Float64 inParameterValue, const AudioUnitParameter *inParameter,
                             char *inTextBuffer, UInt32 inDigits);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
