// SPDX-License-Identifier: Apache-2.0

/// Options of `SpectralStretcher` for hosts, which may change between calls.
public struct StretchOptions: BitwiseCopyable, Equatable, Sendable {
  /// How much frames overlap: the length of a frame, and how many begin within it.
  public var smoothness = Smoothness.usual
  /// Whether the bins around a peak turn together; else each by itself.
  public var locksPeaks = true
  /// Whether hits are copied in place.
  public var keepsTransients = true
  /// Whether the resonances of a voice stay where they are when its pitch is moved.
  public var keepsFormants = false

  public init() {}

  /// The rates, and the pitches in cents, that are possible.
  public static var rates: ClosedRange<Float> { @_noLocks get { 1 / 32...32 } }
  public static var pitches: ClosedRange<Float> { @_noLocks get { -2400...2400 } }

  /// How long frames are, and how many overlap.
  public enum Smoothness: Int, Sendable, BitwiseCopyable {
    /// Half as long frames, four of which overlap: for speech and what glides.
    case short
    /// Four frames overlap.
    case usual
    /// Eight and sixteen frames overlap.
    case dense, densest
  }
}
