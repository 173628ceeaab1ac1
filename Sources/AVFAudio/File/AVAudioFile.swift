// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import AudioToolbox
public import AudioValues

/// A sound file that is read or written as linear PCM: the processing format. One thread at a time
/// may use it.
open class AVAudioFile: NSObject {
  /// Where the file is.
  public let url: URL
  /// The format in the file.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read or written.
  public let processingFormat: AVAudioFormat
  private let isWriting: Bool
  private var file: ExtAudioFileRef?
  /// The next frame to write, and the end of those written: an encoder keeps some for later.
  private var writePosition: AVAudioFramePosition = 0
  private var writtenEnd: AVAudioFramePosition = 0

  // MARK: Opening

  /// Opens a file to read it as deinterleaved Float32.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file to read it with samples of a common kind.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    let call = "AVAudioFile.init(forReading:commonFormat:interleaved:)"
    var file: ExtAudioFileRef?
    let status = ExtAudioFileOpenURL(fileURL as NSURL, &file)
    guard status == noErr, let opened = file else { throw Self.error(status, call) }
    do {
      fileFormat = try Self.fileFormat(of: opened, call)
      processingFormat = try Self.processingFormat(format, fileFormat, interleaved, call)
      try Self.set(processingFormat, asClientOf: opened, call)
    } catch {
      ExtAudioFileDispose(opened)
      throw error
    }
    self.file = opened
    url = fileURL
    isWriting = false
  }

  /// Creates a file for deinterleaved Float32, or replaces it. The settings have the format in the
  /// file; its kind is that of `AVAudioFileTypeKey`, or follows from the extension.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates a file for samples of a common kind, or replaces it.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let call = "AVAudioFile.init(forWriting:settings:commonFormat:interleaved:)"
    let request = try FileRequest(fileURL, settings, call)
    fileFormat = request.format
    processingFormat = try Self.processingFormat(format, fileFormat, interleaved, call)
    var file: ExtAudioFileRef?
    let status = ExtAudioFileCreateWithURL(
      fileURL as NSURL, request.type, fileFormat.streamDescription,
      fileFormat.channelLayout?.layout,
      AudioFileFlags.eraseFile.rawValue, &file)
    guard status == noErr, let created = file else { throw Self.error(status, call) }
    do {
      try Self.set(processingFormat, asClientOf: created, call)
      try request.configureEncoder(of: created)
    } catch {
      ExtAudioFileDispose(created)
      throw error
    }
    self.file = created
    url = fileURL
    isWriting = true
  }

  deinit { if let file { ExtAudioFileDispose(file) } }

  /// Writes what remains, and closes the file. Afterwards, reading and writing throw.
  open func close() {
    if let file { ExtAudioFileDispose(file) }
    file = nil
  }

  /// Whether the file is open.
  open var isOpen: Bool { file != nil }

  // MARK: Frames

  /// The number of frames; for a compressed file perhaps an estimate. Zero after `close()`.
  open var length: AVAudioFramePosition {
    guard let file else { return 0 }
    let stored = try? Self.value(
      of: file, kExtAudioFileProperty_FileLengthFrames, 0 as Int64, "AVAudioFile.length")
    return max(stored ?? 0, writtenEnd)
  }

  /// The next frame to read or write. Setting a frame that the file does not have, or that of a file
  /// that is closed, ends the program.
  open var framePosition: AVAudioFramePosition {
    get {
      guard !isWriting else { return writePosition }
      var position: Int64 = 0
      guard let file, ExtAudioFileTell(file, &position) == noErr else { return 0 }
      return position
    }
    set {
      orEnd {
        let call = "AVAudioFile.framePosition"
        let file = try opened(call)
        guard ExtAudioFileSeek(file, newValue) == noErr else {
          throw EngineError.refusal(
            call, "\(url.path) has \(length) frames, and cannot move to frame \(newValue)",
            mend: isWriting
              && fileFormat.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM
              ? "write its frames in order" : "use a frame from 0 to the length",
            kExtAudioFileError_InvalidSeek)
        }
      }
      writePosition = newValue
    }
  }

  /// Reads frames until the buffer is full or the file ends. Throws at the end of the file, with a
  /// `frameLength` of zero.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads at most this many frames, and no more than the buffer can hold. Throws at the end of the
  /// file, with a `frameLength` of zero.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    let call = "AVAudioFile.read(into:frameCount:)"
    let file = try opened(call)
    try check(buffer, call)
    buffer.frameLength = 0
    var count = min(frames, buffer.frameCapacity)
    guard count > 0 else {
      throw EngineError.refusal(
        call, "\(frames) frames into a buffer with room for \(buffer.frameCapacity)",
        mend: "ask for frames, and make a buffer with a capacity")
    }
    let status = ExtAudioFileRead(file, &count, buffer.mutableAudioBufferList)
    buffer.frameLength = status == noErr ? count : 0
    guard status == noErr else { throw Self.error(status, call) }
    // As on Apple's systems, which report the end without an error object.
    guard count > 0 else { throw NSError(domain: "Foundation._GenericObjCError", code: 0) }
  }

  /// Writes the valid frames of a buffer, which must have the processing format.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    let call = "AVAudioFile.write(from:)"
    let file = try opened(call)
    try check(buffer, call)
    guard isWriting else {
      throw EngineError.refusal(
        call, "\(url.path) is open for reading",
        mend: "open it with AVAudioFile(forWriting:settings:)")
    }
    guard buffer.frameLength > 0 else { return }
    let status = ExtAudioFileWrite(file, buffer.frameLength, buffer.audioBufferList)
    guard status == noErr else { throw Self.error(status, call) }
    writePosition += Int64(buffer.frameLength)
    writtenEnd = max(writtenEnd, writePosition)
  }

  private func opened(_ call: String) throws -> ExtAudioFileRef {
    guard let file else {
      throw EngineError.refusal(
        call, "\(url.path) is closed", mend: "open it again", kAudio_FileNotFoundError)
    }
    return file
  }

  private func check(_ buffer: AVAudioPCMBuffer, _ call: String) throws {
    guard !buffer.format.hasSamples(of: processingFormat) else { return }
    throw EngineError.refusal(
      call, "the buffer has the format \(buffer.format)",
      mend: "make it with the processingFormat of the file, \(processingFormat)")
  }

  /// The open file, for a player that reads it at its own position; nil unless it is read.
  var readableObject: AudioFileObject? {
    guard let file, !isWriting,
      let id = try? Self.value(of: file, kExtAudioFileProperty_AudioFile, 0 as UInt, "AVAudioFile"),
      let handle = AudioFileID(bitPattern: id)
    else { return nil }
    defer { AudioFileObject.handles.leave(handle) }
    return AudioFileObject.handles.enter(handle)?.takeUnretainedValue()
  }

  // MARK: Formats

  /// The format in an opened file.
  static func fileFormat(of file: ExtAudioFileRef, _ call: String) throws -> AVAudioFormat {
    var fields = try value(
      of: file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription(), call)
    let layout = layout(of: file, channels: fields.mChannelsPerFrame)
    guard let format = AVAudioFormat(streamDescription: &fields, channelLayout: layout) else {
      throw EngineError.refusal(
        call, "the file's format is not supported", mend: "convert the file first",
        kAudioFileUnsupportedDataFormatError)
    }
    return format
  }

  /// The format with samples of a kind, at the rate and with the channels of a file.
  static func processingFormat(
    _ samples: AVAudioCommonFormat, _ file: AVAudioFormat, _ interleaved: Bool, _ call: String
  ) throws -> AVAudioFormat {
    let format =
      if samples == .otherFormat { nil as AVAudioFormat? } else if let layout = file.channelLayout {
        AVAudioFormat(
          commonFormat: samples, sampleRate: file.sampleRate, interleaved: interleaved,
          channelLayout: layout)
      } else {
        AVAudioFormat(
          commonFormat: samples, sampleRate: file.sampleRate, channels: file.channelCount,
          interleaved: interleaved)
      }
    guard let format else {
      throw EngineError.refusal(
        call, "otherFormat does not describe samples", mend: "use pcmFormatFloat32 or another")
    }
    return format
  }

  /// The layout of an opened file; without one, more than two channels have no positions.
  private static func layout(of file: ExtAudioFileRef, channels: UInt32) -> AVAudioChannelLayout? {
    let id = kExtAudioFileProperty_FileChannelLayout
    var size: UInt32 = 0
    if ExtAudioFileGetPropertyInfo(file, id, &size, nil) == noErr, size > 0 {
      var bytes = [UInt8](repeating: 0, count: Int(size))
      if ExtAudioFileGetProperty(file, id, &size, &bytes) == noErr,
        let layout = AVAudioChannelLayout(bytes: bytes), layout.channelCount == channels
      {
        return layout
      }
    }
    guard channels > 2 else { return nil }
    return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
  }

  // MARK: The functions of ExtendedAudioFile.h

  /// A property of an opened file.
  static func value<Value: BitwiseCopyable>(
    of file: ExtAudioFileRef, _ id: ExtAudioFilePropertyID, _ initial: Value, _ call: String
  ) throws -> Value {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    let status = ExtAudioFileGetProperty(file, id, &size, &value)
    guard status == noErr else { throw error(status, call) }
    return value
  }

  /// Reads or writes an opened file in a format.
  static func set(
    _ format: AVAudioFormat, asClientOf file: ExtAudioFileRef, _ call: String
  ) throws {
    let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    var status = ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, size, format.streamDescription)
    // Channels without positions have no order, and the layout in the file may be wrong.
    if status == noErr, let layout = format.channelLayout,
      layout.layoutTag & 0xFFFF_0000 != kAudioChannelLayoutTag_DiscreteInOrder
    {
      status = ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientChannelLayout, UInt32(layout.bytes.count), layout.layout)
    }
    guard status == noErr else { throw error(status, call) }
  }

  /// The error of a C function that has just failed; a file that does not exist has the code of
  /// Apple's systems.
  static func error(_ status: OSStatus, _ call: String) -> NSError {
    EngineError.failure(
      call, status == kAudio_FileNotFoundError ? kAudioFileUnspecifiedError : status)
  }
}
