// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_PROPERTIES_H
#define CAUDIOTOOLBOX_AUDIO_FILE_PROPERTIES_H

#include "AudioFileTypes.h"

// The properties of sound files, and what is known of file types without a file.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of a file. The caller releases Core Foundation objects.
CF_ENUM(AudioFilePropertyID) {
  /// AudioFileTypeID, R: the file type.
  kAudioFilePropertyFileFormat = 0x66666d74,  // 'ffmt'
  /// AudioStreamBasicDescription, R: the format of the packets.
  kAudioFilePropertyDataFormat = 0x64666d74,  // 'dfmt'
  /// UInt32, R: 1 if the sound can grow without moving later chunks.
  kAudioFilePropertyIsOptimized = 0x6f70746d,  // 'optm'
  /// Bytes, RW: the magic cookie for a decoder.
  kAudioFilePropertyMagicCookieData = 0x6d676963,  // 'mgic'
  /// UInt64, R: the number of bytes of the sound.
  kAudioFilePropertyAudioDataByteCount = 0x62636e74,  // 'bcnt'
  /// UInt64, R: the number of packets.
  kAudioFilePropertyAudioDataPacketCount = 0x70636e74,  // 'pcnt'
  /// UInt32, R: the size of the largest packet in bytes; reading it may read the whole file.
  kAudioFilePropertyMaximumPacketSize = 0x70737a65,  // 'psze'
  /// SInt64, R: the byte of the file at which the sound begins.
  kAudioFilePropertyDataOffset = 0x646f6666,  // 'doff'
  /// AudioChannelLayout, RW: the loudspeakers of the channels.
  kAudioFilePropertyChannelLayout = 0x636d6170,  // 'cmap'
  /// UInt32, RW: 0 updates the header with each packet, 1 (the default) from time to time.
  kAudioFilePropertyDeferSizeUpdates = 0x64737a75,  // 'dszu'
  /// CFStringRef, R: the name of kAudioFilePropertyFileFormat.
  kAudioFilePropertyDataFormatName = 0x666e6d65,  // 'fnme'
  /// AudioFileMarkerList, RW: the positions that the file names.
  kAudioFilePropertyMarkerList = 0x6d6b6c73,  // 'mkls'
  /// AudioFileRegionList, RW: loops and other ranges of the sound.
  kAudioFilePropertyRegionList = 0x72676c73,  // 'rgls'
  /// AudioFramePacketTranslation, R: mPacket in, mFrame out.
  kAudioFilePropertyPacketToFrame = 0x706b6672,  // 'pkfr'
  /// AudioFramePacketTranslation, R: mFrame in, mPacket and mFrameOffsetInPacket out.
  kAudioFilePropertyFrameToPacket = 0x6672706b,  // 'frpk'
  /// UInt32, R: 1 if a packet can be read only after earlier ones.
  kAudioFilePropertyRestrictsRandomAccess = 0x72726170,  // 'rrap'
  /// AudioPacketRollDistanceTranslation, R: mPacket in.
  kAudioFilePropertyPacketToRollDistance = 0x706b726c,  // 'pkrl'
  /// AudioIndependentPacketTranslation, R: mPacket in.
  kAudioFilePropertyPreviousIndependentPacket = 0x70696e64,  // 'pind'
  /// AudioIndependentPacketTranslation, R: as of the previous packet, of the next one.
  kAudioFilePropertyNextIndependentPacket = 0x6e696e64,  // 'nind'
  /// AudioPacketDependencyInfoTranslation, R: mPacket in.
  kAudioFilePropertyPacketToDependencyInfo = 0x706b6470,  // 'pkdp'
  /// AudioBytePacketTranslation, R: mPacket in, mByte out.
  kAudioFilePropertyPacketToByte = 0x706b6279,  // 'pkby'
  /// AudioBytePacketTranslation, R: mByte in, mPacket and mByteOffsetInPacket out.
  kAudioFilePropertyByteToPacket = 0x6279706b,  // 'bypk'
  /// UInt32s, R: the identifiers of the file's chunks.
  kAudioFilePropertyChunkIDs = 0x63686964,  // 'chid'
  /// CFDictionaryRef, RW: texts about the sound, under the kAFInfoDictionary keys.
  kAudioFilePropertyInfoDictionary = 0x696e666f,  // 'info'
  /// AudioFilePacketTableInfo, RW: which frames are the sound, without those of the encoder.
  kAudioFilePropertyPacketTableInfo = 0x706e666f,  // 'pnfo'
  /// AudioFormatListItems, R: the formats as which the packets can be decoded, best first.
  kAudioFilePropertyFormatList = 0x666c7374,  // 'flst'
  /// UInt32, R: like kAudioFilePropertyMaximumPacketSize, but without reading the file; may be
  /// larger.
  kAudioFilePropertyPacketSizeUpperBound = 0x706b7562,  // 'pkub'
  /// AudioPacketRangeByteCountTranslation, R: mPacket and mPacketCount in.
  kAudioFilePropertyPacketRangeByteCountUpperBound = 0x70727562,  // 'prub'
  /// Float64, RW: the duration in seconds for which the header has room.
  kAudioFilePropertyReserveDuration = 0x72737276,  // 'rsrv'
  /// Float64, R: the duration in seconds, exact where the file allows it.
  kAudioFilePropertyEstimatedDuration = 0x65647572,  // 'edur'
  /// UInt32, R: the average bits per second.
  kAudioFilePropertyBitRate = 0x62726174,  // 'brat'
  /// Bytes, RW: the file's ID3 tag.
  kAudioFilePropertyID3Tag = 0x69643374,  // 'id3t'
  /// SInt64, R: the byte of the file at which the ID3 tag begins.
  kAudioFilePropertyID3TagOffset = 0x6964336f,  // 'id3o'
  /// SInt32, R: the bit depth before compression; negative for floating point.
  kAudioFilePropertySourceBitDepth = 0x73627464,  // 'sbtd'
  /// CFDataRef, RW: the picture of the collection, as PNG or JPEG.
  kAudioFilePropertyAlbumArtwork = 0x61617274,  // 'aart'
  /// UInt32, R: the number of audio tracks.
  kAudioFilePropertyAudioTrackCount = 0x61746374,  // 'atct'
  /// UInt32, W: the track to read.
  kAudioFilePropertyUseAudioTrack = 0x7561746b  // 'uatk'
};

