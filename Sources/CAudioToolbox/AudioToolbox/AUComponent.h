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
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/// Frees the resources for rendering. [control thread]
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

// MARK: Properties

/// The size of a property in bytes, and whether it can be set now. [control thread]
OSStatus AudioUnitGetPropertyInfo(AudioUnit inUnit, AudioUnitPropertyID inID,
                                  AudioUnitScope inScope, AudioUnitElement inElement,
                                  UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable);

/// Copies the value of a property. [control thread]
///
/// `ioDataSize` is the size of the memory at `outData`, and on return the size of the value. A
/// larger value is truncated. The caller releases Core Foundation objects.
OSStatus AudioUnitGetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, void *outData, UInt32 *ioDataSize);

/// Sets the value of a property; no data and size 0 remove it. [control thread]
OSStatus AudioUnitSetProperty(AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
                              AudioUnitElement inElement, const void *_Nullable inData,
                              UInt32 inDataSize);

/// Adds a function that is called when a property changes, in any scope and element. [control
/// thread]
OSStatus AudioUnitAddPropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                      AudioUnitPropertyListenerProc inProc,
                                      void *_Nullable inProcUserData);

/// Removes the listeners with this function and user data. [control thread]
OSStatus AudioUnitRemovePropertyListenerWithUserData(AudioUnit inUnit, AudioUnitPropertyID inID,
                                                     AudioUnitPropertyListenerProc inProc,
                                                     void *_Nullable inProcUserData);

/// Removes the listeners with this function and any user data. [control thread]
OSStatus AudioUnitRemovePropertyListener(AudioUnit inUnit, AudioUnitPropertyID inID,
                                         AudioUnitPropertyListenerProc inProc);

// MARK: Rendering

/// Adds a function that is called before and after each render of a unit. [control thread]
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                  void *_Nullable inProcUserData);

/// Removes a render notify. [control thread]
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc,
                                     void *_Nullable inProcUserData);

/// The value of a parameter. [any thread]
OSStatus AudioUnitGetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue *outValue);

/// Sets a parameter at a frame of the next slice; immediately while uninitialized. [any thread]
OSStatus AudioUnitSetParameter(AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope,
                               AudioUnitElement inElement, AudioUnitParameterValue inValue,
                               UInt32 inBufferOffsetInFrames);

/// Schedules changes of parameters within the next render call. [any thread]
///
/// In a render notify before rendering, they apply to the same render call.
OSStatus AudioUnitScheduleParameters(AudioUnit inUnit,
                                     const AudioUnitParameterEvent *inParameterEvent,
                                     UInt32 inNumParamEvents);

/// Pulls frames from one output bus of a unit. [render thread]
///
/// The list has one buffer per channel, or one for all channels of an interleaved format. Buffers
/// without memory receive the unit's memory, which is valid until the next render.
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

/// Clears the signal history of a unit; keeps its parameters and formats. [any thread]
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
