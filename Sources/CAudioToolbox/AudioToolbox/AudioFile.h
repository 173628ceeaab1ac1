// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FILE_H
#define CAUDIOTOOLBOX_AUDIO_FILE_H

#include <CoreFoundation/CoreFoundation.h>

#include "AudioFileProperties.h"
#include "AudioFileTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Sound files without conversion: packets, chunks and properties. ExtendedAudioFile.h has files
// that convert. The functions may be called on any thread except a render thread; calls for the
// same file wait for each other.

// MARK: Life

/// Reads bytes of a file that the program stores; fewer than requested at its end.
typedef OSStatus (*AudioFile_ReadProc)(void *inClientData, SInt64 inPosition, UInt32 requestCount,
                                       void *buffer, UInt32 *actualCount);
/// Writes bytes to such a file.
typedef OSStatus (*AudioFile_WriteProc)(void *inClientData, SInt64 inPosition, UInt32 requestCount,
                                        const void *buffer, UInt32 *actualCount);
/// Returns the size of such a file in bytes.
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);
/// Truncates such a file, or extends it with zeros.
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

#ifndef __swift__

/// Creates a file and opens it for reading and writing. [control thread]
///
/// Without kAudioFileFlags_EraseFile, no file with this name may exist.
///
/// - Parameters:
///   - inFileRef: the path as a file URL.
///   - inFileType: the type, such as kAudioFileWAVEType.
///   - inFormat: the format of the sound.
///   - inFlags: kAudioFileFlags_EraseFile, kAudioFileFlags_DontPageAlignAudioData, or neither.
///   - outAudioFile: the open file, which the caller closes; null after an error.
/// - Returns: noErr; `kAudioFileUnsupportedFileTypeError` or `kAudioFileUnsupportedDataFormatError`
///   if files of the type cannot be written, or not with this format; `kAudioFilePermissionsError`
///   if a file of this name exists and may not be erased; `kAudio_FileNotFoundError` if there is no
///   such folder; `kAudio_FilePermissionError` if nothing may be written there;
///   `kAudioUnitErr_InvalidFilePath` if the path is that of a folder, or leads through a file;
///   `kAudio_MemFullError` if the disk is full; `kAudio_BadFilePathError` if the URL is not that of
///   a file; `kAudio_ParamError` if a pointer is null.
OSStatus AudioFileCreateWithURL(CFURLRef inFileRef, AudioFileTypeID inFileType,
                                const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                AudioFileID _Nullable *_Nonnull outAudioFile);

/// Opens a file. [control thread]
///
/// - Parameters:
///   - inFileRef: the path as a file URL.
///   - inPermissions: kAudioFileReadPermission, -Write- or -ReadWritePermission, or a name of the
///     File Manager such as fsRdPerm.
///   - inFileTypeHint: 0, or the type of a file whose contents do not identify it.
///   - outAudioFile: the open file, which the caller closes; null after an error.
/// - Returns: noErr; `kAudio_FileNotFoundError` if there is no such file;
///   `kAudio_FilePermissionError` if it may not be used so; `kAudioUnitErr_InvalidFilePath` if the
///   path is that of a folder, or leads through a file; `kAudioFileUnsupportedFileTypeError` if its
///   type is unknown; `kAudioFileUnsupportedDataFormatError` if its sound is in a format that the
///   library does not read; `kAudioFileInvalidFileError` if it is damaged;
///   `kAudio_BadFilePathError` if the URL is not that of a file; `kAudio_ParamError` if a pointer
///   is null or for other permissions.
OSStatus AudioFileOpenURL(CFURLRef inFileRef, SInt8 inPermissions, AudioFileTypeID inFileTypeHint,
                          AudioFileID _Nullable *_Nonnull outAudioFile);

#endif

/// Creates a file whose bytes the program stores; its contents are erased. [control thread]
///
/// - Parameters:
///   - inClientData: passed to the four functions.
///   - inReadFunc: reads bytes.
///   - inWriteFunc: writes bytes.
///   - inGetSizeFunc: returns the size in bytes.
///   - inSetSizeFunc: changes the size.
///   - inFileType: the type, such as kAudioFileWAVEType.
///   - inFormat: the format of the sound.
///   - inFlags: kAudioFileFlags_DontPageAlignAudioData or 0.
///   - outAudioFile: the open file, which the caller closes; null after an error.
/// - Returns: noErr; `kAudioFileUnsupportedFileTypeError` or `kAudioFileUnsupportedDataFormatError`
///   if files of the type cannot be written, or not with this format; `kAudio_ParamError` if a
///   pointer or a function is null; or what a function returns.
OSStatus AudioFileInitializeWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc,
                                          AudioFile_WriteProc inWriteFunc,
                                          AudioFile_GetSizeProc inGetSizeFunc,
                                          AudioFile_SetSizeProc inSetSizeFunc,
                                          AudioFileTypeID inFileType,
                                          const AudioStreamBasicDescription *inFormat,
                                          AudioFileFlags inFlags,
                                          AudioFileID _Nullable *_Nonnull outAudioFile);

