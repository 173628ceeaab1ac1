// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H
#define CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AUCoreFoundationFields.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Files and file types

/// A sound file that is open.
typedef struct OpaqueAudioFileID *AudioFileID;
/// A file type: a four-character code.
typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;

/// File types.
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

/// Only in this library: Ogg, with Vorbis, Opus or FLAC.
CF_ENUM(AudioFileTypeID) {
  kAudioFileOggType = 0x6f676720  // 'ogg '
};

/// Results of the functions of files.
CF_ENUM(OSStatus) {
  kAudioFileUnspecifiedError = 0x7768743f,  // 'wht?'
  /// This file type cannot be read, or cannot be written.
  kAudioFileUnsupportedFileTypeError = 0x7479703f,  // 'typ?'
  /// The file type does not support this format, or the format is unknown.
  kAudioFileUnsupportedDataFormatError = 0x666d743f,  // 'fmt?'
  kAudioFileUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  kAudioFileBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioFilePermissionsError = 0x70726d3f,  // 'prm?'
  /// The sound cannot grow, because chunks follow it; call AudioFileOptimize.
  kAudioFileNotOptimizedError = 0x6f70746d,  // 'optm'
  /// There is no such chunk, or it cannot be written.
  kAudioFileInvalidChunkError = 0x63686b3f,  // 'chk?'
  /// The file would be larger than its file type allows.
  kAudioFileDoesNotAllow64BitDataSizeError = 0x6f66663f,  // 'off?'
  kAudioFileInvalidPacketOffsetError = 0x70636b3f,  // 'pck?'
  kAudioFileInvalidPacketDependencyError = 0x6465703f,  // 'dep?'
  /// The file is damaged, or not of this file type.
  kAudioFileInvalidFileError = 0x6474613f,  // 'dta?'
  kAudioFileOperationNotSupportedError = 0x6f703f3f,  // 'op??'
  kAudioFileNotOpenError = -38,
  kAudioFileEndOfFileError = -39,
  kAudioFilePositionError = -40,
  kAudioFileFileNotFoundError = -43
};

/// Options for creating a file.
typedef CF_OPTIONS(UInt32, AudioFileFlags) {
  /// Empties an existing file; without this flag, no such file may exist.
  kAudioFileFlags_EraseFile = 1,
  /// The sound begins directly after the header, and not at byte 4096.
  kAudioFileFlags_DontPageAlignAudioData = 2
};

/// Whether an open file may be read or written.
typedef CF_ENUM(SInt8, AudioFilePermissions) {
  kAudioFileReadPermission = 0x01,
  kAudioFileWritePermission = 0x02,
  kAudioFileReadWritePermission = 0x03
};

/// Permissions by the names of the File Manager, as older programs pass them to AudioFileOpenURL.
CF_ENUM(SInt8) {
  /// Whatever is allowed: reading and writing, or only reading.
  fsCurPerm = 0x00,
  fsRdPerm = 0x01,
  fsWrPerm = 0x02,
  fsRdWrPerm = 0x03,
  /// Reading and writing, while others may do the same; here as fsRdWrPerm.
  fsRdWrShPerm = 0x04
};

/// The purpose of a region: the kind of a loop.
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
  /// The only type of marker with a name.
  kAudioFileMarkerType_Generic = 0
};

// MARK: Structures

/// A time of day in SMPTE frames, for markers.
struct AudioFile_SMPTE_Time {
  SInt8 mHours;
  UInt8 mMinutes;
  UInt8 mSeconds;
  UInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
};
typedef struct AudioFile_SMPTE_Time AudioFile_SMPTE_Time;

/// A position in the sound.
struct AudioFileMarker {
  /// Frames from the beginning.
  Float64 mFramePosition;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  SInt32 mMarkerID;
  AudioFile_SMPTE_Time mSMPTETime;
  UInt32 mType;
  UInt16 mReserved;
  /// The channel to which the marker belongs, counted from 1; 0 for all.
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

/// A range of the sound between two markers: 24 + 40 * mNumberMarkers bytes.
struct AudioFileRegion {
  UInt32 mRegionID;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  AudioFileRegionFlags mFlags;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
};
typedef struct AudioFileRegion AudioFileRegion;

/// Regions of different sizes, one after another.
struct AudioFileRegionList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  AudioFileRegion mRegions[1];
};
typedef struct AudioFileRegionList AudioFileRegionList;

/// The size in bytes of a list with this many markers. [any thread]
CF_INLINE size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
  return sizeof(AudioFileMarkerList) - sizeof(AudioFileMarker)
         + inNumMarkers * sizeof(AudioFileMarker);
}

/// The number of markers in a list with this many bytes. [any thread]
CF_INLINE size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
  return inNumBytes < 8 ? 0 : (inNumBytes - 8) / sizeof(AudioFileMarker);
}

/// The next region in a list. [any thread]
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

/// The maximum size in bytes of a range of packets.
struct AudioPacketRangeByteCountTranslation {
  SInt64 mPacket;
  SInt64 mPacketCount;
  SInt64 mByteCountUpperBound;
};
typedef struct AudioPacketRangeByteCountTranslation AudioPacketRangeByteCountTranslation;

/// The number of packets to decode before a packet so that it sounds right.
struct AudioPacketRollDistanceTranslation {
  SInt64 mPacket;
  SInt64 mRollDistance;
};
typedef struct AudioPacketRollDistanceTranslation AudioPacketRollDistanceTranslation;

/// A packet, and the nearest packet that can be decoded alone; -1 if there is none.
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

/// The frames of a compressed file that are its sound; the encoder added the others.
struct AudioFilePacketTableInfo {
  SInt64 mNumberValidFrames;
  /// The number of frames before the sound.
  SInt32 mPrimingFrames;
  /// The number of frames after the sound.
  SInt32 mRemainderFrames;
};
typedef struct AudioFilePacketTableInfo AudioFilePacketTableInfo;

/// A request for the formats of one codec in one file type.
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
