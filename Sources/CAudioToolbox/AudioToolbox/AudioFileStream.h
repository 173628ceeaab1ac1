// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_STREAM_H
#define CAUDIOTOOLBOX_AUDIO_FILE_STREAM_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioFileTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Sound files whose bytes arrive in order, for example from a network. First the file's properties
// are reported, then its packets. One thread parses a stream at a time; it calls both functions of
// the program inside AudioFileStreamParseBytes.

// MARK: Types

/// Flags for and from the property listener.
typedef CF_OPTIONS(UInt32, AudioFileStreamPropertyFlags) {
  /// The value is cached, and can also be read later.
  kAudioFileStreamPropertyFlag_PropertyIsCached = 1,
  /// Set by the listener: cache the value.
  kAudioFileStreamPropertyFlag_CacheProperty = 2
};

/// Flags of the bytes to parse.
typedef CF_OPTIONS(UInt32, AudioFileStreamParseFlags) {
  /// The bytes do not continue the previous ones.
  kAudioFileStreamParseFlag_Discontinuity = 1
};

/// Flags of the position that AudioFileStreamSeek returns.
typedef CF_OPTIONS(UInt32, AudioFileStreamSeekFlags) {
  /// The position is an estimate.
  kAudioFileStreamSeekFlag_OffsetIsEstimated = 1
};

/// The identifier of a property of a stream.
typedef UInt32 AudioFileStreamPropertyID;
/// A stream that is parsed.
typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;

/// Called for each property when its value is known; the last one is
/// kAudioFileStreamProperty_ReadyToProducePackets. [the thread that parses]
typedef void (*AudioFileStream_PropertyListenerProc)(void *inClientData,
                                                     AudioFileStreamID inAudioFileStream,
                                                     AudioFileStreamPropertyID inPropertyID,
                                                     AudioFileStreamPropertyFlags *ioFlags);

/// Called with packets; the memory is valid until the function returns. Without descriptions, all
/// packets have the same size. [the thread that parses]
typedef void (*AudioFileStream_PacketsProc)(
    void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets, const void *inInputData,
    AudioStreamPacketDescription *_Nullable inPacketDescriptions);

/// Results of the functions of streams.
CF_ENUM(OSStatus) {
  /// This file type cannot be read, or differs from the hint.
  kAudioFileStreamError_UnsupportedFileType = 0x7479703f,  // 'typ?'
  /// The format of the sound is unknown.
  kAudioFileStreamError_UnsupportedDataFormat = 0x666d743f,  // 'fmt?'
  /// The stream does not have this property.
  kAudioFileStreamError_UnsupportedProperty = 0x7074793f,  // 'pty?'
  /// The memory is too small for the value.
  kAudioFileStreamError_BadPropertySize = 0x2173697a,  // '!siz'
  /// The positions of the packets are stored after the packets, so the file cannot be parsed while
  /// it arrives.
  kAudioFileStreamError_NotOptimized = 0x6f70746d,  // 'optm'
  /// There is no such packet in this stream.
  kAudioFileStreamError_InvalidPacketOffset = 0x70636b3f,  // 'pck?'
  /// The bytes are damaged, or not of this file type.
  kAudioFileStreamError_InvalidFile = 0x6474613f,  // 'dta?'
  /// The file does not contain the value.
  kAudioFileStreamError_ValueUnknown = 0x756e6b3f,  // 'unk?'
  /// The bytes with the value have not arrived yet.
  kAudioFileStreamError_DataUnavailable = 0x6d6f7265,  // 'more'
  /// A stream cannot do this, or not at this moment.
  kAudioFileStreamError_IllegalOperation = 0x6e6f7065,  // 'nope'
  /// The stream cannot be read; the explanation says why.
  kAudioFileStreamError_UnspecifiedError = 0x7768743f,  // 'wht?'
  /// After a discontinuity, the beginning of the next packet is unknown.
  kAudioFileStreamError_DiscontinuityCantRecover = 0x64736321  // 'dsc!'
};

