// SPDX-License-Identifier: Apache-2.0
import AudioSupport
internal import CAudioToolbox
import SignalProcessing

/// Converts frames of any linear PCM format into frames of any other: samples, channels and rate.
///
/// It converts as much as input frames and output room allow; the caller calls again for the rest.
/// The output does not depend on how either is split. At the end of the input, `drain` converts
/// what the filter still holds, so that the output lasts as long as the input. Nothing is allocated
/// after `init`; one thread at a time.
package final class FrameConversion {
  /// The parameters of a conversion.
  package struct Setup {
    package var source: StreamFormat
    package var destination: StreamFormat
    package var mixing = ChannelMixing.natural
    package var quality = SampleRateConverter.Quality.normal
    package var phase = SampleRateConverter.Phase.linear
    /// The position of the first output frame after the first input frame, as a fraction of an
    /// input frame.
    package var initialPhase = 0.0
    package var priming = Priming.normal
    /// The dither for samples that lose bits.
    package var dither = Dither.none
    /// How many bits the samples of the source have, if fewer than their format could hold: a
    /// decoder of a lossless codec supplies 16 in 32. Nil: as many as the format.
    package var sourceBits: Int?

    package init(source: StreamFormat, destination: StreamFormat) {
      self.source = source
      self.destination = destination
    }
  }

  /// How the output begins.
  package enum Priming: Sendable {
    /// Input: the output begins with the first frame whose filter contains only input.
    case pre
    /// Silence: the output begins with the first input frame.
    case normal
    /// None: the output begins with the delay of the filter.
    case none
  }

  /// The kinds of conversion, from the simplest to the most complex.
  enum Operation {
    /// Bytes are copied.
    case copy
    /// Samples change, in Float32.
    case samples
    /// Samples change, in Float64.
    case wideSamples
    /// The rate changes, in Float32.
    case rate
  }

  package let setup: Setup
  private let memory: OwnedMemory
  let operation: Operation
  let reader: FrameCoder
  let writer: FrameCoder
  /// The dither of each output channel; nil when nothing is lost or none is requested.
  let dither: UnsafeMutablePointer<DitherState>?
  let mixer: ChannelMixer
  /// Whether channels are mixed before the rate changes, because there will be fewer.
  let mixesFirst: Bool
  let passFrames = 512
  /// Decoded samples, and pointers and samples for other stages.
  let decoded: PlanarBuffer
  let readable: UnsafeMutablePointer<UnsafePointer<Float>>
  let writable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let wide: UnsafeMutablePointer<Double>
  /// Samples that wait for the filter, and the filter's output.
  let gathered: PlanarBuffer
  let resampled: PlanarBuffer
  let rate: UnsafeMutablePointer<SampleRateConverter>
  var bufferedFrames: Int {
    get { state.pointee.bufferedFrames }
    set { state.pointee.bufferedFrames = newValue }
  }
  /// Output frames that are computed and dropped, so that the next one has input before it.
  var dropped: Int {
    get { state.pointee.dropped }
    set { state.pointee.dropped = newValue }
  }
  private let droppedAtStart: Int
  private let state: UnsafeMutablePointer<State>

  /// State that changes from call to call, behind a pointer, so that exclusive access is not
  /// checked at run time.
  private struct State: BitwiseCopyable {
    var bufferedFrames = 0
    var dropped = 0
    /// Frames consumed and produced since the beginning.
    var consumed = 0
    var produced = 0
  }

  /// [control thread] Allocates everything that the conversion needs. Throws an error if the rates
  /// differ by more than a factor of 256.
  package init(_ setup: Setup) throws(AudioError) {
    let (source, destination) = (setup.source, setup.destination)
    let (inputs, outputs) = (source.channelCount, destination.channelCount)
    let changesRate = source.sampleRate != destination.sampleRate
    guard RenderConversion.converts(source.sampleRate, to: destination.sampleRate) else {
      throw AudioError(status: kAudioConverterErr_OutputSampleRateOutOfRange).because(
        "from \(source.sampleRate.plainText) to \(destination.sampleRate.plainText) Hz; rates may "
          + "differ by a factor of 256")
    }
    self.setup = setup
    memory = OwnedMemory()
    state = memory.cell(State())
    reader = FrameCoder(source)
    writer = FrameCoder(destination)
    mixer = ChannelMixer(
      setup.mixing, from: inputs, to: outputs, capacity: passFrames, in: memory)
    let isSame =
      source.sampleFormat == destination.sampleFormat
      && (source.isInterleaved
        == destination.isInterleaved || inputs == 1 && outputs == 1)
    let addsNoise = setup.addsNoise(changesSamples: changesRate || mixer.sumsChannels)
    if changesRate {
      operation = .rate
    } else if isSame && mixer.isIdentity && !addsNoise {
      operation = .copy
    } else if Self.needsDoubles(source.sampleFormat, destination.sampleFormat), !mixer.sumsChannels
    {
      operation = .wideSamples
    } else {
      operation = .samples
    }
    mixesFirst = changesRate && outputs < inputs
    dither =
      addsNoise
      ? memory.array((0..<outputs).map { DitherState(setup.dither, channel: $0) }) : nil
    decoded = PlanarBuffer(channelCount: inputs, capacity: passFrames, in: memory)
    readable = memory.array(inputs, of: UnsafePointer(decoded.channels[0]))
    writable = memory.array(max(inputs, outputs), of: decoded.channels[0])
    wide = memory.array(passFrames, of: 0)
    let channels = mixesFirst ? outputs : inputs
    rate = memory.cell(
      SampleRateConverter(
        inputRate: source.sampleRate, outputRate: destination.sampleRate, channelCount: channels,
        quality: setup.quality, phase: setup.phase, initialPhase: setup.initialPhase))
    if changesRate { rate.pointee.prime() }
    let maximumInput = changesRate ? rate.pointee.inputFramesNeeded(for: passFrames) : 0
    let ratio = source.sampleRate / destination.sampleRate
    gathered = PlanarBuffer(
      channelCount: channels,
      capacity: changesRate ? maximumInput + Int(ratio.rounded(.up)) + 8 : 0,
      in: memory)
    resampled = PlanarBuffer(
      channelCount: channels, capacity: changesRate ? passFrames : 0, in: memory)
    // The delay in output frames, rounded up: whole frames are dropped, at any ratio.
    droppedAtStart =
      setup.priming == .pre && changesRate
      ? Int((Double(rate.pointee.latencyFrames) / ratio).rounded(.up)) : 0
    reset()
  }

  deinit { memory.deallocate() }

  /// Whether an intermediate Float32 would change the samples: a single operation rounds only once
  /// anyway.
  private static func needsDoubles(_ source: SampleFormat, _ destination: SampleFormat) -> Bool {
    let isFloat32 = destination.isFloat && destination.containerBytes == 4
    return source.precision > 24 && !(isFloat32 && (source.isFloat || source.bits <= 32))
  }

  /// Whether frames are copied unchanged.
  package var copies: Bool { if case .copy = operation { true } else { false } }

  /// [any thread] Clears the signal history.
  package func reset() {
    state.pointee = State(dropped: droppedAtStart)
    if let dither { for channel in 0..<writer.channelCount { dither[channel].reset() } }
    guard operation == .rate else { return }
    if setup.priming == .none { rate.pointee.reset() } else { rate.pointee.prime() }
  }

  /// [one thread at a time] Continues from the state of a conversion that was made with the same
  /// setup, which does not change.
  package func copyState(of other: FrameConversion) {
    state.pointee = other.state.pointee
    if let dither, let noise = other.dither {
      dither.update(from: noise, count: writer.channelCount)
    }
    guard operation == .rate else { return }
    for channel in 0..<gathered.channelCount {
      Samples.copy(
        other.gathered.channels[channel], to: gathered.channels[channel], count: bufferedFrames)
    }
    rate.pointee.copyState(of: other.rate.pointee)
  }

  /// Input frames before the first output frame.
  package var leadingFrames: Int {
    Int((Double(droppedAtStart) * ratio).rounded(.up))
  }

  /// Frames that are read ahead of the output, or the latency of the output in frames.
  package var trailingFrames: Int { operation == .rate ? rate.pointee.latencyFrames : 0 }

  /// The position of the first output frame after the first input frame, as a fraction of an input
  /// frame.
  package var initialPhase: Double { rate.pointee.initialPhase }

  /// Input frames per output frame.
  package var ratio: Double { setup.source.sampleRate / setup.destination.sampleRate }

  /// [one thread at a time] Input frames still needed for this many output frames.
  package func inputFrames(for frames: Int) -> Int {
    guard operation == .rate else { return frames }
    let frames = min(frames, 1 << 24) + dropped
    return max(0, rate.pointee.inputFramesNeeded(for: frames) - bufferedFrames)
  }

  /// [one thread at a time] Converts as many frames as available and as there is room for.
  package func convert(_ source: FrameSpan, into room: FrameRoom) -> (consumed: Int, produced: Int)
  {
    let result: (consumed: Int, produced: Int)
    switch operation {
    case .rate:
      result = resample(source, into: room)
    default:
      let count = min(source.count, room.count)
      convertSamples(
        FrameSpan(source.buffers, from: source.start, count: count),
        into: FrameRoom(room.buffers, from: room.start, count: count))
      result = (count, count)
    }
    state.pointee.consumed += result.consumed
    state.pointee.produced += result.produced
    return result
  }

  /// [one thread at a time] After the last input frame: converts the rest, as far as there is room.
  package func drain(into room: FrameRoom) -> Int {
    guard operation == .rate else { return 0 }
    let rest = min(totalFrames - state.pointee.produced, room.count)
    guard rest > 0 else { return 0 }
    let count = drain(rest, into: room)
    state.pointee.produced += count
    return count
  }

  /// Output frames for the input so far, to the end of its last frame.
  package var totalFrames: Int {
    let consumed = state.pointee.consumed
    guard operation == .rate else { return consumed }
    let frames = consumed + (setup.priming == .none ? rate.pointee.latencyFrames : 0)
    let (from, to) = (setup.source.sampleRate, setup.destination.sampleRate)
    let count: Int
    if let from = Int(exactly: from), let to = Int(exactly: to), initialPhase == 0 {
      count = (frames * to + from - 1) / from
    } else {
      count = Int(((Double(frames) - initialPhase) * to / from - 1e-6).rounded(.up))
    }
    return consumed == 0 ? 0 : max(0, count - droppedAtStart)
  }
}
