// SPDX-License-Identifier: Apache-2.0

/// Position within a cycle, as 64-bit fixed point: one cycle is 2^64.
///
/// It wraps by itself and never rounds. Only the increment is rounded, once, to the precision of a
/// `Double`: after an hour at 20 kHz the phase is true to 2e-8 of a cycle.
public struct PhaseAccumulator: BitwiseCopyable, Sendable {
  /// Position in the cycle, in units of 2^-64 cycle.
  public var phase: UInt64

  /// Starts at `phase`, in units of 2^-64 cycle. [any thread]
  @inlinable @_noLocks
  public init(phase: UInt64 = 0) { self.phase = phase }

  /// Position in the cycle, 0 to below 1.
  public var cycles: Double {
    // The upper 53 bits, so that a phase just below a whole cycle does not round up to one.
    @inlinable @_noLocks get { Double(phase >> 11) * 0x1p-53 }
  }

  /// Fixed-point form of a number of cycles, of any size and sign; NaN becomes zero. [any thread]
  @inlinable @_noLocks
  public static func fixedPoint(cycles: Double) -> UInt64 {
    // A Double of this size has no useful fraction.
    guard cycles.magnitude < 0x1p50 else { return 0 }
    // Adding and subtracting this number rounds to an integer.
    let nearest = (cycles + 0x1.8p52) - 0x1.8p52
    let fraction = cycles - nearest
    return UInt64(bitPattern: Int64((fraction >= 0.5 ? fraction - 1 : fraction) * 0x1p64))
  }

  /// Moves on by `count` frames of `increment`, which itself grows by `incrementStep` after each
  /// frame. [any thread]
  ///
  /// The result is exact: an hour in one step gives the same as in slices.
  @inlinable @_noLocks
  public mutating func advance(by count: Int, increment: UInt64, incrementStep: UInt64 = 0) {
    let frames = UInt64(truncatingIfNeeded: count)
    let triangle = frames.isMultiple(of: 2) ? (frames / 2) &* (frames &- 1) : frames &* (frames / 2)
    phase &+= frames &* increment &+ triangle &* incrementStep
  }
}
