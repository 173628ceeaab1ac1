// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The recording of a device: a file of 32-bit float that grows in place, WAV or the kind of its
/// name.
///
/// Its header is valid at every moment, even when the process is killed: samples are written first,
/// and `flush` then updates the header in a single write. The header of a pipe cannot be updated.
/// `SoundFileWriter` writes files that get their name once complete.
public struct SoundFileRecorder: ~Copyable {
  /// The format of the file.
  public let format: SoundFileFormat

  /// Frames written so far.
  public private(set) var frameCount: Int

  private let container: Container
  private let weaver: SampleWeaver
  private var isFinished = false

  /// [control thread] Starts a file in place, as a recording device does.
  ///
  /// An existing file is replaced when it is a sound file or empty; any other is left alone, as a
  /// mistyped path must not destroy a document.
  ///
  /// - Parameters:
  ///   - path: Its path; the folders of the path must exist.
  ///   - sampleRate: Frames per second; an integer in most kinds of file.
  ///   - channelCount: As many as the kind of file supports.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(path: String, sampleRate: Double, channelCount: Int) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let type = try SoundFileKind(recording: path).type
    // Checks, before anything is touched, that the kind of file supports the format.
    _ = try Self.make(MemoryStore(named: path), type, format)
    try SoundFileKind.refuseForeign(try OpenFile(writing: path))
    let store = OutputStore(try OutputFile(updating: path))
    self.init(try Self.make(store, type, format), format, frameCount: 0)
  }

  /// [control thread] Continues a file of this type after its first `frameCount` frames.
  ///
  /// - Throws: When the file is not one that this type wrote in the same format, or is shorter.
  public init(
    continuing path: String, sampleRate: Double, channelCount: Int, frameCount: Int
  ) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let container = try Containers.open(FileStore(path, writable: true))
    let wanted = format.interleaved(isBigEndian: SoundFileKind.isBigEndian(container.kind.type))
    guard container.format == wanted, (0...container.frameCount).contains(frameCount) else {
      throw .invalidFile.because(
        "\(path): cannot go on after frame \(frameCount): the file has changed")
    }
    self.init(container, format, frameCount: frameCount)
  }

  private init(_ container: Container, _ format: SoundFileFormat, frameCount: Int) {
    self.container = container
    self.format = format
    self.frameCount = frameCount
    let isBigEndian = container.format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    weaver = SampleWeaver(
      SampleFormat(.float, bits: 32, isBigEndian: isBigEndian), channelCount: format.channelCount)
  }

  private static func make(
    _ store: any ByteStore, _ type: AudioFileTypeID, _ format: SoundFileFormat
  ) throws(AudioError) -> Container {
    try Containers.create(
      store, type, format.interleaved(isBigEndian: SoundFileKind.isBigEndian(type)))
  }

  deinit {
    // Call `flush` to see errors.
    if !isFinished { try? container.flush() }
  }

  /// The file's identity, and its length.
  public var identity: FileIdentity {
    (container.store as? OutputStore)?.identity
      ?? (container.store as? FileStore)?.identity ?? FileIdentity.none
  }

  /// [control thread] Adds frames to the end: one buffer for each channel.
  ///
  /// - Parameters:
  ///   - channels: One buffer for each channel.
  ///   - offset: Where in each buffer to begin.
  ///   - frameCount: How many frames to take.
  /// - Throws: When the file cannot grow; whole frames that still fit are kept.
  public mutating func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, weaver.frameCapacity)
      try container.writeData(
        weaver.weave(channels, offset: offset + done, frameCount: count),
        at: self.frameCount * weaver.frameByteCount)
      self.frameCount += count
      done += count
    }
  }

  /// [control thread] Updates the file to include everything written so far.
  public mutating func flush() throws(AudioError) { try container.flush() }

  /// [control thread] Updates the file to include everything written so far, and closes it.
  public mutating func finish() throws(AudioError) {
    isFinished = true
    try container.close()
  }
}

extension AudioStreamBasicDescription {
  static func == (one: Self, other: Self) -> Bool {
    one.mSampleRate == other.mSampleRate && one.mFormatID == other.mFormatID
      && one.mFormatFlags == other.mFormatFlags && one.mBytesPerPacket == other.mBytesPerPacket
      && one.mFramesPerPacket == other.mFramesPerPacket
      && one.mChannelsPerFrame == other.mChannelsPerFrame
      && one.mBitsPerChannel == other.mBitsPerChannel
  }
}
