// SPDX-License-Identifier: Apache-2.0
import AudioConverters
public import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
public import SignalProcessing

/// Writes a sound file; the path's extension selects its kind.
///
/// The file gets its final name with `finish`; until then an existing file of that name is
/// untouched. If the process is killed, a valid file with "partial" in its name remains, provided
/// the samples are uncompressed. A writer that is released without `finish` leaves no file.
public final class SoundFileWriter {
  /// Frames after which the header is updated.
  private static let flushFrames = 32_768

  private let path: String
  private let file: AudioFileObject
  private let writer: FrameWriter
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let source: StreamFormat
  /// Whether the file can hold every sample, even one that is not a number.
  private let holdsEverySample: Bool
  /// The samples so far that the file could not hold as they were.
  public private(set) var repairs = SampleRepairs()
  /// Frames since the last update of the header; nil if it is only updated at the end.
  private var unflushedFrames: Int?

  /// [control thread] Starts a file for planar Float32.
  ///
  /// - Parameters:
  ///   - path: Its path; the extension selects the kind. "-" is the standard output, as WAV.
  ///   - sampleRate: Frames per second, an integer. A codec that does not support the rate uses the
  ///     next higher one.
  ///   - channelCount: As many as the kind can hold: 16,383 in WAV, 8 in FLAC, 2 in MP3.
  ///   - frameCount: The expected number of frames, which is written to the header of a pipe.
  ///   - samples: The sample format of the file.
  /// - Throws: When the kind or the path cannot be written, or a value is out of range.
  public convenience init(
    _ path: String, sampleRate: Double, channelCount: Int, expecting frameCount: Int?,
    samples: SoundFileSamples = .native
  ) throws(AudioError) {
    var encoding = try SoundFileEncoding(path: path)
    try encoding.adopt(samples)
    try self.init(
      path, sampleRate: sampleRate, channelCount: channelCount, encoding, expecting: frameCount)
  }

  /// [control thread] Starts a file with an encoding, for planar Float32 or for samples as another
  /// file has them.
  ///
  /// - Parameters:
  ///   - path: Its path; the folders of the path must exist. "-" is the standard output,
  ///     which gets a compressed file when it is complete.
  ///   - sampleRate: Frames per second of the input; the file may have another rate.
  ///   - channelCount: As many as the kind and the codec can hold.
  ///   - encoding: The format of the file.
  ///   - source: The format of the samples, interleaved; nil for planar Float32.
  ///   - sourceBits: The bits that the samples have, if they keep the values that they have in another
  ///     file; nil if they were calculated.
  ///   - metadata: The metadata of the file.
  ///   - frameCount: The expected number of frames, which is written to the header of a pipe.
  /// - Throws: When the path cannot be written, or a value is out of range.
  package init(
    _ path: String, sampleRate: Double, channelCount: Int, _ encoding: SoundFileEncoding,
    from source: AudioStreamBasicDescription? = nil, sourceBits: Int? = nil,
    metadata: SoundFileMetadata = .init(), expecting frameCount: Int? = nil
  ) throws(AudioError) {
    self.path = path
    self.source =
      try source.map { (format) throws(AudioError) in try StreamFormat(format) }
      ?? StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
    holdsEverySample = encoding.codec == kAudioFormatLinearPCM && encoding.bits < 0
    let format = try encoding.format(sampleRate: sampleRate, channelCount: channelCount)
    let isLinear = format.mFormatID == kAudioFormatLinearPCM
    unflushedFrames = isLinear ? 0 : nil
    let options = Containers.Options(
      expectedPackets: isLinear && format.mSampleRate == sampleRate ? frameCount : nil)
    // A trial in memory, so that an unsupported format changes no file.
    _ = try Containers.create(MemoryStore(named: path), encoding.type, format, options)
    // The headers of compressed files are written last: a pipe gets the file when it is complete.
    let store = OutputStore(
      try OutputFile(
        creating: path, isSynchronized: encoding.isSynchronized, isCollected: !isLinear,
        replacing: SoundFileKind.checkReplaceable))
    let container = try Containers.create(store, encoding.type, format, options)
    file = AudioFileObject(writing: container)
    do throws(AudioError) {
      writer = try FrameWriter(file, from: self.source.description)
      try Self.set(encoding, sourceBits, writer.converter)
      if store.isSeekable { try metadata.write(to: container) }
      try ChannelOrder.set(writer.converter, from: metadata.layout, to: container.layout)
    } catch { throw error.naming(path) }
    list = .allocate(bufferCount: self.source.bufferCount)
  }

