// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_STREAM_H
#define CAUDIOTOOLBOX_AUDIO_FILE_STREAM_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioFileTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Sound files whose bytes arrive one after the other, as from a network: first the file's
// properties are reported, then its packets. One thread parses a stream at a time; both functions
// of the program are called on it, from inside of AudioFileStreamParseBytes.

// MARK: Types

/// What the property listener is told, and may say.
typedef CF_OPTIONS(UInt32, AudioFileStreamPropertyFlags) {
  /// The value is kept, and can also be read later.
  kAudioFileStreamPropertyFlag_PropertyIsCached = 1,
  /// Set by the listener: the value is to be kept.
  kAudioFileStreamPropertyFlag_CacheProperty = 2
};

/// What bytes are.
typedef CF_OPTIONS(UInt32, AudioFileStreamParseFlags) {
  /// They do not follow those before them.
  kAudioFileStreamParseFlag_Discontinuity = 1
};

/// What a place is that AudioFileStreamSeek gave.
typedef CF_OPTIONS(UInt32, AudioFileStreamSeekFlags) {
  /// The packet begins somewhere near it.
  kAudioFileStreamSeekFlag_OffsetIsEstimated = 1
};

typedef UInt32 AudioFileStreamPropertyID;
/// A stream that is parsed.
typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;

/// Called for each property when its value has become known; kAudioFileStreamProperty_ReadyToProducePackets
/// is the last one. [the thread that parses]
typedef void (*AudioFileStream_PropertyListenerProc)(void *inClientData,
                                                     AudioFileStreamID inAudioFileStream,
                                                     AudioFileStreamPropertyID inPropertyID,
                                                     AudioFileStreamPropertyFlags *ioFlags);

/// Called with packets; the memory is the stream's, until the function returns. Without descriptions
/// all packets have the same size. [the thread that parses]
typedef void (*AudioFileStream_PacketsProc)(
    void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets, const void *inInputData,
    AudioStreamPacketDescription *_Nullable inPacketDescriptions);

/// Results of the functions of streams.
CF_ENUM(OSStatus) {
  /// The kind of file is not read, or not the one that was named.
  kAudioFileStreamError_UnsupportedFileType = 0x7479703f,  // 'typ?'
  kAudioFileStreamError_UnsupportedDataFormat = 0x666d743f,  // 'fmt?'
  kAudioFileStreamError_UnsupportedProperty = 0x7074793f,  // 'pty?'
  kAudioFileStreamError_BadPropertySize = 0x2173697a,  // '!siz'
  /// What says where the packets are comes behind them: the file cannot be parsed as it arrives.
  kAudioFileStreamError_NotOptimized = 0x6f70746d,  // 'optm'
  kAudioFileStreamError_InvalidPacketOffset = 0x70636b3f,  // 'pck?'
  /// The bytes are damaged, or not of their kind of file.
  kAudioFileStreamError_InvalidFile = 0x6474613f,  // 'dta?'
  /// The file does not say.
  kAudioFileStreamError_ValueUnknown = 0x756e6b3f,  // 'unk?'
  /// The bytes that say it have not come yet.
  kAudioFileStreamError_DataUnavailable = 0x6d6f7265,  // 'more'
  kAudioFileStreamError_IllegalOperation = 0x6e6f7065,  // 'nope'
  kAudioFileStreamError_UnspecifiedError = 0x7768743f,  // 'wht?'
  /// After a gap nothing says where the next packet begins.
  kAudioFileStreamError_DiscontinuityCantRecover = 0x64736321  // 'dsc!'
};

