// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_QUEUE_H
#define CAUDIOTOOLBOX_AUDIO_QUEUE_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AudioQueueTypes.h"

// Queues that play the buffers a program fills, or fill buffers with what a device captures, with a
// codec if the format is compressed.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Life

#ifndef __swift__
/// Creates a playback queue. [control thread]
///
/// PCM is interleaved; other formats are decoded. The callback is called on the run loop, in the
/// mode (NULL: the common modes); without a run loop on the queue's own thread, never on a render
/// thread. `inFlags` is 0.
///
/// - Parameters:
///   - inFormat: the format of the buffers, from above 200 to below 3,000,000 Hz and with at most
///     256 channels.
///   - inCallbackProc: called when a buffer has been played and may be filled again.
///   - inUserData: passed to the callback.
///   - inCallbackRunLoop: the run loop of the callbacks, or null.
///   - inCallbackRunLoopMode: its mode; null for the common modes.
///   - inFlags: 0.
///   - outAQ: the queue, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioFormatUnsupportedDataFormatError` if the format is invalid or not
///   interleaved; `kAudioQueueErr_CodecNotFound` if there is no decoder for it; `kAudio_ParamError`
///   if a pointer or the function is null, or the flags are not 0.
OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *inFormat,
                             AudioQueueOutputCallback inCallbackProc, void *_Nullable inUserData,
                             CFRunLoopRef _Nullable inCallbackRunLoop,
                             CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
                             AudioQueueRef _Nullable *_Nonnull outAQ);

/// Creates a recording queue, like AudioQueueNewOutput. [control thread]
///
/// A sample rate of 0 is that of the device: kAudioQueueProperty_StreamDescription returns it.
///
/// - Parameters:
///   - inFormat: the format of the buffers; a rate of 0 is that of the device.
///   - inCallbackProc: called when a buffer has been filled.
///   - inUserData: passed to the callback.
///   - inCallbackRunLoop: the run loop of the callbacks, or null.
///   - inCallbackRunLoopMode: its mode; null for the common modes.
///   - inFlags: 0.
///   - outAQ: the queue, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioFormatUnsupportedDataFormatError` if the format is invalid or not
///   interleaved; `kAudioQueueErr_CodecNotFound` if there is no encoder for it; `kAudio_ParamError`
///   if a pointer or the function is null, or the flags are not 0.
OSStatus AudioQueueNewInput(const AudioStreamBasicDescription *inFormat,
                            AudioQueueInputCallback inCallbackProc, void *_Nullable inUserData,
                            CFRunLoopRef _Nullable inCallbackRunLoop,
                            CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
                            AudioQueueRef _Nullable *_Nonnull outAQ);
#endif

#ifdef CAUDIOTOOLBOX_HAS_BLOCKS
/// As AudioQueueOutputCallback.
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/// As AudioQueueInputCallback.
typedef void (^AudioQueueInputCallbackBlock)(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, const AudioTimeStamp *inStartTime,
    UInt32 inNumberPacketDescriptions,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/// Creates a playback queue that calls a block on a dispatch queue. [control thread]
///
/// - Parameters:
///   - outAQ: the queue, which the caller disposes of; null after an error.
///   - inFormat: the format of the buffers.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the block is called.
///   - inCallbackBlock: called when a buffer has been played.
/// - Returns: as AudioQueueNewOutput; `kAudio_ParamError` also without a queue or a block.
OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueOutputCallbackBlock inCallbackBlock);

/// Creates a recording queue that calls a block on a dispatch queue. [control thread]
///
/// - Parameters:
///   - outAQ: the queue, which the caller disposes of; null after an error.
///   - inFormat: the format of the buffers.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the block is called.
///   - inCallbackBlock: called when a buffer has been filled.
/// - Returns: as AudioQueueNewInput; `kAudio_ParamError` also without a queue or a block.
OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueInputCallbackBlock inCallbackBlock);
#endif

/// Disposes of a queue with its buffers, timelines and taps. [control thread]
///
/// After the return no callback runs, except one that has called this function. Unless
/// `inImmediate`, enqueued buffers continue to play.
///
/// - Parameters:
///   - inAQ: the queue; invalid from now on.
///   - inImmediate: true to stop at once, false to play the enqueued buffers first.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

// MARK: Buffers

