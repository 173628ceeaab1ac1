// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

/// The output of a conversion; it gets its name when it is complete.
final class ConversionTarget {
  private let file: EncodedFileWriter

  /// Begins a file, and makes missing folders.
  init(
    _ path: String, sampleRate: Double, channelCount: Int, _ encoding: SoundFileEncoding,
    metadata: SoundFileMetadata = .init(), expecting frameCount: Int? = nil
  ) throws(Failure) {
    if path != "-" {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    do {
      file = try EncodedFileWriter(
        path, sampleRate: sampleRate, channelCount: channelCount, encoding, metadata: metadata,
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

  /// Completes the file and gives it its name.
  func finish() throws(Failure) {
    do { try file.finish() } catch { throw Failure(error.explanation) }
  }
}
