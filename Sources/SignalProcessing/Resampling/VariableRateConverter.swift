// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Plays planar Float32 channels faster or slower, at a rate that may change between calls and from
/// frame to frame.
///
/// Uses the method of `SampleRateConverter`, with one filter for every quarter octave above 1, so
/// that nothing aliases. All filters are centred on the same frame, and the position continues
/// through every change. At a rate of exactly 1, frames pass unchanged as long as outputs fall on
/// input frames.
public struct VariableRateConverter: ~Copyable {
  /// The range of possible rates.
  public let range: ClosedRange<Double>

  /// A filter as render code sees it.
  private struct Filter: BitwiseCopyable {
    var ratio: Double
    var coefficients: UnsafePointer<Float>
    var innerCoefficients: UnsafePointer<Double>
    var innerStart: Int
    var innerTaps: Int
    var taps: Int
    var divisions: Int
  }

  public let channelCount: Int
  private let tables: [FilterTable]
  private let filters: UnsafeMutablePointer<Filter>
  private let filterCount: Int
  /// Taps of the longest filter: the window of each output.
  private let window: Int
  private let capacity: Int
  /// The latest input of each channel, `capacity` frames apart.
  private let history: UnsafeMutablePointer<Float>
  private let memory = OwnedMemory()
  private var bufferedFrames: Int
  var position = ResamplingPosition(ratio: 1)
  var rate = 1.0
  /// While the rate changes: the steps of the next outputs, in units of the position's modulus, and
  /// their number.
  let steps: UnsafeMutablePointer<UInt64>
  var stepCount = 0
  let maximumFrames: Int

  /// Makes a converter. [control thread]
  ///
  /// `maximumFrames` is the maximum for one `render`.
  public init(
    channelCount: Int, maximumFrames: Int, quality: ConversionQuality = .low,
    range: ClosedRange<Double> = 0.5...2
  ) {
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    self.range = range
    steps = memory.array(maximumFrames, of: 0)
    let ratios = Self.ratios(upTo: range.upperBound)
    // When played slowly, images above half the rate would become audible: the filters stop at half
    // of it.
    let design = ResamplingDesign(quality, lowerRate: 0)
    tables = ratios.map { FilterTable.table(for: FilterShape(interpolating: $0, design)) }
    filterCount = tables.count
    filters = memory.array(
      zip(ratios, tables).map { ratio, table in
        Filter(
          ratio: ratio, coefficients: table.coefficients,
          innerCoefficients: table.innerCoefficients, innerStart: table.shape.innerStart,
          innerTaps: table.shape.inner, taps: table.shape.taps,
          divisions: table.shape.rows)
      })
    window = tables.map(\.shape.taps).max() ?? 16
    capacity = Self.capacity(window, maximumFrames, range)
    history = memory.array(channelCount * capacity, of: 0)
    bufferedFrames = window - 1
  }

  deinit { memory.deallocate() }

  /// The highest rate of each filter: every quarter of an octave.
  private static func ratios(upTo highest: Double) -> [Double] {
    var ratios = [1.0]
    while let last = ratios.last, last < highest {
      ratios.append(min(Elementary.exp2(Double(ratios.count) / 4), highest))
    }
    return ratios
  }

  private static func capacity(_ window: Int, _ frames: Int, _ range: ClosedRange<Double>) -> Int {
    2 * window + Int((range.upperBound * Double(frames)).rounded(.up)) + 16
  }

  /// Bytes of memory that a converter uses, apart from its filters. [any thread]
  public static func memory(
    channelCount: Int, maximumFrames: Int, quality: ConversionQuality, range: ClosedRange<Double>
  ) -> Int {
    let design = ResamplingDesign(quality, lowerRate: 0)
    let window = Int((design.taps * max(1, range.upperBound)).rounded(.up)) + 8
    return 4 * channelCount * capacity(window, maximumFrames, range) + 8 * maximumFrames
  }

  /// Delay of the output in input frames.
  public var latencyFrames: Int { @_noLocks get { window / 2 } }

  /// Input frames in the history after the position of the next output. [render thread]
  public var pendingFrames: Double {
    @_noLocks get { Double(bufferedFrames + 1 - window / 2) - Double(position.phase) * 0x1p-56 }
  }

