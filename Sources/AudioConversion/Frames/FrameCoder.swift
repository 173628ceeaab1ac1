// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// Reads frames of a linear PCM format as planar floats, and writes them. It owns no memory.
struct FrameCoder {
  private let format: SampleFormat
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let frameBytes: Int
  let channelCount: Int
  /// Whether channels can be read and written in place.
  let isPlanarFloat: Bool
  /// Whether all samples are adjacent, and whether they can be read and written in place.
  let isPacked: Bool
  let isPackedFloat: Bool

  init(_ frames: StreamFormat) {
    format = frames.sampleFormat
    isPacked = frames.isPacked
    isPackedFloat = isPacked && format.isNativeFloat32
    isInterleaved = frames.isInterleaved
    sampleBytes = frames.bytesPerSample
    frameBytes = frames.bytesPerFrame
    channelCount = frames.channelCount
    isPlanarFloat = frames.isPlanarFloat
  }

  // MARK: Reading

  /// [render thread] Writes the addresses of planar Float32 channels to `channels`.
  @_noLocks
  func locateChannels(
    _ span: FrameSpan, _ channels: UnsafeMutablePointer<UnsafePointer<Float>>
  ) {
    for channel in 0..<channelCount {
      channels[channel] = (span.buffers[channel] + span.start * 4).assumingMemoryBound(
        to: Float.self)
    }
  }

  /// [render thread] Decodes the frames into channels.
  @_noLocks
  func read(_ span: FrameSpan, into channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    if isInterleaved {
      format.decode(
        interleaved: span.buffers[0] + span.start * frameBytes, channelCount: channelCount,
        into: channels, frameCount: span.count)
    } else {
      for channel in 0..<channelCount {
        format.decode(
          span.buffers[channel] + span.start * frameBytes, stride: frameBytes,
          into: channels[channel], count: span.count)
      }
    }
  }

  /// [render thread] The address of packed Float32 samples.
  @_noLocks
  func packed(_ span: FrameSpan) -> UnsafePointer<Float> {
    (span.buffers[0] + span.start * frameBytes).assumingMemoryBound(to: Float.self)
  }

  /// [render thread] Decodes packed frames into packed samples.
  @_noLocks
  func read(_ span: FrameSpan, into samples: UnsafeMutablePointer<Float>) {
    format.decode(
      span.buffers[0] + span.start * frameBytes, stride: sampleBytes, into: samples,
      count: span.count * channelCount)
  }

  /// [render thread] Decodes one channel in Float64.
  @_noLocks
  func read(_ channel: Int, of span: FrameSpan, into samples: UnsafeMutablePointer<Double>) {
    let memory =
      isInterleaved
      ? span.buffers[0] + (span.start * frameBytes + channel * sampleBytes)
      : span.buffers[channel] + span.start * frameBytes
    format.decode(memory, stride: frameBytes, into: samples, count: span.count)
  }

  // MARK: Writing

  /// [render thread] Writes the addresses of planar Float32 channels to `channels`.
  @_noLocks
  func locateChannels(
    _ room: FrameRoom, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) {
    for channel in 0..<channelCount {
      channels[channel] = (room.buffers[channel] + room.start * 4).assumingMemoryBound(
        to: Float.self)
    }
  }

  /// [render thread] The destination of packed Float32 samples.
  @_noLocks
  func packed(_ room: FrameRoom) -> UnsafeMutablePointer<Float> {
    (room.buffers[0] + room.start * frameBytes).assumingMemoryBound(to: Float.self)
  }

  /// [render thread] Encodes packed samples as packed frames.
  @_noLocks
  func write(_ samples: UnsafePointer<Float>, to room: FrameRoom) {
    format.encode(
      samples, count: room.count * channelCount, to: room.buffers[0] + room.start * frameBytes,
      stride: sampleBytes)
  }

  /// [render thread] Encodes channels as frames, with a dither for each channel.
  @_noLocks
  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, to room: FrameRoom,
    dither: UnsafeMutablePointer<DitherState>?
  ) {
    if isInterleaved {
      format.encode(
        channels, channelCount: channelCount, frameCount: room.count,
        interleaved: room.buffers[0] + room.start * frameBytes, dither: dither)
    } else {
      for channel in 0..<channelCount {
        format.encode(
          channels[channel], count: room.count, to: room.buffers[channel] + room.start * frameBytes,
          stride: frameBytes, dither: dither.map { $0 + channel })
      }
    }
  }

  /// [render thread] Encodes one channel from Float64.
  @_noLocks
  func write(
    _ samples: UnsafePointer<Double>, to channel: Int, of room: FrameRoom,
    dither: UnsafeMutablePointer<DitherState>?
  ) {
    let memory =
      isInterleaved
      ? room.buffers[0] + (room.start * frameBytes + channel * sampleBytes)
      : room.buffers[channel] + room.start * frameBytes
    format.encode(
      samples, count: room.count, to: memory, stride: frameBytes,
      dither: dither.map { $0 + channel })
  }
}

extension StreamFormat {
  /// Whether the samples of all channels are adjacent in one buffer, without gaps.
  fileprivate var isPacked: Bool {
    (isInterleaved || channelCount == 1) && bytesPerFrame == channelCount * bytesPerSample
      && bytesPerSample == sampleFormat.containerBytes
  }
}