/// Properties of a stream. None can be set. Objects of CoreFoundation are the caller's to release.
CF_ENUM(AudioFileStreamPropertyID) {
  /// UInt32: 1 when the sound has been reached, and all is known that can be.
  kAudioFileStreamProperty_ReadyToProducePackets = 0x72656479,  // 'redy'
  /// AudioFileTypeID.
  kAudioFileStreamProperty_FileFormat = 0x66666d74,  // 'ffmt'
  /// AudioStreamBasicDescription: what the packets are.
  kAudioFileStreamProperty_DataFormat = 0x64666d74,  // 'dfmt'
  /// AudioFormatListItems: the same, and as what it can be decoded besides.
  kAudioFileStreamProperty_FormatList = 0x666c7374,  // 'flst'
  /// Bytes: the magic cookie for a decoder.
  kAudioFileStreamProperty_MagicCookieData = 0x6d676963,  // 'mgic'
  /// UInt64: the bytes of the sound.
  kAudioFileStreamProperty_AudioDataByteCount = 0x62636e74,  // 'bcnt'
  /// UInt64: its packets.
  kAudioFileStreamProperty_AudioDataPacketCount = 0x70636e74,  // 'pcnt'
  /// UInt32: the bytes of the largest packet.
  kAudioFileStreamProperty_MaximumPacketSize = 0x70737a65,  // 'psze'
  /// SInt64: the byte at which the sound begins.
  kAudioFileStreamProperty_DataOffset = 0x646f6666,  // 'doff'
  /// AudioChannelLayout.
  kAudioFileStreamProperty_ChannelLayout = 0x636d6170,  // 'cmap'
  /// AudioFramePacketTranslation: mPacket in, mFrame out.
  kAudioFileStreamProperty_PacketToFrame = 0x706b6672,  // 'pkfr'
  /// AudioFramePacketTranslation: mFrame in, mPacket and mFrameOffsetInPacket out.
  kAudioFileStreamProperty_FrameToPacket = 0x6672706b,  // 'frpk'
  /// UInt32: 1 where a packet can be decoded only after those before it.
  kAudioFileStreamProperty_RestrictsRandomAccess = 0x72726170,  // 'rrap'
  /// AudioPacketRollDistanceTranslation: mPacket in.
  kAudioFileStreamProperty_PacketToRollDistance = 0x706b726c,  // 'pkrl'
  /// AudioIndependentPacketTranslation: mPacket in.
  kAudioFileStreamProperty_PreviousIndependentPacket = 0x70696e64,  // 'pind'
  kAudioFileStreamProperty_NextIndependentPacket = 0x6e696e64,  // 'nind'
  /// AudioPacketDependencyInfoTranslation: mPacket in.
  kAudioFileStreamProperty_PacketToDependencyInfo = 0x706b6470,  // 'pkdp'
  /// AudioBytePacketTranslation: mPacket in, mByte out.
  kAudioFileStreamProperty_PacketToByte = 0x706b6279,  // 'pkby'
  /// AudioBytePacketTranslation: mByte in, mPacket and mByteOffsetInPacket out.
  kAudioFileStreamProperty_ByteToPacket = 0x6279706b,  // 'bypk'
  /// AudioFilePacketTableInfo: which frames are the sound.
  kAudioFileStreamProperty_PacketTableInfo = 0x706e666f,  // 'pnfo'
  /// UInt32: a size that no packet exceeds.
  kAudioFileStreamProperty_PacketSizeUpperBound = 0x706b7562,  // 'pkub'
  /// Float64: bytes of a packet on average, as far as packets have come.
  kAudioFileStreamProperty_AverageBytesPerPacket = 0x61627070,  // 'abpp'
  /// UInt32: bits per second.
  kAudioFileStreamProperty_BitRate = 0x62726174,  // 'brat'
  /// CFDictionary of texts.
  kAudioFileStreamProperty_InfoDictionary = 0x696e666f  // 'info'
};

// MARK: Functions

/// Begins to parse a stream. [control thread]
///
/// - Parameter inFileTypeHint: 0, or the expected file type of the bytes.
OSStatus AudioFileStreamOpen(void *_Nullable inClientData,
                             AudioFileStream_PropertyListenerProc inPropertyListenerProc,
                             AudioFileStream_PacketsProc inPacketsProc,
                             AudioFileTypeID inFileTypeHint,
                             AudioFileStreamID _Nullable *_Nonnull outAudioFileStream);

/// Takes the next bytes, however they were cut, and calls the two functions. No bytes at all, without
/// a flag, are the end of the stream: the last packet comes. [control thread]
OSStatus AudioFileStreamParseBytes(AudioFileStreamID inAudioFileStream, UInt32 inDataByteSize,
                                   const void *_Nullable inData,
                                   AudioFileStreamParseFlags inFlags);

/// Says from which byte of the sound on a packet comes; the next bytes that are parsed are those of that
/// place, kAudioFileStreamProperty_DataOffset bytes behind the beginning of the file. [control thread]
OSStatus AudioFileStreamSeek(AudioFileStreamID inAudioFileStream, SInt64 inPacketOffset,
                             SInt64 *outDataByteOffset, AudioFileStreamSeekFlags *ioFlags);

/// Says how large a property's value is; it is never writable. [any thread]
OSStatus AudioFileStreamGetPropertyInfo(AudioFileStreamID inAudioFileStream,
                                        AudioFileStreamPropertyID inPropertyID,
                                        UInt32 *_Nullable outPropertyDataSize,
                                        Boolean *_Nullable outWritable);

/// Gives a property's value. [any thread]
OSStatus AudioFileStreamGetProperty(AudioFileStreamID inAudioFileStream,
                                    AudioFileStreamPropertyID inPropertyID,
                                    UInt32 *ioPropertyDataSize, void *outPropertyData);

/// Refuses: no property can be set. [any thread]
OSStatus AudioFileStreamSetProperty(AudioFileStreamID inAudioFileStream,
                                    AudioFileStreamPropertyID inPropertyID,
                                    UInt32 inPropertyDataSize, const void *inPropertyData);

/// Ends a stream, also from inside of one of its functions: none is called any more. [control thread]
OSStatus AudioFileStreamClose(AudioFileStreamID inAudioFileStream);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