/// Opens a file whose bytes the program stores; without a function that writes, for reading only.
/// [control thread]
///
/// - Parameters:
///   - inClientData: passed to the functions.
///   - inReadFunc: reads bytes.
///   - inWriteFunc: writes bytes; null for reading only.
///   - inGetSizeFunc: returns the size in bytes.
///   - inSetSizeFunc: changes the size; null for reading only.
///   - inFileTypeHint: 0, or the type of a file whose contents do not identify it.
///   - outAudioFile: the open file, which the caller closes; null after an error.
/// - Returns: noErr; `kAudioFileUnsupportedFileTypeError` if its type is unknown;
///   `kAudioFileUnsupportedDataFormatError` if its sound is in a format that the library does not
///   read; `kAudioFileInvalidFileError` if it is damaged; `kAudio_ParamError` if a pointer or a
///   function is null; or what a function returns.
OSStatus AudioFileOpenWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc,
                                    AudioFile_WriteProc _Nullable inWriteFunc,
                                    AudioFile_GetSizeProc inGetSizeFunc,
                                    AudioFile_SetSizeProc _Nullable inSetSizeFunc,
                                    AudioFileTypeID inFileTypeHint,
                                    AudioFileID _Nullable *_Nonnull outAudioFile);

/// Writes remaining data and closes a file. [control thread]
///
/// - Parameter inAudioFile: the file; invalid from now on, also after an error.
/// - Returns: noErr; `kAudio_MemFullError` if the disk is full; `kAudioFileUnspecifiedError` if it
///   cannot be written for another reason; `kAudio_ParamError` if there is no such file.
OSStatus AudioFileClose(AudioFileID inAudioFile);

/// Moves chunks that follow the sound before it, so that the sound can grow. May copy the file.
/// [control thread]
///
/// - Parameter inAudioFile: the file.
/// - Returns: noErr, also if nothing is to be done; `kAudio_MemFullError` if the disk is full;
///   `kAudioFileUnspecifiedError` if it cannot be written for another reason; `kAudio_ParamError`
///   if there is no such file.
OSStatus AudioFileOptimize(AudioFileID inAudioFile);

// MARK: Sound

/// Reads bytes of the sound; returns kAudioFileEndOfFileError at its end. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inStartingByte: counted from the beginning of the sound, 0 or more.
///   - ioNumBytes: how many bytes; on return the number that was read, also with
///     kAudioFileEndOfFileError.
///   - outBuffer: memory for as many bytes.
/// - Returns: noErr; `kAudioFileEndOfFileError` if fewer bytes were read;
///   `kAudioFilePermissionsError` if the file is open for writing only; `kAudioFilePositionError`
///   if the first byte is negative; `kAudio_ParamError` if there is no such file or a pointer is
///   null.
OSStatus AudioFileReadBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                            UInt32 *ioNumBytes, void *outBuffer);

/// Writes bytes of the sound. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inStartingByte: counted from the beginning of the sound, 0 or more. Bytes that were never
///     written are 0.
///   - ioNumBytes: how many bytes; on return the number that was written.
///   - inBuffer: the bytes.
/// - Returns: noErr; `kAudioFilePermissionsError` if the file is open for reading only;
///   `kAudioFilePositionError` if the first byte is negative; `kAudioFileNotOptimizedError` if
///   chunks follow the sound, see AudioFileOptimize; `kAudioFileOperationNotSupportedError` if its
///   packets differ in size; `kAudioFileDoesNotAllow64BitDataSizeError` if the type of file cannot
///   become so large; `kAudio_MemFullError` if the disk is full; `kAudioFileUnspecifiedError` if it
///   cannot be written for another reason; `kAudio_ParamError` if there is no such file or a
///   pointer is null.
OSStatus AudioFileWriteBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                             UInt32 *ioNumBytes, const void *inBuffer);