/// Allocates a buffer of the queue. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBufferByteSize: its size in bytes, from 1 to 2^30.
///   - outBuffer: the buffer, which belongs to the queue; it is freed with AudioQueueFreeBuffer or
///     with the queue.
/// - Returns: noErr; `kAudioQueueErr_DisposalPending` if it is being disposed of;
///   `kAudio_ParamError` if there is no such queue, the pointer is null, or the size is out of
///   range.
OSStatus AudioQueueAllocateBuffer(AudioQueueRef inAQ, UInt32 inBufferByteSize,
                                  AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Allocates a buffer with room for packet descriptions. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBufferByteSize: its size in bytes, from 1 to 2^30.
///   - inNumberPacketDescriptions: the number of descriptions that it has room for, at most 2^26.
///   - outBuffer: the buffer, which belongs to the queue.
/// - Returns: noErr; `kAudioQueueErr_DisposalPending` if it is being disposed of;
///   `kAudio_ParamError` if there is no such queue, the pointer is null, or a number is out of
///   range.
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Frees a buffer that is not enqueued. [control thread]
///
/// A callback that is due for the buffer is not called. While another thread is inside a callback
/// for it, the buffer stays, and the result is kAudioQueueErr_BufferInQueue; a callback may free its
/// own buffer.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBuffer: a buffer of the queue; invalid from now on.
/// - Returns: noErr; `kAudioQueueErr_InvalidBuffer` if it is not a buffer of the queue;
///   `kAudioQueueErr_BufferInQueue` if it is enqueued, or another thread is inside a callback for
///   it; `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/// Enqueues a buffer, to be played or to be filled. [any thread but a render thread]
///
/// Descriptions are copied; there cannot be more of them than bytes. Pass 0 and NULL for a buffer
/// that contains its own descriptions.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBuffer: a buffer of the queue. For playback it has mAudioDataByteSize bytes.
///   - inNumPacketDescs: the number of descriptions.
///   - inPacketDescs: the packets in the buffer, if they differ in size.
/// - Returns: noErr; `kAudioQueueErr_InvalidBuffer` if it is not a buffer of the queue, or says
///   that it has more than its room; `kAudioQueueErr_BufferEmpty` if it has no bytes;
///   `kAudioQueueErr_BufferInQueue` or, for recording, `kAudioQueueErr_BufferEnqueuedTwice` if it
///   is enqueued already; `kAudioQueueErr_EnqueueDuringReset` while the queue returns its buffers;
///   `kAudioQueueErr_DisposalPending` if it is being disposed of; `kAudio_ParamError` if there is
///   no such queue, or the descriptions do not fit the bytes.
OSStatus AudioQueueEnqueueBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                                 UInt32 inNumPacketDescs,
                                 const AudioStreamPacketDescription *_Nullable inPacketDescs);

/// Enqueues a buffer of a playback queue, with frames trimmed at both ends, parameters that take
/// effect with the buffer, and its start time. [any thread but a render thread]
///
/// - Parameters:
///   - inAQ: a playback queue.
///   - inBuffer: a buffer of the queue.
///   - inNumPacketDescs: the number of descriptions.
///   - inPacketDescs: the packets in the buffer, if they differ in size.
///   - inTrimFramesAtStart: frames that are left out at the beginning.
///   - inTrimFramesAtEnd: frames that are left out at the end.
///   - inNumParamValues: the number of parameters.
///   - inParamValues: parameters that take effect with the buffer.
///   - inStartTime: frames since the start of the queue; null: directly after the previous buffer.
///   - outActualStartTime: when the buffer will begin, if known. May be null.
/// - Returns: as AudioQueueEnqueueBuffer; `kAudioQueueErr_InvalidQueueType` for a recording queue;
///   `kAudioQueueErr_InvalidParameter` for an unknown parameter, or a value that is not finite;
///   `kAudio_ParamError` also if the start has no sample time.
OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues,
    const AudioQueueParameterEvent *_Nullable inParamValues,
    const AudioTimeStamp *_Nullable inStartTime, AudioTimeStamp *_Nullable outActualStartTime);

// MARK: Running

/// Starts the device, or resumes after a pause. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inStartTime: a time of the device, in frames or in host time; null: immediately.
/// - Returns: noErr, also if it runs already; `kAudioQueueErr_InvalidDevice` if there is no such
///   device, or it has no channels for the queue; `kAudioQueueErr_CannotStart` if it cannot be
///   started; `kAudioQueueErr_InvalidRunState` while the queue is being stopped;
///   `kAudioQueueErr_DisposalPending` if it is being disposed of; `kAudio_ParamError` if there is
///   no such queue, or the time has neither a sample time nor a host time.
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);

