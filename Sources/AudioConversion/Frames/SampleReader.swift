// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// Reads frames of a linear PCM format as planar floats. A value without memory of its own.
struct SampleReader {
  private let format: SampleFormat
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let frameBytes: Int
  let channelCount: Int
  /// Whether the channels can be read where they lie.
  let isPlanarFloat: Bool

  init(_ source: StreamFormat) {
    format = source.sampleFormat
    isInterleaved = source.isInterleaved
    sampleBytes = source.bytesPerSample
    frameBytes = source.bytesPerFrame
    channelCount = source.channelCount
    isPlanarFloat = source.isPlanarFloat
  }

  /// [render thread] Where the channels of planar Float32 lie.
  @_noLocks
  func find(
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

  /// [render thread] Decodes one channel in Float64.
  @_noLocks
  func read(_ channel: Int, of span: FrameSpan, into samples: UnsafeMutablePointer<Double>) {
    let memory =
      isInterleaved
      ? span.buffers[0] + (span.start * frameBytes + channel * sampleBytes)
      : span.buffers[channel] + span.start * frameBytes
    format.decode(memory, stride: frameBytes, into: samples, count: span.count)
  }
}

/// Writes planar floats as frames of a linear PCM format. A value without memory of its own.
struct SampleWriter {
  private let format: SampleFormat
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let frameBytes: Int
  let channelCount: Int
  /// Whether channels can be written where they shall lie.
  let isPlanarFloat: Bool

  init(_ destination: StreamFormat) {
    format = destination.sampleFormat
    isInterleaved = destination.isInterleaved
    sampleBytes = destination.bytesPerSample
    frameBytes = destination.bytesPerFrame
    channelCount = destination.channelCount
    isPlanarFloat = destination.isPlanarFloat
  }

  /// [render thread] Where the channels of planar Float32 shall lie.
  @_noLocks
  func find(_ room: FrameRoom, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
    for channel in 0..<channelCount {
      channels[channel] = (room.buffers[channel] + room.start * 4).assumingMemoryBound(
        to: Float.self)
    }
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