/// Reads whole packets: as many as are requested, available, and fit. [control thread]
///
/// At the end of the file there are fewer; after it the result is kAudioFileEndOfFileError.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - ioNumBytes: the size of the buffer; on return, the number of bytes read.
///   - outPacketDescriptions: the position of each packet in the buffer; may be null if all packets
///     have the same size.
///   - inStartingPacket: the first packet, counted from 0.
///   - ioNumPackets: how many packets; on return the number that was read.
///   - outBuffer: memory for the packets; null only counts them.
/// - Returns: noErr; `kAudioFileEndOfFileError` if no packet is left;
///   `kAudioFileInvalidPacketOffsetError` if the first packet is negative;
///   `kAudioFilePermissionsError` if the file is open for writing only;
///   `kAudioFileInvalidFileError` if it is damaged there; `kAudio_ParamError` if there is no such
///   file, a size is null, or descriptions are needed.
OSStatus AudioFileReadPacketData(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
                                 AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                                 SInt64 inStartingPacket, UInt32 *ioNumPackets,
                                 void *_Nullable outBuffer);

/// As AudioFileReadPacketData, with a buffer that is large enough for the requested packets.
/// [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - outNumBytes: on return, the number of bytes read.
///   - outPacketDescriptions: the position of each packet in the buffer; may be null if all packets
///     have the same size.
///   - inStartingPacket: the first packet, counted from 0.
///   - ioNumPackets: how many packets; on return the number that was read.
///   - outBuffer: memory for the packets, at most kAudioFilePropertyPacketSizeUpperBound bytes
///     each; null only counts them.
/// - Returns: as AudioFileReadPacketData.
OSStatus AudioFileReadPackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
                              AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                              SInt64 inStartingPacket, UInt32 *ioNumPackets,
                              void *_Nullable outBuffer);

/// Writes packets. Packets that differ in size can only be appended. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inNumBytes: the size of the buffer.
///   - inPacketDescriptions: the position of each packet in the buffer; may be null if all packets
///     have the same size, or for a single packet.
///   - inStartingPacket: the first packet, counted from 0; at most the number of packets that the
///     file has.
///   - ioNumPackets: how many packets; on return the number that was written.
///   - inBuffer: the packets.
/// - Returns: noErr; `kAudioFilePermissionsError` if the file is open for reading only;
///   `kAudioFileInvalidPacketOffsetError` if the first packet leaves a gap, or packets of different
///   sizes are not appended; `kAudioFileNotOptimizedError` if chunks follow the sound;
///   `kAudioFileDoesNotAllow64BitDataSizeError` if the type of file cannot become so large;
///   `kAudio_MemFullError` if the disk is full; `kAudioFileUnspecifiedError` if it cannot be
///   written for another reason; `kAudio_ParamError` if there is no such file, a pointer is null,
///   descriptions are needed, or one reaches beyond the buffer.
OSStatus AudioFileWritePackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
                               const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
                               SInt64 inStartingPacket, UInt32 *ioNumPackets, const void *inBuffer);

/// Returns an error: no file type of this library stores packet dependencies. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inNumBytes: not used.
///   - inPacketDescriptions: not used.
///   - inPacketDependencies: not used.
///   - inStartingPacket: not used.
///   - ioNumPackets: not used.
///   - inBuffer: not used.
/// - Returns: `kAudioFileOperationNotSupportedError`; `kAudio_ParamError` if there is no such file.
OSStatus AudioFileWritePacketsWithDependencies(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
    const AudioStreamPacketDependencyDescription *inPacketDependencies, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

// MARK: Chunks

/// The number of chunks with an identifier. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - outNumberItems: how many chunks have it.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such file or a pointer is null.
OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID,
                                UInt32 *outNumberItems);

/// The size of a chunk. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, counted from 0.
///   - outUserDataSize: its size in bytes; 4 GB - 1 for larger ones.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there is no such chunk; `kAudio_ParamError`
///   if there is no such file or a pointer is null.
OSStatus AudioFileGetUserDataSize(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                  UInt32 *outUserDataSize);

/// The size of a chunk in bytes, also beyond 4 GB. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, counted from 0.
///   - outUserDataSize: its size in bytes.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there is no such chunk; `kAudio_ParamError`
///   if there is no such file or a pointer is null.
OSStatus AudioFileGetUserDataSize64(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                    UInt64 *outUserDataSize);

/// Copies a chunk, or as much of it as fits. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, counted from 0.
///   - ioUserDataSize: the room in bytes; on return the number that was copied.
///   - outUserData: memory for the bytes.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there is no such chunk; `kAudio_ParamError`
///   if there is no such file or a pointer is null.
OSStatus AudioFileGetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                              UInt32 *ioUserDataSize, void *outUserData);

