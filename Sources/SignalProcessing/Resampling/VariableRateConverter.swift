// SPDX-License-Identifier: Apache-2.0

/// Plays planar Float32 channels from half to twice as fast, at a rate that may change between calls.
///
/// The method of `SampleRateConverter`, with a filter for every quarter of an octave above 1, so that
/// nothing folds; all are centred on the same frame, and the position goes on through every change.
/// At a rate of exactly 1 frames pass unchanged as long as they fall on frames.
public struct VariableRateConverter: ~Copyable {
  /// The rates that are possible.
  public static var range: ClosedRange<Double> { 0.5...2 }

  /// A filter as render code sees it.
  private struct Filter: BitwiseCopyable {
    var ratio: Double
    var coefficients: UnsafePointer<Float>
    var taps: Int
    var divisions: Int
  }

  public let channelCount: Int
  private let tables: [FilterTable]
  private let filters: UnsafeMutablePointer<Filter>
  private let filterCount: Int
  /// Taps of the longest filter: the window of every output.
  private let window: Int
  private let capacity: Int
  /// The latest input of each channel, `capacity` frames apart.
  private let history: UnsafeMutablePointer<Float>
  private var held: Int
  private var position = ResamplingPosition(ratio: 1)
  private var rate = 1.0

  /// Makes a converter. [control thread]
  ///
  /// `maximumFrames` is the most that one `render` makes.
  public init(channelCount: Int, maximumFrames: Int, quality: ConversionQuality = .low) {
    self.channelCount = channelCount
    let ratios = [1, 1.189_207_115, 1.414_213_562_5, 1.681_792_831, 2]
    // Played slowly, an image above half the rate would fall to where it is heard: the filters are shut there.
    let design = ResamplingDesign(quality, lowerRate: 0)
    tables = ratios.map { FilterTable.table(for: FilterShape(interpolating: $0, design)) }
    filterCount = tables.count
    filters = .allocate(capacity: tables.count)
    for (index, table) in tables.enumerated() {
      (filters + index).initialize(
        to: Filter(
          ratio: ratios[index], coefficients: table.coefficients, taps: table.shape.taps,
          divisions: table.shape.rows))
    }
    window = tables.map(\.shape.taps).max() ?? 16
    capacity = 2 * window + 2 * maximumFrames + 16
    history = .allocate(capacity: max(1, channelCount * capacity))
    history.initialize(repeating: 0, count: max(1, channelCount * capacity))
    held = window - 1
  }

  deinit {
    filters.deallocate()
    history.deallocate()
  }

  /// Delay of the output in input frames.
  public var latencyFrames: Int { @_noLocks get { window / 2 } }

  /// Sets how many input frames an output frame takes, limited to `range`. [render thread]
  @_noLocks
  public mutating func set(rate newRate: Float) {
    let limited = Self.limited(newRate)
    guard limited != rate else { return }
    rate = limited
    position.set(ratio: limited)
  }

  /// Input frames that must be taken before `outputFrames` can be rendered. [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(for outputFrames: Int) -> Int {
    guard outputFrames > 0 else { return 0 }
    return max(0, position.frames(after: outputFrames - 1) + window - held)
  }

  /// The same where the rate changes: the lengths of pieces, and the rate of each. [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(
    lengths: UnsafePointer<Int32>, rates: UnsafePointer<Float>, count: Int
  ) -> Int {
    guard count > 0, lengths[count - 1] > 0 else { return 0 }
    var position = position
    var frames = 0
    for piece in 0..<count - 1 {
      position.set(ratio: Self.limited(rates[piece]))
      frames += position.advance(by: Int(lengths[piece]))
    }
    position.set(ratio: Self.limited(rates[count - 1]))
    frames += position.frames(after: Int(lengths[count - 1]) - 1)
    return max(0, frames + window - held)
  }

  @_noLocks
  private static func limited(_ rate: Float) -> Double {
    rate.isFinite ? min(max(Double(rate), 0.5), 2) : 1
  }

  /// Takes input frames. [render thread]
  @_noLocks
  public mutating func take(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    for channel in 0..<channelCount {
      Samples.copy(input[channel], to: history + channel * capacity + held, count: frames)
    }
    held += frames
  }

  /// Makes `frames` frames of what was taken, from frame `offset` of the output on. [render thread]
  @_noLocks
  public mutating func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, frames: Int
  ) {
    guard frames > 0 else { return }
    var index = 0
    while index < filterCount - 1, filters[index].ratio < rate { index += 1 }
    let filter = filters[index]
    var next = position
    let advance = next.advance(by: frames)
    if rate == 1, position.phase == 0 {
      for channel in 0..<channelCount {
        Samples.copy(
          history + (channel * capacity + window / 2 - 1), to: output[channel] + offset,
          count: frames)
      }
    } else {
      ResamplingKernel.resampleInterpolated(
        into: output, offset: offset, count: frames, from: history + (window - filter.taps) / 2,
        stride: capacity, channelCount: channelCount, table: filter.coefficients,
        taps: filter.taps, divisions: filter.divisions, walk: position.walk)
    }
    for channel in 0..<channelCount {
      let samples = history + channel * capacity
      Samples.move(samples + advance, to: samples, count: held - advance)
    }
    held -= advance
    position = next
  }

  /// Forgets the signal. [render thread]
  @_noLocks
  public mutating func reset() {
    position.reset()
    held = window - 1
    for channel in 0..<channelCount { Samples.clear(history + channel * capacity, count: held) }
  }
}
