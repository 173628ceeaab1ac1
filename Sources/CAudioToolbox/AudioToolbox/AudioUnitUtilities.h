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
///
/// - Parameters:
///   - inProc: called for each changed parameter.
///   - inUserData: passed to the function.
///   - inRunLoop: the run loop on which it is called; null for the current thread's.
///   - inRunLoopMode: its mode; null for the default one.
///   - inNotificationInterval: in seconds, 0 or more.
///   - outListener: the listener, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if the function or `outListener` is null, or the run
///   loop or its mode is an object of another type.
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
///
/// - Parameters:
///   - outListener: the listener, which the caller disposes of.
///   - inNotificationInterval: in seconds, 0 or more.
///   - inDispatchQueue: the queue on which it is called.
///   - inBlock: called for each changed parameter.
/// - Returns: noErr, or `kAudio_ParamError` if `outListener`, the queue or the block is null, or
///   the program is not linked with libdispatch.
OSStatus AUListenerCreateWithDispatchQueue(
    AUParameterListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    dispatch_queue_t inDispatchQueue, AUParameterListenerBlock inBlock);
#endif

/// Disposes of a parameter or event listener. [any thread]
///
/// On return, no call of the listener is in progress, except one that has called this function.
///
/// - Parameter inListener: the listener; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such listener.
OSStatus AUListenerDispose(AUParameterListenerRef inListener);

/// Adds a parameter to a listener, on behalf of an object. [control thread]
///
/// `kAUParameterListener_AnyParameter` listens to every parameter of the unit.
///
/// - Parameters:
///   - inListener: the listener.
///   - inObject: passed to the listener with changes of this parameter.
///   - inParameter: the unit, scope, element and identifier.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such listener or unit, or the parameter
///   is null.
OSStatus AUListenerAddParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                const AudioUnitParameter *inParameter);

/// Removes a parameter that `AUListenerAddParameter` added. [control thread]
///
/// - Parameters:
///   - inListener: the listener.
///   - inObject: the object with which it was added.
///   - inParameter: the parameter.
/// - Returns: noErr, also if it was not added; `kAudio_ParamError` if there is no such listener, or
///   the parameter is null.
OSStatus AUListenerRemoveParameter(AUParameterListenerRef inListener, void *_Nullable inObject,
                                   const AudioUnitParameter *inParameter);

/// Sets a parameter and notifies all listeners except the sender. [any thread]
///
/// - Parameters:
///   - inSendingListener: a listener that is not notified, or null.
///   - inSendingObject: of that listener, only this object is not notified; null: none.
///   - inParameter: the unit, scope, element and identifier.
///   - inValue: any finite number.
///   - inBufferOffsetInFrames: the frame of the next slice at which it takes effect; 0 is the
///     beginning.
/// - Returns: what AudioUnitSetParameter returns; `kAudio_ParamError` if there is no such listener,
///   or the parameter is null.
OSStatus AUParameterSet(AUParameterListenerRef _Nullable inSendingListener,
                        void *_Nullable inSendingObject, const AudioUnitParameter *inParameter,
                        AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/// Notifies all listeners except the sender that a parameter has changed. [any thread]
///
/// Without a sending object, none of the sending listener's objects is notified.
/// `kAUParameterListener_AnyParameter` notifies the listeners of every parameter of the unit.
///
/// - Parameters:
///   - inSendingListener: a listener that is not notified, or null.
///   - inSendingObject: of that listener, only this object is not notified.
///   - inParameter: the unit, scope, element and identifier.
/// - Returns: noErr; what AudioUnitGetParameter returns if the unit does not have the parameter;
///   `kAudio_ParamError` if there is no such listener or unit, or the parameter is null.
OSStatus AUParameterListenerNotify(AUParameterListenerRef _Nullable inSendingListener,
                                   void *_Nullable inSendingObject,
                                   const AudioUnitParameter *inParameter);

// MARK: Event listeners

#ifndef __swift__
/// Creates an event listener that is called on a run loop. [control thread]
///
/// Like `AUListenerCreate`; pending changes of a parameter less than the granularity apart, in
/// seconds, are reported as one.
///
/// - Parameters:
///   - inProc: called for each event.
///   - inUserData: passed to the function.
///   - inRunLoop: the run loop on which it is called; null for the current thread's.
///   - inRunLoopMode: its mode; null for the default one.
///   - inNotificationInterval: in seconds, 0 or more.
///   - inValueChangeGranularity: in seconds, 0 or more.
///   - outListener: the listener, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if the function or `outListener` is null, or the run
///   loop or its mode is an object of another type.
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
///
/// - Parameters:
///   - outListener: the listener, which the caller disposes of.
///   - inNotificationInterval: in seconds, 0 or more.
///   - inValueChangeGranularity: in seconds, 0 or more.
///   - inDispatchQueue: the queue on which it is called.
///   - inBlock: called for each event.
/// - Returns: noErr, or `kAudio_ParamError` if `outListener`, the queue or the block is null, or
///   the program is not linked with libdispatch.
OSStatus AUEventListenerCreateWithDispatchQueue(
    AUEventListenerRef _Nullable *_Nonnull outListener, Float32 inNotificationInterval,
    Float32 inValueChangeGranularity, dispatch_queue_t inDispatchQueue,
    AUEventListenerBlock inBlock);
#endif

/// Adds events of one kind to a listener, on behalf of an object. [control thread]
///
/// - Parameters:
///   - inListener: the listener.
///   - inObject: passed to the listener with these events.
///   - inEvent: the kind of event, and the parameter or property.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such listener or unit, the event is
///   null, or its kind unknown.
OSStatus AUEventListenerAddEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                     const AudioUnitEvent *inEvent);

