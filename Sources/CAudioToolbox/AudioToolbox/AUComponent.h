// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_COMPONENT_H
#define CAUDIOTOOLBOX_AU_COMPONENT_H

// Types, subtypes and identifiers are in UnitCodes.h, what a plug-in implements in UnitMethods.h.
#include "Units/UnitCodes.h"
#include "Units/UnitErrors.h"
#include "Units/UnitMethods.h"
#include "Units/UnitTypes.h"

// Units: their life, properties, parameters and renders.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Life

/// Prepares a unit for rendering; formats are fixed until it is uninitialized. [control thread]
///
/// - Parameter inUnit: the unit; one that is initialized already stays as it is.
/// - Returns: noErr; `kAudioUnitErr_FormatNotSupported` if its formats or numbers of channels do
///   not fit together; `kAudioUnitErr_FailedInitialization` if its device cannot be opened or a
///   plug-in refuses; `kAudio_MemFullError` if rendering would need more memory than there is;
///   `kAudioUnitErr_CannotDoInCurrentContext` on a render thread while another thread uses the
///   unit; `kAudio_ParamError` if there is no such unit.
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/// Frees the resources for rendering. [control thread]
///
/// - Parameter inUnit: the unit. Called from one of its callbacks, another thread frees the
///   resources afterwards.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such unit.
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

// MARK: Properties

/// The size of a property in bytes, and whether it can be set now. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope, such as `kAudioUnitScope_Input`.
///   - inElement: the element of the scope, counted from 0. Properties of a single parameter expect
///     its identifier here.
///   - outDataSize: the size in bytes; 0 after an error. May be null.
///   - outWritable: whether it can be set now; false after an error. May be null.
/// - Returns: noErr; `kAudioUnitErr_InvalidProperty` if the unit has no such property;
///   `kAudioUnitErr_InvalidScope` or `kAudioUnitErr_InvalidElement` if it is not there;
///   `kAudioUnitErr_CannotDoInCurrentContext` on a render thread while another thread uses the
///   unit; `kAudio_ParamError` if there is no such unit.
OSStatus AudioUnitGetPropertyInfo(AudioUnit inUnit, AudioUnitPropertyID inID,
                                  AudioUnitScope inScope, AudioUnitElement inElement,
                                  UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);

/// Copies the value of a property. [control thread]
///
/// `ioDataSize` is the size of the memory at `outData`, and on return the size of the value. A
/// larger value is truncated. The caller releases Core Foundation objects.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope, such as `kAudioUnitScope_Input`.
///   - inElement: the element of the scope, counted from 0. Properties of a single parameter expect
///     its identifier here.
///   - outData: memory for the value; null asks for the size alone.
///   - ioDataSize: the size of that memory in bytes, at least 1; on return that of the value.
///     Unchanged after an error.
/// - Returns: noErr; `kAudioUnitErr_InvalidProperty` if the unit has no such property;
///   `kAudioUnitErr_InvalidScope` or `kAudioUnitErr_InvalidElement` if it is not there;
///   `kAudioUnitErr_PropertyNotInUse` if it has no value; `kAudioUnitErr_CannotDoInCurrentContext`
///   on a render thread while another thread uses the unit; `kAudio_ParamError` if there is no such
///   unit, `ioDataSize` is null, or there is no room.
OSStatus AudioUnitGetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, void *outData, UInt32 *ioDataSize);

/// Sets the value of a property; no data and size 0 remove it. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope, such as `kAudioUnitScope_Input`.
///   - inElement: the element of the scope, counted from 0. Properties of a single parameter expect
///     its identifier here.
///   - inData: the new value; null, with size 0, removes it.
///   - inDataSize: its size in bytes. A structure may be longer than the library knows it.
/// - Returns: noErr; `kAudioUnitErr_InvalidProperty` if the unit has no such property;
///   `kAudioUnitErr_InvalidScope` or `kAudioUnitErr_InvalidElement` if it is not there;
///   `kAudioUnitErr_PropertyNotWritable` if it can only be read, or not be set now;
///   `kAudioUnitErr_Initialized` if only an uninitialized unit can change it;
///   `kAudioUnitErr_InvalidPropertyValue` for a wrong size or value;
///   `kAudioUnitErr_FormatNotSupported` for a format that the unit does not support;
///   `kAudioUnitErr_CannotDoInCurrentContext` on a render thread while another thread uses the
///   unit; `kAudio_ParamError` if there is no such unit, or only one of data and size is given.
OSStatus AudioUnitSetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, const void *_Nullable inData,
                              UInt32 inDataSize);

