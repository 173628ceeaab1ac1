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
OSStatus AudioFileCreateWithURL(CFURLRef inFileRef, AudioFileTypeID inFileType,
                                const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
                                AudioFileID _Nullable *_Nonnull outAudioFile);

/// Opens a file. [control thread]
///
/// - Parameters:
///   - inPermissions: `AudioFilePermissions`, or a name of the File Manager such as fsRdPerm.
///   - inFileTypeHint: 0, or the type of a file whose contents do not identify it.
OSStatus AudioFileOpenURL(CFURLRef inFileRef, SInt8 inPermissions, AudioFileTypeID inFileTypeHint,
                          AudioFileID _Nullable *_Nonnull outAudioFile);

#endif

/// Creates a file whose bytes the program stores; its contents are erased. [control thread]
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
OSStatus AudioFileOpenWithCallbacks(void *inClientData, AudioFile_ReadProc inReadFunc,
                                    AudioFile_WriteProc _Nullable inWriteFunc,
                                    AudioFile_GetSizeProc inGetSizeFunc,
                                    AudioFile_SetSizeProc _Nullable inSetSizeFunc,
                                    AudioFileTypeID inFileTypeHint,
                                    AudioFileID _Nullable *_Nonnull outAudioFile);

/// Writes remaining data and closes a file. [control thread]
OSStatus AudioFileClose(AudioFileID inAudioFile);

/// Moves chunks that follow the sound before it, so that the sound can grow. May copy the file.
/// [control thread]
OSStatus AudioFileOptimize(AudioFileID inAudioFile);

// MARK: Sound

/// Reads bytes of the sound; returns kAudioFileEndOfFileError at its end. [control thread]
///
/// - Parameter inStartingByte: counted from the beginning of the sound.
OSStatus AudioFileReadBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                            UInt32 *ioNumBytes, void *outBuffer);

/// Writes bytes of the sound. [control thread]
OSStatus AudioFileWriteBytes(AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte,
                             UInt32 *ioNumBytes, const void *inBuffer);

/// Reads whole packets: as many as are requested, available, and fit. [control thread]
///
/// At the end of the file there are fewer; after it the result is kAudioFileEndOfFileError.
/// - Parameter ioNumBytes: the size of the buffer; on return, the number of bytes read.
/// - Parameter outPacketDescriptions: the position of each packet; may be null if all packets have
///   the same size.
OSStatus AudioFileReadPacketData(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
                                 AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                                 SInt64 inStartingPacket, UInt32 *ioNumPackets,
                                 void *_Nullable outBuffer);

/// As AudioFileReadPacketData, with a buffer that is large enough for the requested packets.
/// [control thread]
OSStatus AudioFileReadPackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
                              AudioStreamPacketDescription *_Nullable outPacketDescriptions,
                              SInt64 inStartingPacket, UInt32 *ioNumPackets,
                              void *_Nullable outBuffer);

/// Writes packets. Packets that differ in size can only be appended. [control thread]
OSStatus AudioFileWritePackets(AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
                               const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
                               SInt64 inStartingPacket, UInt32 *ioNumPackets, const void *inBuffer);

/// Returns an error: no file type of this library stores packet dependencies. [control thread]
OSStatus AudioFileWritePacketsWithDependencies(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
    const AudioStreamPacketDependencyDescription *inPacketDependencies, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

// MARK: Chunks

/// The number of chunks with an identifier. [control thread]
OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID,
                                UInt32 *outNumberItems);

/// The size of a chunk. [control thread]
OSStatus AudioFileGetUserDataSize(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                  UInt32 *outUserDataSize);
/// The size of a chunk in bytes, also beyond 4 GB. [control thread]
OSStatus AudioFileGetUserDataSize64(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                    UInt64 *outUserDataSize);

/// Copies a chunk, or as much of it as fits. [control thread]
OSStatus AudioFileGetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                              UInt32 *ioUserDataSize, void *outUserData);
/// Reads a part of a chunk, from a byte on. [control thread]
OSStatus AudioFileGetUserDataAtOffset(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                                      SInt64 inOffset, UInt32 *ioUserDataSize, void *outUserData);

/// Replaces a chunk, or adds one if there are `inIndex` chunks with this identifier. [control
/// thread]
OSStatus AudioFileSetUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex,
                              UInt32 inUserDataSize, const void *inUserData);

/// Removes a chunk. [control thread]
OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

// MARK: Properties

/// The size of a property's value, and whether it can be set. [control thread]
OSStatus AudioFileGetPropertyInfo(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                                  UInt32 *_Nullable outDataSize, UInt32 *_Nullable isWritable);
/// Reads a property. [control thread]
OSStatus AudioFileGetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                              UInt32 *ioDataSize, void *outPropertyData);
/// Sets a property. [control thread]
OSStatus AudioFileSetProperty(AudioFileID inAudioFile, AudioFilePropertyID inPropertyID,
                              UInt32 inDataSize, const void *inPropertyData);

/// Like AudioFileGetPropertyInfo and AudioFileGetProperty, for properties that do not belong to a
/// file. [any thread]
OSStatus AudioFileGetGlobalInfoSize(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                    void *_Nullable inSpecifier, UInt32 *outDataSize);
/// Reads a property that does not belong to a file. [control thread]
OSStatus AudioFileGetGlobalInfo(AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize,
                                void *_Nullable inSpecifier, UInt32 *ioDataSize,
                                void *outPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
