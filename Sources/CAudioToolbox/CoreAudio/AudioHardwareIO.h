// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_IO_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_IO_H

#include "AudioHardwareBase.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Playback and capture with IO procs: functions of the program that a device calls in each cycle.
// Each one receives the captured sound, and their outputs are mixed. Samples are Float32,
// interleaved, in one buffer for each stream of the device.

/// Called for each cycle of a device. [render thread]
///
/// `inNow` is the time of the call, `inInputTime` that of the first captured frame, `inOutputTime`
/// that of the first frame to play. Output that is not written is silent. A stream that is switched
/// off (kAudioDevicePropertyIOProcStreamUsage) has no memory. The result is ignored.
typedef OSStatus (*AudioDeviceIOProc)(
    AudioObjectID inDevice, const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
    const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData,
    const AudioTimeStamp *inOutputTime, void *_Nullable inClientData);

/// The identifier of an IO proc on a device. It is not the address of a function.
typedef AudioDeviceIOProc AudioDeviceIOProcID;

/// The streams of an endpoint that an IO proc uses: the value of kAudioDevicePropertyIOProcStreamUsage.
struct AudioHardwareIOProcStreamUsage {
  /// The AudioDeviceIOProcID, also when the property is read.
  void *mIOProc;
  /// The number of streams of the endpoint.
  UInt32 mNumberStreams;
  /// 1 for each stream that is used; there are mNumberStreams entries.
  UInt32 mStreamIsOn[1];
};
typedef struct AudioHardwareIOProcStreamUsage AudioHardwareIOProcStreamUsage;

/// The kind of a start time. All of them are times of a device here, so the flags have no effect.
CF_ENUM(UInt32) {
  kAudioDeviceStartTimeIsInputFlag = 1,  ///< The time is one of the input.
  kAudioDeviceStartTimeDontConsultDeviceFlag = 2,  ///< The device is not asked for a better time.
  kAudioDeviceStartTimeDontConsultHALFlag = 4  ///< Other programs on the device are not considered.
};

/// Properties of devices for IO procs.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioHardwareIOProcStreamUsage, RW, of an endpoint: the streams that an IO proc uses, initially
  /// all. An endpoint that no IO proc uses is not opened.
  kAudioDevicePropertyIOProcStreamUsage = 0x73757365,  // 'suse'
  /// Float32, RW: the share of a cycle that IO procs may take, above 0 and up to 1. A cycle in
  /// which they take longer counts in kAudioDeviceProcessorOverload.
  kAudioDevicePropertyIOCycleUsage = 0x6e637963  // 'ncyc'
};

/// Adds an IO proc to a device; it is called after AudioDeviceStart. [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProc: called in each cycle.
///   - inClientData: passed to the function.
///   - outIOProcID: the identifier.
/// - Returns: noErr; `kAudioHardwareBadDeviceError` if there is no such device; `kAudio_ParamError`
///   if a pointer or the function is null.
OSStatus AudioDeviceCreateIOProcID(
    AudioObjectID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData,
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID);

/// Removes an IO proc. On return, no call of it is in progress, except one that has called this
/// function. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inIOProcID: the identifier; invalid from now on.
/// - Returns: noErr, or `kAudioHardwareIllegalOperationError` if the device does not have it.
OSStatus AudioDeviceDestroyIOProcID(AudioObjectID inDevice, AudioDeviceIOProcID inIOProcID);

