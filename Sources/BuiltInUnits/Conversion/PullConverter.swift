// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Pulls samples in one format and gives planar Float32 at another rate, in other channels.
///
/// What needs no conversion is copied, to the bit.
struct PullConverter: ~Copyable {
  /// What it is made for.
  struct Setup {
    /// How the source gives its samples.
    var source: StreamFormat
    /// What comes out.
    var sampleRate: Double
    var channelCount: Int
    /// A source channel for each channel that comes out; nil: the natural ones.
    var map: [Int32]?
    /// Whether the source finds memory of ours to fill.
    var allocates: Bool
    /// The most frames that one pull asks for.
    var maximumPullFrames: Int
    /// The most frames that are made at once.
    var maximumFrames: Int
    var quality: SampleRateConverter.Quality
  }

  /// Whether samples of one rate can be given at another: up to 256 times apart.
  static func converts(_ rate: Double, to other: Double) -> Bool {
    (1 / 256.0...256).contains(rate / other)
  }

  let changesRate: Bool
  /// Whether what is pulled is what comes out, so that the source can leave it there at once.
  let passesThrough: Bool
  /// Where one pull leaves its samples.
  private let source: BusBuffer
  private let format: SampleFormat
  private let isPlanarFloat: Bool
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let sourceChannels: Int
  private let allocates: Bool
  private let maximumPullFrames: Int
  /// The samples of several pulls, or of one that has to be decoded.
  private let gathered: PlanarBuffer
  private let resampled: PlanarBuffer
  /// Whether the samples of the last pull lie in `gathered`, and not where the source left them.
  private var isGathered = false
  /// In memory of their own, where render code reaches them by pointer. A mutating method takes a copy
  /// of such a pointer first: else the compiler cannot build it for the thread sanitizer (6.3.1).
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  private let map: UnsafeMutablePointer<ChannelMap>

  /// [control thread] Allocates everything that converting needs.
  init(_ setup: Setup) {
    let format = setup.source
    source = BusBuffer(format, maximumFrames: setup.maximumPullFrames)
    self.format = format.sampleFormat
    isPlanarFloat = format.isPlanarFloat
    isInterleaved = format.isInterleaved
    sampleBytes = format.bytesPerSample
    sourceChannels = format.channelCount
    allocates = setup.allocates
    maximumPullFrames = setup.maximumPullFrames
    changesRate = format.sampleRate != setup.sampleRate
    passesThrough =
      !changesRate && isPlanarFloat && allocates && setup.map == nil
      && sourceChannels == setup.channelCount
    let ratio = format.sampleRate / setup.sampleRate
    // A run takes a frame more than its share here and there, and skips some at high ratios.
    let most =
      changesRate
      ? Int((Double(setup.maximumFrames + 1) * ratio).rounded(.up)) + 4 : setup.maximumFrames
    gathered = PlanarBuffer(
      channelCount: format.channelCount,
      capacity: isPlanarFloat && most <= maximumPullFrames ? 0 : most)
    resampled = PlanarBuffer(
      channelCount: format.channelCount, capacity: changesRate ? setup.maximumFrames : 0)
    rate = .allocate(capacity: 1)
    rate.initialize(
      to: SampleRateConverter(
        inputRate: format.sampleRate, outputRate: setup.sampleRate,
        channelCount: format.channelCount, quality: setup.quality))
    map = .make(setup.map, from: format.channelCount, to: setup.channelCount)
  }

  deinit {
    source.deallocate()
    gathered.deallocate()
    resampled.deallocate()
    rate.deinitialize(count: 1).deallocate()
    map.deinitialize(count: 1).deallocate()
  }

  /// Seconds that converting the rate delays.
  var latency: Double { changesRate ? rate.pointee.latency : 0 }

  /// [control thread] Seconds that a converter between two rates would delay.
  static func latency(
    from sampleRate: Double, to outputRate: Double, quality: SampleRateConverter.Quality
  ) -> Double {
    SampleRateConverter(
      inputRate: sampleRate, outputRate: outputRate, channelCount: 1, quality: quality
    ).latency
  }

