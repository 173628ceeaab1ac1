// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_EXTENDED_AUDIO_FILE_H
#define CAUDIOTOOLBOX_EXTENDED_AUDIO_FILE_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioFile.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Sound files of any format that are read and written as linear PCM, in a format of the program's
// choice.

/// A sound file that converts.
typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
/// The identifier of a property of an extended file.
typedef UInt32 ExtAudioFilePropertyID;

/// Selects the frames of a compressed file that are its sound; for
/// kExtAudioFileProperty_PacketTable.
typedef SInt32 ExtAudioFilePacketTableInfoOverride;
CF_ENUM(ExtAudioFilePacketTableInfoOverride) {
  /// What the file says about its packets.
  kExtAudioFilePacketTableInfoOverride_UseFileValue = -1,
  /// What the file says, if it is consistent.
  kExtAudioFilePacketTableInfoOverride_UseFileValueIfValid = -2
};

/// Properties.
CF_ENUM(ExtAudioFilePropertyID) {
  /// AudioStreamBasicDescription, R: the format of the file.
  kExtAudioFileProperty_FileDataFormat = 0x66666d74,  // 'ffmt'
  /// AudioChannelLayout, RW: the channels of the file.
  kExtAudioFileProperty_FileChannelLayout = 0x66636c6f,  // 'fclo'
  /// AudioStreamBasicDescription, RW: the linear PCM that the program reads or writes. Initially
  /// the format of a file of linear PCM; not set for other files.
  kExtAudioFileProperty_ClientDataFormat = 0x63666d74,  // 'cfmt'
  /// AudioChannelLayout, RW: the channels that the program reads or writes.
  kExtAudioFileProperty_ClientChannelLayout = 0x63636c6f,  // 'cclo'
  /// UInt32, RW: the codec's manufacturer; only kAppleSoftwareAudioCodecManufacturer exists here.
  kExtAudioFileProperty_CodecManufacturer = 0x636d616e,  // 'cman'
  /// AudioConverterRef, R: the converter between the file's PCM and the client's format, or to the
  /// file's packets. Created when it is first read.
  kExtAudioFileProperty_AudioConverter = 0x61636e76,  // 'acnv'
  /// AudioFileID, R: the file itself, for the functions of AudioFile.h.
  kExtAudioFileProperty_AudioFile = 0x6166696c,  // 'afil'
  /// UInt32, R: the bytes of the file's largest packet.
  kExtAudioFileProperty_FileMaxPacketSize = 0x666d7073,  // 'fmps'
  /// UInt32, R: the bytes of the largest packet in the program's format.
  kExtAudioFileProperty_ClientMaxPacketSize = 0x636d7073,  // 'cmps'
  /// SInt64, R: the length in frames, at the file's rate.
  kExtAudioFileProperty_FileLengthFrames = 0x2366726d,  // '#frm'
  /// CFArray, W: settings of the converter, in the form of kAudioConverterPropertySettings; null:
  /// the program has changed the converter directly.
  kExtAudioFileProperty_ConverterConfig = 0x61636366,  // 'accf'
  /// UInt32, RW: the number of bytes that are read at a time.
  kExtAudioFileProperty_IOBufferSizeBytes = 0x696f6273,  // 'iobs'
  /// void *: memory for these bytes. Setting it returns an error: the library uses its own memory.
  kExtAudioFileProperty_IOBuffer = 0x696f6266,  // 'iobf'
  /// AudioFilePacketTableInfo, RW: which frames are the sound, without those of the encoder.
  kExtAudioFileProperty_PacketTable = 0x78707469  // 'xpti'
};

CF_ENUM(UInt32) {
  /// Codecs in software: all of this library's.
  kAppleSoftwareAudioCodecManufacturer = 0x6170706c,  // 'appl'
  /// Codecs in hardware, which do not exist here.
  kAppleHardwareAudioCodecManufacturer = 0x61706877  // 'aphw'
};

/// Results.
CF_ENUM(OSStatus) {
  /// The extended file does not have this property.
  kExtAudioFileError_InvalidProperty = -66561,
  /// The size is not that of the value.
  kExtAudioFileError_InvalidPropertySize = -66562,
  /// The client's format is not linear PCM, or not set.
  kExtAudioFileError_NonPCMClientFormat = -66563,
  /// The channel map does not fit the formats.
  kExtAudioFileError_InvalidChannelMap = -66564,
  /// The call is too early, too late, or not for a file opened in this direction.
  kExtAudioFileError_InvalidOperationOrder = -66565,
  /// The file type cannot hold this format.
  kExtAudioFileError_InvalidDataFormat = -66566,
  /// The size of the largest packet is not known.
  kExtAudioFileError_MaxPacketSizeUnknown = -66567,
  /// There is no such frame.
  kExtAudioFileError_InvalidSeek = -66568,
  /// More frames than the ring can hold.
  kExtAudioFileError_AsyncWriteTooLarge = -66569,
  /// The ring is full, because the disk is too slow.
  kExtAudioFileError_AsyncWriteBufferOverflow = -66570
};

// MARK: Life

#ifndef __swift__

/// Opens a file to read it. [control thread]
OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/// Creates a file. [control thread]
OSStatus ExtAudioFileCreateWithURL(CFURLRef inURL, AudioFileTypeID inFileType,
                                   const AudioStreamBasicDescription *inStreamDesc,
                                   const AudioChannelLayout *_Nullable inChannelLayout,
                                   UInt32 inFlags,
                                   ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

#endif

/// Wraps an open file, which stays open when the wrapper is disposed of. [control thread]
OSStatus ExtAudioFileWrapAudioFileID(AudioFileID inFileID, Boolean inForWriting,
                                     ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/// Writes remaining data and closes a file. [control thread]
OSStatus ExtAudioFileDispose(ExtAudioFileRef inExtAudioFile);

// MARK: Sound

/// Reads frames in the client's format; 0 frames mean the end of the file. [control thread]
OSStatus ExtAudioFileRead(ExtAudioFileRef inExtAudioFile, UInt32 *ioNumberFrames,
                          AudioBufferList *ioData);

/// Writes frames in the client's format. [control thread]
OSStatus ExtAudioFileWrite(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames,
                           const AudioBufferList *ioData);

/// Writes frames on the file's own thread. A first call with 0 frames and null creates this thread
/// and its memory. [render thread, except the first call]
///
/// Errors on that thread are returned by a later call.
OSStatus ExtAudioFileWriteAsync(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames,
                                const AudioBufferList *_Nullable ioData);

/// Seeks to a frame, counted at the file's rate. [control thread]
OSStatus ExtAudioFileSeek(ExtAudioFileRef inExtAudioFile, SInt64 inFrameOffset);

/// The next frame, counted at the file's rate. [control thread]
OSStatus ExtAudioFileTell(ExtAudioFileRef inExtAudioFile, SInt64 *outFrameOffset);

// MARK: Properties

/// The size of a property in bytes, and whether it can be set. [control thread]
OSStatus ExtAudioFileGetPropertyInfo(ExtAudioFileRef inExtAudioFile,
                                     ExtAudioFilePropertyID inPropertyID,
                                     UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);
/// Reads a property. [control thread]
OSStatus ExtAudioFileGetProperty(ExtAudioFileRef inExtAudioFile,
                                 ExtAudioFilePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
                                 void *outPropertyData);
/// Sets a property. [control thread]
OSStatus ExtAudioFileSetProperty(ExtAudioFileRef inExtAudioFile,
                                 ExtAudioFilePropertyID inPropertyID, UInt32 inPropertyDataSize,
                                 const void *inPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
