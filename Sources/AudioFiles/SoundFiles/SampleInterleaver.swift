// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Interleaves channels of Float32 and converts them to a file's sample format.
final class SampleInterleaver {
  /// The most frames per call.
  let frameCapacity: Int
  private let format: SampleFormat
  private let channelCount: Int
  private let memory = OwnedMemory()
  private let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  private let bytes: UnsafeMutableRawBufferPointer

  /// [control thread] Allocates memory for 16,384 samples.
  init(_ format: SampleFormat, channelCount: Int) {
    self.format = format
    self.channelCount = channelCount
    frameCapacity = max(16_384 / channelCount, 1)
    channels = memory.room(channelCount, for: UnsafePointer<Float>.self)
    bytes = memory.bytes(frameCapacity * channelCount * format.containerBytes)
  }

  deinit { memory.deallocate() }

  /// Bytes of a frame.
  var frameByteCount: Int { channelCount * format.containerBytes }

  /// [control thread] Returns the bytes of at most `frameCapacity` frames from `offset`; valid
  /// until the next call.
  func interleave(
    _ source: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frameCount: Int
  ) -> UnsafeRawBufferPointer {
    guard let base = bytes.baseAddress else { return UnsafeRawBufferPointer(rebasing: bytes[..<0]) }
    for channel in 0..<channelCount {
      channels.advanced(by: channel).initialize(to: UnsafePointer(source[channel] + offset))
    }
    format.encode(channels, channelCount: channelCount, frameCount: frameCount, interleaved: base)
    return UnsafeRawBufferPointer(rebasing: bytes[..<(frameCount * frameByteCount)])
  }
}
