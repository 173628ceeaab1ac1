// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Reads frames of a file in a client's format, from any position.
final class FrameReader {
  /// Supplies PCM at the file's rate.
  private let source: FrameSource
  let converter: Converter
  private let ratio: Double
  private let clientFormat: AudioStreamBasicDescription
  /// The frame of the file at which reading began, and client frames read since.
  private var start = 0
  private var count = 0

  init(
    _ file: AudioFileObject, to client: AudioStreamBasicDescription, _ bufferByteCount: Int
  ) throws(AudioError) {
    source = try FrameSource(file, bufferByteCount)
    clientFormat = client
    ratio = source.format.mSampleRate / client.mSampleRate
    converter = try Converter(from: source.format, to: client)
  }

  /// The next frame of the file.
  var position: Int {
    start + min(Int(saturating: (Double(count) * ratio).rounded()), source.frameCount - start)
  }

  func seek(to frame: Int) throws(AudioError) {
    try source.seek(to: frame)
    try converter.reset()
    start = frame
    count = 0
  }

  func read(
    _ requested: UInt32, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UInt32 {
    var frames = requested
    // Frames that need no conversion are read directly into the client's memory.
    if let room = try converter.room(forCopiesOf: Int(requested), in: list) {
      frames = UInt32(clamping: try source.read(into: room))
      list.pointee.mBuffers.mDataByteSize = frames * source.format.mBytesPerPacket
    } else {
      try converter.fill(source, packets: &frames, into: list, descriptions: nil)
    }
    count += Int(frames)
    return frames
  }
}
