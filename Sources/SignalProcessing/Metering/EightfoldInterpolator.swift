// SPDX-License-Identifier: Apache-2.0

/// Interpolates one channel to eight times its rate, in order to find peaks between its samples
/// (ITU-R BS.1770-4, annex 2).
///
/// Three half-band filters in a row. Peaks of a tone near half the sample rate can fall between
/// these points by 0.17 dB at most. The owner frees the memory with `deallocate`.
struct EightfoldInterpolator: BitwiseCopyable, @unchecked Sendable {
  private static var middleTaps: Int { @_noLocks get { 16 } }
  private static var innerTaps: Int { @_noLocks get { 10 } }

  private let memory = OwnedMemory()
  private let outer: HalfBandFilter
  private let middle: HalfBandFilter
  private let inner: HalfBandFilter
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let doubled: UnsafeMutablePointer<Float>
  private let quadrupled: UnsafeMutablePointer<Float>
  /// Delay of the points in frames, rounded up.
  let latencyFrames: Int

  /// Delay in frames, rounded up, of an interpolator whose first filter has `outerTaps` taps.
  @_noLocks
  static func latencyFrames(outerTaps: Int) -> Int {
    let delay = 4 * (outerTaps - 1) + 2 * (middleTaps - 1) + innerTaps - 1
    return (delay + 7) / 8
  }

  /// [control thread] Makes an interpolator for slices of at most `maximumFrames`.
  ///
  /// The first filter, with `outerTaps` taps, decides up to which frequency peaks are found: its
  /// stop band begins `3 / outerTaps` of the sample rate beyond half of it.
  init(outerTaps: Int, maximumFrames: Int) {
    outer = HalfBandFilter(
      .doubling, tapCount: outerTaps, maximumFrames: maximumFrames, attenuation: 50)
    middle = HalfBandFilter(
      .doubling, tapCount: Self.middleTaps, maximumFrames: 2 * maximumFrames, attenuation: 80)
    inner = HalfBandFilter(
      .doubling, tapCount: Self.innerTaps, maximumFrames: 4 * maximumFrames, attenuation: 80)
    latencyFrames = Self.latencyFrames(outerTaps: outerTaps)
    even = memory.array(4 * maximumFrames, of: 0)
    odd = memory.array(4 * maximumFrames, of: 0)
    doubled = memory.array(2 * maximumFrames, of: 0)
    quadrupled = memory.array(4 * maximumFrames, of: 0)
  }

  /// [control thread]
  func deallocate() {
    outer.deallocate()
    middle.deallocate()
    inner.deallocate()
    memory.deallocate()
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  func reset() {
    outer.reset()
    middle.reset()
    inner.reset()
  }

  /// Returns the points at even and at odd places, four of each for every frame. [any thread]
  @_noLocks
  func interpolate(_ samples: UnsafePointer<Float>, count: Int) -> (
    even: UnsafePointer<Float>, odd: UnsafePointer<Float>
  ) {
    outer.upsample(samples, count: count, into: doubled, even: even, odd: odd)
    middle.upsample(doubled, count: 2 * count, into: quadrupled, even: even, odd: odd)
    inner.upsample(quadrupled, count: 4 * count, even: even, odd: odd)
    return (UnsafePointer(even), UnsafePointer(odd))
  }
}
