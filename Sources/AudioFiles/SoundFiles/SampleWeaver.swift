// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Interleaves channels of Float32 and converts them to a file's bytes.
final class SampleWeaver {
  /// Frames of one run.
  let frameCapacity: Int
  private let format: SampleFormat
  private let channelCount: Int
  private let memory = OwnedMemory()
  private let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  private let bytes: UnsafeMutableRawBufferPointer

  /// [control thread] Memory for some thousand samples.
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

  /// [control thread] The bytes of frames from `offset` on, at most `frameCapacity`; valid until the next
  /// call.
  func weave(
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
