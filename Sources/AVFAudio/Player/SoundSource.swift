// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import AudioToolbox
import AudioValues

/// A sound file, or one in memory, as interleaved Float32. [one thread at a time]
final class SoundSource: @unchecked Sendable {
  /// The format in the file, and that of the frames.
  let fileFormat: AVAudioFormat
  let format: AVAudioFormat
  /// The number of frames.
  let length: Int64
  private let file: AudioFileID
  private let frames: ExtAudioFileRef
  private let memory: SoundMemory?

  /// Opens a file. `hint` is a uniform type identifier for a file that does not say what it is.
  convenience init(_ url: URL, hint: String?) throws {
    var file: AudioFileID?
    let status = AudioFileOpenURL(url as NSURL, .readPermission, Self.type(hint), &file)
    guard status == noErr, let file else { throw Self.error(status) }
    try self.init(file, nil)
  }

  /// Opens the contents of a file.
  convenience init(_ data: Data, hint: String?) throws {
    let memory = SoundMemory(data)
    var file: AudioFileID?
    let status = AudioFileOpenWithCallbacks(
      Unmanaged.passUnretained(memory).toOpaque(), SoundMemory.read, nil, SoundMemory.size, nil,
      Self.type(hint), &file)
    guard status == noErr, let file else { throw Self.error(status) }
    try self.init(file, memory)
  }

  private init(_ file: AudioFileID, _ memory: SoundMemory?) throws {
    var frames: ExtAudioFileRef?
    let status = ExtAudioFileWrapAudioFileID(file, false, &frames)
    guard status == noErr, let frames else {
      let error = Self.error(status)
      AudioFileClose(file)
      throw error
    }
    do {
      let call = "AVAudioPlayer.init(…)"
      fileFormat = try AVAudioFile.fileFormat(of: frames, call)
      format = try AVAudioFile.processingFormat(.pcmFormatFloat32, fileFormat, true, call)
      try AVAudioFile.set(format, asClientOf: frames, call)
      length = try AVAudioFile.value(of: frames, kExtAudioFileProperty_FileLengthFrames, 0, call)
    } catch {
      ExtAudioFileDispose(frames)
      AudioFileClose(file)
      let error = error as NSError
      throw NSError(domain: NSOSStatusErrorDomain, code: error.code, userInfo: error.userInfo)
    }
    self.file = file
    self.frames = frames
    self.memory = memory
  }

  deinit {
    ExtAudioFileDispose(frames)
    AudioFileClose(file)
  }

  /// Moves to a frame.
  func seek(to frame: Int64) throws {
    let status = ExtAudioFileSeek(frames, min(max(frame, 0), length))
    guard status == noErr else { throw Self.error(status) }
  }

  /// Reads frames; returns their number, zero at the end.
  func read(_ count: UInt32, into memory: UnsafeMutableRawPointer) throws -> UInt32 {
    var count = count
    var list = AudioBufferList()
    list.mNumberBuffers = 1
    list.mBuffers.mNumberChannels = format.channelCount
    list.mBuffers.mDataByteSize = count * format.streamDescription.pointee.mBytesPerFrame
    list.mBuffers.mData = memory
    let status = ExtAudioFileRead(frames, &count, &list)
    guard status == noErr else { throw Self.error(status) }
    return count
  }

  /// The kind of file of an identifier; zero, which means any, if there is none.
  private static func type(_ hint: String?) -> AudioFileTypeID {
    FileKind.all.first { kind in hint.map { kind.utis.contains($0) } ?? false }?.type ?? 0
  }

  private static func error(_ status: OSStatus) -> NSError {
    NSError(failed: status == kAudio_FileNotFoundError ? kAudioFileUnspecifiedError : status)
  }
}

/// The contents of a file, for the functions that read it.
private final class SoundMemory: Sendable {
  private let data: Data

  init(_ data: Data) { self.data = data }

  static let read: AudioFile_ReadProc = { context, position, requested, buffer, count in
    let data = Unmanaged<SoundMemory>.fromOpaque(context).takeUnretainedValue().data
    let start = min(max(Int(position), 0), data.count)
    let end = min(start + Int(requested), data.count)
    data.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      buffer.copyMemory(from: base + start, byteCount: end - start)
    }
    count.pointee = UInt32(end - start)
    return noErr
  }

  static let size: AudioFile_GetSizeProc = { context in
    Int64(Unmanaged<SoundMemory>.fromOpaque(context).takeUnretainedValue().data.count)
  }
}
