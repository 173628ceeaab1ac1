// SPDX-License-Identifier: Apache-2.0

/// The level that a true-peak limiter follows: the largest magnitude that the channels reach between
/// their samples too, at four times the rate, as it was `latencyFrames` ago.
///
/// Half-band filters as long as these pass what lies below 0.47 of the sample rate. A level stands
/// from `holdFrames` before the peak to as many after it, so that the gain is level where the
/// samples lie of which the peak is made: a slope there would raise it again. Plain pointers: the
/// creator deallocates them.
public struct TruePeakLevel: BitwiseCopyable, @unchecked Sendable {
  private static var outerTaps: Int { @_noLocks get { 96 } }
  private static var innerTaps: Int { @_noLocks get { 16 } }
  private static var holdFrames: Int { @_noLocks get { 8 } }
  /// Frames that a level takes note of.
  private static var window: Int { @_noLocks get { 2 * holdFrames } }

  /// Frames by which the levels are late.
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
  /// The peaks of all channels: those of the last window, then those of the slice.
  private let peaks: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>

  /// [control thread] Levels of so many channels, in slices of at most `maximumFrames`.
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

  /// [control thread] Frees the memory; nothing may use it any more.
  public func deallocate() {
    for channel in 0..<channelCount {
      outer[channel].deallocate()
      inner[channel].deallocate()
    }
    memory.deallocate()
  }

  /// Forgets what was heard. [any thread]
  @_noLocks
  public func reset() {
    for channel in 0..<channelCount {
      outer[channel].reset()
      inner[channel].reset()
    }
    Samples.clear(peaks, count: Self.window)
  }

  /// Measures a channel of a slice; the first channel comes first. [any thread]
  @_noLocks
  public func measure(_ samples: UnsafePointer<Float>, count: Int, channel: Int) {
    let peaks = self.peaks + Self.window
    if channel == 0 { Samples.clear(peaks, count: count) }
    outer[channel].raise(samples, count: count, even: even, odd: odd)
    for index in 0..<count {
      doubled[2 &* index] = even[index]
      doubled[2 &* index &+ 1] = odd[index]
    }
    inner[channel].raise(doubled, count: 2 * count, even: evenAgain, odd: oddAgain)
    for index in 0..<count {
      let one = max(evenAgain[2 &* index].magnitude, oddAgain[2 &* index].magnitude)
      let two = max(evenAgain[2 &* index &+ 1].magnitude, oddAgain[2 &* index &+ 1].magnitude)
      peaks[index] = max(peaks[index], max(one, two))
    }
  }

  /// Writes the levels of the slice that was heard. [any thread]
  @_noLocks
  public func write(into levels: UnsafeMutablePointer<Float>, count: Int) {
    let length = count + Self.window
    // The largest of two, four, eight and sixteen in a row.
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
