// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// The planar buffers that a render of sounds writes to.
struct SoundOutput {
  private let channels: UnsafePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int

  @_noLocks
  init(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int) {
    self.channels = channels
    self.channelCount = channelCount
  }

  /// [render thread] Silences frames.
  @_noLocks
  func clear(_ frame: Int, _ count: Int) {
    for channel in 0..<channelCount { Samples.clear(channels[channel] + frame, count: count) }
  }

  /// [render thread] Copies frames of a buffer from its frame `start` on.
  @_noLocks
  func copy(_ entry: SoundEntry.Address, from start: Int, to frame: Int, _ count: Int) {
    guard let sources = entry.pointee.channels else { return clear(frame, count) }
    let stride = entry.pointee.stride
    for channel in 0..<channelCount {
      let source = sources[channel] + start * stride
      let target = channels[channel] + frame
      if stride == 1 {
        Samples.copy(source, to: target, count: count)
      } else {
        for index in 0..<count { target[index] = source[index * stride] }
      }
    }
  }

  /// [render thread] Copies the next frames of a stream, from its ring or its tail, and moves on.
  @_noLocks
  func take(
    _ stream: UnsafeMutablePointer<StreamRing>, to frame: Int, _ count: Int, fromTail: Bool
  ) {
    for channel in 0..<channelCount {
      stream.pointee.copy(
        channel: channel, to: channels[channel] + frame, count: count, fromTail: fromTail)
    }
    stream.pointee.advance(by: count)
  }
}
