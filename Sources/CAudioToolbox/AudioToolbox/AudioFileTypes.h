// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H
#define CAUDIOTOOLBOX_AUDIO_FILE_TYPES_H

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "AUCoreFoundationFields.h"

// File types, results, markers, regions and translations between frames, packets and bytes.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Files and file types

/// A sound file that is open.
typedef struct OpaqueAudioFileID *AudioFileID;
/// A file type: a four-character code.
typedef UInt32 AudioFileTypeID;
/// The identifier of a property of a file, or of a global property.
typedef UInt32 AudioFilePropertyID;

/// File types.
CF_ENUM(AudioFileTypeID) {
  /// AIFF (.aif).
  kAudioFileAIFFType = 0x41494646,  // 'AIFF'
  /// AIFF with other formats, AIFF-C (.aifc).
  kAudioFileAIFCType = 0x41494643,  // 'AIFC'
  /// WAV (.wav), up to 4 GB.
  kAudioFileWAVEType = 0x57415645,  // 'WAVE'
  /// WAV beyond 4 GB, as EBU 3306 has it.
  kAudioFileRF64Type = 0x52463634,  // 'RF64'
  /// WAV beyond 4 GB, as ITU-R BS.2088 has it.
  kAudioFileBW64Type = 0x42573634,  // 'BW64'
  /// Sony Wave64 (.w64).
  kAudioFileWave64Type = 0x57363466,  // 'W64f'
  /// Sound Designer II (.sd2); files of this type cannot be read.
  kAudioFileSoundDesigner2Type = 0x53643266,  // 'Sd2f'
  /// NeXT and Sun (.au, .snd).
  kAudioFileNextType = 0x4e655854,  // 'NeXT'
  /// MP3 packets (.mp3).
  kAudioFileMP3Type = 0x4d504733,  // 'MPG3'
  /// MP2 packets (.mp2).
  kAudioFileMP2Type = 0x4d504732,  // 'MPG2'
  /// MP1 packets (.mp1).
  kAudioFileMP1Type = 0x4d504731,  // 'MPG1'
  /// AC-3 packets (.ac3); files of this type cannot be read.
  kAudioFileAC3Type = 0x61632d33,  // 'ac-3'
  /// AAC packets with ADTS headers (.aac).
  kAudioFileAAC_ADTSType = 0x61647473,  // 'adts'
  /// MPEG-4 (.mp4).
  kAudioFileMPEG4Type = 0x6d703466,  // 'mp4f'
  /// MPEG-4 with sound only (.m4a).
  kAudioFileM4AType = 0x6d346166,  // 'm4af'
  /// An audio book in MPEG-4 (.m4b).
  kAudioFileM4BType = 0x6d346266,  // 'm4bf'
  /// Core Audio Format (.caf).
  kAudioFileCAFType = 0x63616666,  // 'caff'
  /// MPEG-4 of telephones (.3gp).
  kAudioFile3GPType = 0x33677070,  // '3gpp'
  /// MPEG-4 of telephones (.3g2).
  kAudioFile3GP2Type = 0x33677032,  // '3gp2'
  /// AMR packets (.amr); files of this type cannot be read.
  kAudioFileAMRType = 0x616d7266,  // 'amrf'
  /// FLAC (.flac).
  kAudioFileFLACType = 0x666c6163,  // 'flac'
  /// AAC packets in LATM and LOAS; files of this type cannot be read.
  kAudioFileLATMInLOASType = 0x6c6f6173  // 'loas'
};

/// Only in this library: Ogg, with Vorbis, Opus or FLAC.
CF_ENUM(AudioFileTypeID) {
  kAudioFileOggType = 0x6f676720  ///< Its extensions are .ogg, .oga and .opus ('ogg ').
};

