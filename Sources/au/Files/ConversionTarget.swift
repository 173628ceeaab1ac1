// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

/// A file that is being made of another; it takes its name when it is whole.
final class ConversionTarget {
  private let file: EncodedFileWriter

  /// Begins a file, and makes the folders on the way.
  init(
    _ path: String, sampleRate: Double, channelCount: Int, _ encoding: SoundFileEncoding,
    texts: SoundFileMetadata = .init(), expecting frameCount: Int? = nil
  ) throws(Failure) {
    if path != "-" {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    do {
      file = try EncodedFileWriter(
        path, sampleRate: sampleRate, channelCount: channelCount, encoding, metadata: texts,
        expecting: frameCount)
    } catch { throw Failure(error.explanation) }
  }

  /// Adds frames.
  func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) {
    do { try file.write(channels, frameCount: frameCount) } catch {
      throw Failure(error.explanation)
    }
  }

  /// Gives the file its name: it is whole.
  func finish() throws(Failure) {
    do { try file.finish() } catch { throw Failure(error.explanation) }
  }
}
