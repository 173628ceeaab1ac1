// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_METHODS_H
#define CAUDIOTOOLBOX_UNIT_METHODS_H

#include "UnitTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

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

/// Types of the methods of a plug-in; `self` is the memory that its factory created.
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
