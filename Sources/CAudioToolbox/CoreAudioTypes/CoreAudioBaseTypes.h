// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_AUDIO_BASE_TYPES_H
#define CAUDIOTOOLBOX_CORE_AUDIO_BASE_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioChannelLayoutTags.h"

// Functions with blocks and queues are declared if the compiler supports blocks and libdispatch is
// installed.
#if defined(__BLOCKS__) && !defined(__swift__) && __has_include(<dispatch/queue.h>)
#include <dispatch/dispatch.h>

// The values that all of the interface uses: buffers, formats, times and layouts of channels.
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
  /// The call has succeeded.
  kAudio_NoError = 0,
  /// The function exists, but this feature is not implemented.
  kAudio_UnimplementedError = -4,
  /// The file does not exist.
  kAudio_FileNotFoundError = -43,
  /// The file may not be read or written.
  kAudio_FilePermissionError = -54,
  /// The process has too many open files.
  kAudio_TooManyFilesOpenError = -42,
  /// The path cannot be one of a file.
  kAudio_BadFilePathError = 0x21707468,  // '!pth'
  /// An argument is null, malformed, or of the wrong size.
  kAudio_ParamError = -50,
  /// There is not enough memory, or no place left.
  kAudio_MemFullError = -108
};

// MARK: Values and ranges

/// A closed range of numbers.
struct AudioValueRange {
  Float64 mMinimum;  ///< The lowest number.
  Float64 mMaximum;  ///< The highest number.
};
typedef struct AudioValueRange AudioValueRange;

/// A value, and memory for its translation; the caller provides both, with their sizes.
struct AudioValueTranslation {
  void *mInputData;        ///< The value to translate.
  UInt32 mInputDataSize;   ///< Its size in bytes.
  void *mOutputData;       ///< Memory for the translation.
  UInt32 mOutputDataSize;  ///< The size of that memory in bytes.
};
typedef struct AudioValueTranslation AudioValueTranslation;

/// A kind of codec or component, identified by three four-character codes.
struct AudioClassDescription {
  OSType mType;          ///< Such as kAudioEncoderComponentType.
  OSType mSubType;       ///< Such as kAudioFormatMPEG4AAC.
  OSType mManufacturer;  ///< Such as kAppleSoftwareAudioCodecManufacturer.
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
  /// The number of buffers: one for each channel, or one for interleaved channels.
  UInt32 mNumberBuffers;
  /// The first of `mNumberBuffers` buffers.
  AudioBuffer mBuffers[1];
};
typedef struct AudioBufferList AudioBufferList;

// MARK: Stream formats

// The canonical samples of older code. They are floats, except in a program for early phones, which
// defines CA_PREFER_FIXED_POINT as 1 before the first include (Swift: -Xcc -DCA_PREFER_FIXED_POINT).
#ifndef CA_PREFER_FIXED_POINT
/// 1 makes AudioSampleType 16-bit and AudioUnitSampleType 8.24, as on old telephones.
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
  /// The kind of format, such as kAudioFormatLinearPCM.
  AudioFormatID mFormatID;
  /// Flags of this kind of format: kAudioFormatFlagIsFloat and others.
  AudioFormatFlags mFormatFlags;
  /// Bytes of a packet; 0 if packets differ in size.
  UInt32 mBytesPerPacket;
  /// Frames of a packet; 0 if packets differ.
  UInt32 mFramesPerPacket;
  /// Bytes of a frame; 0 if packets are compressed.
  UInt32 mBytesPerFrame;
  /// The number of channels, interleaved or not.
  UInt32 mChannelsPerFrame;
  /// Bits of a sample that are used; 0 if packets are compressed.
  UInt32 mBitsPerChannel;
  /// Zero; padding to a multiple of eight bytes.
  UInt32 mReserved;
};
typedef struct AudioStreamBasicDescription AudioStreamBasicDescription;

/// Any sample rate, in a request for formats.
static const Float64 kAudioStreamAnyRate = 0;