/// Starts an IO proc, or with NULL the device without one; the first start opens the device.
///
/// A lost device is reopened as soon as it is back, and its time continues. Called inside a cycle,
/// it returns immediately and takes effect soon. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProcID: the identifier, or null.
/// - Returns: noErr; `kAudioHardwareBadDeviceError` if there is no such device;
///   `kAudioHardwareIllegalOperationError` if it does not have the IO proc; the error of the back
///   end if it cannot be opened.
OSStatus AudioDeviceStart(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/// Like AudioDeviceStart, with the earliest time of the first call, in host or sample time; null is
/// now. On return, the time is that of the first cycle that is late enough. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProcID: the identifier, or null.
///   - ioRequestedStartTime: the earliest time; null is now.
///   - inFlags: have no effect.
/// - Returns: noErr; as AudioDeviceStart; `kAudioHardwareIllegalOperationError` also for a time
///   without host or sample time.
OSStatus AudioDeviceStartAtTime(
    AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID,
    AudioTimeStamp *_Nullable ioRequestedStartTime, UInt32 inFlags);

/// Stops an IO proc, or with NULL undoes a start without one; the last stop closes the device. On
/// return, no call is in progress, except one that has called this function, which is the last.
/// [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inProcID: the identifier, or null.
/// - Returns: noErr; `kAudioHardwareBadDeviceError` if there is no such device;
///   `kAudioHardwareIllegalOperationError` if it does not have the IO proc.
OSStatus AudioDeviceStop(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/// The time of a device that runs IO procs: sample time, host time and rate. It never decreases.
/// Returns kAudioHardwareNotRunningError if the device does not run. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - outTime: the time.
/// - Returns: noErr; kAudioHardwareNotRunningError if the device does not run;
///   `kAudioHardwareBadDeviceError` if there is no such device; `kAudio_ParamError` if the pointer
///   is null.
OSStatus AudioDeviceGetCurrentTime(AudioObjectID inDevice, AudioTimeStamp *outTime);

/// Converts `inTime`, a sample or host time, to the fields that the flags of `outTime` select
/// (sample, host, rate), while IO procs run. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inTime: a sample time or a host time.
///   - outTime: the result; its flags say what is wanted.
/// - Returns: noErr; `kAudioHardwareNotRunningError` if the device does not run;
///   `kAudioHardwareIllegalOperationError` if the time has neither a sample time nor a host time;
///   `kAudioHardwareBadDeviceError` if there is no such device; `kAudio_ParamError` if a pointer is
///   null.
OSStatus AudioDeviceTranslateTime(
    AudioObjectID inDevice, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/// Moves a time to the beginning of the next cycle in which an IO proc can be called, while IO
/// procs run. [any thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - ioRequestedStartTime: the time that is wanted; on return the one that is possible.
///   - inFlags: have no effect.
/// - Returns: noErr; `kAudioHardwareNotRunningError` if the device does not run;
///   `kAudioHardwareIllegalOperationError` if the time has neither a sample time nor a host time;
///   `kAudioHardwareBadDeviceError` if there is no such device; `kAudio_ParamError` if the pointer
///   is null.
OSStatus AudioDeviceGetNearestStartTime(
    AudioObjectID inDevice, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/// Reads the captured sound of a running device, beginning at a host or sample time. `outData` has
/// a buffer with memory for each input stream, of interleaved Float32; the buffer sizes determine
/// the length. About the last second can be read, less with more than 16 channels. The call does
/// not wait for future frames (kAudioHardwareIllegalOperationError). [control thread]
///
/// - Parameters:
///   - inDevice: the device.
///   - inStartTime: the host or sample time of the first frame.
///   - outData: a buffer for each input stream.
/// - Returns: noErr; `kAudioHardwareNotRunningError` if the device does not run;
///   `kAudioHardwareIllegalOperationError` if the frames are not there yet, or not any more;
///   `kAudioHardwareBadPropertySizeError` if the buffers do not fit the streams;
///   `kAudioUnitErr_CannotDoInCurrentContext` on a render thread; `kAudioHardwareBadDeviceError` if
///   there is no such device; `kAudio_ParamError` if a pointer is null.
OSStatus AudioDeviceRead(
    AudioObjectID inDevice, const AudioTimeStamp *inStartTime, AudioBufferList *outData);

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// As AudioDeviceIOProc.
typedef void (^AudioDeviceIOBlock)(
    const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
    const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData,
    const AudioTimeStamp *inOutputTime);

/// Like AudioDeviceCreateIOProcID, with a block. It is called on the queue, while the device waits,
/// or with a null queue on the device's own thread. [control thread]
///
/// - Parameters:
///   - outIOProcID: the identifier.
///   - inDevice: the device.
///   - inDispatchQueue: the queue on which it is called, or null.
///   - inIOBlock: called in each cycle.
/// - Returns: as AudioDeviceCreateIOProcID.
OSStatus AudioDeviceCreateIOProcIDWithBlock(
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID, AudioObjectID inDevice,
    dispatch_queue_t _Nullable inDispatchQueue, AudioDeviceIOBlock inIOBlock);

/// As AudioObjectPropertyListenerProc.
typedef void (^AudioObjectPropertyListenerBlock)(
    UInt32 inNumberAddresses, const AudioObjectPropertyAddress *inAddresses);

/// Like AudioObjectAddPropertyListener, with a block. It is called on the queue, or with a null
/// queue on a thread of the library. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inDispatchQueue: the queue on which it is called, or null.
///   - inListener: the block.
/// - Returns: as AudioObjectAddPropertyListener.
OSStatus AudioObjectAddPropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener);

/// Removes the block that was added with the same queue; it is not called any more. [control
/// thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inDispatchQueue: the queue on which it is called, or null.
///   - inListener: the block.
/// - Returns: as AudioObjectRemovePropertyListener.
OSStatus AudioObjectRemovePropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
