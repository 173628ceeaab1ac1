// SPDX-License-Identifier: Apache-2.0

/// Options of `SpectralStretcher`, which may change between calls.
public struct StretchOptions: BitwiseCopyable, Equatable, Sendable {
  /// Length and overlap of the frames. A change changes the latency.
  public var smoothness = Smoothness.usual
  /// Whether all bins around a peak have the same phase rotation; otherwise each has its own.
  public var locksPeaks = true
  /// Whether onsets are copied unmodified.
  public var keepsTransients = true
  /// Whether the formants of a voice stay in place when its pitch is shifted.
  public var keepsFormants = false

  @_noLocks
  public init() {}

  /// The ranges of rates, and of pitches in cents.
  public static var rates: ClosedRange<Float> { @_noLocks get { 1 / 32...32 } }
  public static var pitches: ClosedRange<Float> { @_noLocks get { -2400...2400 } }

  /// Length and overlap of the frames.
  public enum Smoothness: Int, Sendable, BitwiseCopyable {
    /// Output in pieces of half the length: for speech, gliding pitches and the least latency.
    case short
    /// Two frames overlap.
    case usual
    /// Eight and sixteen frames overlap: for chords, with more latency.
    case dense, densest
  }
}
