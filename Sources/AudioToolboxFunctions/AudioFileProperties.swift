// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import CoreAudio

// The functions of AudioFile.h for chunks and properties.

/// Runs `body` under the file's lock, and writes its result to `destination`, which must not be
/// null.
private func storeResult<Value>(
  _ handle: AudioFileID, _ destination: UnsafeMutablePointer<Value>, _ argument: String,
  in call: StaticString = #function, _ body: (Container) throws(AudioError) -> Value
) -> OSStatus {
  status(file: handle, in: call) { file throws(AudioError) in
    guard !isNull(destination) else { throw .null(argument) }
    destination.pointee = try file.locked { container throws(AudioError) in try body(container) }
  }
}

// MARK: Chunks

@c @implementation
public func AudioFileCountUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32,
  _ outNumberItems: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inAudioFile, outNumberItems, "outNumberItems") { file throws(AudioError) in
    UInt32(file.chunkCount(ChunkCode(inUserDataID)))
  }
}

@c @implementation
public func AudioFileGetUserDataSize(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  storeResult(inAudioFile, outUserDataSize, "outUserDataSize") { file throws(AudioError) in
    UInt32(clamping: try file.chunkByteCount(ChunkCode(inUserDataID), Int(inIndex)))
  }
}

@c @implementation
public func AudioFileGetUserDataSize64(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ outUserDataSize: UnsafeMutablePointer<UInt64>
) -> OSStatus {
  storeResult(inAudioFile, outUserDataSize, "outUserDataSize") { file throws(AudioError) in
    UInt64(try file.chunkByteCount(ChunkCode(inUserDataID), Int(inIndex)))
  }
}

@c @implementation
public func AudioFileGetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
  getUserData(inAudioFile, inUserDataID, inIndex, 0, ioUserDataSize, outUserData)
}

@c @implementation
public func AudioFileGetUserDataAtOffset(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inOffset: Int64,
  _ ioUserDataSize: UnsafeMutablePointer<UInt32>, _ outUserData: UnsafeMutableRawPointer
) -> OSStatus {
  getUserData(inAudioFile, inUserDataID, inIndex, inOffset, ioUserDataSize, outUserData)
}

private func getUserData(
  _ handle: AudioFileID, _ code: UInt32, _ index: UInt32, _ offset: Int64,
  _ size: UnsafeMutablePointer<UInt32>, _ memory: UnsafeMutableRawPointer,
  in call: StaticString = #function
) -> OSStatus {
  status(file: handle, in: call) { file throws(AudioError) in
    guard !isNull(size) else { throw .null("ioUserDataSize") }
    guard !isNull(memory) else { throw .null("outUserData") }
    guard offset >= 0, offset < Int64.max / 2 else {
      throw .invalidArgument.because("byte \(offset) is outside the chunk")
    }
    let range = Int(offset)..<Int(offset) + Int(size.pointee)
    let bytes = try file.locked { container throws(AudioError) in
      try container.chunk(ChunkCode(code), Int(index), range)
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    size.pointee = UInt32(bytes.count)
  }
}

@c @implementation
public func AudioFileSetUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32,
  _ inUserDataSize: UInt32, _ inUserData: UnsafeRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    guard !isNull(inUserData) || inUserDataSize == 0 else { throw .null("inUserData") }
    let bytes = Array(UnsafeRawBufferPointer(start: inUserData, count: Int(inUserDataSize)))
    try file.setChunk(ChunkCode(inUserDataID), Int(inIndex), bytes)
  }
}

@c @implementation
public func AudioFileRemoveUserData(
  _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    try file.removeChunk(ChunkCode(inUserDataID), Int(inIndex))
  }
}

// MARK: Properties

@c @implementation
public func AudioFileGetPropertyInfo(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID,
  _ outDataSize: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    let info = try file.propertyInfo(inPropertyID)
    outDataSize?.pointee = UInt32(info.size)
    isWritable?.pointee = info.isWritable ? 1 : 0
  }
}

@c @implementation
public func AudioFileGetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    guard !isNull(outPropertyData) else { throw .null("outPropertyData") }
    try file.property(inPropertyID, into: outPropertyData, &ioDataSize.pointee)
  }
}

@c @implementation
public func AudioFileSetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status(file: inAudioFile) { file throws(AudioError) in
    guard !isNull(inPropertyData) else { throw .null("inPropertyData") }
    try file.setProperty(
      inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inDataSize)))
  }
}

@c @implementation
public func AudioFileGetGlobalInfoSize(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeMutableRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    guard !isNull(outDataSize) else { throw .null("outDataSize") }
    let about = UnsafeRawBufferPointer(start: inSpecifier, count: Int(inSpecifierSize))
    outDataSize.pointee = UInt32(
      try FileGlobals.table.info(PropertyAddress(inPropertyID), of: FileSpecifier(about)).size)
  }
}

@c @implementation
public func AudioFileGetGlobalInfo(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeMutableRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    guard !isNull(ioDataSize) else { throw .null("ioDataSize") }
    guard !isNull(outPropertyData) else { throw .null("outPropertyData") }
    let about = UnsafeRawBufferPointer(start: inSpecifier, count: Int(inSpecifierSize))
    try FileGlobals.table.read(
      PropertyAddress(inPropertyID), of: FileSpecifier(about), into: outPropertyData,
      size: &ioDataSize.pointee)
  }
}
