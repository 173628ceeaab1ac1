// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import CoreAudio

// The functions of AudioFile.h.

/// Runs `body` on the file behind a handle; converts an error to a status, and records its
/// explanation. The file lives until `body` returns, so a callback of the file may close it.
func status(
  file handle: AudioFileID, in call: StaticString = #function,
  _ body: (AudioFileObject) throws(AudioError) -> Void
) -> OSStatus {
  guard let file = AudioFileObject.handles.enter(handle) else {
    return Explanations.record(.stale("audio file"), in: call)
  }
  let object = file.takeUnretainedValue()
  AudioFileObject.handles.leave(handle)
  return status(in: call) { () throws(AudioError) in try body(object) }
}

/// Throws when a required pointer is null.
private func need(_ pointer: UnsafeRawPointer, _ argument: String) throws(AudioError) {
  guard !isNull(pointer) else { throw .null(argument) }
}

/// The path of a file's CFURL.
func path(of url: UnsafeRawPointer, _ argument: String) throws(AudioError) -> String {
  guard !isNull(url) else { throw .null(argument) }
  guard let path = Bridge.current.path(url) else {
    throw AudioError(status: kAudio_BadFilePathError).because(
      "\(argument) is not a CFURL of a file")
  }
  return path
}

// MARK: Life

@_cdecl("AudioFileCreateWithURL")
public func _AudioFileCreateWithURL(
  _ inFileRef: UnsafeRawPointer, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: UInt32,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  Library.start()
  return status(in: "AudioFileCreateWithURL") { () throws(AudioError) in
    try need(outAudioFile, "outAudioFile")
    outAudioFile.pointee = nil
    try need(inFormat, "inFormat")
    let path = try path(of: inFileRef, "inFileRef")
    let flags = AudioFileFlags(rawValue: inFlags)
    let file = try AudioFileObject.create(
      path, inFileType, inFormat.pointee, erases: flags.contains(.eraseFile),
      aligns: !flags.contains(.dontPageAlignAudioData))
    outAudioFile.pointee = try AudioFileObject.handles.insert(file)
  }
}

/// Creates a file and opens it for reading and writing. [control thread]
///
/// Without `.eraseFile` no file of that name may exist.
public func AudioFileCreateWithURL(
  _ inFileRef: CFURL, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  withExtendedLifetime(inFileRef) {
    _AudioFileCreateWithURL(
      Unmanaged.passUnretained(inFileRef).toOpaque(), inFileType, inFormat, inFlags.rawValue,
      outAudioFile)
  }
}

@_cdecl("AudioFileOpenURL")
public func _AudioFileOpenURL(
  _ inFileRef: UnsafeRawPointer, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  Library.start()
  return status(in: "AudioFileOpenURL") { () throws(AudioError) in
    try need(outAudioFile, "outAudioFile")
    outAudioFile.pointee = nil
    let path = try path(of: inFileRef, "inFileRef")
    let file = try AudioFileObject.open(path, inPermissions, hint: inFileTypeHint)
    outAudioFile.pointee = try AudioFileObject.handles.insert(file)
  }
}

/// Opens a file; the hint is 0, or the kind of a file whose bytes do not show it. [control thread]
public func AudioFileOpenURL(
  _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  withExtendedLifetime(inFileRef) {
    _AudioFileOpenURL(
      Unmanaged.passUnretained(inFileRef).toOpaque(), inPermissions.rawValue, inFileTypeHint,
      outAudioFile)
  }
}

/// As above, with permissions by a name of the File Manager, such as `fsRdPerm`. [control thread]
public func AudioFileOpenURL(
  _ inFileRef: CFURL, _ inPermissions: Int8, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  withExtendedLifetime(inFileRef) {
    _AudioFileOpenURL(
      Unmanaged.passUnretained(inFileRef).toOpaque(), inPermissions, inFileTypeHint, outAudioFile)
  }
}

