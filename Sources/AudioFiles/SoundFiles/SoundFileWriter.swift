// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// A sound file that grows, of the kind that its path asks for.
///
/// It takes its name with `finish`; until then a file of that name stays as it is. A process that is
/// killed leaves a valid file beside it, under a name with "partial" in it; a writer that ends
/// without `finish` leaves nothing.
public final class SoundFileWriter {
  /// Frames after which the header is told of them.
  private static let flushFrames = 32_768

  private var recorder: SoundFileRecorder?
  private var flac: FlacFileWriter?
  private var unflushedFrames = 0

  /// [control thread] Begins a file.
  ///
  /// - Parameters:
  ///   - path: Where; its extension is the kind. "-" is the standard output, as WAV.
  ///   - sampleRate: Whole frames per second.
  ///   - channelCount: As many as the kind can hold: 16,383 in WAV, 8 in FLAC.
  ///   - frameCount: How many frames are expected; a pipe is told at its beginning.
  ///   - samples: What the samples of the file are.
  /// - Throws: When the kind cannot be written, or the path, or a value is out of range.
  public init(
    _ path: String, sampleRate: Double, channelCount: Int, expecting frameCount: Int?,
    samples: SoundFileSamples = .native
  ) throws(AudioError) {
    switch try SoundFileKind(path: path) {
    case .flac:
      flac = try FlacFileWriter(
        creating: path, sampleRate: sampleRate, channelCount: channelCount, samples: samples)
    default:
      recorder = try SoundFileRecorder(
        creating: path, sampleRate: sampleRate, channelCount: channelCount, expecting: frameCount,
        samples: samples)
    }
  }

  /// [control thread] Adds frames to the end: one buffer for each channel.
  ///
  /// - Throws: When the file cannot grow: a full disk, a pipe that nobody reads any more.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioError) {
    try flac?.write(channels, frameCount: frameCount)
    try recorder?.write(channels, frameCount: frameCount)
    unflushedFrames += frameCount
    guard unflushedFrames >= Self.flushFrames else { return }
    unflushedFrames = 0
    try recorder?.flush()
  }

  /// [control thread] Writes what is left, and gives the file its name.
  public func finish() throws(AudioError) {
    try flac?.finish()
    try recorder?.finish()
  }
}