/// Adds a function that is called when a property changes, in any scope and element. [control
/// thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property; any number, even of a property that the unit does not have.
///   - inProc: the function, called on the thread that changes the property or, for changes made by
///     the device or a render, on a thread of the library.
///   - inProcUserData: passed to the function.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such unit or a pointer is null.
OSStatus AudioUnitAddPropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                      AudioUnitPropertyListenerProc inProc,
                                      void *_Nullable inProcUserData);

/// Removes the listeners with this function and user data. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inProc: the function.
///   - inProcUserData: the pointer with which it was added.
/// - Returns: noErr, also if nothing was removed; `kAudio_ParamError` if there is no such unit or a
///   pointer is null.
OSStatus AudioUnitRemovePropertyListenerWithUserData(AudioUnit inUnit, AudioUnitPropertyID inID,
                                                     AudioUnitPropertyListenerProc inProc,
                                                     void *_Nullable inProcUserData);

/// Removes the listeners with this function and any user data. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inProc: the function.
/// - Returns: noErr, also if nothing was removed; `kAudio_ParamError` if there is no such unit or a
///   pointer is null.
OSStatus AudioUnitRemovePropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                         AudioUnitPropertyListenerProc inProc);

// MARK: Rendering

/// Adds a function that is called before and after each render of a unit. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function, called on the thread that renders.
///   - inProcUserData: passed to the function.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such unit or a pointer is null.
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                  void *_Nullable inProcUserData);

/// Removes a render notify. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function.
///   - inProcUserData: the pointer with which it was added.
/// - Returns: noErr, also if nothing was removed; `kAudio_ParamError` if there is no such unit.
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                     void *_Nullable inProcUserData);

/// The value of a parameter. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope, such as `kAudioUnitScope_Input`.
///   - inElement: the element of the scope, counted from 0: a bus of the input and output scopes; 0
///     for others.
///   - outValue: the value that was set last, in the unit of measure of
///     `kAudioUnitProperty_ParameterInfo`.
/// - Returns: noErr; `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement` or
///   `kAudioUnitErr_InvalidParameter` if there is no such parameter; `kAudio_ParamError` if there
///   is no such unit or a pointer is null.
OSStatus AudioUnitGetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue *outValue);

/// Sets a parameter at a frame of the next slice; immediately while uninitialized. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope, such as `kAudioUnitScope_Input`.
///   - inElement: the element of the scope, counted from 0: a bus of the input and output scopes; 0
///     for others.
///   - inValue: any finite number; a value out of the parameter's range has the effect of the
///     nearest one in it.
///   - inBufferOffsetInFrames: the frame of the next slice at which it takes effect, below 2^30; 0
///     is the beginning.
/// - Returns: noErr; `kAudioUnitErr_InvalidScope`, `kAudioUnitErr_InvalidElement` or
///   `kAudioUnitErr_InvalidParameter` if there is no such parameter,
///   `kAudioUnitErr_InvalidParameter` also if it can only be read;
///   `kAudioUnitErr_InvalidParameterValue` if the value is not finite; `kAudio_ParamError` if there
///   is no such unit or the offset is out of range.
OSStatus AudioUnitSetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue inValue,
                               UInt32 inBufferOffsetInFrames);

/// Schedules changes of parameters within the next render call. [any thread]
///
/// In a render notify before rendering, they apply to the same render call.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inParameterEvent: the changes: immediate ones and ramps, in any order.
///   - inNumParamEvents: their number; 0 does nothing.
/// - Returns: 0. If one change is invalid, none is made: `kAudioUnitErr_InvalidScope`,
///   `kAudioUnitErr_InvalidElement` or `kAudioUnitErr_InvalidParameter` if there is no such
///   parameter, `kAudioUnitErr_InvalidParameter` also if it can only be read;
///   `kAudioUnitErr_InvalidParameterValue` if a value is not finite; `kAudio_ParamError` for
///   another type of event, or an offset of 2^30 frames or more.
///   `kAudioUnitErr_CannotDoInCurrentContext` if too many changes wait for the next render.
OSStatus AudioUnitScheduleParameters(AudioUnit inUnit,
                                     const AudioUnitParameterEvent *inParameterEvent,
                                     UInt32 inNumParamEvents);