  /// [render thread] How many source frames `frames` output frames take.
  @_noLocks
  borrowing func sourceFrames(for frames: Int) -> Int {
    changesRate ? rate.pointee.inputFramesNeeded(for: frames) : frames
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    let rate = rate
    rate.pointee.reset()
  }

  /// [render thread] Pulls `frames` source frames, the first of them at `time`, in as few pieces as
  /// may be asked for at once.
  ///
  /// Afterwards the flags tell of silence when what `convert` makes of them is certain to be silent.
  @_noLocks
  mutating func pull(
    _ plan: RenderPlan, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int, bus: Int = 0
  ) -> OSStatus {
    isGathered = !isPlanarFloat || frames > maximumPullFrames
    var isSilent = true
    var pieceTime = time.pointee
    var done = 0
    while done < frames {
      let count = min(frames - done, maximumPullFrames)
      flags.pointee.saysSilence = false
      let status = plan.pull(
        bus, flags, &pieceTime, count, into: source, allocates: allocates)
      guard status == noErr else { return status }
      if flags.pointee.saysSilence {
        // The promise is kept for whoever gave it and left his memory as it was.
        source.prepare()
        source.clear(count)
      } else {
        isSilent = false
      }
      if isGathered { gather(count, at: done) }
      pieceTime.mSampleTime += Double(count)
      done += count
    }
    // A filter still sounds when its input has fallen silent.
    flags.pointee.saysSilence = isSilent && !changesRate
    return noErr
  }

  /// [render thread] Takes a list of `frames` frames, at most those of a pull, in the place of a pull.
  /// False when its buffers do not fit the format.
  @_noLocks
  mutating func take(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> Bool {
    guard frames <= maximumPullFrames,
      source.point(at: UnsafeMutablePointer(mutating: list), frames)
    else { return false }
    isGathered = !isPlanarFloat
    if isGathered { gather(frames, at: 0) }
    return true
  }

  /// [render thread] Takes `frames` source frames of silence, in the place of a pull that failed.
  @_noLocks
  mutating func takeSilence(_ frames: Int) {
    isGathered = !isPlanarFloat || frames > maximumPullFrames
    guard isGathered else {
      source.prepare()
      return source.clear(frames)
    }
    for channel in 0..<sourceChannels { Samples.clear(gathered.channels[channel], count: frames) }
  }

  /// [render thread] Turns the `sourceFrames` frames that were pulled or taken last into `frames`
  /// frames.
  @_noLocks
  mutating func convert(
    _ sourceFrames: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) {
    var samples = isGathered ? gathered.readable : reading(source.channels)
    if changesRate {
      let rate = rate
      rate.pointee.process(
        input: samples, inputFrames: sourceFrames, output: resampled.channels, outputFrames: frames)
      samples = resampled.readable
    }
    map.pointee.apply(samples, to: output, frameCount: frames)
  }

  /// [render thread] Pulls what passes through straight into `output`, which points at where it is to
  /// be, and does so afterwards.
  @_noLocks
  borrowing func fill(
    _ output: BusBuffer, at place: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
    _ plan: RenderPlan, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int
  ) -> OSStatus {
    let status = plan.pull(0, flags, time, frames, into: output, allocates: true, isPrepared: true)
    if status == noErr, !flags.pointee.saysSilence {
      // The source may have samples of its own, and point at them.
      for channel in 0..<sourceChannels where output.channels[channel] != place[channel] + offset {
        Samples.move(output.channels[channel], to: place[channel] + offset, count: frames)
      }
    }
    output.point(at: place, offset: offset, frames)
    if status == noErr, flags.pointee.saysSilence { output.clear(frames) }
    return status
  }

  @_noLocks
  private borrowing func gather(_ frames: Int, at frame: Int) {
    let channels = gathered.from(frame)
    if isPlanarFloat {
      for channel in 0..<sourceChannels {
        Samples.copy(source.channels[channel], to: channels[channel], count: frames)
      }
    } else if isInterleaved {
      format.decode(
        interleaved: source.data(0), channelCount: sourceChannels, into: channels,
        frameCount: frames)
    } else {
      for channel in 0..<sourceChannels {
        format.decode(
          source.data(channel), stride: sampleBytes, into: channels[channel], count: frames)
      }
    }
  }
}
