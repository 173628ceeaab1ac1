// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_AUDIO_BASE_TYPES_H
#define CAUDIOTOOLBOX_CORE_AUDIO_BASE_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioChannelLayoutTags.h"

// Functions with blocks and queues are declared if the compiler supports blocks and libdispatch is
// installed.
#if defined(__BLOCKS__) && !defined(__swift__) && __has_include(<dispatch/queue.h>)
#include <dispatch/dispatch.h>
#define CAUDIOTOOLBOX_HAS_BLOCKS 1
#endif

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Results

// MacTypes.h may have declared these already.
#ifndef __MACTYPES__
CF_ENUM(OSStatus) {
  /// The call succeeded.
  noErr = 0
};
#endif

CF_ENUM(OSStatus) {
  /// No component is registered with these codes.
  invalidComponentID = -3000
};

/// Results that any audio function may return.
CF_ENUM(OSStatus) {
  kAudio_NoError = 0,
  /// The function exists, but this feature is not implemented.
  kAudio_UnimplementedError = -4,
  kAudio_FileNotFoundError = -43,
  kAudio_FilePermissionError = -54,
  kAudio_TooManyFilesOpenError = -42,
  kAudio_BadFilePathError = 0x21707468,  // '!pth'
  /// An argument is null, malformed, or of the wrong size.
  kAudio_ParamError = -50,
  kAudio_MemFullError = -108
};

// MARK: Values and ranges

/// A closed range of numbers.
struct AudioValueRange {
  Float64 mMinimum;
  Float64 mMaximum;
};
typedef struct AudioValueRange AudioValueRange;

/// A value, and memory for its translation; the caller provides both, with their sizes.
struct AudioValueTranslation {
  void *mInputData;
  UInt32 mInputDataSize;
  void *mOutputData;
  UInt32 mOutputDataSize;
};
typedef struct AudioValueTranslation AudioValueTranslation;

/// A kind of codec or component, identified by three four-character codes.
struct AudioClassDescription {
  OSType mType;
  OSType mSubType;
  OSType mManufacturer;
};
typedef struct AudioClassDescription AudioClassDescription;

// MARK: Buffers

/// The memory of one buffer.
///
/// A non-interleaved buffer contains one channel; an interleaved buffer contains all channels.
struct AudioBuffer {
  /// The number of interleaved channels in this buffer.
  UInt32 mNumberChannels;
  /// The size of the memory, in bytes.
  UInt32 mDataByteSize;
  /// The samples; null requests that the callee provides the memory.
  void *_Nullable mData;
};
typedef struct AudioBuffer AudioBuffer;

/// A buffer list of variable length: 8 + 16 * mNumberBuffers bytes.
struct AudioBufferList {
  UInt32 mNumberBuffers;
  /// The first of `mNumberBuffers` buffers.
  AudioBuffer mBuffers[1];
};
typedef struct AudioBufferList AudioBufferList;

// MARK: Stream formats

// The canonical samples of older code. They are floats, except in a program for early phones, which
// defines CA_PREFER_FIXED_POINT as 1 before the first include (Swift: -Xcc -DCA_PREFER_FIXED_POINT).
#ifndef CA_PREFER_FIXED_POINT
#define CA_PREFER_FIXED_POINT 0
#endif

#if CA_PREFER_FIXED_POINT
/// The sample type of older code: a 16-bit integer.
typedef SInt16 AudioSampleType;
/// The sample type of units in older code: 8.24 fixed point, from -128 to 128.
typedef SInt32 AudioUnitSampleType;
/// The number of bits of an `AudioUnitSampleType` after the point. Floats have no such number.
#define kAudioUnitSampleFractionBits 24
#else
/// The sample type of older code: 32-bit float, from -1 to 1.
typedef Float32 AudioSampleType;
/// The sample type of units in older code: 32-bit float, from -1 to 1.
typedef Float32 AudioUnitSampleType;
#endif

/// The format of a stream: a four-character code.
typedef UInt32 AudioFormatID;
/// Details of a format; their meaning depends on the format identifier.
typedef UInt32 AudioFormatFlags;

