// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The sine oscillator's inner loop.
///
/// THD+N is below -150 dB at full level; the limit of Float is -153.7 dB. The peak is exactly the
/// amplitude, and no sample exceeds it.
public enum SineKernel {
  /// Writes `count` samples. [any thread]
  ///
  /// Phases and increments are in units of 2^-64 cycle. Sample i has the phase
  /// `phase + i * increment + i * (i - 1) / 2 * incrementStep` and the level
  /// `amplitude + i * amplitudeStep`.
  @_noLocks
  public static func render(
    into output: UnsafeMutablePointer<Float>, count: Int, phase: UInt64, increment: UInt64,
    incrementStep: UInt64 = 0, amplitude: Float, amplitudeStep: Float = 0
  ) {
    if incrementStep == 0 && amplitudeStep == 0 {
      kernel_sine(output, count, phase, increment, amplitude)
    } else {
      kernel_sine_ramp(output, count, phase, increment, incrementStep, amplitude, amplitudeStep)
    }
  }

  /// Sine of a phase in units of 2^-64 cycle, with the precision of Float. [any thread]
  @inlinable @_noLocks
  public static func sine(ofPhase phase: UInt64) -> Float {
    // Measured from the peak, one absolute value folds a cycle onto half of it.
    let fromCrest = Int32(truncatingIfNeeded: phase >> 32) &- 0x4000_0000
    let folded = Int32(bitPattern: 0x4000_0000 &- fromCrest.magnitude)
    // A minimax polynomial of degree nine in quarter cycles (error -169 dB), as t + t * p(t^2): the
    // larger term is exact.
    let t = Float(folded) * 0x1p-30
    let z = t * t
    var p = z * 0x1.3c4b2cp-13 + -0x1.3232fap-8
    p = p * z + 0x1.46676ep-4
    p = p * z + -0x1.4abbb6p-1
    p = p * z + 0x1.243f6ap-1
    return p * t + t
  }
}
