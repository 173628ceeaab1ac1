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
///
/// - Parameters:
///   - inURL: the path as a file URL.
///   - outExtAudioFile: the open file, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudio_FileNotFoundError` if there is no such file;
///   `kAudio_FilePermissionError` if it may not be used so; `kAudioUnitErr_InvalidFilePath` if the
///   path is that of a folder, or leads through a file; `kAudioFileUnsupportedFileTypeError` if its
///   type is unknown; `kAudioFileUnsupportedDataFormatError` if its sound is in a format that the
///   library does not read; `kAudioFileInvalidFileError` if it is damaged;
///   `kAudio_BadFilePathError` if the URL is not that of a file; `kAudio_ParamError` if a pointer
///   is null.
OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/// Creates a file. [control thread]
///
/// - Parameters:
///   - inURL: the path as a file URL.
///   - inFileType: the type, such as kAudioFileM4AType.
///   - inStreamDesc: the format of the file; that of the program is
///     kExtAudioFileProperty_ClientDataFormat.
///   - inChannelLayout: the layout of its channels, or null. A type of file that cannot store one
///     is no error.
///   - inFlags: kAudioFileFlags_EraseFile or 0.
///   - outExtAudioFile: the open file, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioFileUnsupportedFileTypeError` or `kAudioFileUnsupportedDataFormatError`
///   if files of the type cannot be written, or not with this format; `kAudioFilePermissionsError`
///   if a file of this name exists and may not be erased; `kAudio_FileNotFoundError` if there is no
///   such folder; `kAudio_FilePermissionError` if nothing may be written there;
///   `kAudioUnitErr_InvalidFilePath` if the path is that of a folder, or leads through a file;
///   `kAudio_MemFullError` if the disk is full; `kAudio_BadFilePathError` if the URL is not that of
///   a file; `kAudio_ParamError` if a pointer is null or the layout has more than 65,536 channels.
OSStatus ExtAudioFileCreateWithURL(CFURLRef inURL, AudioFileTypeID inFileType,
                                   const AudioStreamBasicDescription *inStreamDesc,
                                   const AudioChannelLayout *_Nullable inChannelLayout,
                                   UInt32 inFlags,
                                   ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

#endif

/// Wraps an open file, which stays open when the wrapper is disposed of. [control thread]
///
/// - Parameters:
///   - inFileID: an open file.
///   - inForWriting: true to write, false to read.
///   - outExtAudioFile: the wrapper, which the caller disposes of.
/// - Returns: noErr; `kAudioFilePermissionsError` if it is to be written, and is open for reading
///   only; `kAudio_ParamError` if there is no such file or a pointer is null.
OSStatus ExtAudioFileWrapAudioFileID(AudioFileID inFileID, Boolean inForWriting,
                                     ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/// Writes remaining data and closes a file. [control thread]
///
/// - Parameter inExtAudioFile: the file; invalid from now on, also after an error.
/// - Returns: noErr; `kAudio_MemFullError` if the disk is full; `kAudioFileUnspecifiedError` if it
///   cannot be written for another reason; the error of an asynchronous write that was not returned
///   yet; `kAudio_ParamError` if there is no such file.
OSStatus ExtAudioFileDispose(ExtAudioFileRef inExtAudioFile);

// MARK: Sound

/// Reads frames in the client's format; 0 frames mean the end of the file. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: a file that was opened for reading.
///   - ioNumberFrames: how many frames at the client's rate; on return the number that was read,
///     which is no more than there is room for.
///   - ioData: memory in the client's format, with its size in bytes; on return the bytes that were
///     read.
/// - Returns: noErr; `kExtAudioFileError_InvalidOperationOrder` if the file is being written;
///   `kExtAudioFileError_NonPCMClientFormat` if it is compressed and no client's format is set;
///   `kAudioConverterErr_FormatNotSupported` if the formats cannot be converted;
///   `kAudioFileInvalidFileError` if it is damaged there; `kAudio_ParamError` if there is no such
///   file or a pointer is null.
OSStatus ExtAudioFileRead(ExtAudioFileRef inExtAudioFile, UInt32 *ioNumberFrames,
                          AudioBufferList *ioData);

/// Writes frames in the client's format. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: a file that is being written.
///   - inNumberFrames: how many frames at the client's rate.
///   - ioData: the frames in the client's format.
/// - Returns: noErr; `kExtAudioFileError_InvalidOperationOrder` if the file is being read;
///   `kExtAudioFileError_NonPCMClientFormat` if it is compressed and no client's format is set;
///   `kAudioConverterErr_FormatNotSupported` if the formats cannot be converted;
///   `kAudio_MemFullError` if the disk is full; `kAudioFileUnspecifiedError` if it cannot be
///   written for another reason; `kAudio_ParamError` if there is no such file, the list is null, or
///   its buffers are too small.
OSStatus ExtAudioFileWrite(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames,
                           const AudioBufferList *ioData);

/// Writes frames on the file's own thread. A first call with 0 frames and null creates this thread
/// and its memory. [render thread, except the first call]
///
/// Errors on that thread are returned by a later call.
///
/// - Parameters:
///   - inExtAudioFile: a file that is being written.
///   - inNumberFrames: how many frames at the client's rate; 0 with null prepares.
///   - ioData: the frames in the client's format; they are copied.
/// - Returns: noErr; `kExtAudioFileError_AsyncWriteTooLarge` if they do not fit in the memory at
///   all; `kExtAudioFileError_AsyncWriteBufferOverflow` if they do not fit now, because the disk is
///   slow; `kExtAudioFileError_InvalidOperationOrder` if the file is being read; the error of an
///   earlier write; `kAudio_ParamError` if there is no such file.
OSStatus ExtAudioFileWriteAsync(ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames,
                                const AudioBufferList *_Nullable ioData);

/// Seeks to a frame, counted at the file's rate. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inFrameOffset: the next frame, from 0 to the number of frames. A file of compressed packets
///     cannot seek while it is written.
/// - Returns: noErr; `kExtAudioFileError_InvalidSeek` if the frame is out of range;
///   `kExtAudioFileError_NonPCMClientFormat` if no client's format is set for a compressed file;
///   `kAudio_ParamError` if there is no such file.
OSStatus ExtAudioFileSeek(ExtAudioFileRef inExtAudioFile, SInt64 inFrameOffset);

/// The next frame, counted at the file's rate. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - outFrameOffset: the next frame that is read or written.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such file or a pointer is null.
OSStatus ExtAudioFileTell(ExtAudioFileRef inExtAudioFile, SInt64 *outFrameOffset);

// MARK: Properties

/// The size of a property in bytes, and whether it can be set. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inPropertyID: the property, such as kExtAudioFileProperty_ClientDataFormat.
///   - outSize: the size in bytes. May be null.
///   - outWritable: whether it can be set. May be null.
/// - Returns: noErr; `kExtAudioFileError_InvalidProperty` if the file has no such property;
///   `kAudio_ParamError` if there is no such file.
OSStatus ExtAudioFileGetPropertyInfo(ExtAudioFileRef inExtAudioFile,
                                     ExtAudioFilePropertyID inPropertyID,
                                     UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

/// Reads a property. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value. The caller releases Core Foundation objects.
/// - Returns: noErr; `kExtAudioFileError_InvalidProperty` if the file has no such property, or it
///   has no value; `kExtAudioFileError_InvalidPropertySize` if there is too little room;
///   `kAudio_ParamError` if there is no such file or a pointer is null.
OSStatus ExtAudioFileGetProperty(ExtAudioFileRef inExtAudioFile,
                                 ExtAudioFilePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
                                 void *outPropertyData);

/// Sets a property. [control thread]
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value; may be null if the size is 0.
/// - Returns: noErr; `kExtAudioFileError_InvalidProperty` if the file has no such property, it can
///   only be read, or the value is wrong; `kExtAudioFileError_InvalidPropertySize` for a wrong
///   size; `kExtAudioFileError_InvalidDataFormat` or `kExtAudioFileError_NonPCMClientFormat` for a
///   client's format that is invalid or compressed; `kAudio_ParamError` if there is no such file or
///   a pointer is null.
OSStatus ExtAudioFileSetProperty(ExtAudioFileRef inExtAudioFile,
                                 ExtAudioFilePropertyID inPropertyID, UInt32 inPropertyDataSize,
                                 const void *inPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