  deinit { list.deallocate() }

  /// Applies the encoding's settings to the converter.
  private static func set(
    _ encoding: SoundFileEncoding, _ sourceBits: Int?, _ converter: Converter
  ) throws(AudioError) {
    var values: [(AudioConverterPropertyID, UInt32)] = []
    // The noise of 32 bits would be 192 dB below full scale.
    if encoding.keepsBits, encoding.codec != kAudioFormatLinearPCM || encoding.bits != 32 {
      values.append((kAudioConverterPropertyDithering, encoding.dither))
    }
    if let quality = encoding.variableQuality {
      values.append(
        (
          kAudioCodecPropertyBitRateControlMode,
          UInt32(kAudioCodecBitRateControlMode_Variable)
        ))
      values.append((kAudioCodecPropertySoundQualityForVBR, UInt32(clamping: quality)))
    }
    if let rate = encoding.bitRate {
      values.append((kAudioConverterEncodeBitRate, UInt32(clamping: rate)))
    }
    if let sourceBits { try converter.set(sourceBits: sourceBits) }
    for (id, value) in values {
      try [value].withUnsafeBufferPointer { value throws(AudioError) in
        try converter.write(id, UnsafeRawBufferPointer(value))
      }
    }
    if encoding.threads > 1 { try converter.set(encoderThreads: encoding.threads) }
  }

  /// [control thread] Adds frames to the end: one buffer for each channel.
  ///
  /// - Throws: When the file cannot grow: the disk is full, or the pipe has no reader any more.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioError) {
    list.point(at: channels, frames: frameCount)
    if !holdsEverySample {
      for channel in 0..<source.channelCount {
        repairs += SampleRepairs(of: channels[channel], count: frameCount)
      }
    }
    try write(frameCount)
  }

  /// [control thread] Adds frames of the format `source`, which is interleaved, to the end.
  ///
  /// - Throws: When the file cannot grow: a full disk.
  package func write(
    interleaved frames: UnsafeMutableRawPointer, frameCount: Int
  ) throws(AudioError) {
    list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(clamping: source.channelCount),
      mDataByteSize: UInt32(clamping: frameCount * source.bytesPerFrame), mData: frames)
    if !holdsEverySample, source.isFloat {
      let count = frameCount * source.channelCount
      repairs +=
        source.bytesPerSample == 4
        ? SampleRepairs(of: frames.assumingMemoryBound(to: Float.self), count: count)
        : SampleRepairs(of: frames.assumingMemoryBound(to: Double.self), count: count)
    }
    try write(frameCount)
  }

  private func write(_ frameCount: Int) throws(AudioError) {
    do throws(AudioError) {
      try writer.write(frameCount, list)
      try flush(frameCount)
    } catch { throw error.naming(path) }
  }

  /// Updates the header at intervals, because the process may be killed.
  private func flush(_ frameCount: Int) throws(AudioError) {
    guard let count = unflushedFrames else { return }
    unflushedFrames = count + frameCount
    guard count + frameCount >= Self.flushFrames else { return }
    unflushedFrames = 0
    try file.locked { container throws(AudioError) in try container.flush() }
  }

  /// [control thread] Writes the rest, and gives the file its final name.
  public func finish() throws(AudioError) {
    do throws(AudioError) {
      try writer.finish()
      try file.locked { container throws(AudioError) in try container.close() }
    } catch { throw error.naming(path) }
  }
}

extension AudioError {
  /// Adds a file's name to the explanation, unless it contains it.
  fileprivate func naming(_ path: String) -> AudioError {
    let name = path == "-" ? "standard output" : path
    guard !explanation.contains(name) else { return self }
    return AudioError(status: status).because("\(name): \(explanation)")
  }
}
