// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// A WAV file of 32-bit float samples that grows.
///
/// The samples in the file are those given, to the bit. Its header is valid at every moment, also
/// when the process is killed: samples are written first, and `flush` then tells the header of them
/// in a single write. What came after the last `flush` is not told of, and so not part of the file.
/// A pipe has no header that could be written again: it says at once what is expected.
public struct WaveFileWriter: ~Copyable {
  /// What the file holds; its encoding is always 32-bit float.
  public let format: WaveFormat

  /// Frames written so far.
  public private(set) var frameCount: Int

  private var file: OutputFile
  private let header: WaveHeader
  private let scratch: UnsafeMutableBufferPointer<Float>
  private var flushedFrameCount: Int

  /// [control thread] Begins a file in place, as a device does that records.
  ///
  /// An existing file is replaced when it is a WAV file or empty; anything else is left alone, as a
  /// mistyped path is no reason to lose a document.
  ///
  /// - Parameters:
  ///   - path: Where; folders on the way must exist.
  ///   - sampleRate: Whole frames per second, 1...4,294,967,295.
  ///   - channelCount: 1...16,383, as many as the format can say.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(path: String, sampleRate: Double, channelCount: Int) throws(AudioError) {
    let header = try Self.header(path, sampleRate, channelCount)
    try Self.refuseForeign(path)
    let file = try OutputFile(updating: path)
    // Header first: between the two calls the file is valid and merely has a tail to ignore.
    try file.write(header.bytes(frameCount: 0), at: 0)
    try file.resize(to: header.byteCount)
    self.init(file, header, frameCount: 0)
  }

  /// [control thread] Begins a file that takes its name with `finish`.
  ///
  /// An existing file of that name stays as it is until then; it is replaced when it is a sound file
  /// or empty.
  ///
  /// - Parameters:
  ///   - path: Where; folders on the way must exist. "-" is the standard output.
  ///   - sampleRate: Whole frames per second, 1...4,294,967,295.
  ///   - channelCount: 1...16,383, as many as the format can say.
  ///   - frameCount: How many frames are expected; a pipe is told at its beginning. Nil when that
  ///     is unknown.
  /// - Throws: When the path cannot be written or a value is out of range.
  public init(
    creating path: String, sampleRate: Double, channelCount: Int, expecting frameCount: Int?
  ) throws(AudioError) {
    let header = try Self.header(path, sampleRate, channelCount)
    let file = try OutputFile(creating: path, replacing: SoundFileKind.refuseForeign)
    try file.write(header.bytes(frameCount: file.isSeekable ? 0 : frameCount), at: 0)
    self.init(file, header, frameCount: 0)
  }

  /// [control thread] Goes on with a file of this type, after its first `frameCount` frames.
  ///
  /// - Throws: When the file is not one that this type wrote in the same format, or is shorter.
  public init(
    continuing path: String, sampleRate: Double, channelCount: Int, frameCount: Int
  ) throws(AudioError) {
    let header = try Self.header(path, sampleRate, channelCount)
    let found = try WaveFileReader(path: path)
    let wanted = WaveFormat(sampleRate: sampleRate, channelCount: channelCount)
    guard found.format == wanted, found.dataOffset == header.byteCount,
      (0...found.frameCount).contains(frameCount)
    else {
      throw .invalidFile.because(
        "\(path): cannot go on after frame \(frameCount): the file has changed")
    }
    self.init(try OutputFile(updating: path), header, frameCount: frameCount)
  }

  private init(_ file: consuming OutputFile, _ header: WaveHeader, frameCount: Int) {
    self.file = file
    self.header = header
    self.frameCount = frameCount
    flushedFrameCount = frameCount
    format = WaveFormat(
      sampleRate: Double(header.sampleRate), channelCount: header.channelCount)
    scratch = .allocate(capacity: max(16_384 / header.channelCount, 1) * header.channelCount)
  }

  private static func header(
    _ path: String, _ sampleRate: Double, _ channelCount: Int
  ) throws(AudioError) -> WaveHeader {
    guard let rate = UInt32(exactly: sampleRate), rate > 0 else {
      throw .invalidArgument.because(
        "\(path): sample rate \(sampleRate): a WAV file needs a whole number, 1...4,294,967,295")
    }
    guard (1...16_383).contains(channelCount) else {
      throw .invalidArgument.because(
        "\(path): \(channelCount) channels: a WAV file holds 1...16,383")
    }
    return WaveHeader(sampleRate: rate, channelCount: channelCount)
  }

  deinit {
    // Whoever wants to know of a failure flushes.
    if frameCount != flushedFrameCount { try? writeHeader() }
    scratch.deallocate()
  }

  /// [control thread] Which file it is, and how long.
  public var identity: FileIdentity { file.identity }

  /// [control thread] Adds frames to the end.
  ///
  /// - Parameters:
  ///   - channels: One buffer per channel.
  ///   - offset: The first frame to take of each buffer.
  ///   - frameCount: How many frames to take.
  /// - Throws: When the file cannot grow; whole frames that still fitted are kept.
  public mutating func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, scratch.count / format.channelCount)
      interleave(channels, offset + done, count)
      let samples = UnsafeBufferPointer(rebasing: scratch[..<(count * format.channelCount)])
      try file.write(
        UnsafeRawBufferPointer(samples),
        at: header.byteCount + self.frameCount * header.frameByteCount)
      self.frameCount += count
      done += count
    }
  }

  /// [control thread] Makes everything written so far part of the file.
  public mutating func flush() throws(AudioError) {
    guard frameCount != flushedFrameCount else { return }
    try writeHeader()
    flushedFrameCount = frameCount
  }

  /// [control thread] Makes everything written so far part of the file, and gives it its name.
  public mutating func finish() throws(AudioError) {
    try flush()
    try file.finish()
  }

  private func writeHeader() throws(AudioError) {
    guard file.isSeekable else { return }
    try file.write(header.bytes(frameCount: frameCount), at: 0)
  }

  private func interleave(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ frameCount: Int
  ) {
    let channelCount = format.channelCount
    for channel in 0..<channelCount {
      let source = channels[channel] + offset
      for frame in 0..<frameCount {
        scratch[frame * channelCount + channel] = Float(
          bitPattern: source[frame].bitPattern.littleEndian)
      }
    }
  }

  private static func refuseForeign(_ path: String) throws(AudioError) {
    let file = try OpenFile(writing: path)
    let kind = try SoundFileKind.beginning(of: file)
    guard kind.isEmpty || kind == "WAVE" else {
      throw .invalidFile.because(
        "\(path): exists and is not a WAV file; remove it or choose another name")
    }
  }
}
