// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import CoreAudio

// The functions of AudioFileStream.h.

/// The stream behind a handle. It lives as long as the caller references it, so a callback that the
/// caller calls meanwhile may close it.
private func stream(_ handle: AudioFileStreamID) throws(AudioError) -> FileStream {
  guard let entered = FileStream.handles.enter(handle) else { throw .stale("audio file stream") }
  defer { FileStream.handles.leave(handle) }
  return entered.takeUnretainedValue()
}

private func need(_ pointer: UnsafeRawPointer, _ argument: String) throws(AudioError) {
  guard !isNull(pointer) else { throw .null(argument) }
}

@c @implementation
public func AudioFileStreamOpen(
  _ inClientData: UnsafeMutableRawPointer?,
  _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
  _ inPacketsProc: @escaping AudioFileStream_PacketsProc, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try need(outAudioFileStream, "outAudioFileStream")
    outAudioFileStream.pointee = nil
    guard !isNull(function: inPropertyListenerProc), !isNull(function: inPacketsProc) else {
      throw .null("inPropertyListenerProc or inPacketsProc")
    }
    let stream = FileStream(
      inClientData, listener: inPropertyListenerProc, receiver: inPacketsProc,
      hint: inFileTypeHint)
    outAudioFileStream.pointee = try FileStream.handles.insert(stream)
  }
}

@c @implementation
public func AudioFileStreamParseBytes(
  _ inAudioFileStream: AudioFileStreamID, _ inDataByteSize: UInt32,
  _ inData: UnsafeRawPointer?, _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
  status { () throws(AudioError) in
    guard inData != nil || inDataByteSize == 0 else { throw .null("inData") }
    let bytes = UnsafeRawBufferPointer(start: inData, count: Int(inDataByteSize))
    try stream(inAudioFileStream).parse(
      bytes, isDiscontinuous: inFlags.contains(.discontinuity), as: inAudioFileStream)
  }
}

@c @implementation
public func AudioFileStreamSeek(
  _ inAudioFileStream: AudioFileStreamID, _ inPacketOffset: Int64,
  _ outDataByteOffset: UnsafeMutablePointer<Int64>,
  _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
  status { () throws(AudioError) in
    try need(outDataByteOffset, "outDataByteOffset")
    try need(ioFlags, "ioFlags")
    let position = try stream(inAudioFileStream).seek(to: inPacketOffset)
    outDataByteOffset.pointee = position.offset
    ioFlags.pointee = position.isEstimate ? .offsetIsEstimated : []
  }
}

@c @implementation
public func AudioFileStreamGetPropertyInfo(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(AudioError) in
    let size = try stream(inAudioFileStream).propertySize(inPropertyID)
    outPropertyDataSize?.pointee = UInt32(size)
    outWritable?.pointee = false
  }
}

@c @implementation
public func AudioFileStreamGetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status { () throws(AudioError) in
    try need(ioPropertyDataSize, "ioPropertyDataSize")
    try need(outPropertyData, "outPropertyData")
    try stream(inAudioFileStream).property(
      inPropertyID, into: outPropertyData, &ioPropertyDataSize.pointee)
  }
}

@c @implementation
public func AudioFileStreamSetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status { () throws(AudioError) in
    _ = try stream(inAudioFileStream).propertySize(inPropertyID)
    throw AudioError(status: kAudioFileStreamError_IllegalOperation).because(
      "the stream: its properties can only be read")
  }
}

@c @implementation
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
  status { () throws(AudioError) in try FileStream.close(inAudioFileStream) }
}