/// Identifiers of formats. The library has a name for each of them; units process linear PCM.
CF_ENUM(AudioFormatID) {
  kAudioFormatLinearPCM = 0x6c70636d,  ///< Samples as numbers ('lpcm').
  kAudioFormatAC3 = 0x61632d33,  ///< Dolby Digital ('ac-3').
  kAudioFormat60958AC3 = 0x63616333,  ///< Dolby Digital in the packets of S/PDIF ('cac3').
  kAudioFormatAppleIMA4 = 0x696d6134,  ///< IMA 4:1 ADPCM ('ima4').
  kAudioFormatMPEG4AAC = 0x61616320,  ///< AAC of low complexity ('aac ').
  kAudioFormatMPEG4CELP = 0x63656c70,  ///< MPEG-4 CELP, for speech ('celp').
  kAudioFormatMPEG4HVXC = 0x68767863,  ///< MPEG-4 HVXC, for speech ('hvxc').
  kAudioFormatMPEG4TwinVQ = 0x74777671,  ///< MPEG-4 TwinVQ ('twvq').
  kAudioFormatMACE3 = 0x4d414333,  ///< MACE 3:1 ('MAC3').
  kAudioFormatMACE6 = 0x4d414336,  ///< MACE 6:1 ('MAC6').
  kAudioFormatULaw = 0x756c6177,  ///< µ-law, 8 bits for 14 ('ulaw').
  kAudioFormatALaw = 0x616c6177,  ///< A-law, 8 bits for 13 ('alaw').
  kAudioFormatQDesign = 0x51444d43,  ///< QDesign Music ('QDMC').
  kAudioFormatQDesign2 = 0x51444d32,  ///< QDesign Music, version 2 ('QDM2').
  kAudioFormatQUALCOMM = 0x51636c70,  ///< QUALCOMM PureVoice ('Qclp').
  kAudioFormatMPEGLayer1 = 0x2e6d7031,  ///< MP1 ('.mp1').
  kAudioFormatMPEGLayer2 = 0x2e6d7032,  ///< MP2 ('.mp2').
  kAudioFormatMPEGLayer3 = 0x2e6d7033,  ///< MP3 ('.mp3').
  kAudioFormatTimeCode = 0x74696d65,  ///< Time code, no sound ('time').
  kAudioFormatMIDIStream = 0x6d696469,  ///< MIDI, no sound ('midi').
  kAudioFormatParameterValueStream = 0x61707673,  ///< Values of a parameter, no sound ('apvs').
  kAudioFormatAppleLossless = 0x616c6163,  ///< Apple Lossless ('alac').
  kAudioFormatMPEG4AAC_HE = 0x61616368,  ///< High-efficiency AAC ('aach').
  kAudioFormatMPEG4AAC_LD = 0x6161636c,  ///< Low-delay AAC ('aacl').
  kAudioFormatMPEG4AAC_ELD = 0x61616365,  ///< Enhanced low-delay AAC ('aace').
  /// Enhanced low-delay AAC with spectral band replication ('aacf').
  kAudioFormatMPEG4AAC_ELD_SBR = 0x61616366,  // 'aacf'
  kAudioFormatMPEG4AAC_ELD_V2 = 0x61616367,  ///< Enhanced low-delay AAC, version 2 ('aacg').
  kAudioFormatMPEG4AAC_HE_V2 = 0x61616370,  ///< High-efficiency AAC with parametric stereo ('aacp').
  kAudioFormatMPEG4AAC_Spatial = 0x61616373,  ///< AAC with MPEG Surround ('aacs').
  kAudioFormatMPEGD_USAC = 0x75736163,  ///< MPEG-D USAC, or xHE-AAC ('usac').
  kAudioFormatAMR = 0x73616d72,  ///< Adaptive Multi-Rate, for speech at 8 kHz ('samr').
  kAudioFormatAMR_WB = 0x73617762,  ///< Adaptive Multi-Rate, for speech at 16 kHz ('sawb').
  kAudioFormatAudible = 0x41554442,  ///< Audible's audio books ('AUDB').
  kAudioFormatiLBC = 0x696c6263,  ///< iLBC, for speech ('ilbc').
  kAudioFormatDVIIntelIMA = 0x6d730011,  ///< IMA ADPCM as in wave files: 'ms' and their number, 17.
  kAudioFormatMicrosoftGSM = 0x6d730031,  ///< GSM 6.10 as in wave files: 'ms' and their number, 49.
  kAudioFormatAES3 = 0x61657333,  ///< AES3 data, as SMPTE 302M ('aes3').
  kAudioFormatEnhancedAC3 = 0x65632d33,  ///< Dolby Digital Plus ('ec-3').
  kAudioFormatFLAC = 0x666c6163,  ///< FLAC, lossless ('flac').
  kAudioFormatOpus = 0x6f707573,  ///< Opus ('opus').
  kAudioFormatAPAC = 0x61706163  ///< Apple's codec for spatial sound ('apac').
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

  /// Another name of kAudioFormatFlagIsFloat.
  kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat,
  /// Another name of kAudioFormatFlagIsBigEndian.
  kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian,
  /// Another name of kAudioFormatFlagIsSignedInteger.
  kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger,
  /// Another name of kAudioFormatFlagIsPacked.
  kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked,
  /// Another name of kAudioFormatFlagIsAlignedHigh.
  kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh,
  /// Another name of kAudioFormatFlagIsNonInterleaved.
  kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved,
  /// Another name of kAudioFormatFlagIsNonMixable.
  kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable,
  /// The shift of the number of fractional bits of a fixed-point sample.
  kLinearPCMFormatFlagsSampleFractionShift = 7,
  /// The mask of the number of fractional bits.
  kLinearPCMFormatFlagsSampleFractionMask = 0x1f80,
  /// Another name of kAudioFormatFlagsAreAllClear.
  kLinearPCMFormatFlagsAreAllClear = kAudioFormatFlagsAreAllClear,

  /// Lossless: the source has 16 bits.
  kAppleLosslessFormatFlag_16BitSourceData = 1,
  /// Lossless: the source has 20 bits.
  kAppleLosslessFormatFlag_20BitSourceData = 2,
  /// Lossless: the source has 24 bits.
  kAppleLosslessFormatFlag_24BitSourceData = 3,
  /// Lossless: the source has 32 bits.
  kAppleLosslessFormatFlag_32BitSourceData = 4,

  // Flags of this machine. They have the same type as the others, so that C++ can combine them.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  kAudioFormatFlagsNativeEndian = kAudioFormatFlagIsBigEndian,
#else
  /// The byte order of this machine.
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
  /// Interleaved float in the byte order of this machine.
  kAudioFormatFlagsNativeFloatPacked =
      kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
};

