// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

/// A file of samples that grows: WAV, or what its name says.
///
/// Samples of 32-bit float are those given, to the bit; integers are rounded, with a dither. Its header is valid at every moment, also
/// when the process is killed: samples are written first, and `flush` then tells the header of them
/// in a single write. A pipe has no header that could be written again: it says at once what is
/// expected.
public struct SoundFileRecorder: ~Copyable {
  /// What the file holds.
  public let format: SoundFileFormat

  /// Frames written so far.
  public private(set) var frameCount: Int

  private let container: Container
  private let weaver: SampleWeaver
  private var isFinished = false

  /// [control thread] Begins a file in place, as a device does that records.
  ///
  /// An existing file is replaced when it is a sound file or empty; anything else is left alone, as a
  /// mistyped path is no reason to lose a document.
  ///
  /// - Parameters:
  ///   - path: Where; folders on the way must exist.
  ///   - sampleRate: Frames per second; whole ones in most kinds of file.
  ///   - channelCount: As many as the kind of file can say.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(path: String, sampleRate: Double, channelCount: Int) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let type = try SoundFileKind(recording: path).type
    try Self.check(format, type, .native, path)
    try SoundFileKind.refuseForeign(try OpenFile(writing: path))
    let store = OutputStore(try OutputFile(updating: path))
    self.init(
      try Self.make(store, type, format, .native, expecting: nil), format, .native, frameCount: 0)
  }

  /// [control thread] Begins a file that takes its name with `finish`.
  ///
  /// An existing file of that name stays as it is until then; it is replaced when it is a sound file
  /// or empty.
  ///
  /// - Parameters:
  ///   - path: Where; folders on the way must exist. "-" is the standard output.
  ///   - sampleRate: Frames per second; whole ones in most kinds of file.
  ///   - channelCount: As many as the kind of file can say.
  ///   - frameCount: How many frames are expected; a pipe is told at its beginning. Nil when that
  ///     is unknown.
  ///   - samples: What the samples of the file are.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(
    creating path: String, sampleRate: Double, channelCount: Int, expecting frameCount: Int?,
    samples: SoundFileSamples = .native
  ) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let type = try SoundFileKind(recording: path).type
    try Self.check(format, type, samples, path)
    let store = OutputStore(
      try OutputFile(creating: path, replacing: SoundFileKind.refuseForeign))
    self.init(
      try Self.make(store, type, format, samples, expecting: frameCount), format, samples,
      frameCount: 0)
  }

  /// [control thread] Goes on with a file of this type, after its first `frameCount` frames.
  ///
  /// - Throws: When the file is not one that this type wrote in the same format, or is shorter.
  public init(
    continuing path: String, sampleRate: Double, channelCount: Int, frameCount: Int
  ) throws(AudioError) {
    let format = SoundFileFormat(sampleRate: sampleRate, channelCount: channelCount)
    let container = try Containers.open(FileStore(path, writable: true))
    let wanted = format.interleaved(isBigEndian: Self.isBigEndian(container.kind.type))
    guard container.format == wanted, (0...container.frameCount).contains(frameCount) else {
      throw .invalidFile.because(
        "\(path): cannot go on after frame \(frameCount): the file has changed")
    }
    self.init(container, format, .native, frameCount: frameCount)
  }

  private init(
    _ container: Container, _ format: SoundFileFormat, _ samples: SoundFileSamples, frameCount: Int
  ) {
    self.container = container
    self.format = format
    self.frameCount = frameCount
    let isBigEndian = container.format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    weaver = SampleWeaver(
      samples, samples.format(isBigEndian: isBigEndian), channelCount: format.channelCount)
  }

  private static func isBigEndian(_ type: AudioFileTypeID) -> Bool {
    type == kAudioFileAIFCType || type == kAudioFileNextType
  }

  /// Refuses before anything is touched what the kind of file cannot say.
  private static func check(
    _ format: SoundFileFormat, _ type: AudioFileTypeID, _ samples: SoundFileSamples, _ path: String
  ) throws(AudioError) {
    _ = try make(MemoryStore(named: path), type, format, samples, expecting: nil)
  }

  private static func make(
    _ store: any ByteStore, _ type: AudioFileTypeID, _ format: SoundFileFormat,
    _ samples: SoundFileSamples, expecting frameCount: Int?
  ) throws(AudioError) -> Container {
    try Containers.create(
      store, type, format.interleaved(samples, isBigEndian: isBigEndian(type)),
      .init(expectedPackets: frameCount))
  }

  deinit {
    // Whoever wants to know of a failure flushes.
    if !isFinished { try? container.flush() }
  }

  /// Which file it is, and how long.
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
  /// - Throws: When the file cannot grow; whole frames that still fitted are kept.
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

  /// [control thread] Makes everything written so far part of the file.
  public mutating func flush() throws(AudioError) { try container.flush() }

  /// [control thread] Makes everything written so far part of the file, and gives it its name.
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
