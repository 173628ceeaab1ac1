// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// The object behind an ExtAudioFileRef: a file that is read and written as linear PCM of any
/// format.
///
/// Reading has two stages, each created when it is needed. The first decodes packets to PCM at the
/// file's rate and drops the codec's priming and padding; the second converts this to the client's
/// format. A file of PCM has only the second stage. Calls for one file wait for each other
/// (`FileLock`), but `writeAsynchronously` never waits.
package final class ExtendedFile: @unchecked Sendable {
  package static let handles = HandleTable<ExtendedFile, ExtAudioFileRef>(kind: 0x11)

  /// The file, and its handle, which programs can get.
  let file: AudioFileObject
  let fileHandle: AudioFileID
  private let ownsFile: Bool
  let isWriting: Bool

  var clientFormat: AudioStreamBasicDescription?
  var clientLayout: [UInt8]?
  var bufferByteCount = 131_072
  /// Created for the first frame.
  var reader: FrameReader? { didSet { disposeConverterHandle() } }
  var writer: FrameWriter? { didSet { disposeConverterHandle() } }
  /// The handle of the reader's or writer's converter, once a program has asked for it.
  var converterHandle: AudioConverterRef?
  var asynchronous: AsynchronousWriter?

  var container: Container { file.container }
  var fileFormat: AudioStreamBasicDescription { file.container.format }

  private init(
    _ file: AudioFileObject, _ handle: AudioFileID, ownsFile: Bool, isWriting: Bool
  ) {
    self.file = file
    fileHandle = handle
    self.ownsFile = ownsFile
    self.isWriting = isWriting
    if file.container.format.mFormatID == kAudioFormatLinearPCM {
      clientFormat = file.container.format
    }
  }

  // MARK: Life

  /// [control thread] Opens a file to read it.
  package static func open(_ path: String) throws(AudioError) -> ExtAudioFileRef {
    let file = try AudioFileObject.open(path, 1, hint: 0)
    return try make(file, isWriting: false)
  }

  /// [control thread] Creates a file.
  package static func create(
    _ path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    layout: [UInt8]?, erases: Bool
  ) throws(AudioError) -> ExtAudioFileRef {
    let file = try AudioFileObject.create(path, type, format, erases: erases, aligns: true)
    if let layout {
      do throws(AudioError) {
        try file.locked(changes: true) { container throws(AudioError) in
          try container.setLayout(layout)
        }
      } catch {
        // It is no error if this kind of file cannot store a layout.
        guard error.status == kAudioFileOperationNotSupportedError else { throw error }
      }
    }
    return try make(file, isWriting: true)
  }

  private static func make(
    _ file: AudioFileObject, isWriting: Bool
  ) throws(AudioError) -> ExtAudioFileRef {
    let handle = try AudioFileObject.handles.insert(file)
    return try handles.insert(
      ExtendedFile(file, handle, ownsFile: true, isWriting: isWriting))
  }

  /// [control thread] Wraps an open file, which the program still owns.
  package static func wrap(
    _ handle: AudioFileID, isWriting: Bool
  ) throws(AudioError) -> ExtAudioFileRef {
    guard let entered = AudioFileObject.handles.enter(handle) else { throw .stale("audio file") }
    defer { AudioFileObject.handles.leave(handle) }
    let file = entered.takeUnretainedValue()
    if isWriting { try file.checkWritable() }
    return try handles.insert(
      ExtendedFile(file, handle, ownsFile: false, isWriting: isWriting))
  }

  /// [control thread] Writes the rest and disposes of the object; closes a file that it opened
  /// itself.
  package static func dispose(_ handle: ExtAudioFileRef) throws(AudioError) {
    guard handles.invalidate(handle), let file = handles.release(handle) else {
      throw .stale("extended audio file")
    }
    try file.end()
  }

  /// Runs `body` when no other thread uses this file. `changes`: `body` may change the file.
  func locked<Result>(
    changes: Bool = true, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    try file.lock.run(changes: changes, name: container.store.name, body)
  }

  private func end() throws(AudioError) {
    let asynchronous = asynchronous
    self.asynchronous = nil
    if let asynchronous, !file.lock.waitUntilIdle() {
      // Called inside a function of the program, perhaps on the writer's own thread, so that must
      // not be waited for.
      asynchronous.finishDetached { _ = self.finish() }
      return
    }
    var failure = asynchronous?.finish()
    file.lock.runWhenIdle {
      let last = self.finish()
      failure = failure ?? last
    }
    if let failure { throw failure.asFileError }
  }

  /// Writes the rest; returns the error, if any.
  private func finish() -> AudioError? {
    var failure: AudioError?
    do throws(AudioError) { try writer?.finish() } catch { failure = error }
    reader = nil
    writer = nil
    guard ownsFile else { return failure }
    do throws(AudioError) { try AudioFileObject.close(fileHandle) } catch {
      failure = failure ?? error
    }
    return failure
  }

  private func disposeConverterHandle() {
    if let converterHandle { try? Converter.dispose(converterHandle) }
    converterHandle = nil
  }

  // MARK: Reading

  /// The client's format; throws when none is set.
  func client() throws(AudioError) -> AudioStreamBasicDescription {
    guard let clientFormat else {
      throw AudioError(status: kExtAudioFileError_NonPCMClientFormat).because(
        "\(container.store.name): is compressed: set kExtAudioFileProperty_ClientDataFormat first")
    }
    return clientFormat
  }

  /// The reader; created by the first call.
  func makeReader() throws(AudioError) -> FrameReader {
    if let reader { return reader }
    let made = try FrameReader(file, to: client(), bufferByteCount)
    try ChannelOrder.set(made.converter, from: container.layout, to: clientLayout)
    reader = made
    return made
  }

  /// [control thread] Reads frames and sets `frames` to their number, which is 0 at the end.
  package func read(
    _ frames: inout UInt32, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    let requested = frames
    frames = 0
    frames = try locked { () throws(AudioError) in
      guard !isWriting else {
        throw AudioError(status: kExtAudioFileError_InvalidOperationOrder).because(
          "\(container.store.name): is open for writing")
      }
      return try makeReader().read(requested, into: list)
    }
  }

  /// [control thread] Moves to a frame of the file.
  package func seek(to frame: Int64) throws(AudioError) {
    try locked { () throws(AudioError) in
      guard frame >= 0, frame <= Int64(container.frameCount) || isWriting else {
        throw AudioError(status: kExtAudioFileError_InvalidSeek).because(
          "\(container.store.name): has \(container.frameCount) frames, no frame \(frame)")
      }
      if isWriting {
        try makeWriter().seek(to: Int(frame))
      } else {
        let reader = try makeReader()
        let position = reader.position
        do throws(AudioError) { try reader.seek(to: Int(frame)) } catch {
          try? reader.seek(to: position)
          throw error
        }
      }
    }
  }

  /// [control thread] The next frame of the file to read or write.
  package func tell() throws(AudioError) -> Int64 {
    try locked(changes: false) { () throws(AudioError) in
      Int64(isWriting ? writer?.position ?? 0 : reader?.position ?? 0)
    }
  }

  // MARK: Writing

  /// The writer; created by the first call.
  func makeWriter() throws(AudioError) -> FrameWriter {
    if let writer { return writer }
    let made = try FrameWriter(file, from: client())
    try ChannelOrder.set(made.converter, from: clientLayout, to: container.layout)
    writer = made
    return made
  }

  private func checkWriting() throws(AudioError) {
    guard isWriting else {
      throw AudioError(status: kExtAudioFileError_InvalidOperationOrder).because(
        "\(container.store.name): is open for reading")
    }
  }

  /// [control thread] Writes frames of the client's format.
  package func write(
    _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>
  ) throws(AudioError) {
    try checkWriting()
    try locked { () throws(AudioError) in
      try makeWriter().write(Int(frames), list)
    }
  }

  /// [render thread] Passes frames to the writer's thread; nil when there is no such thread yet.
  package func writeAsynchronously(
    _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>?
  ) -> OSStatus? {
    guard let asynchronous else { return nil }
    guard frames > 0, let list else { return noErr }
    return asynchronous.write(Int(frames), list)
  }

  /// [control thread] Creates the thread and the memory for `writeAsynchronously`.
  package func prepareAsynchronousWrites() throws(AudioError) {
    try checkWriting()
    asynchronous = try AsynchronousWriter(try client()) { [unowned self] frames, list in
      do throws(AudioError) {
        try self.write(UInt32(clamping: frames), list)
        return nil
      } catch { return error }
    }
  }
}
