// SPDX-License-Identifier: Apache-2.0
import CKernels

/// Converts one channel to `factor` times its rate, where a memoryless nonlinearity may distort it,
/// and back.
///
/// Half-band filters, one inside the other. Frequencies below 0.46 of the sample rate pass level;
/// distortion products above 0.54 of it, up to half the higher rate, are 100 dB down. The owner
/// frees the memory with `deallocate`.
public struct Oversampler: BitwiseCopyable, @unchecked Sendable {
  private static var stageCount: Int { @_noLocks get { 3 } }
  /// How many times higher the rate is.
  public static var factor: Int { @_noLocks get { 1 << stageCount } }

  /// The taps of the filters, the outermost first. The further in, the wider is the transition.
  @_noLocks
  private static func tapCount(_ stage: Int) -> Int { stage == 0 ? 80 : stage == 1 ? 12 : 10 }

  /// Latency of both conversions in frames.
  public static var latencyFrames: Int {
    @_noLocks get {
      // Each pair of filters delays by one frame less than its taps at its lower rate; a sample
      // more at the highest rate but one makes all of these delays whole.
      var delay = 1
      for inner in 0..<stageCount {
        let own = tapCount(stageCount - 1 - inner) - 1
        delay = own + delay
        if inner < stageCount - 1 { delay /= 2 }
      }
      return delay
    }
  }

  private let memory = OwnedMemory()
  /// The filters to the higher rate and back, the outermost first.
  private let filters: UnsafeMutablePointer<HalfBandFilter>
  private let filtersBack: UnsafeMutablePointer<HalfBandFilter>
  /// The signal after each filter but the innermost; before the last of them, room for one sample.
  private let levels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private var heldSample: Float = 0

  /// The even and the odd samples at the higher rate: `factor` / 2 of each per frame.
  public let evenSamples: UnsafeMutablePointer<Float>
  public let oddSamples: UnsafeMutablePointer<Float>

  /// [control thread]
  public init(maximumFrames: Int) {
    let memory = memory
    func makeFilters(
      _ direction: HalfBandFilter.Direction
    ) -> UnsafeMutablePointer<HalfBandFilter> {
      memory.array(
        (0..<Self.stageCount).map { stage in
          HalfBandFilter(
            direction, tapCount: Self.tapCount(stage), maximumFrames: maximumFrames << stage)
        })
    }
    filters = makeFilters(.doubling)
    filtersBack = makeFilters(.halving)
    levels = memory.array(
      (1..<Self.stageCount).map { stage in memory.array(maximumFrames << stage + 1, of: 0) })
    let half = Self.factor / 2 * maximumFrames
    even = memory.array(half / 2, of: 0)
    odd = memory.array(half / 2, of: 0)
    evenSamples = memory.array(half, of: 0)
    oddSamples = memory.array(half, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use the oversampler afterwards.
  public func deallocate() {
    for stage in 0..<Self.stageCount {
      filters[stage].deallocate()
      filtersBack[stage].deallocate()
    }
    memory.deallocate()
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  public mutating func reset() {
    for stage in 0..<Self.stageCount {
      filters[stage].reset()
      filtersBack[stage].reset()
    }
    heldSample = 0
  }

  /// Fills `evenSamples` and `oddSamples`. [any thread]
  @_noLocks
  public func upsample(_ input: UnsafePointer<Float>, count: Int) {
    let last = Self.stageCount - 1
    var source = input
    for stage in 0..<last {
      filters[stage].upsample(
        source, count: count << stage, into: levels[stage], even: even, odd: odd)
      source = UnsafePointer(levels[stage])
    }
    filters[last].upsample(source, count: count << last, even: evenSamples, odd: oddSamples)
  }

  /// Converts `evenSamples` and `oddSamples` back to the original rate. [any thread]
  @_noLocks
  public mutating func downsample(_ output: UnsafeMutablePointer<Float>, count: Int) {
    let last = Self.stageCount - 1
    let inner = levels[last - 1]
    inner[0] = heldSample
    filtersBack[last].downsample(
      even: evenSamples, odd: oddSamples, count: count << last, output: inner + 1)
    heldSample = inner[count << last]
    var stage = last - 1
    while stage >= 0 {
      let length = count << stage
      kernel_split_pairs(even, odd, levels[stage], length)
      filtersBack[stage].downsample(
        even: even, odd: odd, count: length, output: stage > 0 ? levels[stage - 1] : output)
      stage &-= 1
    }
  }
}
