// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

/// Writes a sound file; the path's extension selects its kind.
///
/// The file gets its final name with `finish`; until then an existing file of that name is
/// untouched. If the process is killed, a valid file with "partial" in its name remains, provided
/// the samples are uncompressed. A writer that is released without `finish` leaves no file.
public final class SoundFileWriter {
  private let writer: EncodedFileWriter

  /// [control thread] Starts a file.
  ///
  /// - Parameters:
  ///   - path: Its path; the extension selects the kind. "-" is the standard output, as WAV.
  ///   - sampleRate: Frames per second, an integer. A codec that does not support the rate uses the
  ///     next higher one.
  ///   - channelCount: As many as the kind can hold: 16,383 in WAV, 8 in FLAC, 2 in MP3.
  ///   - frameCount: The expected number of frames, which is written to the header of a pipe.
  ///   - samples: The sample format of the file.
  /// - Throws: When the kind or the path cannot be written, or a value is out of range.
  public init(
    _ path: String, sampleRate: Double, channelCount: Int, expecting frameCount: Int?,
    samples: SoundFileSamples = .native
  ) throws(AudioError) {
    var encoding = try SoundFileEncoding(path: path)
    try encoding.adopt(samples)
    writer = try EncodedFileWriter(
      path, sampleRate: sampleRate, channelCount: channelCount, encoding, expecting: frameCount)
  }

  /// [control thread] Adds frames to the end: one buffer for each channel.
  ///
  /// - Throws: When the file cannot grow: the disk is full, or the pipe has no reader any more.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioError) { try writer.write(channels, frameCount: frameCount) }

  /// The samples so far that the file could not hold as they were.
  public var repairs: SampleRepairs { writer.repairs }

  /// [control thread] Writes the rest, and gives the file its final name.
  public func finish() throws(AudioError) { try writer.finish() }
}