  /// Sets the number of input frames per output frame, limited to `range`. [render thread]
  @_noLocks
  public mutating func set(rate newRate: Float) {
    let limited = limited(newRate)
    stepCount = 0
    guard limited != rate else { return }
    rate = limited
    position.set(ratio: limited)
  }

  /// Input frames that must be consumed before `outputFrames` can be rendered. [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(for outputFrames: Int) -> Int {
    guard outputFrames > 0 else { return 0 }
    let ahead =
      stepCount > 0
      ? rampedFrames(after: outputFrames - 1) : position.frames(after: outputFrames - 1)
    return max(0, ahead + window - bufferedFrames)
  }

  /// As above, for a changing rate: the lengths of the pieces, and the rate of each.
  /// [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(
    lengths: UnsafePointer<Int32>, rates: UnsafePointer<Float>, count: Int
  ) -> Int {
    guard count > 0, lengths[count - 1] > 0 else { return 0 }
    var position = position
    var frames = 0
    for segment in 0..<count - 1 {
      position.set(ratio: limited(rates[segment]))
      frames += position.advance(by: Int(lengths[segment]))
    }
    position.set(ratio: limited(rates[count - 1]))
    frames += position.frames(after: Int(lengths[count - 1]) - 1)
    return max(0, frames + window - bufferedFrames)
  }

  /// A rate limited to the range; 1 if it is not finite.
  @_noLocks
  func limited(_ rate: Float) -> Double {
    rate.isFinite ? min(max(Double(rate), range.lowerBound), range.upperBound) : 1
  }

  /// Consumes input frames. [render thread]
  @_noLocks
  public mutating func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    for channel in 0..<channelCount {
      Samples.copy(input[channel], to: history + channel * capacity + bufferedFrames, count: frames)
    }
    bufferedFrames += frames
  }

  /// Renders `frames` frames from the history, starting at frame `offset` of the output.
  /// [render thread]
  @_noLocks
  public mutating func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frames: Int
  ) {
    guard frames > 0 else { return }
    if stepCount > 0 { return renderRamped(to: output, offset: offset, frames: frames) }
    var next = position
    let advance = next.advance(by: frames)
    if rate == 1, position.phase == 0 {
      copy(to: output, offset: offset, frames: frames)
    } else {
      resample(by: filter(for: rate), to: output, offset: offset, frames: frames, position.walk)
    }
    discard(advance)
    position = next
  }

  /// Index of the filter for a rate.
  @_noLocks
  func filter(for rate: Double) -> Int {
    var index = 0
    while index < filterCount - 1, filters[index].ratio < rate { index += 1 }
    return index
  }

  /// Copies frames unchanged.
  @_noLocks
  func copy(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) {
    for channel in 0..<channelCount {
      Samples.copy(
        history + (channel * capacity + window / 2 - 1), to: output[channel] + offset,
        count: frames)
    }
  }

  /// Renders outputs with one of the filters.
  @_noLocks
  func resample(
    by index: Int, to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
    frames: Int, _ walk: ResamplingWalk
  ) {
    let filter = filters[index]
    let start = history + (window - filter.taps) / 2
    kernel_resample_interpolated(
      output, offset, frames, start, capacity, channelCount, filter.coefficients, filter.taps,
      filter.divisions, walk)
    guard filter.innerTaps > 0 else { return }
    kernel_add_interpolated(
      output, offset, frames, start + filter.innerStart, nil, capacity, channelCount,
      filter.innerCoefficients, filter.innerTaps, filter.divisions, walk)
  }

  /// Discards the oldest input frames.
  @_noLocks
  mutating func discard(_ frames: Int) {
    for channel in 0..<channelCount {
      let samples = history + channel * capacity
      Samples.move(samples + frames, to: samples, count: bufferedFrames - frames)
    }
    bufferedFrames -= frames
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func reset() {
    position.reset()
    stepCount = 0
    bufferedFrames = window - 1
    for channel in 0..<channelCount {
      Samples.clear(history + channel * capacity, count: bufferedFrames)
    }
  }
}
