// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_QUEUE_H
#define CAUDIOTOOLBOX_AUDIO_QUEUE_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AudioQueueTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Life

#ifndef __swift__
/// Makes a queue that plays. [control thread]
///
/// PCM is interleaved; other formats are decoded. The callback is called on the run loop, in the mode
/// (NULL: the common modes); without a run loop on a thread of the queue's own, never on a render
/// thread. `inFlags` is 0.
OSStatus AudioQueueNewOutput(const AudioStreamBasicDescription *inFormat,
                             AudioQueueOutputCallback inCallbackProc, void *_Nullable inUserData,
                             CFRunLoopRef _Nullable inCallbackRunLoop,
                             CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags,
                             AudioQueueRef _Nullable *_Nonnull outAQ);

/// Makes a queue that records, as AudioQueueNewOutput. [control thread]
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

/// Makes a queue that plays and calls a block back on a dispatch queue. [control thread]
OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueOutputCallbackBlock inCallbackBlock);

/// Makes a queue that records and calls a block back on a dispatch queue. [control thread]
OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat,
    UInt32 inFlags, dispatch_queue_t inCallbackDispatchQueue,
    AudioQueueInputCallbackBlock inCallbackBlock);
#endif

/// Ends a queue with its buffers, timelines and taps. [control thread]
///
/// No callback follows the return, except of a call under way that this is called from. Unless
/// `inImmediate`, enqueued buffers play on.
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

// MARK: Buffers

/// Makes a buffer of the queue. [control thread]
OSStatus AudioQueueAllocateBuffer(AudioQueueRef inAQ, UInt32 inBufferByteSize,
                                  AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Makes a buffer with room for packet descriptions. [control thread]
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/// Ends a buffer that is not enqueued. [control thread]
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/// Gives a buffer to the queue: to be played, or to be filled. [any thread but a render thread]
///
/// Descriptions are copied. A buffer that has room for its own takes 0 and NULL.
OSStatus AudioQueueEnqueueBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                                 UInt32 inNumPacketDescs,
                                 const AudioStreamPacketDescription *_Nullable inPacketDescs);

/// The same of a queue that plays, with frames left out at both ends, parameters that take effect with
/// the buffer, and the time at which it begins. [any thread but a render thread]
///
/// - Parameter inStartTime: Frames since the start of the queue; NULL follows the buffer before.
/// - Parameter outActualStartTime: When it will begin, if known.
OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues,
    const AudioQueueParameterEvent *_Nullable inParamValues,
    const AudioTimeStamp *_Nullable inStartTime, AudioTimeStamp *_Nullable outActualStartTime);

// MARK: Running

/// Starts the device, or resumes after a pause. [control thread]
///
/// - Parameter inStartTime: A time of the device, in frames or in host time; NULL: at once.
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);

/// Decodes enqueued buffers, so that they play immediately at the start. [control thread]
///
/// - Parameter inNumberOfFramesToPrepare: How many frames to wait for; 0: all that is enqueued, as far
///   as the queue decodes ahead.
OSStatus AudioQueuePrime(AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare,
                         UInt32 *_Nullable outNumberOfFramesPrepared);

/// Stops the device: at once, with all buffers given back, or when all that is enqueued has been played
/// or filled. [control thread]
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/// Stops the device; buffers and the decoder stay as they are. [control thread]
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/// Flushes all enqueued sound out of the codec, which is then reset. [control thread]
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/// Gives all buffers back and forgets the signal. [control thread]
OSStatus AudioQueueReset(AudioQueueRef inAQ);

// MARK: Parameters and properties

/// The value of a parameter. [any thread]
OSStatus AudioQueueGetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue *outValue);

/// Sets a parameter; values out of range take effect as the nearest one. [any thread]
OSStatus AudioQueueSetParameter(AudioQueueRef inAQ, AudioQueueParameterID inParamID,
                                AudioQueueParameterValue inValue);