/// Results of the functions of files.
CF_ENUM(OSStatus) {
  /// The file cannot be read or written; the explanation says why.
  kAudioFileUnspecifiedError = 0x7768743f,  // 'wht?'
  /// This file type cannot be read, or cannot be written.
  kAudioFileUnsupportedFileTypeError = 0x7479703f,  // 'typ?'
  /// The file type does not support this format, or the format is unknown.
  kAudioFileUnsupportedDataFormatError = 0x666d743f,  // 'fmt?'
  /// The file does not have this property.
  kAudioFileUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  /// The size is not that of the value.
  kAudioFileBadPropertySizeError = 0x2173697a,  // '!siz'
  /// The file was not opened for this, or may not be written.
  kAudioFilePermissionsError = 0x70726d3f,  // 'prm?'
  /// The sound cannot grow, because chunks follow it; call AudioFileOptimize.
  kAudioFileNotOptimizedError = 0x6f70746d,  // 'optm'
  /// There is no such chunk, or it cannot be written.
  kAudioFileInvalidChunkError = 0x63686b3f,  // 'chk?'
  /// The file would be larger than its file type allows.
  kAudioFileDoesNotAllow64BitDataSizeError = 0x6f66663f,  // 'off?'
  /// There is no such packet.
  kAudioFileInvalidPacketOffsetError = 0x70636b3f,  // 'pck?'
  /// The file cannot store dependencies of packets.
  kAudioFileInvalidPacketDependencyError = 0x6465703f,  // 'dep?'
  /// The file is damaged, or not of this file type.
  kAudioFileInvalidFileError = 0x6474613f,  // 'dta?'
  /// This file type does not support the call.
  kAudioFileOperationNotSupportedError = 0x6f703f3f,  // 'op??'
  /// The file is closed.
  kAudioFileNotOpenError = -38,
  /// The sound ends before the requested range.
  kAudioFileEndOfFileError = -39,
  /// The position is outside of the sound.
  kAudioFilePositionError = -40,
  /// The file does not exist.
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
  kAudioFileReadPermission = 0x01,      ///< It is read.
  kAudioFileWritePermission = 0x02,     ///< It is written.
  kAudioFileReadWritePermission = 0x03  ///< Both.
};

/// Permissions by the names of the File Manager, as older programs pass them to AudioFileOpenURL.
CF_ENUM(SInt8) {
  /// Whatever is allowed: reading and writing, or only reading.
  fsCurPerm = 0x00,
  /// kAudioFileReadPermission.
  fsRdPerm = 0x01,
  /// kAudioFileWritePermission.
  fsWrPerm = 0x02,
  /// kAudioFileReadWritePermission.
  fsRdWrPerm = 0x03,
  /// Reading and writing, while others may do the same; here as fsRdWrPerm.
  fsRdWrShPerm = 0x04
};

/// The purpose of a region: the kind of a loop.
typedef CF_OPTIONS(UInt32, AudioFileRegionFlags) {
  kAudioFileRegionFlag_LoopEnable = 1,   ///< The region is a loop.
  kAudioFileRegionFlag_PlayForward = 2,  ///< It is played forwards.
  kAudioFileRegionFlag_PlayBackward = 4  ///< It is played backwards; with the former flag, in turn.
};

enum {
  kAudioFileLoopDirection_NoLooping = 0,           ///< It is played once.
  kAudioFileLoopDirection_Forward = 1,             ///< Each time forwards.
  kAudioFileLoopDirection_ForwardAndBackward = 2,  ///< Forwards and backwards in turn.
  kAudioFileLoopDirection_Backward = 3             ///< Each time backwards.
};

enum {
  /// The only type of marker with a name.
  kAudioFileMarkerType_Generic = 0
};

// MARK: Structures

/// A time of day in SMPTE frames, for markers.
struct AudioFile_SMPTE_Time {
  SInt8 mHours;                  ///< 0 to 23.
  UInt8 mMinutes;                ///< 0 to 59.
  UInt8 mSeconds;                ///< 0 to 59.
  UInt8 mFrames;                 ///< 0 to the frame rate minus 1.
  UInt32 mSubFrameSampleOffset;  ///< Sound frames after the SMPTE frame.
};
typedef struct AudioFile_SMPTE_Time AudioFile_SMPTE_Time;

/// A position in the sound.
struct AudioFileMarker {
  /// Frames from the beginning.
  Float64 mFramePosition;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  /// A number that is unique in the file.
  SInt32 mMarkerID;
  /// Its SMPTE time, if the file states one.
  AudioFile_SMPTE_Time mSMPTETime;
  /// What it marks; 0 for any purpose.
  UInt32 mType;
  /// Always 0.
  UInt16 mReserved;
  /// The channel to which the marker belongs, counted from 1; 0 for all.
  UInt16 mChannel;
};
typedef struct AudioFileMarker AudioFileMarker;

/// Markers: 8 + 40 * mNumberMarkers bytes.
struct AudioFileMarkerList {
  UInt32 mSMPTE_TimeType;       ///< The rate of SMPTE times, an SMPTETimeType.
  UInt32 mNumberMarkers;        ///< The number of markers.
  AudioFileMarker mMarkers[1];  ///< The first of them; the others follow.
};
typedef struct AudioFileMarkerList AudioFileMarkerList;

/// A range of the sound between two markers: 24 + 40 * mNumberMarkers bytes.
struct AudioFileRegion {
  /// A number that is unique in the file.
  UInt32 mRegionID;
  /// The caller releases it.
  AU_CF_FIELD(CFStringRef, mName);
  /// Whether it is a loop, and how it is played.
  AudioFileRegionFlags mFlags;
  /// The number of markers, usually 2.
  UInt32 mNumberMarkers;
  /// The first of them, where the region begins; the others follow.
  AudioFileMarker mMarkers[1];
};
typedef struct AudioFileRegion AudioFileRegion;