@c @implementation
public func AudioFileInitializeWithCallbacks(
  _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
  _ inWriteFunc: @escaping AudioFile_WriteProc, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
  _ inSetSizeFunc: @escaping AudioFile_SetSizeProc, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try need(outAudioFile, "outAudioFile")
    outAudioFile.pointee = nil
    try need(inFormat, "inFormat")
    guard !isNull(function: inReadFunc), !isNull(function: inWriteFunc),
      !isNull(function: inGetSizeFunc), !isNull(function: inSetSizeFunc)
    else { throw .null("one of the four functions") }
    let store = CallbackStore(
      inClientData, reading: inReadFunc, writing: inWriteFunc, size: inGetSizeFunc,
      setSize: inSetSizeFunc)
    let file = try AudioFileObject.create(
      store, inFileType, inFormat.pointee, aligns: !inFlags.contains(.dontPageAlignAudioData))
    outAudioFile.pointee = try AudioFileObject.handles.insert(file)
  }
}

@c @implementation
public func AudioFileOpenWithCallbacks(
  _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
  _ inWriteFunc: AudioFile_WriteProc?, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
  _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try need(outAudioFile, "outAudioFile")
    outAudioFile.pointee = nil
    guard !isNull(function: inReadFunc), !isNull(function: inGetSizeFunc) else {
      throw .null("inReadFunc or inGetSizeFunc")
    }
    let store = CallbackStore(
      inClientData, reading: inReadFunc, writing: inWriteFunc, size: inGetSizeFunc,
      setSize: inSetSizeFunc)
    let file = try AudioFileObject.open(store, hint: inFileTypeHint)
    outAudioFile.pointee = try AudioFileObject.handles.insert(file)
  }
}

@c @implementation
public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
  status { () throws(AudioError) in try AudioFileObject.close(inAudioFile) }
}

@c @implementation
public func AudioFileOptimize(_ inAudioFile: AudioFileID) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try file.locked(changes: true) { container throws(AudioError) in try container.optimize() }
  }
}

// MARK: Sound

@c @implementation
public func AudioFileReadBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64,
  _ ioNumBytes: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try need(ioNumBytes, "ioNumBytes")
    try need(outBuffer, "outBuffer")
    try file.readBytes(at: inStartingByte, &ioNumBytes.pointee, into: outBuffer)
  }
}

@c @implementation
public func AudioFileWriteBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64,
  _ ioNumBytes: UnsafeMutablePointer<UInt32>, _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try need(ioNumBytes, "ioNumBytes")
    try need(inBuffer, "inBuffer")
    try file.writeBytes(at: inStartingByte, &ioNumBytes.pointee, from: inBuffer)
  }
}

@c @implementation
public func AudioFileReadPacketData(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try need(ioNumBytes, "ioNumBytes")
    try readPackets(
      file, ioNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer,
      capacity: Int(ioNumBytes.pointee))
  }
}

@c @implementation
public func AudioFileReadPackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ outNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try need(outNumBytes, "outNumBytes")
    try readPackets(
      file, outNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer,
      capacity: Int(UInt32.max))
  }
}

private func readPackets(
  _ file: AudioFileObject, _ byteCount: UnsafeMutablePointer<UInt32>,
  _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ start: Int64,
  _ count: UnsafeMutablePointer<UInt32>, _ buffer: UnsafeMutableRawPointer?, capacity: Int
) throws(AudioError) {
  try need(count, "ioNumPackets")
  let requested = Int(count.pointee)
  count.pointee = 0
  byteCount.pointee = 0
  let memory = buffer.map { UnsafeMutableRawBufferPointer(start: $0, count: capacity) }
  let read = try file.readPackets(
    from: start, count: requested, into: memory, capacity: capacity, descriptions: descriptions)
  count.pointee = UInt32(read.packets)
  byteCount.pointee = UInt32(read.bytes)
}

@c @implementation
public func AudioFileWritePackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
  _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try need(ioNumPackets, "ioNumPackets")
    try need(inBuffer, "inBuffer")
    let requested = Int(ioNumPackets.pointee)
    ioNumPackets.pointee = 0
    let bytes = UnsafeRawBufferPointer(start: inBuffer, count: Int(inNumBytes))
    ioNumPackets.pointee = UInt32(
      try file.writePackets(
        from: inStartingPacket, count: requested, bytes, descriptions: inPacketDescriptions))
  }
}

@c @implementation
public func AudioFileWritePacketsWithDependencies(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
  _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  _ inPacketDependencies: UnsafePointer<AudioStreamPacketDependencyDescription>,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    throw AudioError(status: kAudioFileOperationNotSupportedError).because(
      "\(file.container.store.name): is \(file.container.kind.name), which stores no packet "
        + "dependencies")
  }
}