/// Decodes enqueued buffers, so that they play immediately at the start. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inNumberOfFramesToPrepare: how many frames to wait for; 0: all enqueued frames, as far as
///     the queue decodes ahead.
///   - outNumberOfFramesPrepared: how many are ready; 0 for a queue that runs. May be null.
/// - Returns: noErr; `kAudioQueueErr_PrimeTimedOut` if decoding makes no progress for 2 seconds;
///   `kAudioQueueErr_InvalidRunState` inside a tap's callback that would have to wait for itself;
///   `kAudioQueueErr_DisposalPending` if it is being disposed of; `kAudio_ParamError` if there is
///   no such queue.
OSStatus AudioQueuePrime(AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare,
                         UInt32 *_Nullable outNumberOfFramesPrepared);

/// Stops the device: immediately, returning all buffers, or after all enqueued buffers have been
/// played or filled. [control thread]
///
/// Afterwards nothing is left of the sound, so the next start does not begin with it. An immediate
/// stop waits up to 0.4 seconds for the callbacks of the buffers. Inside a tap's callback, for which
/// it would wait, it is refused with kAudioQueueErr_InvalidRunState.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inImmediate: true to stop at once, false to play the enqueued buffers first.
/// - Returns: noErr, also if it does not run; `kAudioQueueErr_InvalidRunState` inside a tap's
///   callback that would have to wait for itself; `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/// Stops the device; buffers and the decoder keep their state. [control thread]
///
/// - Parameter inAQ: the queue.
/// - Returns: noErr, also if it does not run; `kAudioQueueErr_InvalidRunState` inside a tap's
///   callback that would have to wait for itself; `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/// Flushes all enqueued sound through the codec, and then resets it. [control thread]
///
/// - Parameter inAQ: the queue.
/// - Returns: noErr; `kAudioQueueErr_DisposalPending` if it is being disposed of;
///   `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/// Returns all buffers, and clears the signal history. [control thread]
///
/// Inside a tap's callback it is refused with kAudioQueueErr_InvalidRunState.
///
/// - Parameter inAQ: the queue.
/// - Returns: noErr; `kAudioQueueErr_InvalidRunState` inside a tap's callback that would have to
///   wait for itself; `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueReset(AudioQueueRef inAQ);

// MARK: Parameters and properties

/// The value of a parameter. [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inParamID: the parameter, such as kAudioQueueParam_Volume.
///   - outValue: the value.
/// - Returns: noErr; `kAudioQueueErr_InvalidParameter` if there is no such parameter;
///   `kAudio_ParamError` if there is no such queue or a pointer is null.
OSStatus AudioQueueGetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue *outValue);

/// Sets a parameter; a value out of range has the effect of the nearest allowed one. [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inParamID: the parameter, such as kAudioQueueParam_Volume.
///   - inValue: any finite number.
/// - Returns: noErr; `kAudioQueueErr_InvalidParameter` if there is no such parameter, or the value
///   is not finite; `kAudio_ParamError` if there is no such queue.
OSStatus AudioQueueSetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue inValue);

/// Reads a property. [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property, such as kAudioQueueProperty_IsRunning.
///   - outData: memory for the value. The caller releases Core Foundation objects.
///   - ioDataSize: the room in bytes; on return the size of the value.
/// - Returns: noErr; `kAudioQueueErr_InvalidProperty` if this kind of queue has no such property;
///   `kAudioQueueErr_InvalidPropertySize` if there is too little room; `kAudio_ParamError` if there
///   is no such queue or a pointer is null.
OSStatus AudioQueueGetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData,
                               UInt32 *ioDataSize);

/// Sets a property. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inData: the value.
///   - inDataSize: its size in bytes, at most 1 MB.
/// - Returns: noErr; `kAudioQueueErr_InvalidProperty` if this kind of queue has no such property,
///   or it can only be read; `kAudioQueueErr_InvalidPropertySize` for a wrong size;
///   `kAudioQueueErr_InvalidPropertyValue` for a wrong value; `kAudioQueueErr_InvalidRunState` if
///   only a stopped queue can change it; `kAudio_ParamError` if there is no such queue or a pointer
///   is null.
OSStatus AudioQueueSetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData,
                               UInt32 inDataSize);

/// The size of a property in bytes. [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - outDataSize: the size in bytes.
/// - Returns: noErr; `kAudioQueueErr_InvalidProperty` if this kind of queue has no such property;
///   `kAudio_ParamError` if there is no such queue or a pointer is null.
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                   UInt32 *outDataSize);

