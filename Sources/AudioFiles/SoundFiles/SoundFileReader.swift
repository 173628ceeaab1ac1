// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioConversion
import CAudioToolbox
import SignalProcessing

/// A sound file of any kind, read as planar Float32.
///
/// Integers are scaled so that full scale is ±1. A file whose end is missing is read as far as it
/// goes.
public struct SoundFileReader: ~Copyable {
  /// What the file holds.
  public let format: SoundFileFormat
  /// Frames that can be read.
  public let frameCount: Int
  /// Frames that the header promises; more than `frameCount` when the file was cut short.
  public let declaredFrameCount: Int
  /// The next frame to read, 0...frameCount.
  public private(set) var position = 0

  private let store: FileStore
  /// What else the file says.
  package let container: Container
  private let samples: SampleFormat
  private let frameByteCount: Int
  private let base: UnsafeMutableRawPointer
  private let scratchByteCount: Int

  /// [control thread] Opens a file and reads its header.
  ///
  /// - Throws: When there is no such file, or what was wrong in it and at which byte.
  public init(path: String) throws(AudioError) {
    let store = try FileStore(path)
    let container = try Containers.open(store)
    let description = container.format
    guard description.mFormatID == kAudioFormatLinearPCM else {
      throw .unsupportedDataFormat.because(
        "\(path): holds \(StreamFormat.describe(description)), which is not decoded here")
    }
    let pcm = try StreamFormat(description)
    self.store = store
    self.container = container
    format = SoundFileFormat(
      sampleRate: description.mSampleRate, channelCount: Int(description.mChannelsPerFrame))
    samples = pcm.sampleFormat
    frameByteCount = Int(description.mBytesPerFrame)
    frameCount = container.frameCount
    declaredFrameCount = container.declaredDataByteCount / frameByteCount
    scratchByteCount = max(65_536 / frameByteCount, 1) * frameByteCount
    base = .allocate(byteCount: scratchByteCount, alignment: 16)
  }

  deinit { base.deallocate() }

  /// [control thread] Which file it is, and how long.
  public var identity: FileIdentity { store.identity }

  /// [control thread] Moves to a frame; beyond the end is the end.
  public mutating func seek(to frame: Int) { position = min(max(frame, 0), frameCount) }

  /// [control thread] Reads the next frames.
  ///
  /// - Parameters:
  ///   - channels: One buffer for each of the file's channels.
  ///   - offset: Where in each buffer to begin.
  ///   - frameCount: How many frames to read at most.
  /// - Returns: How many were read; fewer only at the end, 0 when there is no more.
  /// - Throws: When the file cannot be read, or became shorter since it was opened.
  public mutating func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frameCount: Int
  ) throws(AudioError) -> Int {
    let wanted = min(frameCount, self.frameCount - position)
    let sampleBytes = frameByteCount / format.channelCount
    var done = 0
    while done < wanted {
      let count = min(wanted - done, scratchByteCount / frameByteCount)
      let bytes = UnsafeMutableRawBufferPointer(start: base, count: count * frameByteCount)
      _ = try container.readData(bytes, at: position * frameByteCount)
      for channel in 0..<format.channelCount {
        samples.decode(
          UnsafeRawPointer(base + channel * sampleBytes), stride: frameByteCount,
          into: channels[channel] + offset + done, count: count)
      }
      position += count
      done += count
    }
    return done
  }
}
