// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

/// A sound file that grows, of the kind that its path asks for.
///
/// It takes its name with `finish`; until then a file of that name stays as it is. Of samples as they
/// are, a process that is killed leaves a valid file beside it, under a name with "partial" in it; a
/// writer that ends without `finish` leaves nothing.
public final class SoundFileWriter {
  private let writer: EncodedFileWriter

  /// [control thread] Begins a file.
  ///
  /// - Parameters:
  ///   - path: Where; its extension is the kind. "-" is the standard output, as WAV.
  ///   - sampleRate: Whole frames per second. A kind that has no such rate takes the next higher one.
  ///   - channelCount: As many as the kind can hold: 16,383 in WAV, 8 in FLAC, 2 in MP3.
  ///   - frameCount: How many frames are expected; a pipe is told at its beginning.
  ///   - samples: The sample format of the file.
  /// - Throws: When the kind cannot be written, or the path, or a value is out of range.
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
  /// - Throws: When the file cannot grow: a full disk, a pipe that nobody reads any more.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioError) { try writer.write(channels, frameCount: frameCount) }

  /// [control thread] Writes what is left, and gives the file its name.
  public func finish() throws(AudioError) { try writer.finish() }
}
