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
        "Streams of this kind of file are not read.",
        "A kind that AudioFileOpenURL reads may be read from a file."),
      .init(
        kAudioFileStreamError_UnsupportedDataFormat, "kAudioFileStreamError_UnsupportedDataFormat",
        "The format of the stream is unknown.", "The explanation names it."),
      .init(
        kAudioFileStreamError_UnsupportedProperty, "kAudioFileStreamError_UnsupportedProperty",
        "The stream does not have this property.", "AudioFileStream.h lists the properties."),
      .init(
        kAudioFileStreamError_BadPropertySize, "kAudioFileStreamError_BadPropertySize",
        "The memory is too small for the value.", "Ask AudioFileStreamGetPropertyInfo first."),
      .init(
        kAudioFileStreamError_NotOptimized, "kAudioFileStreamError_NotOptimized",
        "Something stands behind the sound that has to come before it.",
        "AudioFileOptimize puts the file in order before it is sent."),
      .init(
        kAudioFileStreamError_InvalidPacketOffset, "kAudioFileStreamError_InvalidPacketOffset",
        "There is no such packet in this stream.",
        "Seek to a packet that has been parsed, or let the flag say that the place is estimated."),
      .init(
        kAudioFileStreamError_InvalidFile, "kAudioFileStreamError_InvalidFile",
        "The stream is damaged, or not of its kind.", "The explanation says at which byte."),
      .init(
        kAudioFileStreamError_UnspecifiedError, "kAudioFileStreamError_UnspecifiedError",
        "The stream cannot be read.", "AUDIOTOOLBOX_LOG=1 prints the reason."),
      .init(
        kAudioFileStreamError_ValueUnknown, "kAudioFileStreamError_ValueUnknown",
        "The stream does not say this.", "It may be known when all of it has come."),
      .init(
        kAudioFileStreamError_DataUnavailable, "kAudioFileStreamError_DataUnavailable",
        "The bytes that say this have not come yet.",
        "Ask again when kAudioFileStreamProperty_ReadyToProducePackets was told."),
      .init(
        kAudioFileStreamError_IllegalOperation, "kAudioFileStreamError_IllegalOperation",
        "A stream cannot do this, or not now.",
        "Parse on one thread; no property of a stream can be set."),
      .init(
        kAudioFileStreamError_DiscontinuityCantRecover,
        "kAudioFileStreamError_DiscontinuityCantRecover",
        "After a gap nothing says where the next packet begins.",
        "AudioFileStreamSeek gives a place at which to go on."),
    ])
}