/// The format of a stream of audio.
///
/// Linear PCM has one frame per packet. Bytes per frame are those of one channel for
/// non-interleaved samples, and of all channels for interleaved ones. Fields that do not apply are
/// zero.
struct AudioStreamBasicDescription {
  /// Frames per second; zero for any rate.
  Float64 mSampleRate;
  AudioFormatID mFormatID;
  AudioFormatFlags mFormatFlags;
  UInt32 mBytesPerPacket;
  UInt32 mFramesPerPacket;
  UInt32 mBytesPerFrame;
  UInt32 mChannelsPerFrame;
  UInt32 mBitsPerChannel;
  /// Zero; padding to a multiple of eight bytes.
  UInt32 mReserved;
};
typedef struct AudioStreamBasicDescription AudioStreamBasicDescription;

/// Any sample rate, in a request for formats.
static const Float64 kAudioStreamAnyRate = 0;

/// Identifiers of formats. The library has a name for each of them; units process linear PCM.
CF_ENUM(AudioFormatID) {
  kAudioFormatLinearPCM = 0x6c70636d,  // 'lpcm'
  kAudioFormatAC3 = 0x61632d33,  // 'ac-3'
  kAudioFormat60958AC3 = 0x63616333,  // 'cac3'
  kAudioFormatAppleIMA4 = 0x696d6134,  // 'ima4'
  kAudioFormatMPEG4AAC = 0x61616320,  // 'aac '
  kAudioFormatMPEG4CELP = 0x63656c70,  // 'celp'
  kAudioFormatMPEG4HVXC = 0x68767863,  // 'hvxc'
  kAudioFormatMPEG4TwinVQ = 0x74777671,  // 'twvq'
  kAudioFormatMACE3 = 0x4d414333,  // 'MAC3'
  kAudioFormatMACE6 = 0x4d414336,  // 'MAC6'
  kAudioFormatULaw = 0x756c6177,  // 'ulaw'
  kAudioFormatALaw = 0x616c6177,  // 'alaw'
  kAudioFormatQDesign = 0x51444d43,  // 'QDMC'
  kAudioFormatQDesign2 = 0x51444d32,  // 'QDM2'
  kAudioFormatQUALCOMM = 0x51636c70,  // 'Qclp'
  kAudioFormatMPEGLayer1 = 0x2e6d7031,  // '.mp1'
  kAudioFormatMPEGLayer2 = 0x2e6d7032,  // '.mp2'
  kAudioFormatMPEGLayer3 = 0x2e6d7033,  // '.mp3'
  kAudioFormatTimeCode = 0x74696d65,  // 'time'
  kAudioFormatMIDIStream = 0x6d696469,  // 'midi'
  kAudioFormatParameterValueStream = 0x61707673,  // 'apvs'
  kAudioFormatAppleLossless = 0x616c6163,  // 'alac'
  kAudioFormatMPEG4AAC_HE = 0x61616368,  // 'aach'
  kAudioFormatMPEG4AAC_LD = 0x6161636c,  // 'aacl'
  kAudioFormatMPEG4AAC_ELD = 0x61616365,  // 'aace'
  kAudioFormatMPEG4AAC_ELD_SBR = 0x61616366,  // 'aacf'
  kAudioFormatMPEG4AAC_ELD_V2 = 0x61616367,  // 'aacg'
  kAudioFormatMPEG4AAC_HE_V2 = 0x61616370,  // 'aacp'
  kAudioFormatMPEG4AAC_Spatial = 0x61616373,  // 'aacs'
  kAudioFormatMPEGD_USAC = 0x75736163,  // 'usac'
  kAudioFormatAMR = 0x73616d72,  // 'samr'
  kAudioFormatAMR_WB = 0x73617762,  // 'sawb'
  kAudioFormatAudible = 0x41554442,  // 'AUDB'
  kAudioFormatiLBC = 0x696c6263,  // 'ilbc'
  kAudioFormatDVIIntelIMA = 0x6d730011,
  kAudioFormatMicrosoftGSM = 0x6d730031,
  kAudioFormatAES3 = 0x61657333,  // 'aes3'
  kAudioFormatEnhancedAC3 = 0x65632d33,  // 'ec-3'
  kAudioFormatFLAC = 0x666c6163,  // 'flac'
  kAudioFormatOpus = 0x6f707573,  // 'opus'
  kAudioFormatAPAC = 0x61706163  // 'apac'
};

