// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The status codes of AudioFile.
  public static let files = StatusFamily(
    of: ["AudioFile"],
    [
      .init(
        kAudioFileUnspecifiedError, "kAudioFileUnspecifiedError",
        "The file cannot be read or written.", "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioFileUnsupportedFileTypeError, "kAudioFileUnsupportedFileTypeError",
        "The file type cannot be read or written, or is not the one that was given.",
        "kAudioFileGlobalInfo_ReadableTypes and -WritableTypes list the types."),
      .init(
        kAudioFileUnsupportedDataFormatError, "kAudioFileUnsupportedDataFormatError",
        "The file type cannot hold this format, or the format is unknown.",
        "kAudioFileGlobalInfo_AvailableFormatIDs lists the formats of a file type."),
      .init(
        kAudioFileUnsupportedPropertyError, "kAudioFileUnsupportedPropertyError",
        "The file does not have this property.", "AudioFileProperties.h lists the properties."),
      .init(
        kAudioFileBadPropertySizeError, "kAudioFileBadPropertySizeError",
        "The memory is too small for the value.", "Call AudioFileGetPropertyInfo first."),
      .init(
        kAudioFilePermissionsError, "kAudioFilePermissionsError",
        "The file was not opened for this, or may not be written.",
        "Open it with kAudioFileReadWritePermission, and check the owner of the file."),
      .init(
        kAudioFileNotOptimizedError, "kAudioFileNotOptimizedError",
        "Data that must come before the sound comes after it.",
        "AudioFileOptimize moves it to the front."),
      .init(
        kAudioFileInvalidChunkError, "kAudioFileInvalidChunkError",
        "There is no such chunk, or it cannot be written.",
        "kAudioFilePropertyChunkIDs lists the chunks."),
      .init(
        kAudioFileDoesNotAllow64BitDataSizeError, "kAudioFileDoesNotAllow64BitDataSizeError",
        "The file would be larger than its kind can be.", "CAF, RF64 and Wave64 have no limit."),
      .init(
        kAudioFileInvalidPacketOffsetError, "kAudioFileInvalidPacketOffsetError",
        "There is no such packet, or the file type does not allow it.",
        "Compare with kAudioFilePropertyAudioDataPacketCount; packets of different sizes can only "
          + "be appended."
      ),
      .init(
        kAudioFileInvalidPacketDependencyError, "kAudioFileInvalidPacketDependencyError",
        "The file cannot store the dependencies between packets.",
        "AudioFileWritePackets writes packets without them."),
      .init(
        kAudioFileInvalidFileError, "kAudioFileInvalidFileError",
        "The file is damaged, or not of its kind.", "The explanation says at which byte."),
      .init(
        kAudioFileOperationNotSupportedError, "kAudioFileOperationNotSupportedError",
        "This kind of file does not support the request.",
        "The explanation says what is missing; CAF supports most."),
      .init(
        kAudioFileNotOpenError, "kAudioFileNotOpenError", "The file is not open.",
        "Keep the AudioFileID until AudioFileClose."),
      .init(
        kAudioFileEndOfFileError, "kAudioFileEndOfFileError",
        "The sound ends before the requested range does.", "The count says how much was read."),
      .init(
        kAudioFilePositionError, "kAudioFilePositionError",
        "The position is outside the sound.", "Bytes count from the beginning of the sound."),
    ])

  /// The status codes of ExtAudioFile.
  public static let extendedFiles = StatusFamily(
    of: ["ExtAudioFile"],
    [
      .init(
        kExtAudioFileError_InvalidProperty, "kExtAudioFileError_InvalidProperty",
        "The file does not have this property, or cannot accept this value.",
        "ExtendedAudioFile.h lists the properties."),
      .init(
        kExtAudioFileError_InvalidPropertySize, "kExtAudioFileError_InvalidPropertySize",
        "The memory is too small for the value.", "Call ExtAudioFileGetPropertyInfo first."),
      .init(
        kExtAudioFileError_NonPCMClientFormat, "kExtAudioFileError_NonPCMClientFormat",
        "The client's format is not linear PCM, or was not set.",
        "Set kExtAudioFileProperty_ClientDataFormat before the first frame."),
      .init(
        kExtAudioFileError_InvalidChannelMap, "kExtAudioFileError_InvalidChannelMap",
        "The channels do not match the format.", "Compare the layout with mChannelsPerFrame."),
      .init(
        kExtAudioFileError_InvalidOperationOrder, "kExtAudioFileError_InvalidOperationOrder",
        "The file cannot do this now.", "Set formats before frames are read or written."),
      .init(
        kExtAudioFileError_InvalidDataFormat, "kExtAudioFileError_InvalidDataFormat",
        "The format is inconsistent.",
        "Compare bits with bytes, and bytes per frame with channels."),
      .init(
        kExtAudioFileError_MaxPacketSizeUnknown, "kExtAudioFileError_MaxPacketSizeUnknown",
        "The size of the packets is unknown.", "Read the whole file once."),
      .init(
        kExtAudioFileError_InvalidSeek, "kExtAudioFileError_InvalidSeek",
        "The file has no such frame, or cannot be written from there.",
        "kExtAudioFileProperty_FileLengthFrames says how many there are."),
      .init(
        kExtAudioFileError_AsyncWriteTooLarge, "kExtAudioFileError_AsyncWriteTooLarge",
        "One call wrote more frames than the buffer holds.", "Write fewer frames per call."),
      .init(
        kExtAudioFileError_AsyncWriteBufferOverflow, "kExtAudioFileError_AsyncWriteBufferOverflow",
        "Frames arrived faster than the file could be written.",
        "The frames of that call were dropped; write more slowly, or to another disk."),
    ])
}
