// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Pulls samples in one format and gives planar Float32 at another rate, in other channels.
///
/// What needs no conversion is copied, to the bit.
struct PullConverter: ~Copyable {
  /// The memory in which the source hands over its samples.
  let source: BusBuffer
  private let sourceFormat: SampleFormat
  private let isPlanarFloat: Bool
  private let isInterleaved: Bool
  private let sourceChannels: Int
  private let sampleBytes: Int
  let changesRate: Bool
  private let decoded: PlanarBuffer
  private let resampled: PlanarBuffer
  /// In memory of their own, where render code reaches them by pointer.
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  private let map: UnsafeMutablePointer<ChannelMap>

  /// [control thread] From `format` to `channelCount` channels at `sampleRate`. `map` names a source
  /// channel for each of them; nil spreads mono and folds stereo.
  init(
    from format: StreamFormat, to sampleRate: Double, channelCount: Int, map: [Int32]?,
    maximumSourceFrames: Int, maximumFrames: Int, quality: SampleRateConverter.Quality
  ) {
    source = BusBuffer(format, maximumFrames: maximumSourceFrames)
    sourceFormat = format.sampleFormat
    isPlanarFloat = format.isPlanarFloat
    isInterleaved = format.isInterleaved
    sourceChannels = format.channelCount
    sampleBytes = format.bytesPerSample
    changesRate = format.sampleRate != sampleRate
    decoded = PlanarBuffer(
      channelCount: format.channelCount, capacity: isPlanarFloat ? 0 : maximumSourceFrames)
    resampled = PlanarBuffer(
      channelCount: format.channelCount, capacity: changesRate ? maximumFrames : 0)
    rate = .allocate(capacity: 1)
    rate.initialize(
      to: SampleRateConverter(
        inputRate: format.sampleRate, outputRate: sampleRate, channelCount: format.channelCount,
        quality: quality))
    self.map = .make(map, from: format.channelCount, to: channelCount)
  }

  deinit {
    source.deallocate()
    rate.deinitialize(count: 1).deallocate()
    map.deinitialize(count: 1).deallocate()
  }

  /// Seconds that converting the rate delays.
  var latency: Double { changesRate ? rate.pointee.latency : 0 }

  /// [render thread] How many source frames `frames` output frames take.
  @_noLocks
  borrowing func sourceFrames(for frames: Int) -> Int {
    changesRate ? rate.pointee.inputFramesNeeded(for: frames) : frames
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() { rate.pointee.reset() }

  /// [render thread] Turns the `sourceFrames` frames that now lie in `source` into `frames` frames.
  @_noLocks
  mutating func convert(
    _ sourceFrames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) {
    var samples = reading(source.channels)
    if !isPlanarFloat {
      decode(sourceFrames)
      samples = decoded.readable
    }
    if changesRate {
      rate.pointee.process(
        input: samples, inputFrames: sourceFrames, output: resampled.channels, outputFrames: frames)
      samples = resampled.readable
    }
    map.pointee.apply(samples, to: output, frameCount: frames)
  }

  @_noLocks
  private borrowing func decode(_ frames: Int) {
    if isInterleaved {
      guard let data = source.data(0) else { return }
      sourceFormat.decode(
        interleaved: data, channelCount: sourceChannels, into: decoded.channels, frameCount: frames)
    } else {
      for channel in 0..<sourceChannels {
        guard let data = source.data(channel) else { continue }
        sourceFormat.decode(
          data, stride: sampleBytes, into: decoded.channels[channel], count: frames)
      }
    }
  }
}

extension UnsafeMutablePointer<ChannelMap> {
  /// [control thread] A channel map in memory of its own: the one given, else the natural one.
  static func make(_ map: [Int32]?, from inputs: Int, to outputs: Int) -> Self {
    let pointer = allocate(capacity: 1)
    if let map {
      pointer.initialize(to: ChannelMap(map, inputChannelCount: inputs))
    } else {
      pointer.initialize(to: ChannelMap(inputChannelCount: inputs, outputChannelCount: outputs))
    }
    return pointer
  }
}