/// Regions of different sizes, one after another.
struct AudioFileRegionList {
  UInt32 mSMPTE_TimeType;       ///< The rate of SMPTE times, an SMPTETimeType.
  UInt32 mNumberRegions;        ///< The number of regions.
  AudioFileRegion mRegions[1];  ///< The first of them; NextAudioFileRegion finds the others.
};
typedef struct AudioFileRegionList AudioFileRegionList;

/// The size in bytes of a list with this many markers. [any thread]
///
/// - Parameter inNumMarkers: the number of markers.
/// - Returns: the size in bytes.
CF_INLINE size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
  return sizeof(AudioFileMarkerList) - sizeof(AudioFileMarker)
         + inNumMarkers * sizeof(AudioFileMarker);
}

/// The number of markers in a list with this many bytes. [any thread]
///
/// - Parameter inNumBytes: the size in bytes.
/// - Returns: the number of markers.
CF_INLINE size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
  return inNumBytes < 8 ? 0 : (inNumBytes - 8) / sizeof(AudioFileMarker);
}

/// The next region in a list. [any thread]
///
/// - Parameter inAFRegionPtr: a region of the list.
/// - Returns: the address of the next one, which is behind the list after the last region.
CF_INLINE AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *inAFRegionPtr) {
  return (AudioFileRegion *)((char *)inAFRegionPtr + sizeof(AudioFileRegion)
                             - sizeof(AudioFileMarker)
                             + inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker));
}

/// A frame, and the packet that contains it.
struct AudioFramePacketTranslation {
  SInt64 mFrame;                ///< The frame, counted from the first frame of the first packet.
  SInt64 mPacket;               ///< The packet.
  UInt32 mFrameOffsetInPacket;  ///< The frame's place in the packet.
};
typedef struct AudioFramePacketTranslation AudioFramePacketTranslation;

/// The accuracy of a byte translation.
typedef CF_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
  kBytePacketTranslationFlag_IsEstimate = 1  ///< Calculated from the average size of packets.
};

/// A byte of the sound, and the packet that contains it.
struct AudioBytePacketTranslation {
  SInt64 mByte;                            ///< The byte, counted from the beginning of the sound.
  SInt64 mPacket;                          ///< The packet.
  UInt32 mByteOffsetInPacket;              ///< The byte's place in the packet.
  AudioBytePacketTranslationFlags mFlags;  ///< Whether the result is an estimate.
};
typedef struct AudioBytePacketTranslation AudioBytePacketTranslation;

/// The maximum size in bytes of a range of packets.
struct AudioPacketRangeByteCountTranslation {
  SInt64 mPacket;               ///< The first packet.
  SInt64 mPacketCount;          ///< The number of packets.
  SInt64 mByteCountUpperBound;  ///< Their size in bytes, or more.
};
typedef struct AudioPacketRangeByteCountTranslation AudioPacketRangeByteCountTranslation;

/// The number of packets to decode before a packet so that it sounds right.
struct AudioPacketRollDistanceTranslation {
  SInt64 mPacket;        ///< The packet.
  SInt64 mRollDistance;  ///< The packets before it.
};
typedef struct AudioPacketRollDistanceTranslation AudioPacketRollDistanceTranslation;

/// A packet, and the nearest packet that can be decoded alone; -1 if there is none.
struct AudioIndependentPacketTranslation {
  SInt64 mPacket;                        ///< The packet.
  SInt64 mIndependentlyDecodablePacket;  ///< The nearest packet that needs no other.
};
typedef struct AudioIndependentPacketTranslation AudioIndependentPacketTranslation;

/// The dependencies of a packet on others.
struct AudioPacketDependencyInfoTranslation {
  SInt64 mPacket;                    ///< The packet.
  UInt32 mIsIndependentlyDecodable;  ///< 1 if it needs no other packet.
  UInt32 mNumberPrerollPackets;      ///< Otherwise the packets to decode before it.
};
typedef struct AudioPacketDependencyInfoTranslation AudioPacketDependencyInfoTranslation;

/// The frames of a compressed file that are its sound; the encoder added the others.
struct AudioFilePacketTableInfo {
  /// The frames of the sound.
  SInt64 mNumberValidFrames;
  /// The number of frames before the sound.
  SInt32 mPrimingFrames;
  /// The number of frames after the sound.
  SInt32 mRemainderFrames;
};
typedef struct AudioFilePacketTableInfo AudioFilePacketTableInfo;

/// A request for the formats of one codec in one file type.
struct AudioFileTypeAndFormatID {
  AudioFileTypeID mFileType;  ///< The file type.
  UInt32 mFormatID;           ///< The format, an AudioFormatID.
};
typedef struct AudioFileTypeAndFormatID AudioFileTypeAndFormatID;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