/// Removes events that `AUEventListenerAddEventType` added. [control thread]
///
/// - Parameters:
///   - inListener: the listener.
///   - inObject: the object with which it was added.
///   - inEvent: the event.
/// - Returns: noErr, also if it was not added; `kAudio_ParamError` if there is no such listener,
///   the event is null, or its kind unknown.
OSStatus AUEventListenerRemoveEventType(AUEventListenerRef inListener, void *_Nullable inObject,
                                        const AudioUnitEvent *inEvent);

/// Notifies all listeners except the sender of an event. [any thread]
///
/// - Parameters:
///   - inSendingListener: a listener that is not notified, or null.
///   - inSendingObject: of that listener, only this object is not notified.
///   - inEvent: the event.
/// - Returns: noErr; what AudioUnitGetParameter returns if the unit does not have the parameter;
///   `kAudio_ParamError` if there is no such listener or unit, the event is null, or its kind
///   unknown.
OSStatus AUEventListenerNotify(AUEventListenerRef _Nullable inSendingListener,
                               void *_Nullable inSendingObject, const AudioUnitEvent *inEvent);

// MARK: Values and controls

/// The value of a parameter for a position of a control, 0 to 1. [control thread]
///
/// The parameter's flags define the scale: on a scale of the logarithm, root or power of a value,
/// equal steps of the control are equal steps of that quantity. 0 when there is no such parameter.
///
/// - Parameters:
///   - inLinearValue: the position, 0 to 1.
///   - inParameter: the unit, scope, element and identifier.
/// - Returns: the value, in the unit of measure of the parameter; 0 if there is no such parameter.
AudioUnitParameterValue AUParameterValueFromLinear(Float32 inLinearValue,
                                                   const AudioUnitParameter *inParameter);

/// The position of a control, 0 to 1, for a value of a parameter. [control thread]
///
/// - Parameters:
///   - inParameterValue: the value, in the unit of measure of the parameter.
///   - inParameter: the unit, scope, element and identifier.
/// - Returns: the position; 0 if there is no such parameter.
Float32 AUParameterValueToLinear(AudioUnitParameterValue inParameterValue,
                                 const AudioUnitParameter *inParameter);

/// Writes a value as text with a useful number of digits. [control thread]
///
/// A frequency has `inDigits` significant digits. Other values have the number of decimals that
/// gives `inDigits` digits to the parameter's largest value, 0 if that has as many before the point; a
/// value with more than `inDigits` digits before the point is rounded. The text has at most 32 bytes.
///
/// - Parameters:
///   - inParameterValue: the value, in the unit of measure of the parameter.
///   - inParameter: the unit, scope, element and identifier.
///   - inTextBuffer: memory for 32 bytes.
///   - inDigits: the number of significant digits.
/// - Returns: `inTextBuffer`.
char *AUParameterFormatValue(Float64 inParameterValue, const AudioUnitParameter *inParameter,
                             char *inTextBuffer, UInt32 inDigits);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
