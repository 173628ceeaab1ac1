// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Records a device to a file of 32-bit float that grows in place: WAV, or the kind of its
/// extension.
///
/// The header is always valid, even when the process is killed: samples are written first, and
/// `flush` then updates the header in a single write. The header of a pipe cannot be updated.
/// `SoundFileWriter` writes files that get their final name when they are complete.
public struct SoundFileRecorder: ~Copyable {
  /// The format of the file.
  public let format: SoundFileFormat

  /// Frames written so far.
  public private(set) var frameCount: Int

  private let container: Container
  private let interleaver: SampleInterleaver
  private var isFinished = false

  /// [control thread] Starts a file in place, as a recording device does.
  ///
  /// An existing file is only replaced when it is a sound file or empty, because a mistyped path
  /// must not destroy a document.
  ///
  /// - Parameters:
  ///   - path: Its path; the folders of the path must exist.
  ///   - sampleRate: Frames per second; an integer in most kinds of file.
  ///   - channelCount: As many as the kind of file supports.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(path: String, sampleRate: Double, channelCount: Int) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let type = try SoundFileKind(recording: path).type
    // A trial in memory, so that an unsupported format changes no file.
    _ = try Self.make(MemoryStore(named: path), type, format)
    try SoundFileKind.checkReplaceable(try OpenFile(writing: path))
    let store = OutputStore(try OutputFile(updating: path))
    self.init(try Self.make(store, type, format), format, frameCount: 0)
  }

  /// [control thread] Continues a file that a recorder wrote, after its first `frameCount` frames.
  ///
  /// - Throws: When the file has another format, or is shorter.
  public init(
    continuing path: String, sampleRate: Double, channelCount: Int, frameCount: Int
  ) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let container = try Containers.open(FileStore(path, writable: true))
    let expected = format.interleaved(isBigEndian: SoundFileKind.isBigEndian(container.kind.type))
    guard container.format == expected, (0...container.frameCount).contains(frameCount) else {
      throw .invalidFile.because(
        "\(path): cannot continue after frame \(frameCount): the file has changed")
    }
    self.init(container, format, frameCount: frameCount)
  }

  private init(_ container: Container, _ format: SoundFileFormat, frameCount: Int) {
    self.container = container
    self.format = format
    self.frameCount = frameCount
    let isBigEndian = container.format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    interleaver = SampleInterleaver(
      SampleFormat(.float, bits: 32, isBigEndian: isBigEndian), channelCount: format.channelCount)
  }

  private static func make(
    _ store: any ByteStore, _ type: AudioFileTypeID, _ format: SoundFileFormat
  ) throws(AudioError) -> Container {
    try Containers.create(
      store, type, format.interleaved(isBigEndian: SoundFileKind.isBigEndian(type)))
  }

  deinit {
    // Errors are ignored; call `flush` to see them.
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
  ///   - offset: The first frame of each buffer to write.
  ///   - frameCount: The number of frames to write.
  /// - Throws: When the file cannot grow; whole frames that still fit are kept.
  public mutating func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, interleaver.frameCapacity)
      try container.writeData(
        interleaver.interleave(channels, offset: offset + done, frameCount: count),
        at: self.frameCount * interleaver.frameByteCount)
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
