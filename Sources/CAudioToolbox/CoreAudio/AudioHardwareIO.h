// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_IO_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_IO_H

#include "AudioHardwareBase.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Playing to devices and capturing from them by functions of the program. A device calls all of its functions
// in each cycle: each gets the captured sound, and their outputs are mixed. Samples are Float32,
// interleaved, in a buffer for each stream of the device.

/// Called for each cycle of a device. [render thread]
///
/// `inNow` has the time of the call, `inInputTime` that of the first frame captured, `inOutputTime` that of
/// the first frame to play. Output that is left alone is silent. A stream that is not wanted
/// (kAudioDevicePropertyIOProcStreamUsage) has no memory. The result is not looked at.
typedef OSStatus (*AudioDeviceIOProc)(
    AudioObjectID inDevice, const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
    const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData,
    const AudioTimeStamp *inOutputTime, void *_Nullable inClientData);

/// Names a function on a device. It is no address of code.
typedef AudioDeviceIOProc AudioDeviceIOProcID;

/// Which streams of a side a function wants: the value of kAudioDevicePropertyIOProcStreamUsage.
struct AudioHardwareIOProcStreamUsage {
  /// The AudioDeviceIOProcID, also when the property is read.
  void *mIOProc;
  UInt32 mNumberStreams;
  /// 1 for each stream that is wanted; there are mNumberStreams of them.
  UInt32 mStreamIsOn[1];
};
typedef struct AudioHardwareIOProcStreamUsage AudioHardwareIOProcStreamUsage;

/// How a time to start at is meant. Each time is that of a device here, so that none changes the answer.
CF_ENUM(UInt32) {
  kAudioDeviceStartTimeIsInputFlag = 1,
  kAudioDeviceStartTimeDontConsultDeviceFlag = 2,
  kAudioDeviceStartTimeDontConsultHALFlag = 4
};

/// Properties of devices that are about cycles.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioHardwareIOProcStreamUsage, RW, of a side: which of its streams a function wants, all at
  /// first. A side that no function wants is not opened.
  kAudioDevicePropertyIOProcStreamUsage = 0x73757365,  // 'suse'
  /// Float32, RW: the share of a cycle that functions may take, above 0 and up to 1. A cycle in
  /// which they take longer counts in kAudioDeviceProcessorOverload.
  kAudioDevicePropertyIOCycleUsage = 0x6e637963  // 'ncyc'
};

/// Puts a function on a device, which is called from its start on. [control thread]
OSStatus AudioDeviceCreateIOProcID(
    AudioObjectID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData,
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID);

/// Takes it away; no call of it is under way afterwards, except one that calls this. [any thread]
OSStatus AudioDeviceDestroyIOProcID(AudioObjectID inDevice, AudioDeviceIOProcID inIOProcID);

/// Starts a function, or with NULL the device without one; the first start opens the device.
///
/// A device that is lost is opened again as soon as it is there, and its time goes on. Inside a cycle it
/// returns at once and takes effect soon. [any thread]
OSStatus AudioDeviceStart(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/// The same with the time before which the function is not called, host or sample time; null is now. The
/// time then says when the device's next cycle is that is late enough. [any thread]
OSStatus AudioDeviceStartAtTime(
    AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID,
    AudioTimeStamp *_Nullable ioRequestedStartTime, UInt32 inFlags);

/// Stops a function, or with NULL takes back a start without one; the last stop closes the device. No call
/// is under way afterwards, except one that calls this, which is the last. [any thread]
OSStatus AudioDeviceStop(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/// The time of a device that functions run on: sample, host and rate. It never goes back; for a device that
/// does not run it is kAudioHardwareNotRunningError. [any thread]
OSStatus AudioDeviceGetCurrentTime(AudioObjectID inDevice, AudioTimeStamp *outTime);

/// Translates `inTime`, a sample or host time, into the fields that the flags of `outTime` select
/// (sample, host, rate), while functions run. [any thread]
OSStatus AudioDeviceTranslateTime(
    AudioObjectID inDevice, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/// Moves a time to the begin of the next cycle that a function could be called in, while functions run.
/// [any thread]
OSStatus AudioDeviceGetNearestStartTime(
    AudioObjectID inDevice, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/// Reads the captured sound of a running device from a host or sample time on: `outData` has a
/// buffer with memory for each stream of its input, of interleaved Float32, and their sizes say how
/// much. About a second back can be read, less of more than 16 channels; it does not wait for
/// future frames (kAudioHardwareIllegalOperationError). [control thread]
OSStatus AudioDeviceRead(
    AudioObjectID inDevice, const AudioTimeStamp *inStartTime, AudioBufferList *outData);

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// As AudioDeviceIOProc.
typedef void (^AudioDeviceIOBlock)(
    const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
    const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData,
    const AudioTimeStamp *inOutputTime);

/// As AudioDeviceCreateIOProcID with a block, which is called on a queue while the device waits for it, or
/// with a null queue by the device itself. [control thread]
OSStatus AudioDeviceCreateIOProcIDWithBlock(
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID, AudioObjectID inDevice,
    dispatch_queue_t _Nullable inDispatchQueue, AudioDeviceIOBlock inIOBlock);

/// As AudioObjectPropertyListenerProc.
typedef void (^AudioObjectPropertyListenerBlock)(
    UInt32 inNumberAddresses, const AudioObjectPropertyAddress *inAddresses);

/// As AudioObjectAddPropertyListener with a block, which is called on a queue, or with a null queue on a
/// thread of the library's. [control thread]
OSStatus AudioObjectAddPropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener);

/// Removes the block that was added with the same queue; it is not called any more. [control
/// thread]
OSStatus AudioObjectRemovePropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