/// Kinds of MPEG-4 audio, in the flags of its formats.
typedef CF_ENUM(long, MPEG4ObjectID) {
  kMPEG4Object_AAC_Main = 1,      ///< AAC with prediction.
  kMPEG4Object_AAC_LC = 2,        ///< AAC of low complexity.
  kMPEG4Object_AAC_SSR = 3,       ///< AAC with a scalable sample rate.
  kMPEG4Object_AAC_LTP = 4,       ///< AAC with long-term prediction.
  kMPEG4Object_AAC_SBR = 5,       ///< AAC with spectral band replication.
  kMPEG4Object_AAC_Scalable = 6,  ///< AAC in layers.
  kMPEG4Object_TwinVQ = 7,        ///< Vector quantisation, for low bit rates.
  kMPEG4Object_CELP = 8,          ///< Speech.
  kMPEG4Object_HVXC = 9           ///< Speech at very low bit rates.
};

/// The position of a packet in a buffer, for formats whose packets differ in size.
struct AudioStreamPacketDescription {
  /// Bytes from the start of the buffer.
  SInt64 mStartOffset;
  /// Frames in the packet; zero when all packets have the same number.
  UInt32 mVariableFramesInPacket;
  /// The bytes of the packet.
  UInt32 mDataByteSize;
};
typedef struct AudioStreamPacketDescription AudioStreamPacketDescription;

/// The dependencies of a packet on others.
struct AudioStreamPacketDependencyDescription {
  /// Not zero if the packet can be decoded alone.
  UInt32 mIsIndependentlyDecodable;
  /// The number of packets to decode first.
  UInt32 mPreRollCount;
  /// Always 0.
  UInt32 mFlags;
  /// Always 0.
  UInt32 mReserved;
};
typedef struct AudioStreamPacketDependencyDescription AudioStreamPacketDependencyDescription;

// MARK: Time

/// Frame rates of SMPTE time.
typedef CF_ENUM(UInt32, SMPTETimeType) {
  kSMPTETimeType24 = 0,        ///< 24 frames a second.
  kSMPTETimeType25 = 1,        ///< 25 frames a second.
  kSMPTETimeType30Drop = 2,    ///< 30 frames a second, with dropped numbers.
  kSMPTETimeType30 = 3,        ///< 30 frames a second.
  kSMPTETimeType2997 = 4,      ///< 29.97 frames a second.
  kSMPTETimeType2997Drop = 5,  ///< 29.97 frames a second, with dropped numbers.
  kSMPTETimeType60 = 6,        ///< 60 frames a second.
  kSMPTETimeType5994 = 7,      ///< 59.94 frames a second.
  kSMPTETimeType60Drop = 8,    ///< 60 frames a second, with dropped numbers.
  kSMPTETimeType5994Drop = 9,  ///< 59.94 frames a second, with dropped numbers.
  kSMPTETimeType50 = 10,       ///< 50 frames a second.
  kSMPTETimeType2398 = 11      ///< 23.98 frames a second.
};

