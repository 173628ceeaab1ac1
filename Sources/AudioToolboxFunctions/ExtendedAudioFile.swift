// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import CoreAudio

// The functions of ExtendedAudioFile.h.

/// Runs `body` on the file behind a handle; converts an error to a status, and records its
/// explanation. The file lives until `body` returns, so a callback of the program may dispose of
/// it.
private func status(
  extended handle: ExtAudioFileRef, in call: StaticString = #function,
  _ body: (ExtendedFile) throws(AudioError) -> Void
) -> OSStatus {
  guard let file = ExtendedFile.handles.enter(handle) else {
    return Explanations.record(.stale("extended audio file"), in: call)
  }
  let object = file.takeUnretainedValue()
  ExtendedFile.handles.leave(handle)
  return status(in: call) { () throws(AudioError) in try body(object) }
}

// MARK: Life

@_cdecl("ExtAudioFileOpenURL")
public func _ExtAudioFileOpenURL(
  _ inURL: UnsafeRawPointer, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  Library.start()
  return status(in: "ExtAudioFileOpenURL") { () throws(AudioError) in
    guard !isNull(outExtAudioFile) else { throw .null("outExtAudioFile") }
    outExtAudioFile.pointee = nil
    outExtAudioFile.pointee = try ExtendedFile.open(path(of: inURL, "inURL"))
  }
}

/// Opens a file to read it. [control thread]
public func ExtAudioFileOpenURL(
  _ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  withExtendedLifetime(inURL) {
    _ExtAudioFileOpenURL(Unmanaged.passUnretained(inURL).toOpaque(), outExtAudioFile)
  }
}

@_cdecl("ExtAudioFileCreateWithURL")
public func _ExtAudioFileCreateWithURL(
  _ inURL: UnsafeRawPointer, _ inFileType: AudioFileTypeID,
  _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
  _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  Library.start()
  return status(in: "ExtAudioFileCreateWithURL") { () throws(AudioError) in
    guard !isNull(outExtAudioFile) else { throw .null("outExtAudioFile") }
    outExtAudioFile.pointee = nil
    guard !isNull(inStreamDesc) else { throw .null("inStreamDesc") }
    let descriptions = inChannelLayout.map { Int($0.pointee.mNumberChannelDescriptions) } ?? 0
    guard descriptions <= 65_536 else {
      throw .invalidArgument.because("inChannelLayout: \(descriptions) channel descriptions")
    }
    let layout = inChannelLayout.map { layout in
      let count = 12 + 20 * descriptions
      return ChannelLayouts.bytes(UnsafeRawBufferPointer(start: layout, count: max(32, count)))
    }
    outExtAudioFile.pointee = try ExtendedFile.create(
      path(of: inURL, "inURL"), inFileType, inStreamDesc.pointee, layout: layout,
      erases: AudioFileFlags(rawValue: inFlags).contains(.eraseFile))
  }
}

/// Creates a file. [control thread]
public func ExtAudioFileCreateWithURL(
  _ inURL: CFURL, _ inFileType: AudioFileTypeID,
  _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
  _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  withExtendedLifetime(inURL) {
    _ExtAudioFileCreateWithURL(
      Unmanaged.passUnretained(inURL).toOpaque(), inFileType, inStreamDesc, inChannelLayout,
      inFlags, outExtAudioFile)
  }
}

@c @implementation
public func ExtAudioFileWrapAudioFileID(
  _ inFileID: AudioFileID, _ inForWriting: Bool,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outExtAudioFile) else { throw .null("outExtAudioFile") }
    outExtAudioFile.pointee = nil
    outExtAudioFile.pointee = try ExtendedFile.wrap(inFileID, isWriting: inForWriting)
  }
}

@c @implementation
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
  status { () throws(AudioError) in try ExtendedFile.dispose(inExtAudioFile) }
}

// MARK: Sound

@c @implementation
public func ExtAudioFileRead(
  _ inExtAudioFile: ExtAudioFileRef, _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    guard !isNull(ioNumberFrames) else { throw .null("ioNumberFrames") }
    guard !isNull(ioData) else { throw .null("ioData") }
    try file.read(&ioNumberFrames.pointee, into: ioData)
  }
}

@c @implementation
public func ExtAudioFileWrite(
  _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32,
  _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    guard !isNull(ioData) else { throw .null("ioData") }
    try file.write(inNumberFrames, ioData)
  }
}

@c @implementation
public func ExtAudioFileWriteAsync(
  _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32,
  _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  guard let file = ExtendedFile.handles.enter(inExtAudioFile) else {
    return Explanations.record(.stale("extended audio file"), in: "ExtAudioFileWriteAsync")
  }
  defer { ExtendedFile.handles.leave(inExtAudioFile) }
  return file._withUnsafeGuaranteedRef { file in
    if let result = file.writeAsynchronously(inNumberFrames, ioData) { return result }
    let made = status { () throws(AudioError) in try file.prepareAsynchronousWrites() }
    return made == noErr ? file.writeAsynchronously(inNumberFrames, ioData) ?? noErr : made
  }
}

@c @implementation
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus
{
  status(extended: inExtAudioFile) { file throws(AudioError) in try file.seek(to: inFrameOffset) }
}

@c @implementation
public func ExtAudioFileTell(
  _ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    guard !isNull(outFrameOffset) else { throw .null("outFrameOffset") }
    outFrameOffset.pointee = try file.tell()
  }
}

// MARK: Properties

@c @implementation
public func ExtAudioFileGetPropertyInfo(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    let info = try file.propertyInfo(inPropertyID)
    outSize?.pointee = UInt32(info.size)
    outWritable?.pointee = info.isWritable
  }
}

@c @implementation
public func ExtAudioFileGetProperty(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    guard !isNull(ioPropertyDataSize) else { throw .null("ioPropertyDataSize") }
    guard !isNull(outPropertyData) else { throw .null("outPropertyData") }
    try file.property(inPropertyID, into: outPropertyData, &ioPropertyDataSize.pointee)
  }
}

@c @implementation
public func ExtAudioFileSetProperty(
  _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status(extended: inExtAudioFile) { file throws(AudioError) in
    guard !isNull(inPropertyData) || inPropertyDataSize == 0 else { throw .null("inPropertyData") }
    try file.setProperty(
      inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
  }
}
