// SPDX-License-Identifier: Apache-2.0

/// The level that a true-peak limiter follows: the largest magnitude of the channels at four times
/// the rate, so including the peaks between samples, delayed by `latencyFrames`.
///
/// Half-band filters of this length pass frequencies below 0.47 of the sample rate. The level of a
/// peak is held from `holdFrames` before it to as many after it, so that the gain is constant over
/// the samples that form the peak: a slope there would raise it again. Uses plain pointers; the
/// owner deallocates them.
public struct TruePeakLevel: BitwiseCopyable, @unchecked Sendable {
  private static var outerTaps: Int { @_noLocks get { 96 } }
  private static var innerTaps: Int { @_noLocks get { 16 } }
  private static var holdFrames: Int { @_noLocks get { 8 } }
  /// Frames over which a level is the maximum.
  private static var window: Int { @_noLocks get { 2 * holdFrames } }

  /// Delay of the levels in frames.
  public static var latencyFrames: Int {
    @_noLocks get { outerTaps / 2 + innerTaps / 4 + holdFrames }
  }

  private let memory = OwnedMemory()
  private let channelCount: Int
  private let outer: UnsafeMutablePointer<HalfBandFilter>
  private let inner: UnsafeMutablePointer<HalfBandFilter>
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let doubled: UnsafeMutablePointer<Float>
  private let evenAgain: UnsafeMutablePointer<Float>
  private let oddAgain: UnsafeMutablePointer<Float>
  /// The peaks of all channels: those of the previous window, then those of the slice.
  private let peaks: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>

  /// [control thread] Makes a meter for `channelCount` channels in slices of at most
  /// `maximumFrames`.
  public init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    outer = memory.array(
      (0..<channelCount).map { _ in
        HalfBandFilter(tapCount: Self.outerTaps, maximumFrames: maximumFrames)
      })
    inner = memory.array(
      (0..<channelCount).map { _ in
        HalfBandFilter(tapCount: Self.innerTaps, maximumFrames: 2 * maximumFrames)
      })
    even = memory.array(maximumFrames, of: 0)
    odd = memory.array(maximumFrames, of: 0)
    doubled = memory.array(2 * maximumFrames, of: 0)
    evenAgain = memory.array(2 * maximumFrames, of: 0)
    oddAgain = memory.array(2 * maximumFrames, of: 0)
    peaks = memory.array(maximumFrames + Self.window, of: 0)
    held = memory.array(maximumFrames + Self.window, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use the level afterwards.
  public func deallocate() {
    for channel in 0..<channelCount {
      outer[channel].deallocate()
      inner[channel].deallocate()
    }
    memory.deallocate()
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  public func reset() {
    for channel in 0..<channelCount {
      outer[channel].reset()
      inner[channel].reset()
    }
    Samples.clear(peaks, count: Self.window)
  }

  /// Measures a channel of a slice; start with channel 0. [any thread]
  @_noLocks
  public func measure(_ samples: UnsafePointer<Float>, count: Int, channel: Int) {
    let peaks = self.peaks + Self.window
    if channel == 0 { Samples.clear(peaks, count: count) }
    outer[channel].upsample(samples, count: count, even: even, odd: odd)
    for index in 0..<count {
      doubled[2 &* index] = even[index]
      doubled[2 &* index &+ 1] = odd[index]
    }
    inner[channel].upsample(doubled, count: 2 * count, even: evenAgain, odd: oddAgain)
    for index in 0..<count {
      let one = max(evenAgain[2 &* index].magnitude, oddAgain[2 &* index].magnitude)
      let two = max(evenAgain[2 &* index &+ 1].magnitude, oddAgain[2 &* index &+ 1].magnitude)
      peaks[index] = max(peaks[index], max(one, two))
    }
  }

  /// Writes the levels of the slice that was measured. [any thread]
  @_noLocks
  public func write(into levels: UnsafeMutablePointer<Float>, count: Int) {
    let length = count + Self.window
    // Maxima of two, four, eight and sixteen consecutive peaks.
    Samples.copy(peaks, to: held, count: length)
    var reach = 1
    while reach < Self.window {
      var index = 0
      while index < length - reach {
        held[index] = max(held[index], held[index + reach])
        index &+= 1
      }
      reach *= 2
    }
    Samples.copy(held + 1, to: levels, count: count)
    Samples.move(peaks + count, to: peaks, count: Self.window)
  }
}
