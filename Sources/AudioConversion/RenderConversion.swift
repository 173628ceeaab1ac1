// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// Converts samples of one format to planar Float32 with another rate and other channels, on render
/// paths: it states how many input frames a slice needs. Files and streams have `FrameConversion`.
///
/// Samples are gathered (decoded, or joined from several pieces) and then converted. Without
/// conversion they are copied bit for bit. Planar Float32 in one piece may be read in place.
package struct RenderConversion: ~Copyable {
  /// The parameters of a converter.
  package struct Setup {
    /// The input format.
    package var source: StreamFormat
    /// The output format.
    package var sampleRate: Double
    package var channelCount: Int
    /// A source channel for each output channel; nil: the default map.
    package var map: [Int32]?
    /// Without a map: a gain from each source channel to each output channel, a row for each source
    /// channel; nil: channels are not mixed.
    package var gains: [Float]?
    /// The maximum number of source frames that are read in place; nil: always gathered.
    package var maximumDirectFrames: Int?
    /// The maximum number of output frames of one conversion.
    package var maximumFrames: Int
    package var quality: SampleRateConverter.Quality

    package init(
      source: StreamFormat, sampleRate: Double, channelCount: Int, map: [Int32]?,
      gains: [Float]? = nil, maximumDirectFrames: Int?, maximumFrames: Int,
      quality: SampleRateConverter.Quality
    ) {
      self.source = source
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.map = map
      self.gains = gains
      self.maximumDirectFrames = maximumDirectFrames
      self.maximumFrames = maximumFrames
      self.quality = quality
    }
  }

  /// Whether samples of one rate can be converted to another: at most a factor of 256 apart.
  package static func converts(_ rate: Double, to other: Double) -> Bool {
    (1 / 256.0...256).contains(rate / other)
  }

  package let changesRate: Bool
  /// Whether source samples can be read in place.
  package let isPlanarFloat: Bool
  package let sourceChannels: Int
  private let source: FrameCoder
  private let memory = OwnedMemory()
  private let gathered: PlanarBuffer
  private let resampled: PlanarBuffer
  /// In separate memory, which render code reaches by pointer. A mutating method copies such a
  /// pointer first, or the compiler cannot build it for the thread sanitizer (6.3.1).
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  private let map: UnsafeMutablePointer<ChannelMap>

  /// [control thread] Allocates everything that the conversion needs.
  package init(_ setup: Setup) {
    let source = setup.source
    self.source = FrameCoder(source)
    isPlanarFloat = source.isPlanarFloat
    sourceChannels = source.channelCount
    changesRate = source.sampleRate != setup.sampleRate
    let ratio = source.sampleRate / setup.sampleRate
    // Some runs need one frame more than their share, and skip some at high ratios.
    let maximumInput =
      changesRate
      ? Int((Double(setup.maximumFrames + 1) * ratio).rounded(.up)) + 4 : setup.maximumFrames
    let isAlwaysDirect =
      isPlanarFloat && setup.maximumDirectFrames.map { maximumInput <= $0 } ?? false
    gathered = PlanarBuffer(
      channelCount: source.channelCount, capacity: isAlwaysDirect ? 0 : maximumInput, in: memory)
    resampled = PlanarBuffer(
      channelCount: source.channelCount, capacity: changesRate ? setup.maximumFrames : 0,
      in: memory)
    rate = memory.cell(
      SampleRateConverter(
        inputRate: source.sampleRate, outputRate: setup.sampleRate,
        channelCount: source.channelCount, quality: setup.quality))
    map = memory.cell(
      ChannelMap.make(
        setup.map, mixing: setup.gains, from: source.channelCount, to: setup.channelCount))
  }

  deinit { memory.deallocate() }

  /// Latency of the rate conversion in seconds.
  package var latency: Double { changesRate ? rate.pointee.latency : 0 }

  /// [control thread] Latency in seconds that a converter between two rates would have.
  package static func latency(
    from sampleRate: Double, to outputRate: Double, quality: SampleRateConverter.Quality
  ) -> Double {
    SampleRateConverter(
      inputRate: sampleRate, outputRate: outputRate, channelCount: 1, quality: quality
    ).latency
  }

  /// [render thread] How many source frames `frames` output frames need.
  @_noLocks
  package borrowing func sourceFrames(for frames: Int) -> Int {
    changesRate ? rate.pointee.inputFramesNeeded(for: frames) : frames
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  package mutating func reset() {
    let rate = rate
    rate.pointee.reset()
  }

  /// [render thread] Decodes `frames` source frames to position `frame` of the gathered ones.
  /// `buffers` has the address of each buffer of the source format.
  @_noLocks
  package borrowing func gather(
    _ buffers: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int, at frame: Int
  ) {
    let start = UnsafeRawPointer(buffers).assumingMemoryBound(to: UnsafeRawPointer.self)
    source.read(FrameSpan(start, from: 0, count: frames), into: gathered.from(frame))
  }

  /// [render thread] Gathers `frames` frames of silence instead of the source's.
  @_noLocks
  package borrowing func gatherSilence(_ frames: Int) {
    for channel in 0..<sourceChannels { Samples.clear(gathered.channels[channel], count: frames) }
  }

  /// [render thread] Converts the `sourceFrames` gathered frames, or those at
  /// `direct`, to `frames` frames.
  @_noLocks
  package mutating func convert(
    _ sourceFrames: Int, direct: UnsafePointer<UnsafePointer<Float>>?,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) {
    var samples = direct ?? gathered.readable
    if changesRate {
      let rate = rate
      rate.pointee.process(
        input: samples, inputFrames: sourceFrames, output: resampled.channels, outputFrames: frames)
      samples = resampled.readable
    }
    map.pointee.apply(samples, to: output, frameCount: frames)
  }
}