/// Reads a property. [any thread]
OSStatus AudioQueueGetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData,
                               UInt32 *ioDataSize);

/// Sets a property. [control thread]
OSStatus AudioQueueSetProperty(AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData,
                               UInt32 inDataSize);

/// How many bytes a property has. [any thread]
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                   UInt32 *outDataSize);

/// Has a function called after a property changed, where the callback of the queue is called.
/// [control thread]
OSStatus AudioQueueAddPropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                       AudioQueuePropertyListenerProc inProc,
                                       void *_Nullable inUserData);

/// Takes back AudioQueueAddPropertyListener. [control thread]
OSStatus AudioQueueRemovePropertyListener(AudioQueueRef inAQ, AudioQueuePropertyID inID,
                                          AudioQueuePropertyListenerProc inProc,
                                          void *_Nullable inUserData);

// MARK: Time

/// Makes an object that detects gaps in the time of the queue. [control thread]
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ,
                                  AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);

/// Ends a timeline. [control thread]
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/// Frames since the start of the queue, gaps included. [any thread]
///
/// - Parameter outTimelineDiscontinuity: Written with a timeline alone: true once after the sound had a
///   gap or the device changed.
OSStatus AudioQueueGetCurrentTime(AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline,
                                  AudioTimeStamp *_Nullable outTimeStamp,
                                  Boolean *_Nullable outTimelineDiscontinuity);

/// The time of the device. While it does not run, the host time alone is valid. [any thread]
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/// Makes frames of the device host time, and back; the flags of `outTime` select the fields. [any
/// thread]
OSStatus AudioQueueDeviceTranslateTime(AudioQueueRef inAQ, const AudioTimeStamp *inTime,
                                       AudioTimeStamp *outTime);

/// The next time at which the device can start, not before the one given. `inFlags` is 0.
/// [any thread]
OSStatus AudioQueueDeviceGetNearestStartTime(AudioQueueRef inAQ,
                                             AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

// MARK: Rendering offline

/// Has a queue render to memory instead of a device; NULL and NULL: to the device again.
/// [control thread]
OSStatus AudioQueueSetOfflineRenderFormat(AudioQueueRef inAQ,
                                          const AudioStreamBasicDescription *_Nullable inFormat,
                                          const AudioChannelLayout *_Nullable inLayout);

/// Renders into a buffer of the queue that is not enqueued. [control thread]
///
/// Buffers that are used up meanwhile come back before this returns, on this thread. If there is
/// less to play than requested, mAudioDataByteSize is smaller.
OSStatus AudioQueueOfflineRender(AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp,
                                 AudioQueueBufferRef ioBuffer, UInt32 inNumberFrames);

// MARK: Processing taps

/// Has a function process the sound, before the time pitch or after it; the queue is stopped.
/// [control thread]
OSStatus AudioQueueProcessingTapNew(AudioQueueRef inAQ,
                                    AudioQueueProcessingTapCallback inCallback,
                                    void *_Nullable inClientData,
                                    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames,
                                    AudioStreamBasicDescription *outProcessingFormat,
                                    AudioQueueProcessingTapRef _Nullable *_Nonnull outAQTap);

/// Ends a tap; the queue is stopped. [control thread]
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/// The frames for the tap to process, only inside its callback; buffers without memory get the
/// queue's.
OSStatus AudioQueueProcessingTapGetSourceAudio(AudioQueueProcessingTapRef inAQTap,
                                               UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
                                               AudioQueueProcessingTapFlags *outFlags,
                                               UInt32 *outNumberFrames, AudioBufferList *ioData);

/// The time of the queue at which that sounds, for the callback of a tap of a queue that plays.
OSStatus AudioQueueProcessingTapGetQueueTime(AudioQueueProcessingTapRef inAQTap,
                                             Float64 *outQueueSampleTime,
                                             UInt32 *outQueueFrameCount);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
