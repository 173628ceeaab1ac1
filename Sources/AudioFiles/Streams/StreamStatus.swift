// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The status codes of AudioFileStream.
  public static let fileStreams = StatusFamily(
    of: ["AudioFileStream"],
    [
      .init(
        kAudioFileStreamError_UnsupportedFileType, "kAudioFileStreamError_UnsupportedFileType",
        "This kind of file cannot be read as a stream.",
        "AudioFileOpenURL may be able to read it as a file."),
      .init(
        kAudioFileStreamError_UnsupportedDataFormat, "kAudioFileStreamError_UnsupportedDataFormat",
        "The format of the stream is unknown.", "The explanation names it."),
      .init(
        kAudioFileStreamError_UnsupportedProperty, "kAudioFileStreamError_UnsupportedProperty",
        "The stream does not have this property.", "AudioFileStream.h lists the properties."),
      .init(
        kAudioFileStreamError_BadPropertySize, "kAudioFileStreamError_BadPropertySize",
        "The memory is too small for the value.", "Call AudioFileStreamGetPropertyInfo first."),
      .init(
        kAudioFileStreamError_NotOptimized, "kAudioFileStreamError_NotOptimized",
        "Data that must come before the sound comes after it.",
        "Call AudioFileOptimize before the file is sent."),
      .init(
        kAudioFileStreamError_InvalidPacketOffset, "kAudioFileStreamError_InvalidPacketOffset",
        "There is no such packet in this stream.",
        "Seek to a packet that was parsed, or accept an estimated position."),
      .init(
        kAudioFileStreamError_InvalidFile, "kAudioFileStreamError_InvalidFile",
        "The stream is damaged, or not of its kind.", "The explanation says at which byte."),
      .init(
        kAudioFileStreamError_UnspecifiedError, "kAudioFileStreamError_UnspecifiedError",
        "The stream cannot be read.", "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioFileStreamError_ValueUnknown, "kAudioFileStreamError_ValueUnknown",
        "The stream does not state this value.", "It may be known after the whole stream."),
      .init(
        kAudioFileStreamError_DataUnavailable, "kAudioFileStreamError_DataUnavailable",
        "The bytes with this value have not arrived yet.",
        "Try again after kAudioFileStreamProperty_ReadyToProducePackets was reported."),
      .init(
        kAudioFileStreamError_IllegalOperation, "kAudioFileStreamError_IllegalOperation",
        "A stream cannot do this, or not at this moment.",
        "Parse on one thread; no property of a stream can be set."),
      .init(
        kAudioFileStreamError_DiscontinuityCantRecover,
        "kAudioFileStreamError_DiscontinuityCantRecover",
        "After a gap, the next packet cannot be found in this kind of file.",
        "AudioFileStreamSeek returns a position from which to continue."),
    ])
}
