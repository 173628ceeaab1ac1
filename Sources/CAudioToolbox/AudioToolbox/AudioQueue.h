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
OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *inFormat,
                             AudioQueueOutputCallback inCallbackProc, void *_Nullable inUserData,
                             CFRunLoopRef _Nullable inCallbackRunLoop,
                             CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
                             AudioQueueRef _Nullable *_Nonnull outAQ);

/// Creates a recording queue, like AudioQueueNewOutput. [control thread]
///
/// A sample rate of 0 is that of the device: kAudioQueueProperty_StreamDescription returns it.
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
OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueOutputCallbackBlock inCallbackBlock);

/// Creates a recording queue that calls a block on a dispatch queue. [control thread]
OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueInputCallbackBlock inCallbackBlock);
#endif

/// Disposes of a queue with its buffers, timelines and taps. [control thread]
///
/// After the return no callback runs, except one that has called this function. Unless
/// `inImmediate`, enqueued buffers continue to play.
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

// MARK: Buffers

/// Allocates a buffer of the queue. [control thread]
OSStatus AudioQueueAllocateBuffer(AudioQueueRef inAQ, UInt32 inBufferByteSize,
                                  AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Allocates a buffer with room for packet descriptions. [control thread]
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Frees a buffer that is not enqueued. [control thread]
///
/// A callback that is due for the buffer is not called. While another thread is inside a callback
/// for it, the buffer stays, and the result is kAudioQueueErr_BufferInQueue; a callback may free its
/// own buffer.
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/// Enqueues a buffer, to be played or to be filled. [any thread but a render thread]
///
/// Descriptions are copied; there cannot be more of them than bytes. Pass 0 and NULL for a buffer
/// that contains its own descriptions.
OSStatus AudioQueueEnqueueBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                                 UInt32 inNumPacketDescs,
                                 const AudioStreamPacketDescription *_Nullable inPacketDescs);

/// Enqueues a buffer of a playback queue, with frames trimmed at both ends, parameters that take
/// effect with the buffer, and its start time. [any thread but a render thread]
///
/// - Parameter inStartTime: Frames since the start of the queue; NULL: directly after the previous
///   buffer.
/// - Parameter outActualStartTime: When the buffer will begin, if known.
OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues,
    const AudioQueueParameterEvent *_Nullable inParamValues,
    const AudioTimeStamp *_Nullable inStartTime, AudioTimeStamp *_Nullable outActualStartTime);

// MARK: Running

/// Starts the device, or resumes after a pause. [control thread]
///
/// - Parameter inStartTime: A time of the device, in frames or in host time; NULL: immediately.
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);

/// Decodes enqueued buffers, so that they play immediately at the start. [control thread]
///
/// - Parameter inNumberOfFramesToPrepare: How many frames to wait for; 0: all enqueued frames, as
///   far as the queue decodes ahead.
OSStatus AudioQueuePrime(AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare,
                         UInt32 *_Nullable outNumberOfFramesPrepared);

/// Stops the device: immediately, returning all buffers, or after all enqueued buffers have been
/// played or filled. [control thread]
///
/// Afterwards nothing is left of the sound, so the next start does not begin with it. An immediate
/// stop waits up to 0.4 seconds for the callbacks of the buffers. Inside a tap's callback, for which
/// it would wait, it is refused with kAudioQueueErr_InvalidRunState.
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/// Stops the device; buffers and the decoder keep their state. [control thread]
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/// Flushes all enqueued sound through the codec, and then resets it. [control thread]
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/// Returns all buffers, and clears the signal history. [control thread]
///
/// Inside a tap's callback it is refused with kAudioQueueErr_InvalidRunState.
OSStatus AudioQueueReset(AudioQueueRef inAQ);

// MARK: Parameters and properties

/// The value of a parameter. [any thread]
OSStatus AudioQueueGetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue *outValue);

/// Sets a parameter; a value out of range has the effect of the nearest allowed one. [any thread]
OSStatus AudioQueueSetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue inValue);

/// Reads a property. [any thread]
OSStatus AudioQueueGetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData,
                               UInt32 *ioDataSize);

/// Sets a property. [control thread]
OSStatus AudioQueueSetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData,
                               UInt32 inDataSize);

/// The size of a property in bytes. [any thread]
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                   UInt32 *outDataSize);

/// Adds a listener that is called after a property changed, in the same way as the queue's
/// callback. [control thread]
OSStatus AudioQueueAddPropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                       AudioQueuePropertyListenerProc inProc,
                                       void *_Nullable inUserData);

/// Removes a listener. [control thread]
///
/// A call of it that is due is not made. Waits for a call that another thread is making.
OSStatus AudioQueueRemovePropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                          AudioQueuePropertyListenerProc inProc,
                                          void *_Nullable inUserData);

// MARK: Time

/// Creates a timeline, which detects gaps in the time of the queue. [control thread]
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ,
                                  AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);

/// Disposes of a timeline. [control thread]
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/// The frames since the start of the queue, including gaps. [any thread]
///
/// - Parameter outTimelineDiscontinuity: Written only with a timeline: true once after a gap in the
///   sound or a change of the device.
OSStatus AudioQueueGetCurrentTime(AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline,
                                  AudioTimeStamp *_Nullable outTimeStamp,
                                  Boolean *_Nullable outTimelineDiscontinuity);

/// The time of the device. While it does not run, only the host time is valid. [any thread]
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/// Converts frames of the device to host time, and back; the flags of `outTime` select the fields.
/// [any thread]
OSStatus AudioQueueDeviceTranslateTime(AudioQueueRef inAQ, const AudioTimeStamp *inTime,
                                       AudioTimeStamp *outTime);

/// The next time at which the device can start, not before the requested one. `inFlags` is 0. [any
/// thread]
OSStatus AudioQueueDeviceGetNearestStartTime(AudioQueueRef inAQ,
                                             AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

// MARK: Rendering offline

/// Makes a queue render to memory instead of a device; NULL and NULL: to the device again. [control
/// thread]
OSStatus AudioQueueSetOfflineRenderFormat(AudioQueueRef inAQ,
                                          const AudioStreamBasicDescription *_Nullable inFormat,
                                          const AudioChannelLayout *_Nullable inLayout);

/// Renders into a buffer of the queue that is not enqueued. [control thread]
///
/// Buffers that are used up are returned to the callback during this call, on this thread. If there
/// is less to play than requested, mAudioDataByteSize is smaller. Until the return, `ioBuffer` can be
/// neither freed nor enqueued.
OSStatus AudioQueueOfflineRender(AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp,
                                 AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

// MARK: Processing taps

/// Adds a function that processes the sound before or after the time pitch; the queue must be
/// stopped. [control thread]
///
/// Inside the callback, calls that would have to wait for it are refused with
/// kAudioQueueErr_InvalidRunState: AudioQueueReset, an immediate AudioQueueStop, and calls that start
/// or stop the queue while another thread does so.
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
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/// Returns the frames that the tap processes; only inside its callback. Buffers without memory
/// receive the queue's memory.
OSStatus AudioQueueProcessingTapGetSourceAudio(AudioQueueProcessingTapRef inAQTap,
                                               UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
                                               AudioQueueProcessingTapFlags *outFlags,
                                               UInt32 *outNumberFrames, AudioBufferList *ioData);

/// Returns the queue time at which the frames are played; only inside the callback of a playback
/// queue's tap.
OSStatus AudioQueueProcessingTapGetQueueTime(AudioQueueProcessingTapRef inAQTap,
                                             Float64 *outQueueSampleTime,
                                             UInt32 *outQueueFrameCount);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