/// Flags of formats; the names with LinearPCM have the same values.
CF_ENUM(AudioFormatFlags) {
  /// Floating point; otherwise integer.
  kAudioFormatFlagIsFloat = 1U << 0,
  /// Big-endian; otherwise little-endian.
  kAudioFormatFlagIsBigEndian = 1U << 1,
  /// Signed integer; otherwise unsigned. Only for integers.
  kAudioFormatFlagIsSignedInteger = 1U << 2,
  /// The sample uses all of its bits.
  kAudioFormatFlagIsPacked = 1U << 3,
  /// The sample is in the high bits. Only if not packed.
  kAudioFormatFlagIsAlignedHigh = 1U << 4,
  /// One buffer per channel.
  kAudioFormatFlagIsNonInterleaved = 1U << 5,
  /// The stream may not be mixed with others.
  kAudioFormatFlagIsNonMixable = 1U << 6,
  /// Means "no flags", where zero means "any flags".
  kAudioFormatFlagsAreAllClear = 0x80000000,

  kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat,
  kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian,
  kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger,
  kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked,
  kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh,
  kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved,
  kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable,
  /// The shift of the number of fractional bits of a fixed-point sample.
  kLinearPCMFormatFlagsSampleFractionShift = 7,
  /// The mask of the number of fractional bits.
  kLinearPCMFormatFlagsSampleFractionMask = 0x1f80,
  kLinearPCMFormatFlagsAreAllClear = kAudioFormatFlagsAreAllClear,

  /// Lossless: the bit depth of the source.
  kAppleLosslessFormatFlag_16BitSourceData = 1,
  kAppleLosslessFormatFlag_20BitSourceData = 2,
  kAppleLosslessFormatFlag_24BitSourceData = 3,
  kAppleLosslessFormatFlag_32BitSourceData = 4,

  // Flags of this machine. They have the same type as the others, so that C++ can combine them.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  kAudioFormatFlagsNativeEndian = kAudioFormatFlagIsBigEndian,
#else
  kAudioFormatFlagsNativeEndian = 0,
#endif
#if CA_PREFER_FIXED_POINT
  /// Interleaved 16-bit integers, the format of `AudioSampleType`.
  kAudioFormatFlagsCanonical =
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
  /// Non-interleaved 8.24 fixed point, the format of `AudioUnitSampleType`.
  kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagIsSignedInteger
      | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved
      | (kAudioUnitSampleFractionBits << kLinearPCMFormatFlagsSampleFractionShift),
#else
  /// Interleaved float, the format of `AudioSampleType`.
  kAudioFormatFlagsCanonical =
      kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
  /// Non-interleaved float, the format of `AudioUnitSampleType`.
  kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian
      | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
#endif
  kAudioFormatFlagsNativeFloatPacked =
      kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
};

/// Kinds of MPEG-4 audio, in the flags of its formats.
typedef CF_ENUM(long, MPEG4ObjectID) {
  kMPEG4Object_AAC_Main = 1,
  kMPEG4Object_AAC_LC = 2,
  kMPEG4Object_AAC_SSR = 3,
  kMPEG4Object_AAC_LTP = 4,
  kMPEG4Object_AAC_SBR = 5,
  kMPEG4Object_AAC_Scalable = 6,
  kMPEG4Object_TwinVQ = 7,
  kMPEG4Object_CELP = 8,
  kMPEG4Object_HVXC = 9
};

/// The position of a packet in a buffer, for formats whose packets differ in size.
struct AudioStreamPacketDescription {
  /// Bytes from the start of the buffer.
  SInt64 mStartOffset;
  /// Frames in the packet; zero when all packets have the same number.
  UInt32 mVariableFramesInPacket;
  UInt32 mDataByteSize;
};
typedef struct AudioStreamPacketDescription AudioStreamPacketDescription;

