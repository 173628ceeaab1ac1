// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_QUEUE_TYPES_H
#define CAUDIOTOOLBOX_AUDIO_QUEUE_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

// MARK: Types

/// A queue that plays buffers one after another, or fills them with recorded sound.
typedef struct OpaqueAudioQueue *AudioQueueRef;
/// A timeline, which detects gaps in the time of a queue.
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
/// A function that processes the sound of a queue.
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;

/// A buffer of a queue. From AudioQueueEnqueueBuffer until the callback, only the queue may access
/// it.
typedef struct AudioQueueBuffer {
  const UInt32 mAudioDataBytesCapacity;
  void *const mAudioData;
  /// The number of bytes of sound, set by the code that fills the buffer.
  UInt32 mAudioDataByteSize;
  /// For the program's use.
  void *_Nullable mUserData;
  const UInt32 mPacketDescriptionCapacity;
  AudioStreamPacketDescription *const _Nullable mPacketDescriptions;
  UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;

typedef AudioQueueBuffer *AudioQueueBufferRef;

/// A parameter and its value from the beginning of a buffer on.
typedef struct AudioQueueParameterEvent {
  AudioQueueParameterID mID;
  AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

/// The level of a channel: 0 to 1, or decibels.
typedef struct AudioQueueLevelMeterState {
  Float32 mAveragePower;
  Float32 mPeakPower;
} AudioQueueLevelMeterState;

/// The device channel to which a channel of the queue is sent.
typedef struct AudioQueueChannelAssignment {
  AU_CF_NONNULL_FIELD(CFStringRef, mDeviceUID);
  /// Counted from 1.
  UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

/// The position of a tap, and flags of the frames that it processes.
typedef CF_OPTIONS(UInt32, AudioQueueProcessingTapFlags) {
  kAudioQueueProcessingTap_PreEffects = 1U << 0,
  kAudioQueueProcessingTap_PostEffects = 1U << 1,
  /// The tap only reads the sound.
  kAudioQueueProcessingTap_Siphon = 1U << 2,
  kAudioQueueProcessingTap_StartOfStream = 1U << 8,
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
  /// UInt32, RW while stopped: kAudioQueueTimePitchAlgorithm_...
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
  kAudioQueueTimePitchAlgorithm_Spectral = 0x73706563,  // 'spec'
  kAudioQueueTimePitchAlgorithm_TimeDomain = 0x7469646f,  // 'tido'
  /// The pitch follows the rate.
  kAudioQueueTimePitchAlgorithm_Varispeed = 0x76737064,  // 'vspd'
  kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 0x6c717a6c  // 'lqzl'
};

/// Values of kAudioQueueProperty_HardwareCodecPolicy.
CF_ENUM(UInt32) {
  kAudioQueueHardwareCodecPolicy_Default = 0,
  kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
  kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
  kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
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
  kAudioQueueErr_InvalidBuffer = -66687,
  kAudioQueueErr_BufferEmpty = -66686,
  kAudioQueueErr_DisposalPending = -66685,
  kAudioQueueErr_InvalidProperty = -66684,
  kAudioQueueErr_InvalidPropertySize = -66683,
  kAudioQueueErr_InvalidParameter = -66682,
  kAudioQueueErr_CannotStart = -66681,
  kAudioQueueErr_InvalidDevice = -66680,
  kAudioQueueErr_BufferInQueue = -66679,
  kAudioQueueErr_InvalidRunState = -66678,
  kAudioQueueErr_InvalidQueueType = -66677,
  kAudioQueueErr_Permissions = -66676,
  kAudioQueueErr_InvalidPropertyValue = -66675,
  kAudioQueueErr_PrimeTimedOut = -66674,
  kAudioQueueErr_CodecNotFound = -66673,
  kAudioQueueErr_InvalidCodecAccess = -66672,
  kAudioQueueErr_QueueInvalidated = -66671,
  kAudioQueueErr_TooManyTaps = -66670,
  kAudioQueueErr_InvalidTapContext = -66669,
  kAudioQueueErr_RecordUnderrun = -66668,
  kAudioQueueErr_InvalidTapType = -66667,
  kAudioQueueErr_BufferEnqueuedTwice = -66666,
  kAudioQueueErr_CannotStartYet = -66665,
  kAudioQueueErr_EnqueueDuringReset = -66632,
  kAudioQueueErr_InvalidOfflineMode = -66626
};

CF_ASSUME_NONNULL_END

#endif
