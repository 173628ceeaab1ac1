// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import SignalProcessing

/// A WAV or RF64 file, read as planar Float32.
///
/// Integers are scaled so that full scale is ±1. A file whose end is missing is read as far as it
/// goes.
public struct WaveFileReader: ~Copyable {
  /// What the file holds.
  public let format: WaveFormat
  /// Frames that can be read.
  public let frameCount: Int
  /// Frames that the header promises; more than `frameCount` when the file was cut short.
  public let declaredFrameCount: Int
  /// The next frame to read, 0...frameCount.
  public private(set) var position = 0

  /// The byte where the samples begin.
  let dataOffset: Int
  private let file: OpenFile
  private let base: UnsafeMutableRawPointer
  private let scratchByteCount: Int

  /// [control thread] Opens a file and reads its header.
  ///
  /// - Throws: When there is no such file, or what was wrong in it and at which byte.
  public init(path: String) throws(AudioError) {
    let file = try OpenFile(reading: path)
    let header = try WaveParser(file)
    guard let format = header.format, let data = header.data else {
      throw .invalidFile.because("\(path): has no samples")
    }
    self.file = file
    self.format = format
    dataOffset = data.lowerBound
    frameCount = data.count / format.frameByteCount
    declaredFrameCount = header.declaredDataByteCount / format.frameByteCount
    scratchByteCount = max(65_536 / format.frameByteCount, 1) * format.frameByteCount
    base = .allocate(byteCount: scratchByteCount, alignment: 16)
  }

  deinit { base.deallocate() }

  /// [control thread] Which file it is, and how long.
  public var identity: FileIdentity { file.identity }

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
    var done = 0
    while done < wanted {
      let count = min(wanted - done, scratchByteCount / format.frameByteCount)
      let byteCount = count * format.frameByteCount
      let byte = dataOffset + position * format.frameByteCount
      let bytes = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
      guard try file.read(bytes, at: byte) == byteCount else {
        throw .invalidFile.because(
          "\(file.path): became shorter while it was read, near byte \(byte)")
      }
      for channel in 0..<format.channelCount {
        format.encoding.sampleFormat.decode(
          UnsafeRawPointer(base + channel * format.encoding.byteCount),
          stride: format.frameByteCount, into: channels[channel] + offset + done, count: count)
      }
      position += count
      done += count
    }
    return done
  }
}
