// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import SignalProcessing

/// The output of a conversion; it gets its name when it is complete.
final class ConversionTarget: SoundTarget {
  private let file: SoundFileWriter

  /// Begins a file, and makes missing folders.
  init(
    _ path: String, sampleRate: Double, channelCount: Int, _ encoding: SoundFileEncoding,
    from source: FrameFormat? = nil, sourceBits: Int? = nil,
    metadata: SoundFileMetadata = .init(), expecting frameCount: Int? = nil
  ) throws(Failure) {
    if path != "-" {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    do {
      file = try SoundFileWriter(
        path, sampleRate: sampleRate, channelCount: channelCount, encoding,
        from: source?.description,
        sourceBits: sourceBits, metadata: metadata, expecting: frameCount)
    } catch { throw Failure(error.explanation, error.status) }
  }

  /// The samples so far that the file could not hold as they were.
  var repairs: SampleRepairs { file.repairs }

  /// Adds frames of the format `source`, which is interleaved.
  func write(interleaved frames: UnsafeMutableRawPointer, _ frameCount: Int) throws(Failure) {
    do { try file.write(interleaved: frames, frameCount: frameCount) } catch {
      throw Failure(error.explanation, error.status)
    }
  }

  /// Adds frames, a buffer for each channel.
  func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) {
    do { try file.write(channels, frameCount: frameCount) } catch {
      throw Failure(error.explanation, error.status)
    }
  }

  /// Completes the file and gives it its name.
  func finish() throws(Failure) {
    do { try file.finish() } catch { throw Failure(error.explanation, error.status) }
  }
}