/// Pulls frames from one output bus of a unit. [render thread]
///
/// The list has one buffer per channel, or one for all channels of an interleaved format. Buffers
/// without memory receive the unit's memory, which is valid until the next render.
///
/// - Parameters:
///   - inUnit: the unit, which must be initialized.
///   - ioActionFlags: flags for the call; on return it has kAudioUnitRenderAction_OutputIsSilence
///     if all frames are zero. May be null.
///   - inTimeStamp: the time of the first frame. A repeated sample time returns the same frames to
///     another output bus.
///   - inOutputBusNumber: the output bus.
///   - inNumberFrames: how many frames, from 1 to kAudioUnitProperty_MaximumFramesPerSlice.
///   - ioData: where the frames go, in the format of the bus.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_TooManyFramesToProcess`;
///   `kAudioUnitErr_InvalidElement` if there is no such bus; `kAudioUnitErr_NoConnection` if a
///   needed input has no source; `kAudioUnitErr_CannotDoInCurrentContext` if another thread renders
///   the unit, or an output unit is asked for what it plays; `kAudio_ParamError` if there is no
///   such unit, a pointer is null, or the number or the sizes of the buffers do not fit; or what
///   the source returned.
OSStatus AudioUnitRender(AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                         const AudioTimeStamp *inTimeStamp, UInt32 inOutputBusNumber,
                         UInt32 inNumberFrames, AudioBufferList *ioData);

/// Processes frames in place without pulling; effects only. [render thread]
///
/// - Parameters:
///   - inUnit: an initialized effect.
///   - ioActionFlags: flags for the call. May be null.
///   - inTimeStamp: the time of the first frame.
///   - inNumberFrames: how many frames, from 1 to kAudioUnitProperty_MaximumFramesPerSlice.
///   - ioData: the frames before, and on return after the effect.
/// - Returns: noErr; `kAudio_UnimplementedError` if the unit is not an effect;
///   `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_TooManyFramesToProcess`;
///   `kAudioUnitErr_CannotDoInCurrentContext` if another thread renders the unit;
///   `kAudio_ParamError` if there is no such unit, a pointer is null, or the number or the sizes of
///   the buffers do not fit.
OSStatus AudioUnitProcess(AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                          const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                          AudioBufferList *ioData);

/// Processes frames of several buses without pulling. [render thread]
///
/// - Parameters:
///   - inUnit: an initialized effect or mixer.
///   - ioActionFlags: flags for the call. May be null.
///   - inTimeStamp: the time of the first frame.
///   - inNumberFrames: how many frames, from 1 to kAudioUnitProperty_MaximumFramesPerSlice.
///   - inNumberInputBufferLists: the number of input lists, one for each bus from 0 on.
///   - inInputBufferLists: the input lists; a bus whose list is null gets nothing.
///   - inNumberOutputBufferLists: the number of output lists, one for each bus from 0 on.
///   - ioOutputBufferLists: the output lists; a bus whose list is null is left out.
/// - Returns: noErr; `kAudio_UnimplementedError` if the unit is neither an effect nor a mixer;
///   `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_InvalidElement` if there are more lists than
///   buses; `kAudioUnitErr_TooManyFramesToProcess`; `kAudioUnitErr_CannotDoInCurrentContext` if
///   another thread renders the unit; `kAudio_ParamError` if there is no such unit, a pointer is
///   null, or the number or the sizes of the buffers do not fit.
OSStatus AudioUnitProcessMultiple(AudioUnit inUnit,
                                  AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                  const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                                  UInt32 inNumberInputBufferLists,
                                  const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists,
                                  UInt32 inNumberOutputBufferLists,
                                  AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);

/// Clears the signal history of a unit; keeps its parameters and formats. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inScope: a scope of the unit; in any case the whole unit is reset, when its next render
///     begins.
///   - inElement: an element of the scope.
/// - Returns: noErr; `kAudioUnitErr_InvalidScope` or `kAudioUnitErr_InvalidElement` if it is not
///   there; `kAudio_ParamError` if there is no such unit.
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