/// Properties of a stream. None can be set. The caller releases Core Foundation objects.
CF_ENUM(AudioFileStreamPropertyID) {
  /// UInt32: 1 when the packets begin; all properties are known then.
  kAudioFileStreamProperty_ReadyToProducePackets = 0x72656479,  // 'redy'
  /// AudioFileTypeID: the file type.
  kAudioFileStreamProperty_FileFormat = 0x66666d74,  // 'ffmt'
  /// AudioStreamBasicDescription: the format of the packets.
  kAudioFileStreamProperty_DataFormat = 0x64666d74,  // 'dfmt'
  /// AudioFormatListItems: this format, and others as which the packets can be decoded.
  kAudioFileStreamProperty_FormatList = 0x666c7374,  // 'flst'
  /// Bytes: the magic cookie for a decoder.
  kAudioFileStreamProperty_MagicCookieData = 0x6d676963,  // 'mgic'
  /// UInt64: the number of bytes of the sound.
  kAudioFileStreamProperty_AudioDataByteCount = 0x62636e74,  // 'bcnt'
  /// UInt64: the number of packets.
  kAudioFileStreamProperty_AudioDataPacketCount = 0x70636e74,  // 'pcnt'
  /// UInt32: the size of the largest packet in bytes.
  kAudioFileStreamProperty_MaximumPacketSize = 0x70737a65,  // 'psze'
  /// SInt64: the byte of the file at which the sound begins.
  kAudioFileStreamProperty_DataOffset = 0x646f6666,  // 'doff'
  /// AudioChannelLayout: the loudspeakers of the channels.
  kAudioFileStreamProperty_ChannelLayout = 0x636d6170,  // 'cmap'
  /// AudioFramePacketTranslation: mPacket in, mFrame out.
  kAudioFileStreamProperty_PacketToFrame = 0x706b6672,  // 'pkfr'
  /// AudioFramePacketTranslation: mFrame in, mPacket and mFrameOffsetInPacket out.
  kAudioFileStreamProperty_FrameToPacket = 0x6672706b,  // 'frpk'
  /// UInt32: 1 if a packet can be decoded only after earlier ones.
  kAudioFileStreamProperty_RestrictsRandomAccess = 0x72726170,  // 'rrap'
  /// AudioPacketRollDistanceTranslation: mPacket in.
  kAudioFileStreamProperty_PacketToRollDistance = 0x706b726c,  // 'pkrl'
  /// AudioIndependentPacketTranslation: mPacket in.
  kAudioFileStreamProperty_PreviousIndependentPacket = 0x70696e64,  // 'pind'
  /// AudioIndependentPacketTranslation, R: as of the previous packet, of the next one.
  kAudioFileStreamProperty_NextIndependentPacket = 0x6e696e64,  // 'nind'
  /// AudioPacketDependencyInfoTranslation: mPacket in.
  kAudioFileStreamProperty_PacketToDependencyInfo = 0x706b6470,  // 'pkdp'
  /// AudioBytePacketTranslation: mPacket in, mByte out.
  kAudioFileStreamProperty_PacketToByte = 0x706b6279,  // 'pkby'
  /// AudioBytePacketTranslation: mByte in, mPacket and mByteOffsetInPacket out.
  kAudioFileStreamProperty_ByteToPacket = 0x6279706b,  // 'bypk'
  /// AudioFilePacketTableInfo: the range of frames that are the sound.
  kAudioFileStreamProperty_PacketTableInfo = 0x706e666f,  // 'pnfo'
  /// UInt32: a size that no packet exceeds.
  kAudioFileStreamProperty_PacketSizeUpperBound = 0x706b7562,  // 'pkub'
  /// Float64: the average size of the packets so far, in bytes.
  kAudioFileStreamProperty_AverageBytesPerPacket = 0x61627070,  // 'abpp'
  /// UInt32: bits per second.
  kAudioFileStreamProperty_BitRate = 0x62726174,  // 'brat'
  /// CFDictionary of texts.
  kAudioFileStreamProperty_InfoDictionary = 0x696e666f  // 'info'
};

// MARK: Functions

/// Begins to parse a stream. [control thread]
///
/// - Parameters:
///   - inClientData: passed to both functions.
///   - inPropertyListenerProc: called for each property.
///   - inPacketsProc: called with packets.
///   - inFileTypeHint: 0, or the expected file type of the bytes.
///   - outAudioFileStream: the stream, which the caller closes.
/// - Returns: noErr, or `kAudio_ParamError` if a pointer or a function is null.
///   AudioFileStreamParseBytes reports a hint that is wrong.
OSStatus AudioFileStreamOpen(void *_Nullable inClientData,
                             AudioFileStream_PropertyListenerProc inPropertyListenerProc,
                             AudioFileStream_PacketsProc inPacketsProc,
                             AudioFileTypeID inFileTypeHint,
                             AudioFileStreamID _Nullable *_Nonnull outAudioFileStream);