/// Reads a part of a chunk, from a byte on. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, counted from 0.
///   - inOffset: the first byte of the chunk, 0 or more.
///   - ioUserDataSize: the room in bytes; on return the number that was copied, 0 beyond the end.
///   - outUserData: memory for the bytes.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there is no such chunk; `kAudio_ParamError`
///   if there is no such file, a pointer is null, or the first byte is negative.
OSStatus AudioFileGetUserDataAtOffset(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                      SInt64 inOffset, UInt32 *ioUserDataSize, void *outUserData);

/// Replaces a chunk, or adds one if there are `inIndex` chunks with this identifier. [control
/// thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, from 0 to their number.
///   - inUserDataSize: the size of the chunk in bytes.
///   - inUserData: its bytes; may be null if the size is 0.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there are fewer chunks, or this one describes
///   the sound; `kAudioFilePermissionsError` if the file cannot be changed;
///   `kAudioFileOperationNotSupportedError` if its type has no chunks;
///   `kAudioFileDoesNotAllow64BitDataSizeError` if the chunk is too large for it;
///   `kAudio_ParamError` if there is no such file or a pointer is null.
OSStatus AudioFileSetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                              UInt32 inUserDataSize, const void *inUserData);

/// Removes a chunk. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUserDataID: the identifier, four characters.
///   - inIndex: which of the chunks with this identifier, counted from 0.
/// - Returns: noErr; `kAudioFileInvalidChunkError` if there is no such chunk, or it describes the
///   sound; `kAudioFilePermissionsError` if the file cannot be changed; `kAudio_ParamError` if
///   there is no such file.
OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

// MARK: Properties

/// The size of a property's value, and whether it can be set. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property, such as kAudioFilePropertyDataFormat.
///   - outDataSize: the size in bytes. May be null.
///   - isWritable: 1 if it can be set, otherwise 0. May be null.
/// - Returns: noErr; `kAudioFileUnsupportedPropertyError` if the file has no such property;
///   `kAudio_ParamError` if there is no such file.
OSStatus AudioFileGetPropertyInfo(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                                  UInt32 *_Nullable outDataSize, UInt32 *_Nullable isWritable);

/// Reads a property. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property, such as kAudioFilePropertyDataFormat.
///   - ioDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value. The caller releases Core Foundation objects.
/// - Returns: noErr; `kAudioFileUnsupportedPropertyError` if the file has no such property;
///   `kAudioFileBadPropertySizeError` if there is too little room; `kAudio_ParamError` if there is
///   no such file or a pointer is null.
OSStatus AudioFileGetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                              UInt32 *ioDataSize, void *outPropertyData);

/// Sets a property. [control thread]
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property.
///   - inDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: noErr; `kAudioFileUnsupportedPropertyError` if the file has no such property;
///   `kAudioFileOperationNotSupportedError` if it can only be read, or the type of file cannot
///   store it; `kAudioFilePermissionsError` if the file is open for reading only;
///   `kAudioFileBadPropertySizeError` for a wrong size; `kAudio_ParamError` for a wrong value, a
///   null pointer, or if there is no such file.
OSStatus AudioFileSetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                              UInt32 inDataSize, const void *inPropertyData);

/// Like AudioFileGetPropertyInfo and AudioFileGetProperty, for properties that do not belong to a
/// file. [any thread]
///
/// - Parameters:
///   - inPropertyID: the property, such as kAudioFileGlobalInfo_WritableTypes.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: what the property is asked about, such as a type of file; null if it needs
///     nothing.
///   - outDataSize: the size of the value in bytes.
/// - Returns: noErr; `kAudioFileUnsupportedPropertyError` if there is no such property;
///   `kAudioFileBadPropertySizeError` for a specifier of a wrong size; `kAudio_ParamError` if
///   `outDataSize` is null or the specifier is wrong.
OSStatus AudioFileGetGlobalInfoSize(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                    void *_Nullable inSpecifier, UInt32 *outDataSize);

/// Reads a property that does not belong to a file. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property, such as kAudioFileGlobalInfo_WritableTypes.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: what the property is asked about, such as a type of file; null if it needs
///     nothing.
///   - ioDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value. The caller releases Core Foundation objects.
/// - Returns: noErr; `kAudioFileUnsupportedPropertyError` if there is no such property;
///   `kAudioFileBadPropertySizeError` for a specifier of a wrong size, or too little room;
///   `kAudio_ParamError` if a pointer is null or the specifier is wrong.
OSStatus AudioFileGetGlobalInfo(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                void *_Nullable inSpecifier, UInt32 *ioDataSize,
                                void *outPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
