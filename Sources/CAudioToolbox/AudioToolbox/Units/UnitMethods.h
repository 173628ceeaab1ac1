// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_METHODS_H
#define CAUDIOTOOLBOX_UNIT_METHODS_H

#include "UnitTypes.h"

// The methods of a plug-in, which a program or a file registers as a component.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Selectors of the methods of a plug-in.
enum {
  /// The first number of the methods of all units.
  kAudioUnitRange = 0x0000,
  /// An AudioUnitInitializeProc.
  kAudioUnitInitializeSelect = 0x0001,
  /// An AudioUnitUninitializeProc.
  kAudioUnitUninitializeSelect = 0x0002,
  /// An AudioUnitGetPropertyInfoProc.
  kAudioUnitGetPropertyInfoSelect = 0x0003,
  /// An AudioUnitGetPropertyProc.
  kAudioUnitGetPropertySelect = 0x0004,
  /// An AudioUnitSetPropertyProc.
  kAudioUnitSetPropertySelect = 0x0005,
  /// An AudioUnitGetParameterProc.
  kAudioUnitGetParameterSelect = 0x0006,
  /// An AudioUnitSetParameterProc.
  kAudioUnitSetParameterSelect = 0x0007,
  /// An AudioUnitResetProc.
  kAudioUnitResetSelect = 0x0009,
  /// An AudioUnitAddPropertyListenerProc.
  kAudioUnitAddPropertyListenerSelect = 0x000a,
  /// An AudioUnitRemovePropertyListenerProc.
  kAudioUnitRemovePropertyListenerSelect = 0x000b,
  /// An AudioUnitRenderProc.
  kAudioUnitRenderSelect = 0x000e,
  /// An AudioUnitAddRenderNotifyProc.
  kAudioUnitAddRenderNotifySelect = 0x000f,
  /// An AudioUnitRemoveRenderNotifyProc.
  kAudioUnitRemoveRenderNotifySelect = 0x0010,
  /// An AudioUnitScheduleParametersProc.
  kAudioUnitScheduleParametersSelect = 0x0011,
  /// An AudioUnitRemovePropertyListenerWithUserDataProc.
  kAudioUnitRemovePropertyListenerWithUserDataSelect = 0x0012,
  /// Renders packets of a compressed format; this library never calls it.
  kAudioUnitComplexRenderSelect = 0x0013,
  /// An AudioUnitProcessProc.
  kAudioUnitProcessSelect = 0x0014,
  /// An AudioUnitProcessMultipleProc.
  kAudioUnitProcessMultipleSelect = 0x0015
};

/// Types of the methods of a plug-in; `self` is the memory that its factory created.
typedef OSStatus (*AudioUnitInitializeProc)(void *self);
/// Carries out AudioUnitUninitialize.
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
/// Carries out AudioUnitGetPropertyInfo.
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(void *self, AudioUnitPropertyID inID,
                                                 AudioUnitScope inScope,
                                                 AudioUnitElement inElement,
                                                 UInt32 *_Nullable outDataSize,
                                                 Boolean *_Nullable outWritable);
/// Carries out AudioUnitGetProperty; `outData` has room for the size that GetPropertyInfo returned.
typedef OSStatus (*AudioUnitGetPropertyProc)(void *self, AudioUnitPropertyID inID,
                                             AudioUnitScope inScope, AudioUnitElement inElement,
                                             void *outData, UInt32 *ioDataSize);
/// Carries out AudioUnitSetProperty.
typedef OSStatus (*AudioUnitSetPropertyProc)(void *self, AudioUnitPropertyID inID,
                                             AudioUnitScope inScope, AudioUnitElement inElement,
                                             const void *inData, UInt32 inDataSize);
/// Carries out AudioUnitAddPropertyListener; the plug-in calls the listener itself.
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(void *self, AudioUnitPropertyID inID,
                                                     AudioUnitPropertyListenerProc inProc,
                                                     void *inProcUserData);
/// Carries out AudioUnitRemovePropertyListener, whatever the user data.
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(void *self, AudioUnitPropertyID inID,
                                                        AudioUnitPropertyListenerProc inProc);
/// Carries out AudioUnitRemovePropertyListenerWithUserData.
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *inProcUserData);
/// Carries out AudioUnitAddRenderNotify; the plug-in calls the function itself.
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(void *self, AURenderCallback inProc,
                                                 void *inProcUserData);
/// Carries out AudioUnitRemoveRenderNotify.
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(void *self, AURenderCallback inProc,
                                                    void *inProcUserData);
/// Carries out AudioUnitGetParameter.
typedef OSStatus (*AudioUnitGetParameterProc)(void *self, AudioUnitParameterID inID,
                                              AudioUnitScope inScope, AudioUnitElement inElement,
                                              AudioUnitParameterValue *outValue);
/// Carries out AudioUnitSetParameter; the offset counts frames of the next slice.
typedef OSStatus (*AudioUnitSetParameterProc)(void *self, AudioUnitParameterID inID,
                                              AudioUnitScope inScope, AudioUnitElement inElement,
                                              AudioUnitParameterValue inValue,
                                              UInt32 inBufferOffsetInFrames);
/// Carries out AudioUnitScheduleParameters.
typedef OSStatus (*AudioUnitScheduleParametersProc)(void *self,
                                                    const AudioUnitParameterEvent *inEvents,
                                                    UInt32 inNumParamEvents);
/// Carries out AudioUnitRender. [render thread]
typedef OSStatus (*AudioUnitRenderProc)(void *self,
                                        AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                        const AudioTimeStamp *inTimeStamp,
                                        UInt32 inOutputBusNumber, UInt32 inNumberFrames,
                                        AudioBufferList *ioData);
/// Carries out AudioUnitProcess, in place. [render thread]
typedef OSStatus (*AudioUnitProcessProc)(void *self,
                                         AudioUnitRenderActionFlags *_Nullable ioActionFlags,
                                         const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames,
                                         AudioBufferList *ioData);
/// Carries out AudioUnitProcessMultiple. [render thread]
typedef OSStatus (*AudioUnitProcessMultipleProc)(
    void *self, AudioUnitRenderActionFlags *_Nullable ioActionFlags,
    const AudioTimeStamp *inTimeStamp, UInt32 inNumberFrames, UInt32 inNumberInputBufferLists,
    const AudioBufferList *_Nonnull *_Nonnull inInputBufferLists, UInt32 inNumberOutputBufferLists,
    AudioBufferList *_Nonnull *_Nonnull ioOutputBufferLists);
/// Carries out AudioUnitReset.
typedef OSStatus (*AudioUnitResetProc)(void *self, AudioUnitScope inScope,
                                       AudioUnitElement inElement);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