/// Parses the next bytes, split at any point, and calls the two functions. A call with no bytes and
/// no flag marks the end of the stream, and delivers the last packet. [control thread]
///
/// - Parameters:
///   - inAudioFileStream: the stream.
///   - inDataByteSize: the number of bytes; 0 without a flag is the end.
///   - inData: the bytes; may be null if there are none.
///   - inFlags: kAudioFileStreamParseFlag_Discontinuity if the bytes do not continue the previous
///     ones, otherwise 0.
/// - Returns: noErr; `kAudioFileStreamError_UnsupportedFileType`,
///   `kAudioFileStreamError_UnsupportedDataFormat`, `kAudioFileStreamError_NotOptimized` or
///   `kAudioFileStreamError_InvalidFile` if the stream cannot be read;
///   `kAudioFileStreamError_DiscontinuityCantRecover` if the next packet cannot be found;
///   `kAudioFileStreamError_IllegalOperation` in one of its functions; `kAudio_ParamError` if there
///   is no such stream, or the bytes are null.
OSStatus AudioFileStreamParseBytes(AudioFileStreamID inAudioFileStream, UInt32 inDataByteSize,
                                   const void *_Nullable inData,
                                   AudioFileStreamParseFlags inFlags);

/// Returns the byte of the sound at which a packet begins. The next parsed bytes must be those from
/// this position, which is kAudioFileStreamProperty_DataOffset bytes later in the file. [control
/// thread]
///
/// - Parameters:
///   - inAudioFileStream: the stream.
///   - inPacketOffset: the packet, counted from 0.
///   - outDataByteOffset: the byte of the sound at which it begins.
///   - ioFlags: on return kAudioFileStreamSeekFlag_OffsetIsEstimated if that is an estimate.
/// - Returns: noErr; `kAudioFileStreamError_DataUnavailable` if the sound has not been reached;
///   `kAudioFileStreamError_InvalidPacketOffset` if there is no such packet;
///   `kAudioFileStreamError_ValueUnknown` if no packet has arrived on which an estimate could be
///   based; `kAudioFileStreamError_IllegalOperation` if the stream cannot seek; `kAudio_ParamError`
///   if there is no such stream or a pointer is null.
OSStatus AudioFileStreamSeek(AudioFileStreamID inAudioFileStream, SInt64 inPacketOffset,
                             SInt64 *outDataByteOffset, AudioFileStreamSeekFlags *ioFlags);

/// Returns the size of a property's value; it is never writable. [any thread]
///
/// - Parameters:
///   - inAudioFileStream: the stream.
///   - inPropertyID: the property.
///   - outPropertyDataSize: its size in bytes. May be null.
///   - outWritable: false. May be null.
/// - Returns: noErr; `kAudioFileStreamError_UnsupportedProperty` if the stream does not have it;
///   `kAudioFileStreamError_DataUnavailable` if it has not arrived yet; `kAudio_ParamError` if
///   there is no such stream.
OSStatus AudioFileStreamGetPropertyInfo(AudioFileStreamID inAudioFileStream,
                                        AudioFileStreamPropertyID inPropertyID,
                                        UInt32 *_Nullable outPropertyDataSize,
                                        Boolean *_Nullable outWritable);

/// Returns a property's value. [any thread]
///
/// - Parameters:
///   - inAudioFileStream: the stream.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value.
/// - Returns: noErr; `kAudioFileStreamError_UnsupportedProperty` if the stream does not have it;
///   `kAudioFileStreamError_DataUnavailable` if it has not arrived yet;
///   `kAudioFileStreamError_BadPropertySize` if there is too little room; `kAudio_ParamError` if
///   there is no such stream or a pointer is null.
OSStatus AudioFileStreamGetProperty(AudioFileStreamID inAudioFileStream,
                                    AudioFileStreamPropertyID inPropertyID,
                                    UInt32 *ioPropertyDataSize, void *outPropertyData);

/// Returns an error: no property can be set. [any thread]
///
/// - Parameters:
///   - inAudioFileStream: the stream.
///   - inPropertyID: the property.
///   - inPropertyDataSize: not used.
///   - inPropertyData: not used.
/// - Returns: an error in any case.
OSStatus AudioFileStreamSetProperty(AudioFileStreamID inAudioFileStream,
                                    AudioFileStreamPropertyID inPropertyID,
                                    UInt32 inPropertyDataSize, const void *inPropertyData);

/// Closes a stream; neither function is called any more. May be called from one of them. [control
/// thread]
///
/// - Parameter inAudioFileStream: the stream; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such stream.
OSStatus AudioFileStreamClose(AudioFileStreamID inAudioFileStream);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
