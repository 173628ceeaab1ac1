// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Callbacks of a program for files. Each has another thread make every call on the object that
/// invoked it, and waits for that thread; then it makes the calls itself.
@Suite("During a callback of a file", .timeLimit(.minutes(60)))
struct FileCallbackTests {
  private static let types = [
    kAudioFileWAVEType, kAudioFileCAFType, kAudioFileRF64Type, kAudioFileWave64Type,
  ]

  /// Every call on a file except closing it; their results are ignored.
  private func calls(_ file: AudioFileID) -> [MeanwhileCall] {
    let number = UInt(bitPattern: file)
    func call(_ name: String, _ body: @escaping @Sendable (AudioFileID) -> Void) -> MeanwhileCall {
      MeanwhileCall(name) { if let file = AudioFileID(bitPattern: number) { body(file) } }
    }
    return [
      call("GetProperty") { file in
        for id in [
          kAudioFilePropertyDataFormat, kAudioFilePropertyAudioDataPacketCount,
          kAudioFilePropertyEstimatedDuration, kAudioFilePropertyChunkIDs,
        ] {
          var size = UInt32(0)
          AudioFileGetPropertyInfo(file, id, &size, nil)
          var value = [UInt8](repeating: 0, count: Int(size))
          AudioFileGetProperty(file, id, &size, &value)
        }
      },
      call("ReadBytes") { file in
        var (size, memory) = (UInt32(64), [UInt8](repeating: 0, count: 64))
        AudioFileReadBytes(file, false, 0, &size, &memory)
      },
      call("ReadPacketData") { file in
        var (size, packets) = (UInt32(64), UInt32(16))
        var memory = [UInt8](repeating: 0, count: 64)
        AudioFileReadPacketData(file, false, &size, nil, 0, &packets, &memory)
      },
      call("GetUserData") { file in
        var (size, memory) = (UInt32(16), [UInt8](repeating: 0, count: 16))
        AudioFileGetUserData(file, 0x6162_6364, 0, &size, &memory)
      },
      call("WriteBytes") { file in
        var size = UInt32(64)
        AudioFileWriteBytes(file, false, 0, &size, [UInt8](repeating: 1, count: 64))
      },
      call("WritePackets") { file in
        var packets = UInt32(16)
        AudioFileWritePackets(file, false, 64, nil, 0, &packets, [UInt8](repeating: 2, count: 64))
      },
      call("SetUserData") { file in
        AudioFileSetUserData(file, 0x6162_6364, 0, 8, [UInt8](repeating: 3, count: 8))
      },
      call("RemoveUserData") { file in AudioFileRemoveUserData(file, 0x6162_6364, 0) },
      call("SetProperty") { file in
        var defers = UInt32(1)
        AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &defers)
      },
      call("Optimize") { file in AudioFileOptimize(file) },
    ]
  }

  /// Writes and reads a file, and makes the calls of `meanwhile` during the named callback.
  private func useFile(
    _ type: AudioFileTypeID, _ function: String, _ meanwhile: (AudioFileID) -> [MeanwhileCall]
  ) throws -> WatchedBytes {
    let bytes = WatchedBytes()
    let sound = [UInt8](repeating: 7, count: 40_000)
    let made = try bytes.create(type)
    var size = UInt32(sound.count)
    if ["write", "set size"].contains(function) { bytes.watch.arm(function, meanwhile(made)) }
    AudioFileWriteBytes(made, false, 0, &size, sound)
    AudioFileSetUserData(made, 0x6768_696a, 0, 8, [UInt8](repeating: 4, count: 8))
    AudioFileOptimize(made)
    AudioFileClose(made)
    let file = try bytes.open()
    if ["read", "size"].contains(function) { bytes.watch.arm(function, meanwhile(file)) }
    var memory = [UInt8](repeating: 0, count: sound.count)
    size = UInt32(sound.count)
    AudioFileReadBytes(file, false, 0, &size, &memory)
    AudioFileSetUserData(file, 0x6162_6364, 0, 8, [UInt8](repeating: 5, count: 8))
    AudioFileClose(file)
    return bytes
  }

  @Test(
    "every call on the file returns, and no lock is held",
    arguments: types, ["read", "write", "size", "set size"])
  func files(type: AudioFileTypeID, function: String) throws {
    let bytes = try useFile(type, function) { calls($0) }
    #expect(bytes.watch.callCount > 0)
    #expect(bytes.watch.problems.isEmpty)
  }

  @Test(
    "the file may be closed, by this thread or another",
    arguments: [kAudioFileWAVEType, kAudioFileCAFType], ["read", "write"])
  func closing(type: AudioFileTypeID, function: String) throws {
    let bytes = try useFile(type, function) { file in
      let number = UInt(bitPattern: file)
      return [
        MeanwhileCall("Close") {
          if let file = AudioFileID(bitPattern: number) { AudioFileClose(file) }
        }
      ]
    }
    #expect(bytes.watch.problems.isEmpty)
    // The file was complete when it was closed.
    let file = try bytes.open()
    var (count, size) = (UInt64(0), UInt32(8))
    #expect(
      AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &count) == noErr)
    #expect(count == 10_000)
    #expect(AudioFileClose(file) == noErr)
  }

  /// Every call on an extended file, or only `ExtAudioFileDispose`.
  private func calls(_ file: ExtAudioFileRef, disposes: Bool) -> [MeanwhileCall] {
    let number = UInt(bitPattern: file)
    func call(_ name: String, _ body: @escaping @Sendable (ExtAudioFileRef) -> Void)
      -> MeanwhileCall
    {
      MeanwhileCall(name) { if let file = ExtAudioFileRef(bitPattern: number) { body(file) } }
    }
    if disposes { return [call("Dispose") { file in ExtAudioFileDispose(file) }] }
    return [
      call("GetProperty") { file in
        for id in [
          kExtAudioFileProperty_FileDataFormat, kExtAudioFileProperty_ClientDataFormat,
          kExtAudioFileProperty_FileLengthFrames, kExtAudioFileProperty_AudioConverter,
        ] {
          var size = UInt32(64)
          var value = [UInt8](repeating: 0, count: 64)
          ExtAudioFileGetProperty(file, id, &size, &value)
        }
      },
      call("Tell") { file in
        var frame = Int64(0)
        ExtAudioFileTell(file, &frame)
      },
      call("Read") { file in Self.transfer(file, 16, isWriting: false) },
      call("Write") { file in Self.transfer(file, 16, isWriting: true) },
      call("Seek") { file in ExtAudioFileSeek(file, 100) },
      call("SetProperty") { file in
        var format = WatchedBytes.format
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &format)
      },
    ]
  }

  /// Reads or writes frames.
  private static func transfer(_ file: ExtAudioFileRef, _ frames: UInt32, isWriting: Bool) {
    var memory = [UInt8](repeating: 9, count: Int(frames) * 4)
    var count = frames
    memory.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: frames * 4, mData: memory.baseAddress))
      if isWriting {
        ExtAudioFileWrite(file, count, &list)
      } else {
        ExtAudioFileRead(file, &count, &list)
      }
    }
  }

  @Test(
    "every call on an extended file returns, and no lock is held", arguments: [false, true],
    [false, true])
  func extendedFiles(isWriting: Bool, disposes: Bool) throws {
    let bytes = WatchedBytes()
    let made = try bytes.create(kAudioFileWAVEType)
    var size = UInt32(40_000)
    AudioFileWriteBytes(made, false, 0, &size, [UInt8](repeating: 7, count: 40_000))
    AudioFileClose(made)
    let file = try bytes.open()
    var wrapped: ExtAudioFileRef?
    try #require(ExtAudioFileWrapAudioFileID(file, isWriting, &wrapped) == noErr)
    let extended = try #require(wrapped)
    bytes.watch.arm(isWriting ? "write" : "read", calls(extended, disposes: disposes))
    Self.transfer(extended, 1_000, isWriting: isWriting)
    Self.transfer(extended, 1_000, isWriting: isWriting)
    #expect((ExtAudioFileDispose(extended) == noErr) == !disposes)
    #expect(AudioFileClose(file) == noErr)
    #expect(bytes.watch.callCount > 0)
    #expect(bytes.watch.problems.isEmpty)
  }

  @Test("an extended file may be disposed of on its own writing thread")
  func asynchronous() throws {
    let bytes = WatchedBytes()
    let file = try bytes.create(kAudioFileWAVEType)
    var wrapped: ExtAudioFileRef?
    try #require(ExtAudioFileWrapAudioFileID(file, true, &wrapped) == noErr)
    let extended = try #require(wrapped)
    try #require(ExtAudioFileWriteAsync(extended, 0, nil) == noErr)
    let number = UInt(bitPattern: extended)
    let hasDisposed = DispatchSemaphore(value: 0)
    bytes.watch.arm(
      "write",
      [
        MeanwhileCall("Dispose") {
          if let file = ExtAudioFileRef(bitPattern: number) { ExtAudioFileDispose(file) }
          hasDisposed.signal()
        }
      ])
    var memory = [UInt8](repeating: 9, count: 4_000)
    memory.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 4_000, mData: memory.baseAddress))
      #expect(ExtAudioFileWriteAsync(extended, 1_000, &list) == noErr)
    }
    #expect(hasDisposed.wait(timeout: .now() + 60) == .success)
    #expect(hasDisposed.wait(timeout: .now() + 60) == .success)
    #expect(AudioFileClose(file) == noErr)
    #expect(bytes.watch.problems.isEmpty)
  }
}
