// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_QUEUE_TYPES_H
#define CAUDIOTOOLBOX_AUDIO_QUEUE_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AUCoreFoundationFields.h"

// The buffers, properties, parameters and results of queues.

CF_ASSUME_NONNULL_BEGIN

// MARK: Types

/// A queue that plays buffers one after another, or fills them with recorded sound.
typedef struct OpaqueAudioQueue *AudioQueueRef;
/// A timeline, which detects gaps in the time of a queue.
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
/// A function that processes the sound of a queue.
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

/// The identifier of a property of a queue.
typedef UInt32 AudioQueuePropertyID;
/// The identifier of a parameter of a queue.
typedef UInt32 AudioQueueParameterID;
/// The value of a parameter of a queue.
typedef Float32 AudioQueueParameterValue;

/// A buffer of a queue. From AudioQueueEnqueueBuffer until the callback, only the queue may access
/// it.
typedef struct AudioQueueBuffer {
  /// The size of the memory in bytes.
  const UInt32 mAudioDataBytesCapacity;
  /// The memory for the sound.
  void *const mAudioData;
  /// The number of bytes of sound, set by the code that fills the buffer.
  UInt32 mAudioDataByteSize;
  /// For the program's use.
  void *_Nullable mUserData;
  /// The number of descriptions for which there is room.
  const UInt32 mPacketDescriptionCapacity;
  /// The memory for descriptions; null if the buffer has none.
  AudioStreamPacketDescription *const _Nullable mPacketDescriptions;
  /// The number of descriptions, set by the code that fills the buffer.
  UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;

/// A buffer, which AudioQueueAllocateBuffer makes.
typedef AudioQueueBuffer *AudioQueueBufferRef;

/// A parameter and its value from the beginning of a buffer on.
typedef struct AudioQueueParameterEvent {
  AudioQueueParameterID mID;        ///< The parameter.
  AudioQueueParameterValue mValue;  ///< Its value.
} AudioQueueParameterEvent;

/// The level of a channel: 0 to 1, or decibels.
typedef struct AudioQueueLevelMeterState {
  Float32 mAveragePower;  ///< The average over some tenths of a second.
  Float32 mPeakPower;     ///< The peak, which falls slowly.
} AudioQueueLevelMeterState;

/// The device channel to which a channel of the queue is sent.
typedef struct AudioQueueChannelAssignment {
  /// The UID of the device.
  AU_CF_NONNULL_FIELD(CFStringRef, mDeviceUID);
  /// Counted from 1.
  UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

/// The position of a tap, and flags of the frames that it processes.
typedef CF_OPTIONS(UInt32, AudioQueueProcessingTapFlags) {
  /// The tap is before the time pitch.
  kAudioQueueProcessingTap_PreEffects = 1U << 0,
  /// The tap is after the time pitch.
  kAudioQueueProcessingTap_PostEffects = 1U << 1,
  /// The tap only reads the sound.
  kAudioQueueProcessingTap_Siphon = 1U << 2,
  /// The frames are the first after a start.
  kAudioQueueProcessingTap_StartOfStream = 1U << 8,
  /// The frames are the last before a stop.
  kAudioQueueProcessingTap_EndOfStream = 1U << 9
};

// MARK: Callbacks

/// Called when a buffer can be filled again.
typedef void (*AudioQueueOutputCallback)(void *_Nullable inUserData, AudioQueueRef inAQ,
                                         AudioQueueBufferRef inBuffer);

/// Called when a buffer has been filled; its first frame has the time `inStartTime`. The
/// descriptions are valid during the call.
typedef void (*AudioQueueInputCallback)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
    const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/// Called when a property has changed.
typedef void (*AudioQueuePropertyListenerProc)(void *_Nullable inUserData, AudioQueueRef inAQ,
                                               AudioQueuePropertyID inID);

/// Processes or reads this many frames. It runs close to real time, so it must not wait.
typedef void (*AudioQueueProcessingTapCallback)(void *inClientData,
                                                AudioQueueProcessingTapRef inAQTap,
                                                UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
                                                AudioQueueProcessingTapFlags *ioFlags,
                                                UInt32 *outNumberFrames, AudioBufferList *ioData);

// MARK: Properties

CF_ENUM(AudioQueuePropertyID) {
  /// UInt32, R, with listeners: whether the device runs for the queue, or is paused.
  kAudioQueueProperty_IsRunning = 0x6171726e,  // 'aqrn'
  /// Float64, R: frames per second of the device.
  kAudioQueueDeviceProperty_SampleRate = 0x61717372,  // 'aqsr'
  /// UInt32, R: channels of the device.
  kAudioQueueDeviceProperty_NumberChannels = 0x61716463,  // 'aqdc'
  /// CFStringRef, RW while stopped: the UID of the device; NULL follows the default one.
  kAudioQueueProperty_CurrentDevice = 0x61716364,  // 'aqcd'
  /// Bytes, RW: the magic cookie for decoding; R for a recording queue: the magic cookie for
  /// decoders of its output.
  kAudioQueueProperty_MagicCookie = 0x61716d63,  // 'aqmc'
  /// UInt32, R: the size of the largest recorded packet in bytes.
  kAudioQueueProperty_MaximumOutputPacketSize = 0x786f7073,  // 'xops'
  /// AudioStreamBasicDescription, R: the format of the buffers.
  kAudioQueueProperty_StreamDescription = 0x61716674,  // 'aqft'
  /// AudioChannelLayout, RW while stopped: the channels of the buffers.
  kAudioQueueProperty_ChannelLayout = 0x6171636c,  // 'aqcl'
  /// UInt32, RW: 1 switches the level meters on.
  kAudioQueueProperty_EnableLevelMetering = 0x61716d65,  // 'aqme'
  /// AudioQueueLevelMeterState for each channel, R: 0 to 1.
  kAudioQueueProperty_CurrentLevelMeter = 0x61716d76,  // 'aqmv'
  /// AudioQueueLevelMeterState for each channel, R: decibels.
  kAudioQueueProperty_CurrentLevelMeterDB = 0x61716d64,  // 'aqmd'
  /// UInt32, RW: the number of frames that are decoded ahead.
  kAudioQueueProperty_DecodeBufferSizeFrames = 0x64636266,  // 'dcbf'
  /// UInt32, R: the last error of decoding or encoding.
  kAudioQueueProperty_ConverterError = 0x71637665,  // 'qcve'
  /// UInt32, RW while stopped: 1 makes play rate and pitch effective.
  kAudioQueueProperty_EnableTimePitch = 0x715f7470,  // 'q_tp'
  /// UInt32, RW while stopped: how speed and pitch change, kAudioQueueTimePitchAlgorithm_...
  kAudioQueueProperty_TimePitchAlgorithm = 0x71747061,  // 'qtpa'
  /// UInt32, RW: 1 bypasses the time pitch.
  kAudioQueueProperty_TimePitchBypass = 0x71747062,  // 'qtpb'
  /// AudioQueueChannelAssignment for each channel, W while stopped.
  kAudioQueueProperty_ChannelAssignments = 0x61716361,  // 'aqca'
  /// UInt32, RW: kAudioQueueHardwareCodecPolicy_...; all codecs of this library are software.
  kAudioQueueProperty_HardwareCodecPolicy = 0x61716370  // 'aqcp'
};

/// Values of kAudioQueueProperty_TimePitchAlgorithm.
CF_ENUM(UInt32) {
  /// The best sound, with a phase vocoder.
  kAudioQueueTimePitchAlgorithm_Spectral = 0x73706563,  // 'spec'
  /// For speech, at less CPU time.
  kAudioQueueTimePitchAlgorithm_TimeDomain = 0x7469646f,  // 'tido'
  /// The pitch follows the rate.
  kAudioQueueTimePitchAlgorithm_Varispeed = 0x76737064,  // 'vspd'
  /// The least latency.
  kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 0x6c717a6c  // 'lqzl'
};

/// Values of kAudioQueueProperty_HardwareCodecPolicy.
CF_ENUM(UInt32) {
  /// The system chooses: software.
  kAudioQueueHardwareCodecPolicy_Default = 0,
  /// Software, or an error.
  kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
  /// Hardware, or an error: here always an error.
  kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
  /// Software, or else hardware.
  kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
  /// Hardware, or else software.
  kAudioQueueHardwareCodecPolicy_PreferHardware = 4
};

CF_ENUM(AudioQueueParameterID) {
  /// Linear gain, 0 to 1.
  kAudioQueueParam_Volume = 1,
  /// 0.5 to 2, if kAudioQueueProperty_EnableTimePitch is 1.
  kAudioQueueParam_PlayRate = 2,
  /// Cents, -2400 to 2400, if kAudioQueueProperty_EnableTimePitch is 1.
  kAudioQueueParam_Pitch = 3,
  /// The duration of later volume changes, in seconds.
  kAudioQueueParam_VolumeRampTime = 4,
  /// -1 (left) to 1 (right), for one or two channels.
  kAudioQueueParam_Pan = 13
};

// MARK: Errors

CF_ENUM(OSStatus) {
  /// The buffer is not the queue's, or too full.
  kAudioQueueErr_InvalidBuffer = -66687,
  /// The buffer contains no sound.
  kAudioQueueErr_BufferEmpty = -66686,
  /// The queue is being disposed of.
  kAudioQueueErr_DisposalPending = -66685,
  /// Queues of this kind do not have this property.
  kAudioQueueErr_InvalidProperty = -66684,
  /// The size is not that of the value.
  kAudioQueueErr_InvalidPropertySize = -66683,
  /// Queues do not have this parameter.
  kAudioQueueErr_InvalidParameter = -66682,
  /// The device cannot be started.
  kAudioQueueErr_CannotStart = -66681,
  /// There is no such device, or it lacks this direction.
  kAudioQueueErr_InvalidDevice = -66680,
  /// The buffer is enqueued.
  kAudioQueueErr_BufferInQueue = -66679,
  /// Not while the queue runs, or only while it does.
  kAudioQueueErr_InvalidRunState = -66678,
  /// The call is for the other kind of queue.
  kAudioQueueErr_InvalidQueueType = -66677,
  /// The program may not use the device.
  kAudioQueueErr_Permissions = -66676,
  /// The property cannot have this value.
  kAudioQueueErr_InvalidPropertyValue = -66675,
  /// The frames could not be decoded in time.
  kAudioQueueErr_PrimeTimedOut = -66674,
  /// There is no codec for the format.
  kAudioQueueErr_CodecNotFound = -66673,
  /// The codec is in use by another program.
  kAudioQueueErr_InvalidCodecAccess = -66672,
  /// The sound server has ended.
  kAudioQueueErr_QueueInvalidated = -66671,
  /// The queue has a tap.
  kAudioQueueErr_TooManyTaps = -66670,
  /// Only inside the callback of the tap.
  kAudioQueueErr_InvalidTapContext = -66669,
  /// Frames were lost because no buffer was free.
  kAudioQueueErr_RecordUnderrun = -66668,
  /// The tap is not one of a playback queue.
  kAudioQueueErr_InvalidTapType = -66667,
  /// The buffer is enqueued already.
  kAudioQueueErr_BufferEnqueuedTwice = -66666,
  /// The device is not ready yet.
  kAudioQueueErr_CannotStartYet = -66665,
  /// The queue is returning its buffers.
  kAudioQueueErr_EnqueueDuringReset = -66632,
  /// The queue plays to a device.
  kAudioQueueErr_InvalidOfflineMode = -66626
};

CF_ASSUME_NONNULL_END

#endif