/// Adds a listener that is called after a property changed, in the same way as the queue's
/// callback. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inProc: the function.
///   - inUserData: passed to the function.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such queue or a pointer is null.
OSStatus AudioQueueAddPropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                       AudioQueuePropertyListenerProc inProc,
                                       void *_Nullable inUserData);

/// Removes a listener. [control thread]
///
/// A call of it that is due is not made. Waits for a call that another thread is making.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inProc: the function.
///   - inUserData: the pointer with which it was added.
/// - Returns: noErr, also if nothing was removed; `kAudio_ParamError` if there is no such queue or
///   a pointer is null.
OSStatus AudioQueueRemovePropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                          AudioQueuePropertyListenerProc inProc,
                                          void *_Nullable inUserData);

// MARK: Time

/// Creates a timeline, which detects gaps in the time of the queue. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeline: the timeline.
/// - Returns: noErr; `kAudioQueueErr_DisposalPending` if it is being disposed of;
///   `kAudio_ParamError` if there is no such queue or a pointer is null.
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ,
                                  AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);

/// Disposes of a timeline. [control thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTimeline: a timeline of the queue; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such queue or timeline.
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/// The frames since the start of the queue, including gaps. [any thread]
///
/// - Parameters:
///   - inAQ: a queue that has been started.
///   - inTimeline: a timeline of the queue, or null.
///   - outTimeStamp: the frames since the start, the host time and the rate of the device's clock.
///     May be null.
///   - outTimelineDiscontinuity: written only with a timeline: true once after a gap in the sound
///     or a change of the device. May be null.
/// - Returns: noErr; `kAudioQueueErr_InvalidRunState` if the queue does not run;
///   `kAudio_ParamError` if there is no such queue or timeline.
OSStatus AudioQueueGetCurrentTime(AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline,
                                  AudioTimeStamp *_Nullable outTimeStamp,
                                  Boolean *_Nullable outTimelineDiscontinuity);

/// The time of the device. While it does not run, only the host time is valid. [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeStamp: the time.
/// - Returns: noErr; `kAudioQueueErr_InvalidDevice` if there is no device; `kAudio_ParamError` if
///   there is no such queue or a pointer is null.
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/// Converts frames of the device to host time, and back; the flags of `outTime` select the fields.
/// [any thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTime: a time of the device, in frames or as host time.
///   - outTime: the result; its flags say what is wanted.
/// - Returns: noErr; `kAudioQueueErr_InvalidRunState` if the device does not run for the queue;
///   `kAudio_ParamError` if there is no such queue, a pointer is null, or the time has neither a
///   sample time nor a host time.
OSStatus AudioQueueDeviceTranslateTime(AudioQueueRef inAQ, const AudioTimeStamp *inTime,
                                       AudioTimeStamp *outTime);

