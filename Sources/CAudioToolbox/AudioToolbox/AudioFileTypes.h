// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H
#define CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Files and kinds of file

/// A sound file that is open.
typedef struct OpaqueAudioFileID *AudioFileID;
/// A kind of file: a four-character code.
typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;

/// Kinds of file.
CF_ENUM(AudioFileTypeID) {
  kAudioFileAIFFType = 0x41494646,  // 'AIFF'
  kAudioFileAIFCType = 0x41494643,  // 'AIFC'
  kAudioFileWAVEType = 0x57415645,  // 'WAVE'
  kAudioFileRF64Type = 0x52463634,  // 'RF64'
  kAudioFileBW64Type = 0x42573634,  // 'BW64'
  kAudioFileWave64Type = 0x57363466,  // 'W64f'
  kAudioFileSoundDesigner2Type = 0x53643266,  // 'Sd2f'
  kAudioFileNextType = 0x4e655854,  // 'NeXT'
  kAudioFileMP3Type = 0x4d504733,  // 'MPG3'
  kAudioFileMP2Type = 0x4d504732,  // 'MPG2'
  kAudioFileMP1Type = 0x4d504731,  // 'MPG1'
  kAudioFileAC3Type = 0x61632d33,  // 'ac-3'
  kAudioFileAAC_ADTSType = 0x61647473,  // 'adts'
  kAudioFileMPEG4Type = 0x6d703466,  // 'mp4f'
  kAudioFileM4AType = 0x6d346166,  // 'm4af'
  kAudioFileM4BType = 0x6d346266,  // 'm4bf'
  kAudioFileCAFType = 0x63616666,  // 'caff'
  kAudioFile3GPType = 0x33677070,  // '3gpp'
  kAudioFile3GP2Type = 0x33677032,  // '3gp2'
  kAudioFileAMRType = 0x616d7266,  // 'amrf'
  kAudioFileFLACType = 0x666c6163,  // 'flac'
  kAudioFileLATMInLOASType = 0x6c6f6173  // 'loas'
};

/// Of this library alone: Ogg, with Vorbis, Opus or FLAC in it.
CF_ENUM(AudioFileTypeID) {
  kAudioFileOggType = 0x6f676720  // 'ogg '
};

/// Results of the functions of files.
CF_ENUM(OSStatus) {
  kAudioFileUnspecifiedError = 0x7768743f,  // 'wht?'
  /// The kind of file is not read, or not written.
  kAudioFileUnsupportedFileTypeError = 0x7479703f,  // 'typ?'
  /// The kind of file cannot hold this format, or the format is unknown.
  kAudioFileUnsupportedDataFormatError = 0x666d743f,  // 'fmt?'
  kAudioFileUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  kAudioFileBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioFilePermissionsError = 0x70726d3f,  // 'prm?'
  /// There are chunks behind the sound, so that it cannot grow; AudioFileOptimize mends that.
  kAudioFileNotOptimizedError = 0x6f70746d,  // 'optm'
  /// There is no such chunk, or it cannot be written.
  kAudioFileInvalidChunkError = 0x63686b3f,  // 'chk?'
  /// The file would be larger than its kind can be.
  kAudioFileDoesNotAllow64BitDataSizeError = 0x6f66663f,  // 'off?'
  kAudioFileInvalidPacketOffsetError = 0x70636b3f,  // 'pck?'
  kAudioFileInvalidPacketDependencyError = 0x6465703f,  // 'dep?'
  /// The file is damaged, or not of its kind.
  kAudioFileInvalidFileError = 0x6474613f,  // 'dta?'
  kAudioFileOperationNotSupportedError = 0x6f703f3f,  // 'op??'
  kAudioFileNotOpenError = -38,
  kAudioFileEndOfFileError = -39,
  kAudioFilePositionError = -40,
  kAudioFileFileNotFoundError = -43
};

/// How an existing file is treated that is created again.
typedef CF_OPTIONS(UInt32, AudioFileFlags) {
  /// It is emptied; without this flag there must be none.
  kAudioFileFlags_EraseFile = 1,
  /// The sound begins where the header ends, and not at byte 4096.
  kAudioFileFlags_DontPageAlignAudioData = 2
};

/// What an open file may be used for.
typedef CF_ENUM(SInt8, AudioFilePermissions) {
  kAudioFileReadPermission = 0x01,
  kAudioFileWritePermission = 0x02,
  kAudioFileReadWritePermission = 0x03
};

/// Loops: the purpose of a region.
typedef CF_OPTIONS(UInt32, AudioFileRegionFlags) {
  kAudioFileRegionFlag_LoopEnable = 1,
  kAudioFileRegionFlag_PlayForward = 2,
  kAudioFileRegionFlag_PlayBackward = 4
};

enum {
  kAudioFileLoopDirection_NoLooping = 0,
  kAudioFileLoopDirection_Forward = 1,
  kAudioFileLoopDirection_ForwardAndBackward = 2,
  kAudioFileLoopDirection_Backward = 3
};

