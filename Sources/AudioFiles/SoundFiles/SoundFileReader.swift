// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
public import AudioSupport
import AudioConversion
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Reads a sound file of any kind as planar Float32.
///
/// Integers are scaled so that full scale is ±1. A truncated file is read up to its end.
public struct SoundFileReader: ~Copyable {
  /// The format of the file.
  public let format: SoundFileFormat
  /// Frames that can be read.
  public let frameCount: Int
  /// Frames according to the header; more than `frameCount` in a truncated file.
  public let declaredFrameCount: Int
  /// Whether the header does not state a length, because the file was not closed.
  public var isUnclosed: Bool { container.isUnclosed }
  /// The next frame to read, 0...frameCount.
  public private(set) var position = 0

  private let store: FileStore
  /// The file with its metadata.
  package let container: Container
  private let source: FrameSource
  private let samples: SampleFormat
  private let frameByteCount: Int

  /// [control thread] Opens a file and reads its header.
  ///
  /// - Throws: When there is no such file, or it is damaged; the error names the byte.
  public init(path: String) throws(AudioError) {
    let store = try FileStore(path)
    let container = try Containers.open(store)
    let description = container.format
    let source = try FrameSource(AudioFileObject(reading: container), 65_536)
    samples = try StreamFormat(source.format).sampleFormat
    self.source = source
    self.store = store
    self.container = container
    format = SoundFileFormat(
      sampleRate: description.mSampleRate, channelCount: Int(description.mChannelsPerFrame))
    frameByteCount = Int(source.format.mBytesPerFrame)
    frameCount = source.frameCount
    declaredFrameCount = container.declaredFrameCount
  }

  /// [control thread] The file's identity, and its length.
  public var identity: FileIdentity { store.identity }

  /// Information about a file for display: format and metadata.
  public struct Summary: Sendable {
    /// The name of the file type for display.
    public let kind: String
    public let format: String
    public let bitsPerSecond: Double
    /// Texts, under the keys of the info dictionary.
    public let tags: [String: String]
    /// Names of markers, with their times.
    public let markers: [String]
  }

  /// [control thread] Information about the file for display.
  public var summary: Summary {
    let rate = format.sampleRate
    let marks = ((try? container.markers) ?? []).map { marker in
      let seconds = (marker.frame / rate * 1_000).rounded() / 1_000
      return seconds.isFinite ? "\(seconds) s \(marker.name)" : marker.name
    }
    return Summary(
      kind: container.kind.title, format: container.formatName,
      bitsPerSecond: FileProperties.bitRate(container), tags: (try? container.info) ?? [:],
      markers: marks)
  }

  /// [control thread] Moves to a frame, at most to the end.
  public mutating func seek(to frame: Int) {
    position = min(max(frame, 0), frameCount)
    try? source.seek(to: position)
  }

  /// [control thread] Reads the next frames.
  ///
  /// - Parameters:
  ///   - channels: One buffer for each of the file's channels.
  ///   - offset: The first frame of each buffer to fill.
  ///   - frameCount: The most frames to read.
  /// - Returns: The number of frames read; fewer only at the end, then 0.
  /// - Throws: When the file cannot be read, or was truncated after it was opened.
  public mutating func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) -> Int {
    let requested = min(frameCount, self.frameCount - position)
    let sampleBytes = frameByteCount / format.channelCount
    var done = 0
    while done < requested {
      let (count, memory) = try source.next(requested - done)
      guard count > 0, let memory else { break }
      for channel in 0..<format.channelCount {
        samples.decode(
          UnsafeRawPointer(memory + channel * sampleBytes), stride: frameByteCount,
          into: channels[channel] + offset + done, count: count)
      }
      position += count
      done += count
    }
    return done
  }
}