/// The next time at which the device can start, not before the requested one. `inFlags` is 0. [any
/// thread]
///
/// - Parameters:
///   - inAQ: the queue.
///   - ioRequestedStartTime: the time that is wanted; on return the one that is possible.
///   - inFlags: 0.
/// - Returns: noErr; `kAudioQueueErr_InvalidDevice` if there is no device; `kAudio_ParamError` if
///   there is no such queue, the pointer is null, the time has neither a sample time nor a host
///   time, or the flags are not 0.
OSStatus AudioQueueDeviceGetNearestStartTime(AudioQueueRef inAQ,
                                             AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

// MARK: Rendering offline

/// Makes a queue render to memory instead of a device; NULL and NULL: to the device again. [control
/// thread]
///
/// - Parameters:
///   - inAQ: a stopped playback queue.
///   - inFormat: the format of what is rendered, linear PCM; null for the device.
///   - inLayout: its layout, or null.
/// - Returns: noErr; `kAudioQueueErr_InvalidQueueType` for a recording queue;
///   `kAudioFormatUnsupportedDataFormatError` if it is not linear PCM;
///   `kAudioQueueErr_InvalidRunState` if the queue runs; `kAudio_ParamError` if there is no such
///   queue, or the layout does not fit the channels.
OSStatus AudioQueueSetOfflineRenderFormat(AudioQueueRef inAQ,
                                          const AudioStreamBasicDescription *_Nullable inFormat,
                                          const AudioChannelLayout *_Nullable inLayout);

/// Renders into a buffer of the queue that is not enqueued. [control thread]
///
/// Buffers that are used up are returned to the callback during this call, on this thread. If there
/// is less to play than requested, mAudioDataByteSize is smaller. Until the return, `ioBuffer` can be
/// neither freed nor enqueued.
///
/// - Parameters:
///   - inAQ: a playback queue with a format for rendering, started.
///   - inTimestamp: the time of the first frame.
///   - ioBuffer: a buffer of the queue that is not enqueued.
///   - inNumberFrames: how many frames; they must fit into the buffer.
/// - Returns: noErr; `kAudioQueueErr_InvalidOfflineMode` without a format for rendering;
///   `kAudioQueueErr_InvalidRunState` if the queue does not run, or another call renders;
///   `kAudioQueueErr_InvalidBuffer` if the buffer is too small or not one of the queue;
///   `kAudioQueueErr_BufferInQueue` if it is enqueued; `kAudioQueueErr_InvalidQueueType` for a
///   recording queue; `kAudio_ParamError` if there is no such queue or a pointer is null.
OSStatus AudioQueueOfflineRender(AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp,
                                 AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

// MARK: Processing taps

/// Adds a function that processes the sound before or after the time pitch; the queue must be
/// stopped. [control thread]
///
/// Inside the callback, calls that would have to wait for it are refused with
/// kAudioQueueErr_InvalidRunState: AudioQueueReset, an immediate AudioQueueStop, and calls that start
/// or stop the queue while another thread does so.
///
/// - Parameters:
///   - inAQ: a stopped queue without a tap.
///   - inCallback: the function, called on a thread of the queue.
///   - inClientData: passed to the function.
///   - inFlags: kAudioQueueProcessingTap_PreEffects or kAudioQueueProcessingTap_PostEffects, with
///     kAudioQueueProcessingTap_Siphon for a function that only listens.
///   - outMaxFrames: the most frames of a call.
///   - outProcessingFormat: the format of what it processes.
///   - outAQTap: the tap, which is disposed of with AudioQueueProcessingTapDispose or with the
///     queue.
/// - Returns: noErr; `kAudioQueueErr_TooManyTaps` if there is one; `kAudioQueueErr_InvalidRunState`
///   if the queue runs; `kAudioQueueErr_DisposalPending` if it is being disposed of;
///   `kAudio_ParamError` if there is no such queue, a pointer is null, or the flags do not name one
///   place.
OSStatus AudioQueueProcessingTapNew(AudioQueueRef inAQ,
                                    AudioQueueProcessingTapCallback inCallback,
                                    void *_Nullable inClientData,
                                    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames,
                                    AudioStreamBasicDescription *outProcessingFormat,
                                    AudioQueueProcessingTapRef _Nullable *_Nonnull outAQTap);

/// Disposes of a tap; the queue must be stopped. [control thread]
///
/// Waits for a running callback of the tap; no other follows. Inside that callback, or if it does not
/// return, the tap stays, and the result is kAudioQueueErr_InvalidRunState.
///
/// - Parameter inAQTap: the tap; invalid from now on.
/// - Returns: noErr; `kAudioQueueErr_InvalidRunState` if the queue runs, or its callback does not
///   return; `kAudio_ParamError` if there is no such tap.
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/// Returns the frames that the tap processes; only inside its callback. Buffers without memory
/// receive the queue's memory.
///
/// - Parameters:
///   - inAQTap: the tap.
///   - inNumberFrames: how many frames, at most the number of the call.
///   - ioTimeStamp: the time of the first frame.
///   - outFlags: whether they begin or end the sound.
///   - outNumberFrames: how many there are.
///   - ioData: the frames.
/// - Returns: noErr; `kAudioQueueErr_InvalidTapContext` outside of its callback;
///   `kAudio_ParamError` if there is no such tap, a pointer is null, or more frames are asked for.
OSStatus AudioQueueProcessingTapGetSourceAudio(AudioQueueProcessingTapRef inAQTap,
                                               UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
                                               AudioQueueProcessingTapFlags *outFlags,
                                               UInt32 *outNumberFrames, AudioBufferList *ioData);

/// Returns the queue time at which the frames are played; only inside the callback of a playback
/// queue's tap.
///
/// - Parameters:
///   - inAQTap: the tap of a playback queue.
///   - outQueueSampleTime: the frames since the start of the queue.
///   - outQueueFrameCount: how many frames of the queue the call has.
/// - Returns: noErr; `kAudioQueueErr_InvalidTapContext` outside of its callback;
///   `kAudioQueueErr_InvalidTapType` for the tap of a recording queue; `kAudio_ParamError` if there
///   is no such tap or a pointer is null.
OSStatus AudioQueueProcessingTapGetQueueTime(AudioQueueProcessingTapRef inAQTap,
                                             Float64 *outQueueSampleTime,
                                             UInt32 *outQueueFrameCount);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