/// The dependencies of a packet on others.
struct AudioStreamPacketDependencyDescription {
  /// Not zero if the packet can be decoded alone.
  UInt32 mIsIndependentlyDecodable;
  /// The number of packets to decode first.
  UInt32 mPreRollCount;
  UInt32 mFlags;
  UInt32 mReserved;
};
typedef struct AudioStreamPacketDependencyDescription AudioStreamPacketDependencyDescription;

// MARK: Time

/// Frame rates of SMPTE time.
typedef CF_ENUM(UInt32, SMPTETimeType) {
  kSMPTETimeType24 = 0,
  kSMPTETimeType25 = 1,
  kSMPTETimeType30Drop = 2,
  kSMPTETimeType30 = 3,
  kSMPTETimeType2997 = 4,
  kSMPTETimeType2997Drop = 5,
  kSMPTETimeType60 = 6,
  kSMPTETimeType5994 = 7,
  kSMPTETimeType60Drop = 8,
  kSMPTETimeType5994Drop = 9,
  kSMPTETimeType50 = 10,
  kSMPTETimeType2398 = 11
};

/// State of SMPTE time.
typedef CF_OPTIONS(UInt32, SMPTETimeFlags) {
  kSMPTETimeUnknown = 0,
  kSMPTETimeValid = 1U << 0,
  kSMPTETimeRunning = 1U << 1
};

/// A time of day in SMPTE frames.
struct SMPTETime {
  SInt16 mSubframes;
  SInt16 mSubframeDivisor;
  UInt32 mCounter;
  SMPTETimeType mType;
  SMPTETimeFlags mFlags;
  SInt16 mHours;
  SInt16 mMinutes;
  SInt16 mSeconds;
  SInt16 mFrames;
};
typedef struct SMPTETime SMPTETime;

/// The fields of a time stamp that are valid.
typedef CF_OPTIONS(UInt32, AudioTimeStampFlags) {
  kAudioTimeStampNothingValid = 0,
  kAudioTimeStampSampleTimeValid = 1U << 0,
  kAudioTimeStampHostTimeValid = 1U << 1,
  kAudioTimeStampRateScalarValid = 1U << 2,
  kAudioTimeStampWordClockTimeValid = 1U << 3,
  kAudioTimeStampSMPTETimeValid = 1U << 4,
  kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
};

/// A point in time on several clocks; `mFlags` marks the valid fields.
struct AudioTimeStamp {
  /// Frames since the start of the stream.
  Float64 mSampleTime;
  /// Ticks of the machine's clock; see `AudioGetCurrentHostTime`.
  UInt64 mHostTime;
  /// The measured host ticks per frame divided by the nominal ones.
  Float64 mRateScalar;
  UInt64 mWordClockTime;
  SMPTETime mSMPTETime;
  AudioTimeStampFlags mFlags;
  UInt32 mReserved;
};
typedef struct AudioTimeStamp AudioTimeStamp;

// MARK: Channel layouts

/// One channel of a layout.
struct AudioChannelDescription {
  AudioChannelLabel mChannelLabel;
  AudioChannelFlags mChannelFlags;
  /// The position of the loudspeaker; see `AudioChannelCoordinateIndex`.
  Float32 mCoordinates[3];
};
typedef struct AudioChannelDescription AudioChannelDescription;

/// A layout of variable length: 12 + 20 * mNumberChannelDescriptions bytes.
struct AudioChannelLayout {
  AudioChannelLayoutTag mChannelLayoutTag;
  /// Used when the tag is `kAudioChannelLayoutTag_UseChannelBitmap`.
  AudioChannelBitmap mChannelBitmap;
  UInt32 mNumberChannelDescriptions;
  /// Used when the tag is `kAudioChannelLayoutTag_UseChannelDescriptions`.
  AudioChannelDescription mChannelDescriptions[1];
};
typedef struct AudioChannelLayout AudioChannelLayout;

/// A format and the layout that it implies.
struct AudioFormatListItem {
  AudioStreamBasicDescription mASBD;
  AudioChannelLayoutTag mChannelLayoutTag;
};
typedef struct AudioFormatListItem AudioFormatListItem;

/// The number of channels of a layout tag. [any thread]
CF_INLINE UInt32 AudioChannelLayoutTag_GetNumberOfChannels(AudioChannelLayoutTag inLayoutTag) {
  return inLayoutTag & 0xffffU;
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