/// Properties for AudioFileGetGlobalInfo, which do not belong to a file; the specifier is in
/// brackets.
CF_ENUM(AudioFilePropertyID) {
  /// [nothing] AudioFileTypeIDs: the file types that can be read.
  kAudioFileGlobalInfo_ReadableTypes = 0x61667266,  // 'afrf'
  /// [nothing] AudioFileTypeIDs: the file types that can be written.
  kAudioFileGlobalInfo_WritableTypes = 0x61667766,  // 'afwf'
  /// [AudioFileTypeID] CFStringRef: the name for display.
  kAudioFileGlobalInfo_FileTypeName = 0x66746e6d,  // 'ftnm'
  /// [AudioFileTypeAndFormatID] AudioStreamBasicDescriptions with identifier, flags and bits.
  kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 0x73646964,  // 'sdid'
  /// [AudioFileTypeID] UInt32s: the formats that the file type supports.
  kAudioFileGlobalInfo_AvailableFormatIDs = 0x666d6964,  // 'fmid'
  /// [nothing] CFArrayRef of CFStringRef: the extensions of all file types.
  kAudioFileGlobalInfo_AllExtensions = 0x616c7874,  // 'alxt'
  /// [nothing] UInt32s: the type codes of old file systems.
  kAudioFileGlobalInfo_AllHFSTypeCodes = 0x61686673,  // 'ahfs'
  /// [nothing] CFArrayRef of CFStringRef: the uniform type identifiers.
  kAudioFileGlobalInfo_AllUTIs = 0x61757469,  // 'auti'
  /// [nothing] CFArrayRef of CFStringRef: the MIME types.
  kAudioFileGlobalInfo_AllMIMETypes = 0x616d696d,  // 'amim'
  /// [AudioFileTypeID] CFArrayRef of CFStringRef: the extensions of a file type.
  kAudioFileGlobalInfo_ExtensionsForType = 0x66657874,  // 'fext'
  /// [AudioFileTypeID] UInt32s: the type codes of a file type.
  kAudioFileGlobalInfo_HFSTypeCodesForType = 0x66686673,  // 'fhfs'
  /// [AudioFileTypeID] CFArrayRef of CFStringRef: the uniform type identifiers of a file type.
  kAudioFileGlobalInfo_UTIsForType = 0x66757469,  // 'futi'
  /// [AudioFileTypeID] CFArrayRef of CFStringRef: the MIME types of a file type.
  kAudioFileGlobalInfo_MIMETypesForType = 0x666d696d,  // 'fmim'
  /// [CFStringRef] AudioFileTypeIDs: the file types of a MIME type.
  kAudioFileGlobalInfo_TypesForMIMEType = 0x746d696d,  // 'tmim'
  /// [CFStringRef] AudioFileTypeIDs: the file types of a uniform type identifier.
  kAudioFileGlobalInfo_TypesForUTI = 0x74757469,  // 'tuti'
  /// [UInt32] AudioFileTypeIDs: the file types of a type code.
  kAudioFileGlobalInfo_TypesForHFSTypeCode = 0x74686673,  // 'thfs'
  /// [CFStringRef] AudioFileTypeIDs: the file types of an extension.
  kAudioFileGlobalInfo_TypesForExtension = 0x74657874  // 'text'
};

// Keys of kAudioFilePropertyInfoDictionary.
/// The collection to which the sound belongs.
#define kAFInfoDictionary_Album "album"
/// The duration in seconds, read only.
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
/// Who performs.
#define kAFInfoDictionary_Artist "artist"
/// The layout in words, read only.
#define kAFInfoDictionary_ChannelLayout "channel layout"
/// Anything else.
#define kAFInfoDictionary_Comments "comments"
/// Who composed it.
#define kAFInfoDictionary_Composer "composer"
/// Who has the rights, and since when.
#define kAFInfoDictionary_Copyright "copyright"
/// The program that made the file.
#define kAFInfoDictionary_EncodingApplication "encoding application"
/// The kind of music.
#define kAFInfoDictionary_Genre "genre"
/// The International Standard Recording Code, 12 characters.
#define kAFInfoDictionary_ISRC "ISRC"
/// The key, such as "C" or "F#m".
#define kAFInfoDictionary_KeySignature "key signature"
/// Who wrote the words.
#define kAFInfoDictionary_Lyricist "lyricist"
/// Bits per second of a compressed file.
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
/// When it was recorded.
#define kAFInfoDictionary_RecordedDate "recorded date"
/// Bits of a sample before it was encoded; negative for floating point.
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
/// The encoder, with its settings.
#define kAFInfoDictionary_SourceEncoder "source encoder"
/// A second title.
#define kAFInfoDictionary_SubTitle "subtitle"
/// Beats per minute.
#define kAFInfoDictionary_Tempo "tempo"
/// The time signature, such as "4/4".
#define kAFInfoDictionary_TimeSignature "time signature"
/// The name of the piece.
#define kAFInfoDictionary_Title "title"
/// Its place in the collection, such as "3" or "3/12".
#define kAFInfoDictionary_TrackNumber "track number"
/// When it was published.
#define kAFInfoDictionary_Year "year"

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
