// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

/// A growing sound file, of the kind of its path's extension.
///
/// It gets its name with `finish`; until then an existing file of that name stays as it is. With
/// uncompressed samples, a killed process leaves a valid file beside it, under a name with
/// "partial" in it; a writer that ends without `finish` leaves nothing.
public final class SoundFileWriter {
  private let writer: EncodedFileWriter

  /// [control thread] Starts a file.
  ///
  /// - Parameters:
  ///   - path: Its path; the extension selects the kind. "-" is the standard output, as WAV.
  ///   - sampleRate: An integer in frames per second. A kind without that rate uses the next higher
  ///     one.
  ///   - channelCount: As many as the kind can hold: 16,383 in WAV, 8 in FLAC, 2 in MP3.
  ///   - frameCount: How many frames are expected; a pipe gets this number at its beginning.
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

  /// [control thread] Writes the rest, and gives the file its name.
  public func finish() throws(AudioError) { try writer.finish() }
}
