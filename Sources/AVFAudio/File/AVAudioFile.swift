// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
public import AudioToolbox
public import AudioValues

/// A sound file that is read or written as linear PCM: the processing format. One thread at a time
/// may use it.
open class AVAudioFile: NSObject {
  private let opening: Opening
  private var file: ExtAudioFileRef?
  /// The next frame to write, and the end of those written: an encoder keeps some for later.
  private var writePosition: AVAudioFramePosition = 0
  private var writtenEnd: AVAudioFramePosition = 0

  // MARK: Opening

  /// Opens a file to read it as deinterleaved Float32.
  public init(forReading fileURL: URL) throws {
    (opening, file) = try Self.open(
      fileURL, .pcmFormatFloat32, interleaved: false, "AVAudioFile.init(forReading:)")
  }

  /// Opens a file to read it with samples of a common kind.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    (opening, file) = try Self.open(
      fileURL, format, interleaved: interleaved,
      "AVAudioFile.init(forReading:commonFormat:interleaved:)")
  }

  /// Creates a file for deinterleaved Float32, or replaces it. The settings have the format in the
  /// file; its kind is that of `AVAudioFileTypeKey`, or follows from the extension.
  public init(forWriting fileURL: URL, settings: [String: Any]) throws {
    (opening, file) = try Self.create(
      fileURL, settings, .pcmFormatFloat32, interleaved: false,
      "AVAudioFile.init(forWriting:settings:)")
  }

  /// Creates a file for samples of a common kind, or replaces it.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    (opening, file) = try Self.create(
      fileURL, settings, format, interleaved: interleaved,
      "AVAudioFile.init(forWriting:settings:commonFormat:interleaved:)")
  }

  /// What is known of a file from its opening on.
  private struct Opening {
    let url: URL
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    let isWriting: Bool
  }

  private static func open(
    _ url: URL, _ samples: AVAudioCommonFormat, interleaved: Bool, _ call: String
  ) throws -> (Opening, ExtAudioFileRef) {
    var file: ExtAudioFileRef?
    let status = ExtAudioFileOpenURL(url as NSURL, &file)
    guard status == noErr, let file else { throw error(status, call) }
    do {
      let format = try fileFormat(of: file, call)
      let processing = try processingFormat(samples, format, interleaved, call)
      try set(processing, asClientOf: file, call)
      let opening = Opening(
        url: url, fileFormat: format, processingFormat: processing, isWriting: false)
      return (opening, file)
    } catch {
      ExtAudioFileDispose(file)
      throw error
    }
  }

  private static func create(
    _ url: URL, _ settings: [String: Any], _ samples: AVAudioCommonFormat, interleaved: Bool,
    _ call: String
  ) throws -> (Opening, ExtAudioFileRef) {
    let request = try FileRequest(url, settings, call)
    let format = request.format
    let processing = try processingFormat(samples, format, interleaved, call)
    var file: ExtAudioFileRef?
    let status = ExtAudioFileCreateWithURL(
      url as NSURL, request.type, format.streamDescription, format.channelLayout?.layout,
      AudioFileFlags.eraseFile.rawValue, &file)
    guard status == noErr, let file else { throw error(status, call) }
    do {
      try set(processing, asClientOf: file, call)
      try request.configureEncoder(of: file)
    } catch {
      ExtAudioFileDispose(file)
      throw error
    }
    let opening = Opening(
      url: url, fileFormat: format, processingFormat: processing, isWriting: true)
    return (opening, file)
  }

  deinit { if let file { ExtAudioFileDispose(file) } }

  /// Writes what remains, and closes the file. Afterwards, reading and writing throw.
  open func close() {
    if let file { ExtAudioFileDispose(file) }
    file = nil
  }

  // MARK: The file

  /// Where the file is.
  open var url: URL { opening.url }

  /// The format in the file.
  open var fileFormat: AVAudioFormat { opening.fileFormat }

  /// The format of the buffers that are read or written.
  open var processingFormat: AVAudioFormat { opening.processingFormat }

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
      guard !opening.isWriting else { return writePosition }
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
            mend: opening.isWriting
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
    guard opening.isWriting else {
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
    guard let file, !opening.isWriting,
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
