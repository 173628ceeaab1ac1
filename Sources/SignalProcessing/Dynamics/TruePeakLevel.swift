// SPDX-License-Identifier: Apache-2.0

/// The level that a true-peak limiter follows: the largest magnitude of the channels at eight times
/// the rate, so including the peaks between samples, delayed by `latencyFrames`.
///
/// The filter finds peaks of frequencies up to 0.49 of the sample rate. The level of a peak is held
/// from `holdFrames` before it to as many after it, so that the gain is constant over the samples
/// that form the peak: a slope there would raise it again. What the filter and the slope still leave
/// is less than `margin`. Uses plain pointers; the owner deallocates them.
public struct TruePeakLevel: BitwiseCopyable, @unchecked Sendable {
  private static var outerTaps: Int { @_noLocks get { 384 } }
  private static var holdFrames: Int { @_noLocks get { 32 } }
  /// Frames over which a level is the maximum.
  private static var window: Int { @_noLocks get { 2 * holdFrames } }
  /// Factor by which the levels are above the peaks found: 0.2 dB.
  private static var margin: Float { @_noLocks get { 1.0233 } }

  /// Delay of the levels in frames.
  public static var latencyFrames: Int {
    @_noLocks get { EightfoldInterpolator.latencyFrames(outerTaps: outerTaps) + holdFrames }
  }

  private let memory = OwnedMemory()
  private let channelCount: Int
  private let interpolators: UnsafeMutablePointer<EightfoldInterpolator>
  /// The peaks of all channels: those of the previous window, then those of the slice.
  private let peaks: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>

  /// [control thread] Makes a meter for `channelCount` channels in slices of at most
  /// `maximumFrames`.
  public init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    interpolators = memory.array(
      (0..<channelCount).map { _ in
        EightfoldInterpolator(outerTaps: Self.outerTaps, maximumFrames: maximumFrames)
      })
    peaks = memory.array(maximumFrames + Self.window, of: 0)
    held = memory.array(maximumFrames + Self.window, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use the level afterwards.
  public func deallocate() {
    for channel in 0..<channelCount { interpolators[channel].deallocate() }
    memory.deallocate()
  }

  /// Clears the signal history. [any thread]
  @_noLocks
  public func reset() {
    for channel in 0..<channelCount { interpolators[channel].reset() }
    Samples.clear(peaks, count: Self.window)
  }

  /// Measures a channel of a slice; start with channel 0. [any thread]
  @_noLocks
  public func measure(_ samples: UnsafePointer<Float>, count: Int, channel: Int) {
    let peaks = self.peaks + Self.window
    if channel == 0 { Samples.clear(peaks, count: count) }
    let (even, odd) = interpolators[channel].interpolate(samples, count: count)
    for index in 0..<count {
      let four = UnsafeRawPointer(even + 4 &* index).loadUnaligned(as: SIMD4<Float>.self)
      let more = UnsafeRawPointer(odd + 4 &* index).loadUnaligned(as: SIMD4<Float>.self)
      let (low, high) = (Self.magnitudes(four), Self.magnitudes(more))
      peaks[index] = max(peaks[index], low.replacing(with: high, where: high .> low).max())
    }
  }

  @inline(__always) @_noLocks
  private static func magnitudes(_ values: SIMD4<Float>) -> SIMD4<Float> {
    unsafeBitCast(
      unsafeBitCast(values, to: SIMD4<UInt32>.self) & 0x7fff_ffff, to: SIMD4<Float>.self)
  }

  /// Writes the levels of the slice that was measured. [any thread]
  @_noLocks
  public func write(into levels: UnsafeMutablePointer<Float>, count: Int) {
    let length = count + Self.window
    // Maxima of two, four, eight and more consecutive peaks.
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
    for index in 0..<count { levels[index] = held[index + 1] * Self.margin }
    Samples.move(peaks + count, to: peaks, count: Self.window)
  }
}