/// State of SMPTE time.
typedef CF_OPTIONS(UInt32, SMPTETimeFlags) {
  kSMPTETimeUnknown = 0,       ///< The time is not valid.
  kSMPTETimeValid = 1U << 0,   ///< The time is valid.
  kSMPTETimeRunning = 1U << 1  ///< The time advances.
};

/// A time of day in SMPTE frames.
struct SMPTETime {
  SInt16 mSubframes;        ///< Subframes after the frame.
  SInt16 mSubframeDivisor;  ///< Subframes in a frame, usually 80.
  UInt32 mCounter;          ///< Messages of MIDI time code, or 0.
  SMPTETimeType mType;      ///< The frame rate.
  SMPTETimeFlags mFlags;    ///< Whether the time is valid, and advances.
  SInt16 mHours;            ///< 0 to 23.
  SInt16 mMinutes;          ///< 0 to 59.
  SInt16 mSeconds;          ///< 0 to 59.
  SInt16 mFrames;           ///< 0 to the frame rate minus 1.
};
typedef struct SMPTETime SMPTETime;

/// The fields of a time stamp that are valid.
typedef CF_OPTIONS(UInt32, AudioTimeStampFlags) {
  kAudioTimeStampNothingValid = 0,  ///< No field.
  kAudioTimeStampSampleTimeValid = 1U << 0,  ///< `mSampleTime`.
  kAudioTimeStampHostTimeValid = 1U << 1,  ///< `mHostTime`.
  kAudioTimeStampRateScalarValid = 1U << 2,  ///< `mRateScalar`.
  kAudioTimeStampWordClockTimeValid = 1U << 3,  ///< `mWordClockTime`.
  kAudioTimeStampSMPTETimeValid = 1U << 4,  ///< `mSMPTETime`.
  /// `mSampleTime` and `mHostTime`.
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
  /// The time of a word clock; this library does not set it.
  UInt64 mWordClockTime;
  /// SMPTE time; this library does not set it.
  SMPTETime mSMPTETime;
  /// The fields that are valid.
  AudioTimeStampFlags mFlags;
  /// Always 0.
  UInt32 mReserved;
};
typedef struct AudioTimeStamp AudioTimeStamp;

// MARK: Channel layouts

/// One channel of a layout.
struct AudioChannelDescription {
  /// What the channel is; kAudioChannelLabel_UseCoordinates: where it is.
  AudioChannelLabel mChannelLabel;
  /// Which coordinates `mCoordinates` has.
  AudioChannelFlags mChannelFlags;
  /// The position of the loudspeaker; see `AudioChannelCoordinateIndex`.
  Float32 mCoordinates[3];
};
typedef struct AudioChannelDescription AudioChannelDescription;

/// A layout of variable length: 12 + 20 * mNumberChannelDescriptions bytes.
struct AudioChannelLayout {
  /// The layout, or where it is described.
  AudioChannelLayoutTag mChannelLayoutTag;
  /// Used when the tag is `kAudioChannelLayoutTag_UseChannelBitmap`.
  AudioChannelBitmap mChannelBitmap;
  /// The number of descriptions that follow.
  UInt32 mNumberChannelDescriptions;
  /// Used when the tag is `kAudioChannelLayoutTag_UseChannelDescriptions`.
  AudioChannelDescription mChannelDescriptions[1];
};
typedef struct AudioChannelLayout AudioChannelLayout;

/// A format and the layout that it implies.
struct AudioFormatListItem {
  AudioStreamBasicDescription mASBD;        ///< The format.
  AudioChannelLayoutTag mChannelLayoutTag;  ///< The layout of its channels.
};
typedef struct AudioFormatListItem AudioFormatListItem;

/// The number of channels of a layout tag. [any thread]
///
/// - Parameter inLayoutTag: a tag, such as kAudioChannelLayoutTag_Stereo.
/// - Returns: the number of channels; 0 for kAudioChannelLayoutTag_UseChannelDescriptions and
///   -UseChannelBitmap.
CF_INLINE UInt32 AudioChannelLayoutTag_GetNumberOfChannels(AudioChannelLayoutTag inLayoutTag) {
  return inLayoutTag & 0xffffU;
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#include "FormatInlines.h"
#endif