enum {
  /// The only type of marker that there is a name for.
  kAudioFileMarkerType_Generic = 0
};

// MARK: Structures

/// A time of day in film frames, as markers have it.
struct AudioFile_SMPTE_Time {
  SInt8 mHours;
  UInt8 mMinutes;
  UInt8 mSeconds;
  UInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
};
typedef struct AudioFile_SMPTE_Time AudioFile_SMPTE_Time;

/// A place in the sound.
struct AudioFileMarker {
  /// Frames from the beginning.
  Float64 mFramePosition;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  SInt32 mMarkerID;
  AudioFile_SMPTE_Time mSMPTETime;
  UInt32 mType;
  UInt16 mReserved;
  /// The channel that it belongs to, from 1; 0 for all.
  UInt16 mChannel;
};
typedef struct AudioFileMarker AudioFileMarker;

/// Markers: 8 + 40 * mNumberMarkers bytes.
struct AudioFileMarkerList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
};
typedef struct AudioFileMarkerList AudioFileMarkerList;

/// A part of the sound between two markers: 24 + 40 * mNumberMarkers bytes.
struct AudioFileRegion {
  UInt32 mRegionID;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  AudioFileRegionFlags mFlags;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
};
typedef struct AudioFileRegion AudioFileRegion;

/// Regions, one behind the other, each of its own size.
struct AudioFileRegionList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  AudioFileRegion mRegions[1];
};
typedef struct AudioFileRegionList AudioFileRegionList;

/// The bytes of a list of so many markers. [any thread]
CF_INLINE size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
  return sizeof(AudioFileMarkerList) - sizeof(AudioFileMarker)
         + inNumMarkers * sizeof(AudioFileMarker);
}

/// The markers in a list of so many bytes. [any thread]
CF_INLINE size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
  return inNumBytes < 8 ? 0 : (inNumBytes - 8) / sizeof(AudioFileMarker);
}

/// The region behind one in a list. [any thread]
CF_INLINE AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *inAFRegionPtr) {
  return (AudioFileRegion *)((char *)inAFRegionPtr + sizeof(AudioFileRegion)
                             - sizeof(AudioFileMarker)
                             + inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker));
}

/// A frame, and the packet that contains it.
struct AudioFramePacketTranslation {
  SInt64 mFrame;
  SInt64 mPacket;
  UInt32 mFrameOffsetInPacket;
};
typedef struct AudioFramePacketTranslation AudioFramePacketTranslation;

/// The accuracy of a byte translation.
typedef CF_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
  kBytePacketTranslationFlag_IsEstimate = 1
};

/// A byte of the sound, and the packet that contains it.
struct AudioBytePacketTranslation {
  SInt64 mByte;
  SInt64 mPacket;
  UInt32 mByteOffsetInPacket;
  AudioBytePacketTranslationFlags mFlags;
};
typedef struct AudioBytePacketTranslation AudioBytePacketTranslation;

/// How many bytes some packets have at most.
struct AudioPacketRangeByteCountTranslation {
  SInt64 mPacket;
  SInt64 mPacketCount;
  SInt64 mByteCountUpperBound;
};
typedef struct AudioPacketRangeByteCountTranslation AudioPacketRangeByteCountTranslation;

/// How many packets before one have to be decoded for it to sound right.
struct AudioPacketRollDistanceTranslation {
  SInt64 mPacket;
  SInt64 mRollDistance;
};
typedef struct AudioPacketRollDistanceTranslation AudioPacketRollDistanceTranslation;

/// A packet, and the nearest that can be decoded alone; -1 where there is none.
struct AudioIndependentPacketTranslation {
  SInt64 mPacket;
  SInt64 mIndependentlyDecodablePacket;
};
typedef struct AudioIndependentPacketTranslation AudioIndependentPacketTranslation;

/// The dependencies of a packet on others.
struct AudioPacketDependencyInfoTranslation {
  SInt64 mPacket;
  UInt32 mIsIndependentlyDecodable;
  UInt32 mNumberPrerollPackets;
};
typedef struct AudioPacketDependencyInfoTranslation AudioPacketDependencyInfoTranslation;

/// Which frames of a compressed file are its sound: the others come from the encoder.
struct AudioFilePacketTableInfo {
  SInt64 mNumberValidFrames;
  /// Frames in front of the sound.
  SInt32 mPrimingFrames;
  /// Frames behind it.
  SInt32 mRemainderFrames;
};
typedef struct AudioFilePacketTableInfo AudioFilePacketTableInfo;

/// Asks for the formats of one codec in one kind of file.
struct AudioFileTypeAndFormatID {
  AudioFileTypeID mFileType;
  UInt32 mFormatID;
};
typedef struct AudioFileTypeAndFormatID AudioFileTypeAndFormatID;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
